// Package tapetest is live servers made of Go functions, for tests of code
// that stands on a tape.
package tapetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/tape"
)

// Request is one call as a fake server sees it.
type Request struct {
	Server    string
	Tool      string
	Arguments string // as sent
	Nth       int    // how many calls this connection has seen before
	State     map[string]string
}

// Live is a [tape.Live] whose servers answer by a function. Each fresh
// connection has a State of its own; shared ones of a server have one
// together. Its methods and the connections may be used concurrently, and then
// so must Answer.
type Live struct {
	Answer func(ctx context.Context, r Request) (datasets.ToolResult, error)

	mu     sync.Mutex
	calls  []string // "server/tool arguments"
	opened map[string]int
	open   int
	shared map[string]*conn
}

// Calls lists the calls made so far, each as "server/tool arguments".
func (l *Live) Calls() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.calls...)
}

// Fresh connections opened for a server, and those not closed yet.
func (l *Live) Opened(server string) (fresh, open int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.opened[server], l.open
}

// Shared implements [tape.Live].
func (l *Live) Shared(ctx context.Context, server string) (tape.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shared == nil {
		l.shared = map[string]*conn{}
	}
	if l.shared[server] == nil {
		l.shared[server] = &conn{live: l, server: server, state: map[string]string{}, shared: true}
	}
	return l.shared[server], ctx.Err()
}

// Fresh implements [tape.Live].
func (l *Live) Fresh(ctx context.Context, server string) (tape.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.opened == nil {
		l.opened = map[string]int{}
	}
	l.opened[server]++
	l.open++
	return &conn{live: l, server: server, state: map[string]string{}}, ctx.Err()
}

type conn struct {
	live   *Live
	server string
	shared bool
	state  map[string]string
	nth    int  // guarded by live.mu
	closed bool // guarded by live.mu
}

// Call implements [tape.Conn].
func (c *conn) Call(ctx context.Context, tool string, arguments json.RawMessage) (datasets.ToolResult, error) {
	c.live.mu.Lock()
	if c.closed {
		c.live.mu.Unlock()
		return datasets.ToolResult{}, errors.New("connection is closed")
	}
	c.live.calls = append(c.live.calls, fmt.Sprintf("%s/%s %s", c.server, tool, arguments))
	r := Request{Server: c.server, Tool: tool, Arguments: string(arguments), Nth: c.nth, State: c.state}
	c.nth++
	c.live.mu.Unlock()
	return c.live.Answer(ctx, r)
}

// Close implements [tape.Conn]; closing twice is an error, to show who does.
func (c *conn) Close() error {
	c.live.mu.Lock()
	defer c.live.mu.Unlock()
	if c.shared || c.closed {
		return fmt.Errorf("%s: a connection was closed that was not there to close", c.server)
	}
	c.closed = true
	c.live.open--
	return nil
}

// Text is a result of one text block.
func Text(format string, args ...any) datasets.ToolResult {
	return datasets.ToolResult{Text: fmt.Sprintf(format, args...), Structured: "null", ContentTypes: []string{"text"}}
}

// Journal is a [tape.Journal] in memory that can be told to fail.
type Journal struct {
	mu      sync.Mutex
	entries map[string][]byte
	err     error
}

// Fail makes Get and Put return err from now on; nil ends that.
func (j *Journal) Fail(err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.err = err
}

// Get implements [tape.Journal].
func (j *Journal) Get(stage, key string) ([]byte, bool, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	value, found := j.entries[stage+" "+key]
	return value, found, j.err
}

// Put implements [tape.Journal].
func (j *Journal) Put(stage, key string, value []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.entries == nil {
		j.entries = map[string][]byte{}
	}
	if j.err == nil {
		j.entries[stage+" "+key] = value
	}
	return j.err
}
