package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// A batch is what one commit makes durable: at most so many Puts or bytes.
const (
	batchPuts  = 512
	batchBytes = 8 << 20
)

// ErrClosed is returned by a Put after Close.
var ErrClosed = errors.New("local state is closed")

// put is one value on its way to the disk.
type put struct {
	stage, key string
	value      []byte
	done       chan<- error
}

// Put stores value under stage and key, in place of what was there, and
// returns when it is on the disk. The caller must not change value meanwhile.
func (s *Store) Put(stage, key string, value []byte) error {
	done := make(chan error, 1)
	if err := s.enqueue(put{stage, key, value, done}); err != nil {
		return err
	}
	if err := <-done; err != nil {
		return s.damage(fmt.Errorf("writing %s %s: %w", stage, key, err))
	}
	return nil
}

func (s *Store) enqueue(p put) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return ErrClosed
	}
	s.puts <- p
	return nil
}

// write commits Puts until Close: all that wait when one commit ends go into
// the next.
func (s *Store) write() {
	defer close(s.stored)
	for p := range s.puts {
		batch, size := []put{p}, len(p.value)
	fill:
		for len(batch) < batchPuts && size < batchBytes {
			select {
			case p, open := <-s.puts:
				if !open {
					break fill
				}
				batch, size = append(batch, p), size+len(p.value)
			default:
				break fill
			}
		}
		s.settle(batch)
	}
}

// settle commits a batch and tells each Put how it went. When the batch fails,
// each is tried alone, so that one bad value fails nobody else.
func (s *Store) settle(batch []put) {
	err := commit(s.writer, batch)
	if err != nil && len(batch) > 1 {
		for _, p := range batch {
			p.done <- commit(s.writer, []put{p})
		}
		return
	}
	for _, p := range batch {
		p.done <- err
	}
}

func commit(db *sql.DB, batch []put) error {
	tx, err := db.BeginTx(context.Background(), nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // no effect after Commit
	for _, p := range batch {
		value := p.value
		if value == nil {
			value = []byte{}
		}
		if _, err := tx.Exec(`INSERT OR REPLACE INTO blobs VALUES (?, ?, ?, ?)`, p.stage, p.key, value, checksum(value)); err != nil {
			return err
		}
	}
	return tx.Commit()
}
