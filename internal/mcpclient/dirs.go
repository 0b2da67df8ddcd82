package mcpclient

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// privateDirs are the directories of one process.
type privateDirs struct {
	root             string
	work, home, temp string
	ownWork, ownHome bool     // whether they are private, or the author's
	owner            *os.File // locked while they are in use; may be nil
}

// newPrivateDirs makes the directories of one process and copies the seed.
func newPrivateDirs(c Config, parent string) (*privateDirs, error) {
	parent, err := tempParent(parent)
	if err != nil {
		return nil, fmt.Errorf("making private directories: %w", err)
	}
	// A name of fixed length keeps the width of what a server prints the same.
	var id [6]byte
	rand.Read(id[:])
	root := filepath.Join(parent, "taskwright-"+hex.EncodeToString(id[:]))
	d := &privateDirs{
		root: root, work: filepath.Join(root, "work"), home: filepath.Join(root, "home"), temp: filepath.Join(root, "temp"),
		ownWork: true, ownHome: true,
	}
	if err := d.make(c); err != nil {
		return nil, errors.Join(fmt.Errorf("making private directories: %w", err), d.remove())
	}
	return d, nil
}

func (d *privateDirs) make(c Config) error {
	for _, dir := range []string{d.root, d.work, d.home, d.temp} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
	}
	d.owner = markOwner(d.root)
	if c.Seed != "" {
		if err := copyTree(d.work, c.Seed); err != nil {
			return fmt.Errorf("copying the seed: %w", err)
		}
	}
	if home, ok := c.Env["HOME"]; ok {
		d.home, d.ownHome = expandWorkDir(home, d.work), strings.HasPrefix(home, workDir)
	}
	if strings.HasPrefix(c.Dir, workDir) {
		d.work = expandWorkDir(c.Dir, d.work)
		return os.MkdirAll(d.work, 0o700)
	}
	if c.Dir != "" {
		d.work, d.ownWork = c.Dir, false
	}
	return nil
}

// remove deletes the private directories, also those that a server made
// read-only.
func (d *privateDirs) remove() error {
	defer d.owner.Close() // a nil file only reports an error
	if os.RemoveAll(d.root) == nil {
		return nil
	}
	filepath.WalkDir(d.root, func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			os.Chmod(name, 0o700)
		}
		return nil
	})
	return os.RemoveAll(d.root)
}

// Bounds of a seed folder.
const (
	maxSeedFiles = 100_000
	maxSeedBytes = 1 << 30
)

// copyTree copies the files and folders below from into to. Symbolic links are
// kept if they stay within from and refused if they do not.
func copyTree(to, from string) error {
	from, err := filepath.EvalSymlinks(from)
	if err != nil {
		return err
	}
	files, size := 0, int64(0)
	return filepath.WalkDir(from, func(name string, e fs.DirEntry, err error) error {
		if err != nil || name == from {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		files++
		size += info.Size()
		if files > maxSeedFiles || size > maxSeedBytes {
			return fmt.Errorf("more than %d files or %d bytes", maxSeedFiles, maxSeedBytes)
		}
		return copyEntry(filepath.Join(to, rel), from, name, info)
	})
}

func copyEntry(to, root, name string, info fs.FileInfo) error {
	switch info.Mode().Type() {
	case fs.ModeDir:
		return os.MkdirAll(to, 0o700)
	case fs.ModeSymlink:
		return copyLink(to, root, name)
	case 0:
		return copyFile(to, name, info)
	}
	return fmt.Errorf("%s is neither a file, a folder nor a link", name)
}

func copyLink(to, root, name string) error {
	target, err := os.Readlink(name)
	if err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(root, real)
	if err != nil || filepath.IsAbs(target) || !filepath.IsLocal(rel) {
		return fmt.Errorf("link %s points outside of the seed folder", name)
	}
	return os.Symlink(target, to)
}

func copyFile(to, name string, info fs.FileInfo) error {
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Close()); err != nil {
		return err
	}
	// The time of the last change is part of what some servers answer.
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}
