package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/taskwright/taskwright/internal/store"
)

// Free bytes below which a disk is doubtful, and too full to begin.
const (
	littleFree = 1 << 30
	noFree     = 64 << 20
)

// examineDisk looks at the folder that dir is, or would be made in.
func examineDisk(dir string) []finding {
	folder, err := nearestFolder(dir)
	if err != nil {
		return []finding{{"disk", broken, err.Error()}}
	}
	return []finding{examineSpace(folder), examineWriting(folder)}
}

// nearestFolder is dir, or the nearest folder above it that exists.
func nearestFolder(dir string) (string, error) {
	at, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		info, err := os.Stat(at)
		if err == nil && !info.IsDir() {
			return "", fmt.Errorf("%s is a file, not a directory", at)
		}
		if err == nil {
			return at, nil
		}
		if !errors.Is(err, fs.ErrNotExist) || filepath.Dir(at) == at {
			return "", err
		}
		at = filepath.Dir(at)
	}
}

func examineSpace(folder string) finding {
	const name = "disk space"
	free, err := freeBytes(folder)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return finding{name, notSet, "cannot be measured on this system"}
	case err != nil:
		return finding{name, broken, fmt.Sprintf("measuring it at %s: %v", folder, err)}
	}
	detail := fmt.Sprintf("%.1f GB free at %s", float64(free)/1e9, folder)
	switch {
	case free < noFree:
		return finding{name, broken, detail}
	case free < littleFree:
		return finding{name, doubtful, detail}
	}
	return finding{name, healthy, detail}
}

func examineWriting(folder string) finding {
	const name = "disk writing"
	if err := tryWriting(folder); err != nil {
		return finding{name, broken, err.Error()}
	}
	return finding{name, healthy, "files can be written, synced and replaced in " + folder}
}

// tryWriting does to a file what writing a dataset does: write, sync, replace,
// sync the folder. It leaves nothing behind.
func tryWriting(folder string) (err error) {
	trial, err := os.MkdirTemp(folder, ".taskwright-doctor-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(trial)) }()
	name := filepath.Join(trial, "file")
	for _, content := range []string{"old", "new"} {
		if err := writeSynced(name+".tmp", content); err != nil {
			return err
		}
		if err := os.Rename(name+".tmp", name); err != nil {
			return fmt.Errorf("replacing a file: %w", err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != "new" {
		return fmt.Errorf("a replaced file in %s holds %q, %v", folder, got, err)
	}
	return syncFolder(trial)
}

func syncFolder(name string) error {
	if runtime.GOOS == "windows" { // knows no such thing
		return nil
	}
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	return wrap("syncing a folder", errors.Join(d.Sync(), d.Close()))
}

func writeSynced(name, content string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// examineSettings reads taskwright.yaml.
func examineSettings(dir string) finding {
	if _, err := os.Stat(filepath.Join(dir, settingsFile)); errors.Is(err, fs.ErrNotExist) {
		return finding{"settings", notSet, "no " + settingsFile + " in " + dir + "; the defaults hold"}
	}
	if _, err := loadSettings(dir); err != nil {
		return finding{"settings", broken, err.Error()}
	}
	return finding{"settings", healthy, filepath.Join(dir, settingsFile)}
}

// examineState opens the local state, if there is any.
func examineState(dir string) finding {
	const name = "local state"
	if _, err := os.Stat(filepath.Join(dir, store.Dir)); errors.Is(err, fs.ErrNotExist) {
		return finding{name, notSet, "none in " + dir + " yet"}
	}
	s, err := store.Open(dir)
	var held *store.HeldError
	if errors.As(err, &held) {
		return finding{name, doubtful, err.Error()}
	}
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		return finding{name, broken, err.Error()}
	}
	return finding{name, healthy, filepath.Join(dir, store.Dir)}
}
