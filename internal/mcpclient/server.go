package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/taskwright/taskwright/datasets"
)

// server is one server of a fleet: its shared connection and what it listed.
type server struct {
	fleet  *Fleet
	config Config

	turn sync.Mutex // held while connecting, listing or closing

	mu       sync.Mutex // guards the fields below
	link     *link
	hello    hello
	kind     string // transport in use
	restarts int
	failure  error // why there is no connection and will be none
	listing  *listing
	listErr  error
	names    map[string]bool
	died     error // how the last shared connection was lost
	shared   bool  // the connection was given out to be shared
	shutDown bool
}

// share says that the connection is no longer this server's alone to give away.
func (s *server) share() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shared = true
}

// use gives the shared connection. If there is none yet, or it was lost, it
// connects, which only one caller does at a time.
func (s *server) use(ctx context.Context) (*link, error) {
	if l, err := s.current(); l != nil || err != nil {
		return l, err
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	if l, err := s.current(); l != nil || err != nil {
		return l, err
	}
	again, err := s.dropLost()
	if err != nil {
		return nil, err
	}
	l, err := s.fleet.start(ctx, s.config)
	if err != nil {
		s.startFailed(ctx, err, again)
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.link, s.hello, s.kind = l, l.hello, l.carrier.kind
	return l, nil
}

// startFailed takes note of a failed start. The first one is final, a restart
// may be tried again within the bound; a caller that gave up says nothing about
// the server. The caller holds turn.
func (s *server) startFailed(ctx context.Context, err error, again bool) {
	if ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	s.restarts++
	final := !again || s.restarts > s.fleet.options.Restarts
	s.mu.Unlock()
	if final {
		s.fail(err)
	}
}

// current is the connection if it works, or the reason why there will be none.
func (s *server) current() (*link, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.shutDown:
		return nil, &Error{Server: s.config.Name, Op: "connecting", Err: ErrClosed}
	case s.failure != nil:
		return nil, s.failure
	case s.link == nil || s.link.lost():
		return nil, nil
	}
	return s.link, nil
}

// dropLost closes a lost connection and counts it. When too many were lost,
// the server has failed for good. The caller holds turn.
func (s *server) dropLost() (again bool, err error) {
	s.mu.Lock()
	l := s.link
	s.mu.Unlock()
	if l == nil {
		return s.restarts > 0, nil
	}
	died := s.describeLoss(l)
	l.close() // its error says no more than the loss
	s.mu.Lock()
	defer s.mu.Unlock()
	s.link, s.died = nil, died
	if s.restarts++; s.restarts > s.fleet.options.Restarts {
		s.failure = died
		return true, died
	}
	return true, nil
}

func (s *server) describeLoss(l *link) error {
	return l.failed("keeping the connection", errors.New("the connection was lost"))
}

// fail says that the server is of no use. The first reason counts.
func (s *server) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure == nil {
		s.failure = err
	}
}

// neverStarted is the reason why a server never worked, so that no one waits
// for it again. One that worked and was lost may work anew.
func (s *server) neverStarted() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.died != nil {
		return nil
	}
	return s.failure
}

// listOnce lists the tools over the shared connection, unless that is done.
func (s *server) listOnce(ctx context.Context) {
	s.mu.Lock()
	done := s.listing != nil || s.listErr != nil
	s.mu.Unlock()
	if done {
		return
	}
	l, err := s.use(ctx)
	var got listing
	if err == nil {
		got, err = l.list(ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		if ctx.Err() == nil {
			s.listErr = err
		}
		return
	}
	if s.listing != nil {
		return // another caller was faster
	}
	s.listing, s.names = &got, map[string]bool{}
	for _, t := range got.tools {
		s.names[t.Name] = true
	}
}

// known says which tools were listed; nil if nothing is known.
func (s *server) known() func(string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if names := s.names; names != nil {
		return func(tool string) bool { return names[tool] }
	}
	return nil
}

// row gives the server's row of the catalog and its tools.
func (s *server) row() (datasets.Server, []datasets.Tool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	row := datasets.Server{
		Name: s.config.Name, Title: s.hello.ServerInfo.Title, Version: cutAtRune(s.hello.ServerInfo.Version, maxTitle),
		Protocol: cutAtRune(s.hello.ProtocolVersion, 64), Transport: s.kind, Status: datasets.ServerOK, State: s.config.State, Warnings: []string{},
	}
	if row.Title == "" {
		row.Title = s.hello.ServerInfo.Name
	}
	row.Title = cutAtRune(row.Title, maxTitle)
	if row.Transport == "" {
		row.Transport = carriers(s.config)[0]
	}
	row.Instructions = cutAtRune(s.hello.Instructions, maxDescription)
	var tools []datasets.Tool
	if s.listing != nil {
		tools = append(tools, s.listing.tools...)
		row.Warnings = append(row.Warnings, s.listing.oddities()...)
	}
	s.setStatus(&row)
	row.Tools = int32(len(tools))
	return row, tools
}

// setStatus says whether the server can be called now. The caller holds mu.
func (s *server) setStatus(row *datasets.Server) {
	lost := s.link == nil && s.died != nil || s.link != nil && s.link.lost()
	switch {
	case s.listing == nil:
		row.Status, row.Error = datasets.ServerFailed, "not started"
		for _, err := range []error{s.failure, s.listErr} {
			if err != nil {
				row.Error = err.Error()
				return
			}
		}
	case lost && !s.shutDown:
		err := s.died
		if s.link != nil {
			err = s.describeLoss(s.link)
		}
		row.Status, row.Error = datasets.ServerDied, err.Error()
	case s.died != nil:
		row.Warnings = append(row.Warnings, "the connection was lost and made again")
	}
}

func (l *listing) oddities() []string {
	out := append([]string(nil), l.warnings...)
	switch n := l.noise; {
	case n.lines == 1:
		out = append(out, fmt.Sprintf("wrote a line to stdout that is no message: %q", n.first))
	case n.lines > 1:
		out = append(out, fmt.Sprintf("wrote %d lines to stdout that are no messages, the first: %q", n.lines, n.first))
	}
	return out
}

// shut closes the shared connection for good.
func (s *server) shut() error {
	s.mu.Lock()
	s.shutDown = true
	s.mu.Unlock()
	s.turn.Lock()
	defer s.turn.Unlock()
	s.mu.Lock()
	l := s.link
	s.mu.Unlock()
	if l == nil {
		return nil
	}
	err := l.close()
	s.mu.Lock()
	s.link = nil
	s.mu.Unlock()
	return err
}
