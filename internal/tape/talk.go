package tape

import (
	"context"
	"fmt"

	"github.com/taskwright/taskwright/datasets"
)

// talk is what one session has said to one server. turn is a lock that a
// cancelled context does not wait for; it guards the fields below it.
type talk struct {
	tape *Tape
	turn chan struct{}

	closed  bool
	conn    Conn            // nil until a call has to go to the server
	made    int             // how many of said the connection has seen
	said    []datasets.Call // answered calls, for a server with state
	history string          // over those of said that may have changed the state
}

// anyTime answers a call to a server without state.
func (t *talk) anyTime(ctx context.Context, q question) (datasets.Call, bool, error) {
	want := q.call("", datasets.ToolResult{})
	if c, found, err := t.tape.Recall(q.server, want.Key); found || err != nil {
		return c, found, err
	}
	if t.tape.options.Live == nil {
		return want, false, &MissError{Server: q.server, Tool: q.tool, Arguments: q.arguments}
	}
	return t.tape.share(ctx, want.Key, func() (datasets.Call, error) {
		conn, err := t.tape.options.Live.Shared(ctx, q.server)
		if err != nil {
			return want, fmt.Errorf("connecting to %s: %w", q.server, err)
		}
		r, err := q.ask(ctx, conn)
		if err != nil {
			return want, err
		}
		return t.tape.record(q.call("", r))
	})
}

// inTurn answers a call to a server with state, after the ones before it.
func (t *talk) inTurn(ctx context.Context, q question) (call datasets.Call, hit bool, err error) {
	select {
	case <-ctx.Done():
		return call, false, ctx.Err()
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
	}
	if t.closed {
		return call, false, ErrClosed
	}
	call, hit, err = t.find(q)
	if err == nil && !hit {
		call, err = t.live(ctx, q)
	}
	if err != nil {
		return call, false, err
	}
	t.said = append(t.said, q.call(t.history, call.Result))
	if !hit {
		t.made = len(t.said)
	}
	if t.tape.options.Effect(q.server, q.tool) != datasets.EffectRead {
		t.history = datasets.NextHistory(t.history, q.tool, q.arguments)
	}
	return call, hit, nil
}

// find looks for a recorded answer. Offline, one that does not depend on what
// came before will do.
func (t *talk) find(q question) (datasets.Call, bool, error) {
	want := q.call(t.history, datasets.ToolResult{})
	c, found, err := t.tape.Recall(q.server, want.Key)
	if found || err != nil || t.tape.options.Live != nil {
		return c, found, err
	}
	if c, found = t.tape.agreed(q.server, q.tool, q.arguments); found {
		return c, true, nil
	}
	return c, false, &MissError{Server: q.server, Tool: q.tool, Arguments: q.arguments, History: t.history}
}

// live asks the server, which first sees the calls that it has not seen yet.
// When no answer comes nobody knows what state the server is in: the
// connection is given up, and the next call starts a new one.
func (t *talk) live(ctx context.Context, q question) (datasets.Call, error) {
	var call datasets.Call
	r, err := t.reach(ctx, q)
	if err == nil {
		call, err = t.tape.record(q.call(t.history, r))
	}
	if err != nil {
		t.hangUp() // the first error says more than that of closing
	}
	return call, err
}

func (t *talk) reach(ctx context.Context, q question) (datasets.ToolResult, error) {
	if t.conn == nil {
		conn, err := t.tape.options.Live.Fresh(ctx, q.server)
		if err != nil {
			return datasets.ToolResult{}, fmt.Errorf("starting %s: %w", q.server, err)
		}
		t.conn = conn
	}
	for ; t.made < len(t.said); t.made++ {
		if err := t.replay(ctx, t.said[t.made]); err != nil {
			return datasets.ToolResult{}, fmt.Errorf("repeating the session's earlier calls: %w", err)
		}
	}
	return q.ask(ctx, t.conn)
}

// replay makes an earlier call of the session again. When its answer differs
// from the one that the session was given, the recording becomes volatile.
func (t *talk) replay(ctx context.Context, said datasets.Call) error {
	q := question{said.Server, said.Tool, said.Arguments}
	r, err := q.ask(ctx, t.conn)
	if err != nil || SameResult(r, said.Result) {
		return err
	}
	return t.tape.markVolatile(said.Server, said.Key)
}

func (t *talk) hangUp() error {
	if t.conn == nil {
		return nil
	}
	err := t.conn.Close()
	t.conn, t.made = nil, 0
	return err
}

// end waits for the call under way, closes the connection and lets no call
// through any more.
func (t *talk) end() error {
	t.turn <- struct{}{}
	defer func() { <-t.turn }()
	t.closed = true
	return t.hangUp()
}
