package datasets

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
)

// ErrChanged is in the chain of the error for a commit on a dataset that
// another process changed since it was opened.
var ErrChanged = errors.New("the dataset was changed by another process since it was opened")

// A Tx replaces tables of a dataset. Nothing is seen of it until Commit, and
// then everything at once. A Tx is for one goroutine.
type Tx struct {
	dir    *Dir
	format string
	files  map[string]pending // by path: new files
	drops  map[string]bool    // paths of tables that are replaced
	temps  []string           // what to remove on Rollback
	done   bool

	shardBytes int64 // see the constant; tests make it small
}

type pending struct {
	file File
	temp string // where it is now
}

// Begin starts a transaction. It finishes a commit that was interrupted and
// removes what an aborted one left behind, so it needs a directory that can be
// written to.
func (d *Dir) Begin() (*Tx, error) {
	if err := d.settle(); err != nil {
		return nil, fmt.Errorf("writing dataset %s: %w", d.path, err)
	}
	return &Tx{dir: d, format: newerFormat(FormatVersion, d.manifest.Format), files: map[string]pending{}, drops: map[string]bool{}, shardBytes: shardBytes}, nil
}

// WriteServers replaces the servers of the catalog.
func (tx *Tx) WriteServers(rows iter.Seq2[Server, error]) error {
	return writeTable(tx, TableServers, "", rows)
}

// WriteTools replaces the tools of the catalog.
func (tx *Tx) WriteTools(rows iter.Seq2[Tool, error]) error {
	return writeTable(tx, TableTools, "", rows)
}

// WriteEdges replaces the edges of the tool graph.
func (tx *Tx) WriteEdges(rows iter.Seq2[Edge, error]) error {
	return writeTable(tx, TableEdges, "", rows)
}

// WriteTape replaces the recorded calls.
func (tx *Tx) WriteTape(rows iter.Seq2[Call, error]) error {
	return writeTable(tx, TableTape, "", rows)
}

// WriteTasks replaces all tasks. Each goes into the files of its Split
// ("" counts as candidates), in the order given.
func (tx *Tx) WriteTasks(rows iter.Seq2[Task, error]) error {
	if err := tx.replace(TableTasks); err != nil {
		return err
	}
	splits := map[string]*shards[Task]{}
	carry, err := newCarry[Task](tx, TableTasks)
	if err != nil {
		return err
	}
	for task, err := range rows {
		if err != nil {
			return err
		}
		if task.Split == "" {
			task.Split = SplitCandidates
		}
		s := splits[task.Split]
		if s == nil {
			if s, err = newShards[Task](tx, TableTasks, task.Split, carry); err != nil {
				return err
			}
			splits[task.Split] = s
		}
		if err := s.write(task, task.Status); err != nil {
			return err
		}
	}
	for _, split := range sortedStrings(splits) {
		if err := splits[split].close(); err != nil {
			return err
		}
	}
	return nil
}

// WriteRun replaces what is stored of one evaluation run.
func (tx *Tx) WriteRun(run Run, trajectories iter.Seq2[Trajectory, error], scores iter.Seq2[Score, error]) error {
	if err := writeTable(tx, TableTrajectories, run.ID, trajectories); err != nil {
		return err
	}
	if err := writeTable(tx, TableScores, run.ID, scores); err != nil {
		return err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(run); err != nil {
		return fmt.Errorf("writing run %s: %w", run.ID, err)
	}
	l, _ := layoutOf(TableRun)
	path := l.path(run.ID, 0, 1)
	out, err := tx.create(path)
	if err != nil {
		return err
	}
	_, err = out.Write(b.Bytes())
	return tx.finish(out, path, File{Table: TableRun}, err)
}

// RemoveRun drops what is stored of one evaluation run.
func (tx *Tx) RemoveRun(id string) error {
	for _, table := range []string{TableTrajectories, TableScores, TableRun} {
		if err := tx.replace(table, id); err != nil {
			return err
		}
	}
	return nil
}

// writeTable replaces a table, or the part of it that belongs to a run.
func writeTable[T any](tx *Tx, table, part string, rows iter.Seq2[T, error]) error {
	var parts []string
	if part != "" {
		parts = []string{part}
	}
	if err := tx.replace(table, parts...); err != nil {
		return err
	}
	carry, err := newCarry[T](tx, table, parts...)
	if err != nil {
		return err
	}
	s, err := newShards[T](tx, table, part, carry)
	if err != nil {
		return err
	}
	for row, err := range rows {
		if err != nil {
			return err
		}
		if err := s.write(row, ""); err != nil {
			return err
		}
	}
	return s.close()
}

// replace marks the files of a table as gone unless they are written anew.
func (tx *Tx) replace(table string, parts ...string) error {
	if tx.done {
		return errors.New("writing dataset: the transaction is over")
	}
	for _, f := range tx.dir.manifest.Table(table, parts...) {
		tx.drops[f.Path] = true
	}
	for path := range tx.files {
		if t, part, _ := tableOfPath(path); t == table && (len(parts) == 0 || slices.Contains(parts, part)) {
			return fmt.Errorf("writing dataset: table %s is written twice in one transaction", table)
		}
	}
	return nil
}

func (tx *Tx) create(path string) (outFile, error) {
	full := tx.dir.file(path)
	if err := tx.dir.fsys.mkdir(filepath.Dir(full)); err != nil {
		return nil, fmt.Errorf("writing %s: %w", path, err)
	}
	out, err := tx.dir.fsys.create(full)
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", path, err)
	}
	tx.temps = append(tx.temps, out.Name())
	return &summed{outFile: out, digester: newDigester(out)}, nil
}

// finish syncs and closes a new file and keeps it for the commit.
func (tx *Tx) finish(out outFile, path string, f File, err error) error {
	if err == nil {
		err = out.Sync()
	}
	if e := out.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	s := out.(*summed)
	f.Path, f.Bytes, f.SHA256 = path, s.digester.n, s.digester.sum()
	tx.files[path] = pending{f, out.Name()}
	return nil
}

// summed is a new file with the digest of what was written to it.
type summed struct {
	outFile
	digester *digester
}

func (s *summed) Write(p []byte) (int, error) { return s.digester.Write(p) }

// Rollback gives the transaction up. After Commit it does nothing.
func (tx *Tx) Rollback() error {
	if tx.done {
		return nil
	}
	tx.done = true
	var errs []error
	for _, path := range tx.temps {
		if err := tx.dir.fsys.remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func writeAll(b []byte) func(io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write(b); return err }
}
