// Package store keeps the local state of a dataset's directory: answers that
// were paid for once, so that a run that was killed goes on where it stopped.
//
// It lives in DIR/.taskwright and holds blobs under a stage and a key. The key
// is the digest of everything that can change the blob, so a blob is never
// wrong, only unused; deleting the folder costs time and nothing else.
//
// One process at a time: [Open] takes a lock and names the process that holds
// it. What [Store.Put] acknowledged survives a kill at any instant.
package store

import (
	"database/sql"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	_ "modernc.org/sqlite" // the database/sql driver "sqlite"
)

// Dir is the folder of local state inside a dataset's directory.
const Dir = ".taskwright"

// layout is the version of the table, kept in the database's user_version.
const layout = 1

// Store is the local state of one dataset. Its methods may be called
// concurrently; Puts that wait at the same time share one sync of the disk.
type Store struct {
	folder string
	lock   *lock
	writer *sql.DB // one connection
	reader *sql.DB
	get    *sql.Stmt

	puts   chan put
	stored chan struct{} // closed when the writing goroutine has returned

	mu     sync.RWMutex
	closed bool // guards puts against a send after close
}

// Open opens the local state of the dataset directory dir and creates it if
// there is none. Errors are a [*HeldError] when another process works in the
// directory, a [*DamagedError] when the state cannot be read, and otherwise
// say what could not be written.
func Open(dir string) (*Store, error) {
	folder := filepath.Join(dir, Dir)
	if err := makeFolder(folder); err != nil {
		return nil, fmt.Errorf("preparing local state: %w", err)
	}
	l, err := acquire(filepath.Join(folder, "lock"), dir)
	if err != nil {
		return nil, err
	}
	s := &Store{folder: folder, lock: l, puts: make(chan put), stored: make(chan struct{})}
	if err := s.open(filepath.Join(folder, "state.db")); err != nil {
		return nil, errors.Join(err, s.shut())
	}
	go s.write()
	return s, nil
}

// makeFolder makes the folder and keeps it out of version control.
func makeFolder(folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	ignore := filepath.Join(folder, ".gitignore")
	if _, err := os.Stat(ignore); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(ignore, []byte("*\n"), 0o666)
}

func (s *Store) open(file string) error {
	var err error
	if s.writer, err = connect(file, "&_txlock=immediate"); err != nil {
		return s.damage(err)
	}
	s.writer.SetMaxOpenConns(1)
	if err := prepare(s.writer); err != nil {
		return s.damage(err)
	}
	if s.reader, err = connect(file, "&_pragma=query_only(1)"); err != nil {
		return s.damage(err)
	}
	s.reader.SetMaxOpenConns(4)
	if s.get, err = s.reader.Prepare(`SELECT value, sum FROM blobs WHERE stage = ? AND key = ?`); err != nil {
		return s.damage(err)
	}
	return nil
}

// connect opens the database with a log that is synced at each commit.
func connect(file, more string) (*sql.DB, error) {
	absolute, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	path := filepath.ToSlash(absolute)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/…
	}
	at := url.URL{Scheme: "file", Path: path}
	return sql.Open("sqlite", at.String()+"?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)"+more)
}

// prepare makes the table in a new database and refuses one of another layout.
func prepare(db *sql.DB) error {
	var version int
	if err := db.QueryRow(`PRAGMA user_version`).Scan(&version); err != nil {
		return err
	}
	if version > layout {
		return fmt.Errorf("%w: layout %d of a newer version, this one knows %d", errContent, version, layout)
	}
	_, err := db.Exec(fmt.Sprintf(`
		CREATE TABLE IF NOT EXISTS blobs (
			stage TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, sum INTEGER NOT NULL,
			PRIMARY KEY (stage, key)
		) WITHOUT ROWID;
		PRAGMA user_version = %d`, layout))
	return err
}

// Get is the blob stored under stage and key, if there is one.
func (s *Store) Get(stage, key string) (value []byte, found bool, err error) {
	var sum int64
	switch err := s.get.QueryRow(stage, key).Scan(&value, &sum); {
	case errors.Is(err, sql.ErrNoRows):
		return nil, false, nil
	case err != nil:
		return nil, false, s.damage(fmt.Errorf("%s %s: %w", stage, key, err))
	}
	if checksum(value) != sum {
		return nil, false, s.damage(fmt.Errorf("%w: the checksum of %s %s does not match", errContent, stage, key))
	}
	if value == nil {
		value = []byte{}
	}
	return value, true, nil
}

func checksum(value []byte) int64 { return int64(crc32.ChecksumIEEE(value)) }

// Close waits for the Puts under way, closes the database and gives up the
// lock. A second Close does nothing.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	close(s.puts)
	<-s.stored
	return s.shut()
}

func (s *Store) shut() error {
	var errs []error
	if s.get != nil {
		errs = append(errs, s.get.Close())
	}
	for _, db := range []*sql.DB{s.reader, s.writer} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	if err := errors.Join(append(errs, s.lock.release())...); err != nil {
		return fmt.Errorf("closing local state: %w", err)
	}
	return nil
}
