package store_test

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/taskwright/taskwright/internal/store"
)

// unprivileged runs f on a thread whose file access is not root's, so that
// permissions count even when the tests run as root.
func unprivileged(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		if os.Geteuid() == 0 {
			runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
			syscall.RawSyscall(syscall.SYS_SETFSUID, 65534, 0, 0)
		}
		f()
	}()
	<-done
}

func TestReadOnlyDirectory(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	var err error
	unprivileged(func() { _, err = store.Open(dir) })
	if !errors.Is(err, fs.ErrPermission) || !strings.HasPrefix(err.Error(), "preparing local state: mkdir "+dir) {
		t.Errorf("error: %v", err)
	}
}
