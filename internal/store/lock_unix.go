//go:build unix && !solaris && !aix

package store

import (
	"errors"
	"os"
	"syscall"
)

// openExclusive opens the lock file and takes the lock on it. free is false
// when another process has it.
func openExclusive(name string) (f *os.File, free bool, err error) {
	f, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, false, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err == nil {
		return f, true, nil
	}
	f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, false, nil
	}
	return nil, false, &os.PathError{Op: "flock", Path: name, Err: err}
}
