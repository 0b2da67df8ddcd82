package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/mcpclient"
	"github.com/taskwright/taskwright/internal/store"
	"github.com/taskwright/taskwright/internal/tape"
)

// workspace is a dataset while stages work on it: its tables, its local state
// and the servers that calls go to. It holds the dataset's lock.
type workspace struct {
	env      *env
	dir      *datasets.Dir
	store    *store.Store
	settings settings

	servers []datasets.Server
	tools   []datasets.Tool
	edges   []datasets.Edge

	configs []mcpclient.Config
	fleet   *mcpclient.Fleet // nil: offline
	tape    *tape.Tape
}

// openWorkspace opens the dataset in dir, or makes one there.
func openWorkspace(e *env, dir string) (*workspace, error) {
	w, err := lockWorkspace(e, dir, datasets.Create)
	if err != nil {
		return nil, err
	}
	return w, nil
}

// openExisting opens the dataset in dir, which must be there.
func openExisting(e *env, dir string) (*workspace, error) {
	return lockWorkspace(e, dir, datasets.Open)
}

func lockWorkspace(e *env, dir string, open func(string) (*datasets.Dir, error)) (*workspace, error) {
	d, err := open(dir)
	if err != nil {
		return nil, err
	}
	if err := d.Close(); err != nil {
		return nil, err
	}
	w := &workspace{env: e}
	if w.store, err = store.Open(dir); err != nil {
		return nil, err
	}
	if w.dir, err = open(dir); err != nil { // again, now that nobody else changes it
		return nil, errors.Join(err, w.Close())
	}
	if w.settings, err = loadSettings(dir); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	if err := w.loadCatalog(); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

func (w *workspace) loadCatalog() (err error) {
	if w.servers, err = datasets.Collect(w.dir.Servers()); err != nil {
		return err
	}
	if w.tools, err = datasets.Collect(w.dir.Tools()); err != nil {
		return err
	}
	w.edges, err = datasets.Collect(w.dir.Edges())
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

// Where the local state keeps what the dataset was made with.
const (
	localStage = "local"
	sourceKey  = "servers"
)

// remember keeps the source for later commands on this dataset.
func (w *workspace) remember(s source) error {
	raw, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return w.store.Put(localStage, sourceKey, raw)
}

// remembered is the source that the dataset was made with. A dataset whose
// servers are all embedded ones needs no memory.
func (w *workspace) remembered() (source, error) {
	raw, ok, err := w.store.Get(localStage, sourceKey)
	if err != nil {
		return source{}, err
	}
	var s source
	if ok && json.Unmarshal(raw, &s) == nil && !s.none() {
		return s, nil
	}
	for _, server := range w.servers {
		if server.Transport != mcpclient.TransportMemory {
			return source{}, nil
		}
	}
	return source{Builtin: len(w.servers) > 0}, nil
}

// connect makes the tape, over live servers of the source unless there is
// none. lazy starts a server at its first call.
func (w *workspace) connect(ctx context.Context, s source, lazy bool) error {
	if !s.none() {
		configs, err := w.env.serverConfigs(s.File)
		if err != nil {
			return err
		}
		w.configs = configs
		w.fleet = mcpclient.Open(ctx, configs, &mcpclient.Options{Lazy: lazy, Getenv: w.env.getenv})
	}
	return w.loadTape()
}

// loadTape makes the tape and puts on it what the dataset has recorded of
// servers that are still the same.
func (w *workspace) loadTape() error {
	o := tape.Options{Journal: w.store, Stateful: w.stateful, Effect: w.effect, Scope: w.digest}
	if w.fleet != nil {
		o.Live = w.fleet
	}
	w.tape = tape.New(o)
	for call, err := range w.dir.Tape() {
		if err != nil {
			return err
		}
		w.tape.Add(call)
	}
	return nil
}

// repeating is a tape that remembers nothing: every call goes to a server.
func (w *workspace) repeating() *tape.Tape {
	o := tape.Options{Stateful: w.stateful, Effect: w.effect}
	if w.fleet != nil {
		o.Live = w.fleet
	}
	return tape.New(o)
}

func (w *workspace) server(name string) *datasets.Server {
	for i := range w.servers {
		if w.servers[i].Name == name {
			return &w.servers[i]
		}
	}
	return nil
}

func (w *workspace) stateful(server string) bool {
	s := w.server(server)
	return s != nil && s.State == datasets.StateSession
}

func (w *workspace) digest(server string) string {
	if s := w.server(server); s != nil {
		return s.Digest
	}
	return ""
}

func (w *workspace) tool(id string) (*datasets.Tool, bool) {
	for i := range w.tools {
		if w.tools[i].ID() == id {
			return &w.tools[i], true
		}
	}
	return nil, false
}

func (w *workspace) effect(server, tool string) string {
	if t, ok := w.tool(server + "/" + tool); ok {
		return t.Effect
	}
	return datasets.EffectUnknown
}

// tasks reads all tasks.
func (w *workspace) tasks() ([]datasets.Task, error) { return datasets.Collect(w.dir.Tasks()) }

// stageLog begins the manifest's entry for a stage.
func (w *workspace) stageLog(stage string, seed int64, options any) datasets.StageLog {
	raw, err := json.Marshal(options)
	if err != nil {
		panic("options of " + stage + " cannot be encoded: " + err.Error())
	}
	return datasets.StageLog{
		Stage: stage, Version: version, Seed: seed, Options: datasets.Digest(string(raw)), Started: w.env.now().UTC().Format(time.RFC3339),
	}
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
