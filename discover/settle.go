package discover

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/taskwright/taskwright/datasets"
)

// settle corrects the guesses of which servers keep state, after a round. It
// does nothing without Options.Settle, or for servers whose author told.
//
// A server that was taken to have none, and whose answers change from session
// to session, is probed anew with state. A server that was taken to have some
// has none if all its changing tools worked and its session, of two calls or
// more, gives the same answers in the opposite order; its calls are then
// recorded anew.
func (p *prober) settle(ctx context.Context, outcomes [][]outcome) error {
	if p.options.Settle == nil {
		return nil
	}
	for i, l := range p.lanes {
		if !l.live() || l.settled || slices.Contains(p.options.Fixed, l.server.Name) {
			continue
		}
		if l.local == nil {
			if l.varies() {
				p.withState(l)
			}
			continue
		}
		if !l.complete() {
			continue
		}
		l.settled = true
		free, err := p.anyOrder(ctx, outcomes[i])
		if err == nil && free {
			err = p.withoutState(ctx, l)
		}
		if err != nil {
			return fmt.Errorf("probing %s: %w", l.server.Name, err)
		}
	}
	return ctx.Err()
}

// varies says whether several tools of a server, among them some not marked
// read-only, answer differently in a new session.
func (l *lane) varies() bool {
	vary, writes := 0, 0
	for _, w := range l.works {
		if w.vary {
			vary++
		}
		if w.tool.Effect != datasets.EffectRead && len(w.records) > 0 {
			writes++
		}
	}
	return vary >= 3 && vary*2 > len(l.works) && writes > 0
}

// withState probes the server anew, in sessions: what was recorded without
// their history says nothing.
func (p *prober) withState(l *lane) {
	l.settled = true
	l.server.State = datasets.StateSession
	p.options.Settle(l.server.Name, l.server.State)
	for _, w := range l.works {
		w.again()
	}
	p.left = max(p.left, 2) // one round at least is still to come
}

// again starts the probe of a tool anew, with a new budget.
func (w *work) again() {
	w.extra = w.calls
	w.tried, w.bad, w.luck = map[string]bool{}, map[string]bool{}, map[string]int{}
	w.base, w.thin, w.records, w.checked, w.vary = nil, false, nil, false, false
}

// complete says whether every tool that may change something was allowed and
// has worked, so that what it changes would have shown. It would not where the
// answers of one that sounds like changing things differ by themselves: what it
// made has another name each time, as have all answers that show it.
func (l *lane) complete() bool {
	return !l.barred && !slices.ContainsFunc(l.works, func(w *work) bool {
		return w.tool.Effect != datasets.EffectRead && len(w.records) == 0 || w.vary && writes(w.tool)
	})
}

// anyOrder says whether the calls of a session are answered alike in the
// opposite order. Tools whose answers change anyway are left out.
func (p *prober) anyOrder(ctx context.Context, outcomes []outcome) (bool, error) {
	session, err := p.options.Open(ctx)
	if err != nil {
		return false, err
	}
	alike, asked := true, 0
	for _, o := range slices.Backward(outcomes) {
		if o.work.vary {
			continue
		}
		call, _, err := session.Call(ctx, o.call.Server, o.call.Tool, o.canonical)
		if err != nil || o.err != nil || !sameAnswer(call.Result, o.call.Result) {
			alike = false
			break
		}
		asked++
	}
	return alike && asked > 1, errors.Join(session.Close(), ctx.Err())
}

func sameAnswer(a, b datasets.ToolResult) bool {
	return a.IsError == b.IsError && a.ErrorKind == b.ErrorKind && encode(datasets.Document(a)) == encode(datasets.Document(b))
}

// withoutState records the calls that worked anew, as calls without history.
// One that now fails is dropped, one that now differs is volatile.
func (p *prober) withoutState(ctx context.Context, l *lane) error {
	l.server.State = datasets.StateNone
	p.options.Settle(l.server.Name, l.server.State)
	session, err := p.options.Open(ctx)
	if err != nil {
		return err
	}
	for _, w := range l.works {
		var kept []record
		for _, r := range w.records {
			call, _, err := session.Call(ctx, w.tool.Server, w.tool.Name, r.arguments)
			if err != nil {
				continue
			}
			doc := datasets.Document(call.Result)
			if _, failed := failure(call.Result, doc); failed {
				continue
			}
			w.vary = w.vary || encode(doc) != encode(r.doc)
			r.key, r.doc = call.Key, doc
			kept = append(kept, r)
		}
		w.records = kept
	}
	return errors.Join(session.Close(), ctx.Err())
}
