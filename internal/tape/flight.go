package tape

import (
	"context"

	"github.com/taskwright/taskwright/datasets"
)

// flight is a live call under way that others may wait for. call and err are
// set before done is closed.
type flight struct {
	done      chan struct{}
	call      datasets.Call
	err       error
	cancelled bool // its own caller gave up, which says nothing about the server
}

// share makes a live call unless one with the same key is under way or ended
// just now; then it waits for that one. hit is true for those who waited.
func (t *Tape) share(ctx context.Context, key string, live func() (datasets.Call, error)) (call datasets.Call, hit bool, err error) {
	for {
		f, call, state := t.board(key)
		switch state {
		case recorded:
			return call, true, nil
		case leading:
			t.lead(ctx, key, f, live)
			return f.call, false, f.err
		}
		select {
		case <-ctx.Done():
			return call, false, ctx.Err()
		case <-f.done:
		}
		if !f.cancelled {
			return f.call, f.err == nil, f.err
		}
	}
}

// boarding says how a caller got to a key.
type boarding int

const (
	leading  boarding = iota // it makes the call
	waiting                  // another makes it
	recorded                 // it is on the tape already
)

func (t *Tape) board(key string) (*flight, datasets.Call, boarding) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c, found := t.calls[key]; found {
		return nil, c, recorded
	}
	if f, found := t.flights[key]; found {
		return f, datasets.Call{}, waiting
	}
	f := &flight{done: make(chan struct{})}
	t.flights[key] = f
	return f, datasets.Call{}, leading
}

// lead makes the call of a flight; those who wait are told even if it panics.
func (t *Tape) lead(ctx context.Context, key string, f *flight, live func() (datasets.Call, error)) {
	f.cancelled = true
	defer func() {
		t.mu.Lock()
		delete(t.flights, key)
		t.mu.Unlock()
		close(f.done)
	}()
	f.call, f.err = live()
	f.cancelled = f.err != nil && ctx.Err() != nil
}
