//go:build !unix

package mcpclient

import "os/exec"

// Without process groups only the process itself can be ended.
func ownGroup(*exec.Cmd) {}

func terminateGroup(cmd *exec.Cmd) { cmd.Process.Kill() }

func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
