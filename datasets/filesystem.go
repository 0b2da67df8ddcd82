package datasets

import (
	"io"
	"os"
	"path/filepath"
)

// filesystem is what a commit does to the disk. It is an interface so that
// tests can make any step of it fail.
type filesystem interface {
	// create makes a new file with a unique name next to path.
	create(path string) (outFile, error)
	rename(from, to string) error
	remove(path string) error
	mkdir(path string) error
	syncDir(path string) error
}

type outFile interface {
	io.Writer
	Name() string
	Sync() error
	Close() error
}

// disk is the real file system.
type disk struct{}

func (disk) create(path string) (outFile, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*"+tempSuffix)
	if err != nil {
		return nil, err
	}
	return f, f.Chmod(0o644)
}

func (disk) rename(from, to string) error { return os.Rename(from, to) }
func (disk) remove(path string) error     { return os.Remove(path) }
func (disk) mkdir(path string) error      { return os.MkdirAll(path, 0o755) }

func (disk) syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// Suffixes of files that are not part of a dataset yet. Their names also begin
// with a dot, and do not end in .parquet, so that no glob of another program
// takes them for data.
const (
	tempSuffix    = ".tmp" // being written
	pendingSuffix = ".new" // complete, waiting for its commit
)

// pendingPath is where the complete file waits for its commit.
func pendingPath(path, sha string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+sha[:16]+pendingSuffix)
}

// writeDurably writes a file under a temporary name, syncs it and renames it
// to path. The directory is synced too.
func writeDurably(fsys filesystem, path string, write func(io.Writer) error) error {
	f, err := fsys.create(path)
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = fsys.rename(f.Name(), path)
	}
	if err != nil {
		fsys.remove(f.Name())
		return err
	}
	return fsys.syncDir(filepath.Dir(path))
}
