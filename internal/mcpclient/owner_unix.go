//go:build unix && !solaris && !aix

package mcpclient

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// markOwner writes the owner file of new private directories and locks it; the
// lock lasts until the file is closed or this process ends. It gets its name
// when it is locked. Where that does not work there is none, and nobody else
// will ever delete the directories.
func markOwner(root string) *os.File {
	temp := filepath.Join(root, ownerFile+".new")
	f, err := os.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil
	}
	if _, err = fmt.Fprintf(f, "process %d\n", os.Getpid()); err == nil && flock(f) {
		err = os.Rename(temp, filepath.Join(root, ownerFile))
	}
	if err != nil {
		f.Close()
		return nil
	}
	return f
}

// lockOwner opens an owner file and locks it. It returns nil if another has
// the lock, or there is no such file.
func lockOwner(name string) *os.File {
	f, err := os.OpenFile(name, os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || !flock(f) {
		f.Close()
		return nil
	}
	return f
}

func flock(f *os.File) bool {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			return err == nil
		}
	}
}

// ownDirectory says whether a name is a directory, no link to one, of the user
// who runs this program.
func ownDirectory(name string) bool {
	info, err := os.Lstat(name)
	if err != nil || !info.IsDir() {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
