package discover

import (
	"context"
	"slices"
	"sync"

	"github.com/taskwright/taskwright/datasets"
)

// repeat makes calls of the round once more, to learn which answers change by
// themselves: on a server without state the first working call of each tool, on
// one with state the round's session from its start. Servers are asked
// concurrently, each in one session.
func (p *prober) repeat(ctx context.Context, outcomes [][]outcome) error {
	var wg sync.WaitGroup
	for i, l := range p.lanes {
		if !l.live() {
			continue
		}
		wg.Go(func() {
			again := l.firsts()
			if l.local != nil {
				again = l.untilUnchecked(outcomes[i])
			}
			p.repeatLane(ctx, l, again)
		})
	}
	wg.Wait()
	return ctx.Err()
}

// again is a call to repeat.
type again struct {
	work *work
	call datasets.Call
}

// firsts are the first working calls of the tools that were not repeated yet.
func (l *lane) firsts() []again {
	var out []again
	for _, w := range l.works {
		if !w.checked && len(w.records) > 0 {
			out = append(out, again{w, datasets.Call{Server: w.tool.Server, Tool: w.tool.Name, Arguments: w.records[0].arguments}})
		}
	}
	return out
}

// untilUnchecked is a session up to the last call of a tool that was not
// repeated yet, or to the first call without an answer: after that nobody knows
// the server's state.
func (l *lane) untilUnchecked(outcomes []outcome) []again {
	var out []again
	need := 0
	for _, o := range outcomes {
		if o.err != nil {
			break
		}
		out = append(out, again{o.work, datasets.Call{Server: o.work.tool.Server, Tool: o.work.tool.Name, Arguments: o.canonical}})
		if !o.work.checked && len(o.work.records) > 0 {
			need = len(out)
		}
	}
	return out[:need]
}

func (p *prober) repeatLane(ctx context.Context, l *lane, list []again) {
	var calls []datasets.Call
	var works []*work
	for _, a := range list {
		a.work.checked = true
		if slices.ContainsFunc(a.work.records, func(r record) bool { return holdsPresent(r.doc, r.arguments, p.now) }) {
			a.work.vary = true
		}
		if l.local != nil || !a.work.vary {
			calls, works = append(calls, a.call), append(works, a.work)
		}
	}
	if p.options.Repeat == nil || len(calls) == 0 {
		return
	}
	same, err := p.options.Repeat(ctx, calls)
	if err != nil && len(same) == 0 {
		return // it answered before: that it does not now is no answer that differs
	}
	for i, is := range same {
		if !is && len(works[i].records) > 0 {
			works[i].vary = true
		}
	}
}
