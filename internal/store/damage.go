package store

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// DamagedError says that the local state cannot be read. Nothing in it is
// needed: it holds copies of work, and the folder may be deleted.
type DamagedError struct {
	Folder string // DIR/.taskwright
	Err    error
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("local state is damaged: %v; it holds only copies of finished work: it is safe to delete %s and run again", e.Err, e.Folder)
}

func (e *DamagedError) Unwrap() error { return e.Err }

// errContent is damage that the database itself does not notice.
var errContent = errors.New("unexpected content")

// damage turns an error of the database into one that a user can act on.
func (s *Store) damage(err error) error {
	var e *sqlite.Error
	var code int
	if errors.As(err, &e) {
		code = e.Code() & 0xff // without the extension
	}
	switch code {
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("local state %s: the disk is full: %w", s.folder, err)
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return fmt.Errorf("local state %s is not writable: %w", s.folder, err)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR:
		return &DamagedError{Folder: s.folder, Err: err}
	}
	if errors.Is(err, errContent) {
		return &DamagedError{Folder: s.folder, Err: err}
	}
	return fmt.Errorf("local state %s: %w", s.folder, err)
}
