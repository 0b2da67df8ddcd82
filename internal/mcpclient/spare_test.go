package mcpclient

import (
	"context"
	"errors"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/taskwright/taskwright/datasets"
)

func TestSparesAreBounded(t *testing.T) {
	tests := []struct{ spares, want int }{{0, 8}, {3, 3}, {-1, 0}}
	const servers = 10
	for _, test := range tests {
		t.Run(strconv.Itoa(test.spares), func(t *testing.T) {
			n := &nursery{}
			f := raise(t, n, servers, func(_ *Config, o *Options) { o.Spares = test.spares })
			var conns []*freshConn
			for i := range servers {
				conns = append(conns, mustFresh(t, f, "s"+strconv.Itoa(i)))
				if got := len(spareLinks(f)); got > test.want {
					t.Fatalf("%d spares after %d sessions", got, i+1)
				}
			}
			if got := len(spareLinks(f)); got != test.want || n.started() != servers+test.want {
				t.Errorf("%d spares, %d instances", got, n.started())
			}
			for _, c := range conns { // unchanged, but there is no room for them
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			}
			if got := n.living(); got != test.want {
				t.Errorf("%d instances are left, want %d", got, test.want)
			}
		})
	}
}

// TestReuse says after which calls an instance is given out again. There is
// one server and no spare is started, so that only reuse gives instance 1.
func TestReuse(t *testing.T) {
	call := func(tool string) func(*testing.T, *freshConn) {
		return func(t *testing.T, c *freshConn) {
			if _, err := c.Call(t.Context(), tool, nil); err != nil {
				t.Error(err)
			}
		}
	}
	tests := []struct {
		name    string
		use     func(*testing.T, *freshConn)
		state   string
		allRead bool
		again   bool
	}{
		{"no call", func(*testing.T, *freshConn) {}, "", false, true},
		{"reads", call("peek"), "", false, true},
		{"reads, with state", call("peek"), datasets.StateSession, false, true},
		{"changes", call("bump"), "", false, false},
		{"changes, by the author without state", call("bump"), datasets.StateNone, false, false},
		{"marked both read-only and destructive", call("raze"), "", false, false},
		{"unknown tool", call("ghost"), "", false, false},
		{"marked read-only against the author's word", call("bump"), datasets.StateSession, true, false},
		{"all marked read-only", call("peek"), "", true, true},
		{"reads, then changes", func(t *testing.T, c *freshConn) { call("peek")(t, c); call("bump")(t, c); call("peek")(t, c) }, "", false, false},
		{"cancelled", func(t *testing.T, c *freshConn) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := c.Call(ctx, "peek", nil); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		}, "", false, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			n := &nursery{allRead: test.allRead}
			f := raise(t, n, 1, func(c *Config, o *Options) { c.State, o.Spares = test.state, 1 })
			f.spares.refused[f.servers[0]] = true // none is started ahead of time
			c := mustFresh(t, f, "s0")
			test.use(t, c)
			for range 2 {
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			}
			next := mustFresh(t, f, "s0")
			id, count := peek(t, next)
			if (id == 1) != test.again || count != 0 {
				t.Errorf("the next session has instance %d, changed %d times", id, count)
			}
			if _, err := c.Call(t.Context(), "bump", nil); !errors.Is(err, ErrClosed) {
				t.Errorf("a call after Close: %v", err)
			}
			if _, count := peek(t, next); count != 0 {
				t.Error("a closed connection changed the next session's instance")
			}
		})
	}
}

// An instance with a call under way is not given out again.
func TestNoReuseWhileACallIsUnderWay(t *testing.T) {
	f := raise(t, &nursery{}, 1, nil)
	f.spares.refused[f.servers[0]] = true // there is room to take it back
	c := mustFresh(t, f, "s0")
	done := make(chan error, 1)
	go func() {
		_, err := c.Call(context.Background(), "hang", nil)
		done <- err
	}()
	for len(c.link.calls) == 0 {
		runtime.Gosched()
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; !errors.Is(err, ErrClosed) {
		t.Errorf("got %v", err)
	}
	if id, _ := peek(t, mustFresh(t, f, "s0")); id == 1 {
		t.Error("the instance was given out again")
	}
}

// Without a listing nobody knows which tools only read.
func TestNoReuseOfUnlistedTools(t *testing.T) {
	n := &nursery{}
	f := Open(t.Context(), []Config{InMemory("s0", n.new)}, nil)
	defer f.Close()
	c := mustFresh(t, f, "s0")
	mine, _ := peek(t, c)
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	for range 2 {
		if id, _ := peek(t, mustFresh(t, f, "s0")); id == mine {
			t.Error("the instance was given out again")
		}
	}
}

// TestSpareServesOneSession lets many sessions come and go. No two have one
// instance at a time, and none sees what another changed.
func TestSpareServesOneSession(t *testing.T) {
	f := raise(t, &nursery{}, 2, func(c *Config, _ *Options) { c.State = datasets.StateSession })
	var mu sync.Mutex
	users, spoilt := map[int]int{}, map[int]bool{}
	session := func(n int) {
		c, err := f.Fresh(context.Background(), "s"+strconv.Itoa(n%2))
		if err != nil {
			t.Error(err)
			return
		}
		id, count := peek(t, c)
		mu.Lock()
		users[id]++
		if users[id] > 1 || spoilt[id] || count != 0 {
			t.Errorf("instance %d: %d users, %d changes", id, users[id], count)
		}
		mu.Unlock()
		if n%3 == 0 {
			if _, err := c.Call(context.Background(), "bump", nil); err != nil {
				t.Error(err)
			}
		}
		mu.Lock()
		users[id]--
		spoilt[id] = n%3 == 0
		mu.Unlock()
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	var wg sync.WaitGroup
	for worker := range 6 {
		wg.Go(func() {
			for i := range 15 {
				session(worker*15 + i)
			}
		})
	}
	wg.Wait()
}

// A spare whose process ended is not handed out, whether it was started ahead
// of time or taken back.
func TestDeadSpareIsNotHandedOut(t *testing.T) {
	for _, back := range []bool{false, true} {
		f, pids := openScript(t, "ok", nil)
		c := mustFresh(t, f, "fake")
		if back {
			f.spares.refused[f.servers[0]] = true
			for _, l := range spareLinks(f) {
				l.carrier.process.cmd.Process.Kill()
				<-l.gone
			}
			second := mustFresh(t, f, "fake") // drops the dead spare
			if err := errors.Join(c.Close(), second.link.close()); err != nil {
				t.Error(err)
			}
		}
		spares := spareLinks(f)
		if len(spares) != 1 {
			t.Fatalf("%d spares", len(spares))
		}
		spares[0].carrier.process.cmd.Process.Kill()
		<-spares[0].gone
		next := mustFresh(t, f, "fake")
		if next.link == spares[0] {
			t.Error("the dead spare was handed out")
		}
		if r, err := next.Call(t.Context(), "echo", []byte(`{"text":"a"}`)); err != nil || r.Text != `{"text":"a"}` {
			t.Errorf("got %+v, %v", r, err)
		}
		allEnd(t, f, pids())
	}
}

// allEnd closes a fleet and sees its processes end.
func allEnd(t *testing.T, f *Fleet, pids []int) {
	t.Helper()
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	for _, pid := range pids {
		for deadline := time.Now().Add(5 * time.Second); alive(pid); runtime.Gosched() {
			if time.Now().After(deadline) {
				t.Fatalf("process %d is still there", pid)
			}
		}
	}
}

// A server that fails to start ahead of time is started when it is asked for,
// and no more ahead.
func TestSpareThatDoesNotStart(t *testing.T) {
	f, pids := openScript(t, "ok exit ok", nil)
	mustFresh(t, f, "fake")
	f.spares.work.Wait()
	if got := spareLinks(f); len(got) != 0 {
		t.Errorf("%d spares", len(got))
	}
	mustFresh(t, f, "fake")
	f.spares.work.Wait()
	started := pids()
	if len(started) != 3 {
		t.Errorf("%d processes, want 3", len(started))
	}
	allEnd(t, f, started)
}

// Close does not wait for a spare that never answers, and leaves no process.
func TestCloseWhileASpareStarts(t *testing.T) {
	f, pids := openScript(t, "ok silent", nil)
	mustFresh(t, f, "fake")
	for len(pids()) < 2 {
		runtime.Gosched()
	}
	allEnd(t, f, pids())
}

// A spare that is ready only after Close has begun is closed, too, and so is
// one that a session is waiting for.
func TestCloseBeforeASpareIsReady(t *testing.T) {
	for _, waiting := range []bool{false, true} {
		n := &nursery{hold: make(chan struct{})}
		f := raise(t, n, 1, nil)
		mustFresh(t, f, "s0")
		for n.started() < 2 {
			runtime.Gosched()
		}
		fresh := make(chan error, 1)
		if waiting {
			go func() {
				_, err := f.Fresh(context.Background(), "s0")
				fresh <- err
			}()
			for f.spares.holds(f.servers[0]) {
				runtime.Gosched()
			}
		} else {
			fresh <- ErrClosed
		}
		closed := make(chan error, 1)
		go func() { closed <- f.Close() }()
		<-f.spares.ctx.Done()
		close(n.hold)
		if err := <-closed; err != nil {
			t.Error(err)
		}
		if err := <-fresh; !errors.Is(err, ErrClosed) && !errors.Is(err, context.Canceled) {
			t.Errorf("Fresh: %v", err)
		}
		if left := n.living(); left != 0 {
			t.Errorf("%d instances are left", left)
		}
	}
}

func (p *spares) holds(s *server) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.held[s] != nil
}

// A session that gives up waiting leaves the spare to the next, and starts no
// instance of its own.
func TestCancelledWhileWaitingForASpare(t *testing.T) {
	n := &nursery{hold: make(chan struct{})}
	f := raise(t, n, 1, nil)
	mustFresh(t, f, "s0")
	for n.started() < 2 {
		runtime.Gosched()
	}
	ctx, cancel := context.WithCancel(t.Context())
	gaveUp := make(chan error, 1)
	go func() {
		_, err := f.Fresh(ctx, "s0")
		gaveUp <- err
	}()
	for f.spares.holds(f.servers[0]) {
		runtime.Gosched()
	}
	cancel()
	if err := <-gaveUp; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if got := n.started(); got != 2 {
		t.Errorf("%d instances, want 2", got)
	}
	close(n.hold)
	if id, _ := peek(t, mustFresh(t, f, "s0")); id != 2 {
		t.Errorf("the next session has instance %d, want the spare", id)
	}
}
