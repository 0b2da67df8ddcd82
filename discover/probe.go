package discover

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/taskwright/taskwright/datasets"
)

// Result is a catalog after probing.
type Result struct {
	Servers []datasets.Server
	Tools   []datasets.Tool
	Calls   int // calls made
}

// prober is one run of [Probe]. Plans are made and outcomes taken by the
// goroutine that runs the rounds; a server with state has a goroutine of its
// own for the length of a round, which alone touches the server's lane.
type prober struct {
	options Options
	lanes   []*lane
	global  *bank
	now     time.Time
	left    int // rounds, the current one included

	mu      sync.Mutex
	done    int
	planned int
}

// lane is one server under probe.
type lane struct {
	server *datasets.Server
	works  []*work
	local  *bank // what this session's calls returned, for a server with state
	calls  int
	dead   string // why no more calls are made, "" while they are

	settled bool    // whether it keeps state is known
	barred  bool    // a tool that may change something may not be called
	before  []*work // tools that others asked to be called first
}

// Probe calls the tools that the options allow, in rounds, and says what it
// found: for each tool its health, sample calls that succeeded, and an output
// schema inferred from the answers where none is declared; for each server
// whether it lives and whether it keeps state. The rows that it is given are
// not changed. Servers that are not ok, and tools that may not be called, are
// reported as such.
//
// Servers without state are called concurrently, up to PerServer at a time
// each; a server with state is called by one goroutine, with a new session for
// each round. An error is one of the context or of Open.
func Probe(ctx context.Context, servers []datasets.Server, tools []datasets.Tool, o *Options) (*Result, error) {
	r := &Result{Servers: slices.Clone(servers), Tools: slices.Clone(tools)}
	p := &prober{options: o.withDefaults(), now: time.Now()}
	p.global = newBank(r.Tools, p.options.Seed)
	p.lanes = p.lay(r)
	if p.options.Open != nil && p.options.Mode != ProbeNone {
		for p.left = p.options.Rounds; p.left > 0; p.left-- {
			if err := p.round(ctx); err != nil {
				return nil, err
			}
		}
	}
	p.report(r)
	return r, nil
}

// lay makes a lane for each server, with its tools that may be called.
func (p *prober) lay(r *Result) []*lane {
	var lanes []*lane
	at := map[string]*lane{}
	for i := range r.Servers {
		l := &lane{server: &r.Servers[i]}
		lanes = append(lanes, l)
		at[l.server.Name] = l
	}
	for i := range r.Tools {
		t := &r.Tools[i]
		t.Health.Status, t.Health.Detail = datasets.HealthUntested, ""
		l := at[t.Server]
		callable, why := p.options.Callable(t)
		switch {
		case l == nil || l.server.Status != datasets.ServerOK:
			t.Health.Detail = "the server is not live"
		case p.options.Open == nil || p.options.Mode == ProbeNone:
			t.Health.Detail = "probing is off"
		case !callable:
			t.Health.Status, t.Health.Detail = datasets.HealthSkipped, why
			l.barred = l.barred || t.Effect != datasets.EffectRead
		default:
			l.works = append(l.works, newWork(i, t))
		}
	}
	return lanes
}

// needs counts the parameters that must name something which exists already.
func (w *work) needs() int {
	n := 0
	for _, s := range w.slots {
		if s.param.Required && slices.Contains(s.words, "id") {
			n++
		}
	}
	return n
}

// forget drops the call to start from, if it names things of a past session.
func (w *work) forget() {
	if w.needs() > 0 {
		w.base, w.thin = nil, false
	}
}

// banks are where values for a tool come from: its own session first.
func (p *prober) banks(w *work) []*bank {
	for _, l := range p.lanes {
		if l.local != nil && l.server.Name == w.tool.Server {
			return []*bank{l.local, p.global}
		}
	}
	return []*bank{p.global}
}

// round plans and makes one round of calls on every server, then banks what
// came back.
func (p *prober) round(ctx context.Context) error {
	outcomes := make([][]outcome, len(p.lanes))
	failed := make([]error, len(p.lanes))
	plans := make([][]planned, len(p.lanes))
	for i, l := range p.lanes {
		l.local = nil
		if l.live() && l.server.State == datasets.StateSession {
			l.local = newBank(p.global.tools, p.options.Seed)
		} else if l.live() {
			plans[i] = p.planLane(l)
		}
	}
	var wg sync.WaitGroup
	for i, l := range p.lanes {
		if !l.live() {
			continue
		}
		wg.Go(func() {
			if l.server.State == datasets.StateSession {
				outcomes[i], failed[i] = p.scenario(ctx, l)
			} else {
				outcomes[i], failed[i] = p.fan(ctx, l, plans[i])
			}
		})
	}
	wg.Wait()
	if err := errors.Join(append(failed, ctx.Err())...); err != nil {
		return fmt.Errorf("probing: %w", err)
	}
	for i, l := range p.lanes {
		if l.local == nil {
			p.takeAll(l, outcomes[i])
		}
	}
	if err := p.repeat(ctx, outcomes); err != nil {
		return fmt.Errorf("probing: %w", err)
	}
	p.deposit(outcomes)
	return p.settle(ctx, outcomes)
}

func (l *lane) live() bool { return l.dead == "" && len(l.works) > 0 }

// share is how many calls of one tool the current round may make: what is left
// of its budget, spread over the rounds that are left.
func (p *prober) share(w *work) int {
	return (p.budget(w) + p.left - 1) / p.left
}

// budget is how many calls of a tool may still be made.
func (p *prober) budget(w *work) int { return p.options.CallsPerTool + w.extra - w.calls }

// planLane plans a round for a server without state.
func (p *prober) planLane(l *lane) []planned {
	var out []planned
	for _, w := range l.works {
		out = append(out, p.plan(w, min(p.share(w), p.options.CallsPerServer-l.calls-len(out)))...)
	}
	return out
}

// fan makes planned calls, some at a time, each worker in a session of its own.
// The outcomes keep the order of the plan.
func (p *prober) fan(ctx context.Context, l *lane, plan []planned) ([]outcome, error) {
	p.expect(len(plan))
	out := make([]outcome, len(plan))
	errs := make([]error, min(p.options.PerServer, len(plan)))
	var next counter
	var streak streak
	var wg sync.WaitGroup
	for n := range errs {
		wg.Go(func() {
			session, err := p.options.Open(ctx)
			if err != nil {
				errs[n] = err
				return
			}
			for i := next.take(); i < len(plan) && ctx.Err() == nil; i = next.take() {
				out[i] = p.call(ctx, session, plan[i], &streak)
			}
			errs[n] = session.Close()
		})
	}
	wg.Wait()
	return out, errors.Join(errs...)
}

// scenario calls the tools of a server with state one after the other in one
// session: what reads, what makes things, what reads again now that there are
// some, the rest, what ends things. Each call is planned when its turn comes,
// with what the session returned so far.
func (p *prober) scenario(ctx context.Context, l *lane) ([]outcome, error) {
	session, err := p.options.Open(ctx)
	if err != nil {
		return nil, err
	}
	v := &visit{prober: p, lane: l, session: session, told: map[string][]any{}}
	for _, w := range l.works {
		w.forget()
	}
	for _, w := range l.before {
		v.open(ctx, w)
	}
	works := slices.Clone(l.works)
	slices.SortStableFunc(works, func(a, b *work) int { return cmp.Compare(a.needs(), b.needs()) })
	for turn, stage := range []int{0, 1, 0, 2, 3} {
		for _, w := range works {
			if turn == 2 && len(w.records) == 0 {
				w.retry() // what it asks for may be there now
			}
			if order(w.tool.Name) == stage {
				v.tool(ctx, w)
			}
		}
	}
	l.verdict(v.out)
	return v.out, session.Close()
}

// call makes one call. Once a server has lost several calls in a row, the rest
// are not made.
func (p *prober) call(ctx context.Context, s Session, c planned, lost *streak) outcome {
	o := outcome{planned: c}
	if lost.gone() {
		o.err = errGone
	} else {
		o.call, _, o.err = s.Call(ctx, c.work.tool.Server, c.work.tool.Name, c.canonical)
	}
	lost.note(o.err)
	p.finish()
	return o
}

var errGone = errors.New("not called: the server stopped answering")

func (p *prober) takeAll(l *lane, outcomes []outcome) {
	for _, o := range outcomes {
		l.take(o)
	}
	l.verdict(outcomes)
}

func (l *lane) take(o outcome) {
	l.calls++
	o.work.take(o)
}

// verdict says that a server died when the last calls of a round, and at least
// two, or all, were without an answer.
func (l *lane) verdict(outcomes []outcome) {
	lost := 0
	for i := len(outcomes) - 1; i >= 0 && outcomes[i].err != nil; i-- {
		lost++
	}
	if lost < lostInARow && (lost == 0 || lost < len(outcomes)) {
		return
	}
	for _, o := range outcomes[len(outcomes)-lost:] {
		if !errors.Is(o.err, errGone) {
			l.dead = cut(o.err.Error(), 300)
			return
		}
	}
	l.dead = errGone.Error()
}

func (p *prober) expect(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.planned += n
	if p.options.Progress != nil {
		p.options.Progress(p.done, p.planned)
	}
}

func (p *prober) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if p.options.Progress != nil {
		p.options.Progress(p.done, p.planned)
	}
}
