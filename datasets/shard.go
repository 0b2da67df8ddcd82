package datasets

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"sort"
)

// shardBytes is the size at which a file of a large table ends, in bytes of
// compressed data.
const shardBytes = 256 << 20

// shards writes the rows of a table, or of one split or run, as one or more
// files. The number of files is part of their names, so the names are given
// at the end.
type shards[T any] struct {
	tx     *Tx
	layout layout
	part   string
	merge  *merger
	limit  int64

	out    outFile
	w      *Writer[T]
	status map[string]int64 // rows by status, of the current file
	closed []shard
}

// shard is one finished file.
type shard struct {
	file outFile
	sum  File
}

func newShards[T any](tx *Tx, table, part string, merge *merger) (*shards[T], error) {
	l, _ := layoutOf(table)
	if err := l.checkPart(part); err != nil {
		return nil, fmt.Errorf("writing %s: %w", table, err)
	}
	s := &shards[T]{tx: tx, layout: l, part: part, merge: merge, limit: tx.shardBytes}
	return s, s.open()
}

func (s *shards[T]) open() error {
	path := s.layout.path(s.part, len(s.closed), 1)
	out, err := s.tx.create(path)
	if err != nil {
		return err
	}
	s.out, s.status = out, map[string]int64{}
	s.w = NewWriter[T](out, path, &WriterOptions{Table: s.layout.table, Format: s.tx.format, merge: s.merge})
	return nil
}

// write adds a row; a status that is not empty is counted in the metadata.
func (s *shards[T]) write(row T, status string) error {
	if s.layout.sharded() && s.w.out.n >= s.limit {
		if err := s.end(); err != nil {
			return err
		}
		if err := s.open(); err != nil {
			return err
		}
	}
	if status != "" {
		s.status[status]++
	}
	return s.w.Write(row)
}

// end completes the current file.
func (s *shards[T]) end() error {
	if s.layout.table == TableTasks {
		counts, err := json.Marshal(s.status)
		if err != nil {
			return err
		}
		s.w.SetMetadata(MetaStatus, string(counts))
	}
	err := s.w.Close()
	if err == nil {
		err = s.out.Sync()
	}
	if e := s.out.Close(); err == nil && e != nil {
		err = fmt.Errorf("writing %s: %w", s.w.name, e)
	}
	s.closed = append(s.closed, shard{s.out, s.w.Sum()})
	return err
}

// close completes the last file and gives all of them their names.
func (s *shards[T]) close() error {
	if err := s.end(); err != nil {
		return err
	}
	for i, c := range s.closed {
		c.sum.Path = s.layout.path(s.part, i, len(s.closed))
		s.tx.files[c.sum.Path] = pending{c.sum, c.file.Name()}
	}
	return nil
}

// WriteFile writes rows as one Parquet file, under a temporary name that is
// synced and renamed, so that path holds the old file or the complete new one.
// The result lists rows, bytes and SHA-256.
func WriteFile[T any](path string, rows iter.Seq2[T, error], opts *WriterOptions) (File, error) {
	return writeFile(disk{}, path, rows, opts)
}

func writeFile[T any](fsys filesystem, path string, rows iter.Seq2[T, error], opts *WriterOptions) (File, error) {
	var sum File
	inner := false // the error names the file already
	err := writeDurably(fsys, path, func(out io.Writer) error {
		w := NewWriter[T](out, path, opts)
		for row, err := range rows {
			if err == nil {
				err = w.Write(row)
			}
			if err != nil {
				inner = true
				return err
			}
		}
		inner = true
		err := w.Close()
		sum = w.Sum()
		inner = err != nil
		return err
	})
	if err != nil && !inner {
		err = fmt.Errorf("writing %s: %w", path, err)
	}
	sum.Path = filepath.ToSlash(path)
	return sum, err
}

// fileSum is the size and SHA-256 of an open file, read from its start.
func fileSum(f *os.File) (bytes int64, sha string, err error) {
	d := newDigester(io.Discard)
	info, err := f.Stat()
	if err != nil {
		return 0, "", err
	}
	_, err = io.Copy(d, io.NewSectionReader(f, 0, info.Size()))
	return d.n, d.sum(), err
}

// sortedStrings lists the keys of a map in order.
func sortedStrings[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
