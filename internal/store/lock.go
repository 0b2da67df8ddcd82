package store

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// lock is an exclusive hold on a dataset's directory. The operating system
// gives it up when the process dies, however it dies, so the file that stays
// behind stops nobody.
type lock struct{ file *os.File }

// Holder is the process that works in a directory.
type Holder struct {
	PID     int    `json:"pid"`
	Command string `json:"command"` // its command line
}

// HeldError says that another process works in the directory.
type HeldError struct {
	Dir    string
	Holder Holder // zero if it did not say who it is
}

func (e *HeldError) Error() string {
	if e.Holder.PID == 0 {
		return fmt.Sprintf("%s is in use by another process; wait for it to end", e.Dir)
	}
	return fmt.Sprintf("%s is in use by process %d (%s); wait for it to end or stop it", e.Dir, e.Holder.PID, e.Holder.Command)
}

// acquire takes the lock or says who has it.
func acquire(file, dir string) (*lock, error) {
	f, free, err := openExclusive(file)
	if err != nil {
		return nil, fmt.Errorf("locking %s: %w", dir, err)
	}
	if !free {
		return nil, &HeldError{Dir: dir, Holder: readHolder(file)}
	}
	l := &lock{file: f}
	if err := l.sign(Holder{PID: os.Getpid(), Command: commandLine()}); err != nil {
		f.Close()
		return nil, fmt.Errorf("locking %s: %w", dir, err)
	}
	return l, nil
}

// sign writes who holds the lock, in one write, over what an earlier holder left.
func (l *lock) sign(h Holder) error {
	line, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	_, err = l.file.WriteAt(append(line, '\n'), 0)
	return err
}

func (l *lock) release() error { return l.file.Close() }

// readHolder is who signed the lock file, as far as it can be read.
func readHolder(file string) Holder {
	f, err := os.Open(file)
	if err != nil {
		return Holder{}
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, 1<<14))
	if err != nil {
		return Holder{}
	}
	var h Holder
	if json.Unmarshal(raw, &h) != nil {
		return Holder{}
	}
	return h
}

// commandLine is the command of this process, cut to what fits in a message.
func commandLine() string {
	args := append([]string{filepath.Base(os.Args[0])}, os.Args[1:]...)
	line := []rune(strings.Join(args, " "))
	if len(line) > 200 {
		line = append(line[:200], '…')
	}
	return string(line)
}
