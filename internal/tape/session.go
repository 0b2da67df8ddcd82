package tape

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/taskwright/taskwright/datasets"
)

// ErrClosed is returned by a call on a closed session.
var ErrClosed = errors.New("session is closed")

// Session is one agent's, or one chain's, view of the servers. Its methods may
// be called concurrently; calls to one server with state happen one after
// another, in the order in which they got their turn.
type Session struct {
	tape *Tape

	mu      sync.Mutex
	servers map[string]*talk
	calls   []datasets.Call
	closed  bool
}

// Open starts a session. It must be closed.
func (t *Tape) Open() *Session {
	return &Session{tape: t, servers: map[string]*talk{}}
}

// Call makes one tool call. hit says that the answer was recorded before. call
// is the recorded call; its result may be an error of the tool, which is an
// answer like any other. err is a [*MissError] without a recording and a
// server, an error of the arguments when they are no JSON object, and
// otherwise says why no answer came.
func (s *Session) Call(ctx context.Context, server, tool, arguments string) (call datasets.Call, hit bool, err error) {
	canonical, err := canonicalArguments(server, tool, arguments)
	if err != nil {
		return datasets.Call{}, false, err
	}
	t, err := s.talk(server)
	if err != nil {
		return datasets.Call{}, false, err
	}
	ask := question{server: server, tool: tool, arguments: canonical}
	if s.tape.options.Stateful(server) {
		call, hit, err = t.inTurn(ctx, ask)
	} else {
		call, hit, err = t.anyTime(ctx, ask)
	}
	if err != nil {
		return datasets.Call{}, false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, call)
	return call, hit, nil
}

// Calls lists the answered calls of the session, in the order of their answers.
func (s *Session) Calls() []datasets.Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]datasets.Call(nil), s.calls...)
}

func (s *Session) talk(server string) (*talk, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, ErrClosed
	}
	t := s.servers[server]
	if t == nil {
		t = &talk{tape: s.tape, turn: make(chan struct{}, 1)}
		s.servers[server] = t
	}
	return t, nil
}

// Close waits for calls under way to servers with state and closes the
// session's connections. A second Close does nothing.
func (s *Session) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	s.mu.Unlock()
	var errs []error
	for _, server := range slices.Sorted(maps.Keys(s.servers)) { // nobody adds one after closed is set
		if err := s.servers[server].end(); err != nil {
			errs = append(errs, fmt.Errorf("closing %s: %w", server, err))
		}
	}
	return errors.Join(errs...)
}

// question is a call before its answer.
type question struct{ server, tool, arguments string }

func (q question) call(history string, r datasets.ToolResult) datasets.Call {
	return datasets.Call{
		Key:    datasets.CallKey(q.server, q.tool, q.arguments, history),
		Server: q.server, Tool: q.tool, Arguments: q.arguments, History: history, Result: r,
	}
}

// ask makes a live call. A result that arrives after the context is done is
// not trusted: it may be the cancellation's own.
func (q question) ask(ctx context.Context, conn Conn) (datasets.ToolResult, error) {
	r, err := conn.Call(ctx, q.tool, json.RawMessage(q.arguments))
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		return datasets.ToolResult{}, fmt.Errorf("calling %s/%s: %w", q.server, q.tool, err)
	}
	if r.Structured == "" {
		r.Structured = "null"
	}
	return r, nil
}
