package main

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/mcpclient"
	"github.com/taskwright/taskwright/internal/tape"
)

// secondary are the servers as a repetition of calls sees them: instances of
// their own, started anew, so that what a server drew at random at its start
// shows. It is safe for concurrent use.
type secondary struct {
	fleet *mcpclient.Fleet

	mu    sync.Mutex
	conns map[string]*secondaryConn
}

var _ tape.Live = (*secondary)(nil)

func newSecondary(f *mcpclient.Fleet) *secondary {
	return &secondary{fleet: f, conns: map[string]*secondaryConn{}}
}

// Shared is the second instance of a server, started at its first use and
// again after it was lost.
func (s *secondary) Shared(ctx context.Context, server string) (tape.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.conns[server]; c != nil && !c.lost() {
		return c, nil
	}
	conn, err := s.fleet.Fresh(ctx, server)
	if err != nil {
		return nil, err
	}
	c := &secondaryConn{Conn: conn}
	if old := s.conns[server]; old != nil {
		err = old.Conn.Close()
	}
	s.conns[server] = c
	return c, err
}

// Fresh is an instance for one session.
func (s *secondary) Fresh(ctx context.Context, server string) (tape.Conn, error) {
	return s.fleet.Fresh(ctx, server)
}

// Close stops the second instances.
func (s *secondary) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, c := range s.conns {
		errs = append(errs, c.Conn.Close())
	}
	s.conns = map[string]*secondaryConn{}
	return errors.Join(errs...)
}

// secondaryConn notes that its instance did not answer.
type secondaryConn struct {
	tape.Conn
	mu     sync.Mutex
	failed bool
}

func (c *secondaryConn) Call(ctx context.Context, tool string, arguments json.RawMessage) (datasets.ToolResult, error) {
	r, err := c.Conn.Call(ctx, tool, arguments)
	if err != nil && ctx.Err() == nil {
		c.mu.Lock()
		c.failed = true
		c.mu.Unlock()
	}
	return r, err
}

func (c *secondaryConn) lost() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}

// Close does nothing: the connection belongs to its secondary.
func (c *secondaryConn) Close() error { return nil }
