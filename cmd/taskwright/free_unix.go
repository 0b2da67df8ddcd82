//go:build linux || darwin || freebsd

package main

import "syscall"

// freeBytes is the space of the disk that folder is on, as far as this user
// may use it.
func freeBytes(folder string) (uint64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, err
	}
	return uint64(s.Bavail) * uint64(s.Bsize), nil
}
