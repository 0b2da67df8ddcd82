package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/mcpclient"
	"github.com/taskwright/taskwright/internal/tape"
	"github.com/taskwright/taskwright/internal/world"
)

var _ tape.Live = (*mcpclient.Fleet)(nil)

// serverConfigs are the servers of an mcp.json file, or the embedded ones when
// no file is named.
func (e *env) serverConfigs(file string) ([]mcpclient.Config, error) {
	if file != "" {
		configs, err := mcpclient.ReadConfig(file, e.getenv)
		if err == nil && len(configs) == 0 {
			err = fmt.Errorf("reading %s: it names no server to use", file)
		}
		return configs, err
	}
	var configs []mcpclient.Config
	for _, name := range world.Names() {
		configs = append(configs, mcpclient.InMemory(name, func() *mcp.Server {
			s, err := world.New(name)
			if err != nil {
				panic(err) // the name is one of those that it listed
			}
			return s
		}))
	}
	return configs, nil
}

// reconnect connects to the servers that the flags or the dataset name, each
// started at its first call, and loads the tape.
func (w *workspace) reconnect(ctx context.Context, f *sourceFlags) error {
	if len(w.catalog.servers) == 0 {
		return fmt.Errorf("%s has no catalog yet: run taskwright discover %s first", w.path, w.path)
	}
	s := source{}
	if !f.offline {
		var err error
		if s, err = f.choose(w); err != nil {
			return err
		}
		if s.none() {
			w.env.notef("this dataset's servers are not known here: calls are answered from the tape; --servers or --builtin names them")
		}
	}
	w.env.detailf("calls go to %s", s)
	if err := w.start(ctx, s, true); err != nil {
		return err
	}
	w.tape = w.newTape()
	return w.loadTape(w.tape, func(datasets.Call) bool { return true })
}

// start makes the servers of a source callable. lazy starts a server at its
// first call.
func (w *workspace) start(ctx context.Context, s source, lazy bool) (err error) {
	if s.none() {
		return nil
	}
	if w.configs, err = w.env.serverConfigs(s.File); err != nil {
		return err
	}
	w.fleet = mcpclient.Open(ctx, w.configs, &mcpclient.Options{Lazy: lazy, Getenv: w.env.getenv})
	return nil
}

// newTape is an empty tape over the servers and the local state. What state
// and effects it goes by is that of the catalog of the moment of a call.
func (w *workspace) newTape() *tape.Tape {
	o := w.tapeOptions()
	if w.store != nil {
		o.Journal = w.store
	}
	o.Scope = w.scope
	return tape.New(o)
}

// repeating is a tape that remembers nothing: every call goes to a server, to
// an instance that the recorded calls did not go to.
func (w *workspace) repeating(servers *secondary) *tape.Tape {
	o := w.tapeOptions()
	o.Live = servers
	return tape.New(o)
}

func (w *workspace) tapeOptions() tape.Options {
	o := tape.Options{
		Stateful: func(server string) bool { return w.catalog.stateful(server) },
		Effect:   func(server, tool string) string { return w.catalog.effect(server, tool) },
	}
	if w.fleet != nil {
		o.Live = w.fleet
	}
	return o
}

// loadTape puts the recorded calls of the dataset that are wanted on a tape.
func (w *workspace) loadTape(t *tape.Tape, want func(datasets.Call) bool) error {
	if w.dir == nil {
		return nil
	}
	for call, err := range w.dir.Tape() {
		if err != nil {
			return err
		}
		if want(call) {
			t.Add(call)
		}
	}
	return nil
}

// scope binds journaled answers of a server to what it declares and to how it
// is started.
func (w *workspace) scope(server string) string {
	declared := ""
	if s := w.catalog.server(server); s != nil {
		declared = s.Digest
	}
	return datasets.Digest(declared, w.configDigest(server))
}

// configDigest is the digest of how a server is started, "" if that is not
// known. Headers are left out: a new key does not make a new server.
func (w *workspace) configDigest(server string) string {
	i := slices.IndexFunc(w.configs, func(c mcpclient.Config) bool { return c.Name == server })
	if i < 0 {
		return ""
	}
	c := w.configs[i]
	return digestOf([]any{c.Transport, c.Command, c.Args, c.Env, c.Dir, c.Seed, c.URL})
}

// repeatStage is where the local state keeps which calls gave the same answer
// when they were made again.
const repeatStage = "repeat"

// repeat makes recorded calls again, in one session, and says of each whether
// the answer is the same. What an earlier run found out is not asked again.
func (w *workspace) repeat(ctx context.Context, calls []datasets.Call) (same []bool, err error) {
	parts := []string{}
	for _, c := range calls {
		parts = append(parts, c.Key, w.scope(c.Server), strconv.FormatBool(w.catalog.stateful(c.Server)))
	}
	key := datasets.Digest(parts...)
	raw, ok, err := w.store.Get(repeatStage, key)
	if err != nil {
		return nil, err
	}
	if ok && json.Unmarshal(raw, &same) == nil && len(same) == len(calls) {
		return same, nil
	}
	if same, err = w.tape.RepeatAll(ctx, calls); err != nil {
		return same, err
	}
	if raw, err = json.Marshal(same); err != nil {
		return same, err
	}
	return same, w.store.Put(repeatStage, key, raw)
}

// recall puts calls that an earlier run recorded onto the tape.
func (w *workspace) recall(keys []tapeKey) error {
	for _, k := range keys {
		if _, _, err := w.tape.Recall(k.Server, k.Key); err != nil {
			return err
		}
	}
	return nil
}
