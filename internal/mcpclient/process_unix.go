//go:build unix

package mcpclient

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the process into a group of its own, so that its children can
// be ended with it and Ctrl-C reaches only us.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func terminateGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
