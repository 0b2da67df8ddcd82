//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory is the largest resident set of a process that ended, in bytes.
func peakMemory(s *os.ProcessState) float64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	switch {
	case !ok:
		return 0
	case runtime.GOOS == "darwin":
		return float64(u.Maxrss)
	}
	return float64(u.Maxrss) * 1024
}
