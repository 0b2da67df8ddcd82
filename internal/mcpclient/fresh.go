package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/taskwright/taskwright/datasets"
)

// Fresh gives an instance of a server that nobody has changed, with its own
// process, directories and state. The caller closes it; closing the fleet does
// too. The first is the one that listed the tools, if it is not shared; others
// are started anew, or ahead of time (see [Options].Spares). An instance on
// which only tools marked read-only were called is as good as new after its
// Close and may be given again.
func (f *Fleet) Fresh(ctx context.Context, name string) (Conn, error) {
	s, err := f.find(name)
	if err != nil {
		return nil, err
	}
	if err := s.neverStarted(); err != nil {
		return nil, err
	}
	l, err := f.instance(ctx, s)
	if err != nil {
		return nil, err
	}
	c := &freshConn{server: s, link: l}
	f.mu.Lock()
	closed := f.closed
	if !closed {
		f.fresh[c] = true
	}
	f.mu.Unlock()
	if closed {
		return nil, errors.Join(&Error{Server: name, Op: "starting", Err: ErrClosed}, l.close())
	}
	f.spares.prepare(s)
	return c, nil
}

// instance finds or starts an instance that nobody has changed.
func (f *Fleet) instance(ctx context.Context, s *server) (*link, error) {
	if l := s.untouched(); l != nil {
		return l, nil
	}
	if l := f.spares.take(ctx, s); l != nil {
		return l, nil
	}
	return f.start(ctx, s.config)
}

// untouched gives away the connection that listed the tools, unless it is
// shared. Later users of the shared connection make a new one.
func (s *server) untouched() *link {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.link
	if l == nil || s.shared || s.shutDown || s.listing == nil || l.lost() {
		return nil
	}
	s.link = nil
	return l
}

// reads says whether a call of the tool leaves the server as it was. Where the
// author says that the server keeps state and every tool is marked read-only,
// the marks are not believed.
func (s *server) reads(tool string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listing == nil {
		return false
	}
	read, writes := false, s.config.State != datasets.StateSession
	for _, t := range s.listing.tools {
		if t.Effect != datasets.EffectRead {
			writes = true
		} else if t.Name == tool {
			read = true
		}
	}
	return read && writes
}

// freshConn is a connection with a server instance of its own.
type freshConn struct {
	server *server
	link   *link
	once   sync.Once
	err    error

	mu      sync.Mutex
	active  int  // calls in flight
	changed bool // a call may have changed the instance
	closed  bool
}

func (c *freshConn) Call(ctx context.Context, tool string, arguments json.RawMessage) (datasets.ToolResult, error) {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return datasets.ToolResult{}, &Error{Server: c.server.config.Name, Op: "calling " + clip(tool), Err: ErrClosed}
	}
	c.active++
	c.changed = c.changed || !c.server.reads(tool)
	c.mu.Unlock()
	r, err := c.link.call(ctx, tool, arguments, c.server.known())
	c.mu.Lock()
	defer c.mu.Unlock()
	c.active--
	c.changed = c.changed || err != nil
	return r, err
}

// Close gives the instance back if it is as it was, and else ends it.
func (c *freshConn) Close() error {
	c.once.Do(func() {
		c.mu.Lock()
		c.closed = true
		again := !c.changed && c.active == 0
		c.mu.Unlock()
		f := c.server.fleet
		if !again || !f.spares.keep(c.server, c.link) {
			c.err = c.link.close()
		}
		f.mu.Lock()
		delete(f.fresh, c)
		f.mu.Unlock()
	})
	return c.err
}
