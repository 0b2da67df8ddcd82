package tape

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/taskwright/taskwright/datasets"
)

// Conn is a connection to one server. An answer of the server, right or wrong,
// is a result; an error means that there was none. It is an alias, so that
// whoever has these methods fits [Live] without importing this package.
type Conn = interface {
	Call(ctx context.Context, tool string, arguments json.RawMessage) (datasets.ToolResult, error)
	Close() error
}

// Live opens connections. Both methods may be called concurrently.
type Live interface {
	// Shared is a connection for calls whose order does not matter. It belongs
	// to Live and is not closed by who gets it.
	Shared(ctx context.Context, server string) (Conn, error)
	// Fresh is a connection to an instance of the server that nobody else uses
	// and that has seen no call. Its Close ends the instance.
	Fresh(ctx context.Context, server string) (Conn, error)
}

// Journal keeps recorded calls between runs; a store.Store is one.
type Journal interface {
	Get(stage, key string) ([]byte, bool, error)
	Put(stage, key string, value []byte) error
}

// journalStage is the stage of recorded calls in the journal.
const journalStage = "tape"

// Options of a tape. The zero value is an empty tape that plays only.
type Options struct {
	Live     Live                             // nil: offline
	Journal  Journal                          // nil: recorded calls are only in memory
	Stateful func(server string) bool         // nil: no server has state
	Effect   func(server, tool string) string // datasets.EffectRead and so on; nil: unknown
	Scope    func(server string) string       // what else binds journaled answers of a server, such as the digest of its configuration; nil: nothing
}

// Tape is a set of recorded calls. Its methods may be called concurrently.
type Tape struct {
	options Options // fixed at creation

	mu      sync.Mutex
	calls   map[string]datasets.Call // by key
	asked   map[string][]string      // keys by server, tool and arguments
	flights map[string]*flight       // live calls under way to servers without state
}

// New makes an empty tape.
func New(o Options) *Tape {
	if o.Stateful == nil {
		o.Stateful = func(string) bool { return false }
	}
	if o.Effect == nil {
		o.Effect = func(string, string) string { return datasets.EffectUnknown }
	}
	if o.Scope == nil {
		o.Scope = func(string) string { return "" }
	}
	return &Tape{options: o, calls: map[string]datasets.Call{}, asked: map[string][]string{}, flights: map[string]*flight{}}
}

// Add loads a recorded call. Of two calls with one key the first stays; it is
// volatile if either is.
func (t *Tape) Add(c datasets.Call) {
	if canonical, err := datasets.CanonicalJSON(c.Arguments); err == nil {
		c.Arguments = canonical
	}
	c.Key = datasets.CallKey(c.Server, c.Tool, c.Arguments, c.History)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.add(c)
}

// add stores c and returns what is now on the tape under its key. An answer
// that differs from the one there makes that one volatile. The caller holds mu.
func (t *Tape) add(c datasets.Call) datasets.Call {
	if old, found := t.calls[c.Key]; found {
		old.Volatile = old.Volatile || c.Volatile || !SameResult(old.Result, c.Result)
		t.calls[c.Key] = old
		return old
	}
	t.calls[c.Key] = c
	question := asking(c.Server, c.Tool, c.Arguments)
	t.asked[question] = append(t.asked[question], c.Key)
	return c
}

func asking(server, tool, arguments string) string {
	return datasets.Digest(server, tool, arguments)
}

// Calls lists all recorded calls, sorted by key.
func (t *Tape) Calls() []datasets.Call {
	t.mu.Lock()
	defer t.mu.Unlock()
	calls := make([]datasets.Call, 0, len(t.calls))
	for _, c := range t.calls {
		calls = append(calls, c)
	}
	slices.SortFunc(calls, func(a, b datasets.Call) int { return strings.Compare(a.Key, b.Key) })
	return calls
}

// Recall is the recorded call of a server under a key, from the tape or else
// from the journal of an earlier run; then it is on the tape, too.
func (t *Tape) Recall(server, key string) (datasets.Call, bool, error) {
	t.mu.Lock()
	c, found := t.calls[key]
	t.mu.Unlock()
	if found || t.options.Journal == nil {
		return c, found, nil
	}
	raw, found, err := t.options.Journal.Get(journalStage, t.journalKey(server, key))
	if err != nil || !found {
		return c, false, err
	}
	if err := json.Unmarshal(raw, &c); err != nil || c.Key != key {
		return c, false, fmt.Errorf("recorded call %.12s: entry is not what was stored", key)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.add(c), true, nil
}

func (t *Tape) journalKey(server, key string) string {
	return datasets.Digest(key, t.options.Scope(server))
}

// record puts an answered call on the tape and, first, into the journal. It
// returns what is on the tape: when another session recorded the key
// meanwhile, that answer counts.
func (t *Tape) record(c datasets.Call) (datasets.Call, error) {
	t.mu.Lock()
	_, found := t.calls[c.Key]
	t.mu.Unlock()
	if !found {
		if err := t.journal(c); err != nil {
			return c, err
		}
	}
	t.mu.Lock()
	kept := t.add(c)
	t.mu.Unlock()
	if kept.Volatile {
		return kept, t.journal(kept)
	}
	return kept, nil
}

func (t *Tape) journal(c datasets.Call) error {
	if t.options.Journal == nil {
		return nil
	}
	raw, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("recording %s/%s: %w", c.Server, c.Tool, err)
	}
	if err := t.options.Journal.Put(journalStage, t.journalKey(c.Server, c.Key), raw); err != nil {
		return fmt.Errorf("recording %s/%s: %w", c.Server, c.Tool, err)
	}
	return nil
}

// agreed is the recorded answer to a call whatever came before it, if all
// recordings of the call have the same one.
func (t *Tape) agreed(server, tool, arguments string) (datasets.Call, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	keys := t.asked[asking(server, tool, arguments)]
	if len(keys) == 0 {
		return datasets.Call{}, false
	}
	first := t.calls[slices.Min(keys)]
	for _, k := range keys {
		if !SameResult(first.Result, t.calls[k].Result) {
			return datasets.Call{}, false
		}
	}
	return first, true
}

// canonicalArguments is the form of arguments that keys are made of. No
// arguments are an empty object.
func canonicalArguments(server, tool, arguments string) (string, error) {
	if strings.TrimSpace(arguments) == "" {
		return "{}", nil
	}
	v, err := datasets.DecodeJSON(arguments)
	if err != nil {
		return "", fmt.Errorf("arguments of %s/%s: %w", server, tool, err)
	}
	switch v := v.(type) {
	case nil:
		return "{}", nil
	case map[string]any:
		return datasets.EncodeJSON(v), nil
	}
	return "", fmt.Errorf("arguments of %s/%s: not a JSON object", server, tool)
}
