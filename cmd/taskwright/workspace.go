package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/mcpclient"
	"github.com/taskwright/taskwright/internal/store"
	"github.com/taskwright/taskwright/internal/tape"
)

// workspace is a dataset while stages work on it: its tables, its local state
// and the servers that calls go to. It holds the dataset's lock, except in a
// dry run, which only looks.
type workspace struct {
	env      *env
	path     string        // as the user wrote it
	dir      *datasets.Dir // nil in a dry run where there is no dataset yet
	store    *store.Store  // nil in a dry run
	settings settings
	catalog  catalog

	configs []mcpclient.Config
	fleet   *mcpclient.Fleet // nil: offline
	tape    *tape.Tape

	failures []error // what stages could not do, see [workspace.partial]
}

// opening says how a command opens its dataset.
type opening struct {
	create bool // make it where there is none
	dryRun bool // change nothing, not even the lock
}

// inWorkspace opens a workspace, works in it and closes it, whatever happens.
// The error says what failed, else which units did.
func inWorkspace(e *env, path string, how opening, work func(*workspace) error) error {
	open := lockWorkspace
	if how.dryRun {
		open = lookInto
	}
	w, err := open(e, path, how.create)
	if err != nil {
		return err
	}
	if err := errors.Join(work(w), w.Close()); err != nil {
		return err
	}
	return w.partial()
}

// lockWorkspace opens the dataset at path, for this process alone.
func lockWorkspace(e *env, path string, create bool) (*workspace, error) {
	open := datasets.Open
	if create {
		open = datasets.Create
	}
	d, err := open(path)
	if err != nil {
		return nil, err
	}
	if err := d.Close(); err != nil {
		return nil, err
	}
	w := &workspace{env: e, path: path}
	if w.store, err = store.Open(path); err != nil {
		return nil, err
	}
	w.dir, err = open(path) // again, now that nobody else changes it
	if err == nil {
		err = w.load()
	}
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// lookInto opens the dataset at path to read it. With create it need not be
// there, if only it could be made.
func lookInto(e *env, path string, create bool) (*workspace, error) {
	w := &workspace{env: e, path: path}
	var err error
	w.dir, err = datasets.Open(path)
	if create && (errors.Is(err, datasets.ErrNotDataset) || errors.Is(err, fs.ErrNotExist)) {
		err = datasets.CanCreate(path)
	}
	if err == nil {
		err = w.load()
	}
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// load reads the settings and the catalog.
func (w *workspace) load() (err error) {
	if w.settings, err = loadSettings(w.path); err != nil || w.dir == nil {
		return err
	}
	w.catalog, err = readCatalog(w.dir)
	return err
}

// Close stops the servers and gives the dataset free.
func (w *workspace) Close() error {
	var errs []error
	if w.fleet != nil {
		errs = append(errs, w.fleet.Close())
	}
	if w.dir != nil {
		errs = append(errs, w.dir.Close())
	}
	if w.store != nil {
		errs = append(errs, w.store.Close())
	}
	return errors.Join(errs...)
}

// failed notes units that failed, for the end of the command; nil is none.
func (w *workspace) failed(partial error) {
	if partial != nil {
		w.failures = append(w.failures, partial)
	}
}

// partial says which units failed, nil if none did.
func (w *workspace) partial() error { return errors.Join(w.failures...) }

// tasks reads the tasks of the named splits, all if none is named.
func (w *workspace) tasks(splits ...string) ([]datasets.Task, error) {
	if w.dir == nil {
		return nil, nil
	}
	return datasets.Collect(w.dir.Tasks(splits...))
}

// stageLog begins the manifest's entry for a stage.
func (w *workspace) stageLog(stage string, seed int64, options any) datasets.StageLog {
	return datasets.StageLog{
		Stage: stage, Version: version, Seed: seed, Options: digestOf(options), Started: w.env.now().UTC().Format(time.RFC3339),
	}
}

// digestOf is the digest of a value that JSON can hold.
func digestOf(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic("a digest of what cannot be encoded: " + err.Error())
	}
	return datasets.Digest(string(raw))
}

// commit replaces tables of the dataset, all at once.
func (w *workspace) commit(log datasets.StageLog, write func(*datasets.Tx) error) error {
	tx, err := w.dir.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := write(tx); err != nil {
		return fmt.Errorf("%s: %w", log.Stage, err)
	}
	log.Finished = w.env.now().UTC().Format(time.RFC3339)
	return tx.Commit(log)
}

// writeTape is the write of the tape as it is now.
func (w *workspace) writeTape(tx *datasets.Tx) error {
	return tx.WriteTape(datasets.All(w.tape.Calls()))
}
