package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/taskwright/taskwright/datasets"
)

// Conn is a connection to one server. It is safe for concurrent use. It is an
// alias, so that a [Fleet] fits the interfaces of packages that declare the
// same methods.
type Conn = interface {
	// Call calls a tool. Arguments are a JSON object; empty means {}. The error
	// is an [*Error] when there was no answer.
	Call(ctx context.Context, tool string, arguments json.RawMessage) (datasets.ToolResult, error)
	// Close ends the connection.
	Close() error
}

// Fleet is a set of servers. It is safe for concurrent use.
type Fleet struct {
	options Options
	servers []*server
	byName  map[string]*server
	starts  chan struct{} // a token for each server that is starting

	mu     sync.Mutex
	closed bool
	fresh  map[*freshConn]bool // open fresh connections

	spares *spares
}

// Open starts all servers at once and returns when each has answered or
// failed; a server that failed stays in the catalog, with the reason. Private
// directories that killed programs left are deleted first. Options may be nil.
func Open(ctx context.Context, configs []Config, options *Options) *Fleet {
	var o Options
	if options != nil {
		o = *options
	}
	o = o.withDefaults()
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	f := &Fleet{options: o, byName: map[string]*server{}, starts: make(chan struct{}, o.Starts), fresh: map[*freshConn]bool{}}
	f.spares = newSpares(f)
	f.tidy(configs)
	for _, c := range configs {
		c.Limits = c.Limits.or(o.Limits)
		s := &server{fleet: f, config: c}
		f.servers = append(f.servers, s)
		if f.byName[c.Name] == nil {
			f.byName[c.Name] = s
		} else {
			s.fail(fmt.Errorf("server %s: the name is taken by an earlier server", c.Name))
		}
	}
	if !o.Lazy {
		f.each(func(s *server) { s.use(ctx) })
	}
	return f
}

// tidy deletes what killed runs left where processes will get directories.
func (f *Fleet) tidy(configs []Config) {
	if !slices.ContainsFunc(configs, func(c Config) bool { return c.Transport == TransportStdio }) {
		return
	}
	if parent, err := tempParent(f.options.TempDir); err == nil {
		removeStale(parent)
	}
}

// each runs do for all servers at once and waits.
func (f *Fleet) each(do func(*server)) {
	var wg sync.WaitGroup
	for _, s := range f.servers {
		wg.Go(func() { do(s) })
	}
	wg.Wait()
}

// Catalog lists the tools of all servers. Rows are in the order of the
// configs, tools in the order of their server. Tools are listed once; a later
// call gives the same tools with the servers' present status.
func (f *Fleet) Catalog(ctx context.Context) ([]datasets.Server, []datasets.Tool) {
	f.each(func(s *server) { s.listOnce(ctx) })
	servers, tools := []datasets.Server{}, []datasets.Tool{}
	for _, s := range f.servers {
		row, listed := s.row()
		servers = append(servers, row)
		tools = append(tools, listed...)
	}
	return servers, tools
}

// Names lists the servers in the order of their configs.
func (f *Fleet) Names() []string {
	var names []string
	for _, s := range f.servers {
		names = append(names, s.config.Name)
	}
	return names
}

// Shared gives the connection to a server that all share. If it was lost, it
// is made again, a bounded number of times. Closing it does nothing.
func (f *Fleet) Shared(ctx context.Context, name string) (Conn, error) {
	s, err := f.find(name)
	if err != nil {
		return nil, err
	}
	s.share()
	if _, err := s.use(ctx); err != nil {
		return nil, err
	}
	return sharedConn{s}, nil
}

func (f *Fleet) find(name string) (*server, error) {
	if s := f.byName[name]; s != nil {
		return s, nil
	}
	return nil, &Error{Server: name, Op: "finding it", Err: ErrUnknownServer}
}

// start connects to a server when its turn comes.
func (f *Fleet) start(ctx context.Context, c Config) (*link, error) {
	select {
	case f.starts <- struct{}{}:
		defer func() { <-f.starts }()
	case <-ctx.Done():
	}
	if ctx.Err() != nil { // the choice of select is by chance
		return nil, &Error{Server: c.Name, Op: "starting", Err: context.Cause(ctx)}
	}
	return connect(ctx, c, f.options)
}

// Close ends all connections and processes and removes their directories.
// Calls in flight end with an error. It may be called more than once.
func (f *Fleet) Close() error {
	f.mu.Lock()
	f.closed = true
	var open []*freshConn
	for c := range f.fresh {
		open = append(open, c)
	}
	f.mu.Unlock()
	errs := make([]error, len(open)+len(f.servers)+1)
	var wg sync.WaitGroup
	for i, c := range open {
		wg.Go(func() { errs[i] = c.Close() })
	}
	for i, s := range f.servers {
		wg.Go(func() { errs[len(open)+i] = s.shut() })
	}
	wg.Go(func() { errs[len(open)+len(f.servers)] = f.spares.stop() })
	wg.Wait()
	return errors.Join(errs...)
}

// sharedConn is the connection that all users of a server share.
type sharedConn struct{ server *server }

func (c sharedConn) Call(ctx context.Context, tool string, arguments json.RawMessage) (datasets.ToolResult, error) {
	l, err := c.server.use(ctx)
	if err != nil {
		return datasets.ToolResult{}, err
	}
	return l.call(ctx, tool, arguments, c.server.known())
}

func (c sharedConn) Close() error { return nil }
