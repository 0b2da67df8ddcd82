package mcpclient

import (
	"context"
	"errors"
	"sync"
)

// spares keeps instances of servers ready that no session has changed, so that
// a session on a server with state need not wait for a process to start. A
// server gets a spare once a session has used an instance of it, one at a time
// and started while that session works; the fleet bounds how many there are.
// Its goroutines end with stop.
type spares struct {
	fleet *Fleet
	ctx   context.Context
	end   context.CancelFunc
	work  sync.WaitGroup

	mu      sync.Mutex
	held    map[*server]*spare
	refused map[*server]bool // a spare failed to start: not tried again
	stopped bool
}

// spare is an instance that is ready or about to be. link is set, or stays nil
// when it could not be started, before ready is closed.
type spare struct {
	ready chan struct{}
	link  *link
}

func newSpares(f *Fleet) *spares {
	p := &spares{fleet: f, held: map[*server]*spare{}, refused: map[*server]bool{}}
	p.ctx, p.end = context.WithCancel(context.Background())
	return p
}

// take gives the spare of a server, waiting for one that is about to be ready.
// It returns nil if there is none, or none that works.
func (p *spares) take(ctx context.Context, s *server) *link {
	p.mu.Lock()
	sp := p.held[s]
	delete(p.held, s)
	p.mu.Unlock()
	if sp == nil {
		return nil
	}
	select {
	case <-sp.ready:
	case <-ctx.Done():
		p.giveBack(s, sp)
		return nil
	}
	if sp.link != nil && sp.link.lost() {
		p.discard(sp)
		return nil
	}
	return sp.link
}

// giveBack leaves a spare that is not ready, and that its taker does not want
// any more, to the next.
func (p *spares) giveBack(s *server, sp *spare) {
	p.mu.Lock()
	again := p.held[s] == nil && !p.refused[s] && !p.stopped && len(p.held) < p.fleet.options.Spares
	if again {
		p.held[s] = sp
	}
	p.mu.Unlock()
	if !again {
		p.discard(sp)
	}
}

// discard closes a spare that nobody will use, without making the caller wait.
func (p *spares) discard(sp *spare) {
	p.mu.Lock()
	stopped := p.stopped
	if !stopped {
		p.work.Add(1)
	}
	p.mu.Unlock()
	closing := func() {
		<-sp.ready
		if sp.link != nil {
			sp.link.close() // nobody waits for it: its error says nothing to anyone
		}
	}
	if stopped {
		closing()
		return
	}
	go func() {
		defer p.work.Done()
		closing()
	}()
}

// prepare starts a spare of the server unless there is one or the bound is met.
func (p *spares) prepare(s *server) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held[s] != nil || p.refused[s] || p.stopped || len(p.held) >= p.fleet.options.Spares {
		return
	}
	sp := &spare{ready: make(chan struct{})}
	p.held[s] = sp
	p.work.Go(func() {
		defer close(sp.ready)
		l, err := p.fleet.start(p.ctx, s.config)
		if err == nil {
			sp.link = l
			return
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.refused[s] = true
		if p.held[s] == sp {
			delete(p.held, s)
		}
	})
}

// keep takes an instance back that no session has changed. It returns false if
// there is a spare already, or no room for one.
func (p *spares) keep(s *server, l *link) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held[s] != nil || p.stopped || len(p.held) >= p.fleet.options.Spares || l.lost() {
		return false
	}
	sp := &spare{ready: make(chan struct{}), link: l}
	close(sp.ready)
	p.held[s] = sp
	return true
}

// stop closes all spares and waits for those that are starting.
func (p *spares) stop() error {
	p.end()
	p.mu.Lock()
	p.stopped = true
	var left []*spare
	for s, sp := range p.held {
		left = append(left, sp)
		delete(p.held, s)
	}
	p.mu.Unlock()
	errs := make([]error, len(left))
	var wg sync.WaitGroup
	for i, sp := range left {
		wg.Go(func() {
			<-sp.ready
			if sp.link != nil {
				errs[i] = sp.link.close()
			}
		})
	}
	wg.Wait()
	p.work.Wait()
	return errors.Join(errs...)
}
