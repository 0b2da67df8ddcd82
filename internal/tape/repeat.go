package tape

import (
	"context"
	"errors"
	"fmt"

	"github.com/taskwright/taskwright/datasets"
)

// ErrOffline is returned by Repeat when there is no server to ask.
var ErrOffline = errors.New("a repetition needs a live server")

// Repeat makes a call again, live, as the first of a fresh session, and says
// whether the answer is the recorded one. If not, the recording becomes
// volatile. A call that was not recorded is recorded and counts as the same.
func (t *Tape) Repeat(ctx context.Context, server, tool, arguments string) (same bool, err error) {
	canonical, err := canonicalArguments(server, tool, arguments)
	if err != nil {
		return false, err
	}
	results, err := t.RepeatAll(ctx, []datasets.Call{question{server, tool, canonical}.call("", datasets.ToolResult{})})
	return err == nil && results[0], err
}

// RepeatAll makes the calls of a session again, live and in order, on fresh
// connections, and says for each whether the answer is the recorded one. Only
// Server, Tool and Arguments of the calls are read.
func (t *Tape) RepeatAll(ctx context.Context, calls []datasets.Call) (same []bool, err error) {
	if t.options.Live == nil {
		return nil, ErrOffline
	}
	again := &repetition{tape: t, talks: map[string]*talk{}}
	for _, c := range calls {
		var is bool
		if is, err = again.one(ctx, c); err != nil {
			break
		}
		same = append(same, is)
	}
	return same, errors.Join(err, again.close())
}

// repetition is a session whose every call is live.
type repetition struct {
	tape  *Tape
	talks map[string]*talk
}

func (a *repetition) one(ctx context.Context, c datasets.Call) (bool, error) {
	canonical, err := canonicalArguments(c.Server, c.Tool, c.Arguments)
	if err != nil {
		return false, err
	}
	q := question{c.Server, c.Tool, canonical}
	t := a.talks[c.Server]
	if t == nil {
		t = &talk{tape: a.tape}
		a.talks[c.Server] = t
	}
	r, err := t.reach(ctx, q)
	if err != nil {
		return false, err
	}
	now := q.call(t.history, r)
	if a.tape.options.Stateful(c.Server) && a.tape.options.Effect(c.Server, c.Tool) != datasets.EffectRead {
		t.history = datasets.NextHistory(t.history, q.tool, q.arguments)
	}
	return a.tape.compare(now)
}

func (a *repetition) close() error {
	var errs []error
	for server, t := range a.talks {
		if err := t.hangUp(); err != nil {
			errs = append(errs, fmt.Errorf("closing %s: %w", server, err))
		}
	}
	return errors.Join(errs...)
}

// compare holds an answer against the recorded one, and records it if there
// is none.
func (t *Tape) compare(now datasets.Call) (same bool, err error) {
	old, found, err := t.Recall(now.Server, now.Key)
	if err != nil {
		return false, err
	}
	if !found {
		_, err := t.record(now)
		return err == nil, err
	}
	if SameResult(old.Result, now.Result) {
		return true, nil
	}
	return false, t.markVolatile(now.Server, now.Key)
}

// markVolatile says of a recorded call that a repetition gave another answer.
func (t *Tape) markVolatile(server, key string) error {
	c, found, err := t.Recall(server, key)
	if err != nil || !found || c.Volatile {
		return err
	}
	t.mu.Lock()
	c = t.calls[key]
	c.Volatile = true
	t.calls[key] = c
	t.mu.Unlock()
	return t.journal(c)
}
