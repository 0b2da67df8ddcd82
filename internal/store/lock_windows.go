package store

import (
	"errors"
	"os"
	"syscall"
)

const errorSharingViolation = syscall.Errno(32)

// openExclusive opens the lock file so that others may read it but not open it
// for writing. free is false when another process has it open that way.
func openExclusive(name string) (f *os.File, free bool, err error) {
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, false, err
	}
	h, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, syscall.FILE_SHARE_READ,
		nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, errorSharingViolation) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, &os.PathError{Op: "open", Path: name, Err: err}
	}
	return os.NewFile(uintptr(h), name), true, nil
}
