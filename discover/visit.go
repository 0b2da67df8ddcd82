package discover

import (
	"context"
	"slices"

	"github.com/taskwright/taskwright/datasets"
)

// visit is one session with a server that keeps state.
type visit struct {
	*prober
	lane    *lane
	session Session
	streak  streak
	told    map[string][]any // what calls that made something were told, by parameter
	out     []outcome
}

// tool calls a tool as often as its share of the round allows. Each call is
// planned with what the session returned so far.
func (v *visit) tool(ctx context.Context, w *work) {
	for range max(1, v.share(w)/2) {
		w.told = v.told
		plan := v.plan(w, 1)
		if len(plan) == 0 || !v.call(ctx, plan[0]) {
			return
		}
		if o := v.out[len(v.out)-1]; o.err == nil {
			v.follow(ctx, o)
		}
	}
}

// call makes a call and takes its outcome, unless no more calls may be made.
func (v *visit) call(ctx context.Context, c planned) bool {
	if v.lane.calls >= v.options.CallsPerServer || v.streak.gone() || ctx.Err() != nil {
		return false
	}
	v.expect(1)
	o := v.prober.call(ctx, v.session, c, &v.streak)
	before := len(c.work.records)
	v.lane.take(o)
	v.lane.local.learn(o)
	v.out = append(v.out, o)
	if len(c.work.records) > before && order(c.work.tool.Name) == 1 {
		v.remember(o.arguments)
	}
	return true
}

// remember keeps the short texts that a call which made something was told: a
// later call asks for the thing by the same name.
func (v *visit) remember(arguments map[string]any) {
	for name, value := range arguments {
		if s, ok := value.(string); ok && len(s) <= maxText && !contains(v.told[name], value) {
			v.told[name] = append(v.told[name], value)
		}
	}
}

// follow calls the tools that an error message asks for, and then gives those
// that failed another chance.
func (v *visit) follow(ctx context.Context, o outcome) {
	text, failed := failure(o.call.Result, datasets.Document(o.call.Result))
	if !failed {
		return
	}
	for _, w := range v.lane.prerequisites(o.work, text) {
		if slices.Contains(v.lane.before, w) || !v.open(ctx, w) {
			continue
		}
		v.lane.before = append(v.lane.before, w)
		for _, other := range v.lane.works {
			if len(other.records) == 0 {
				other.retry()
			}
		}
	}
}

// open calls a tool until it has worked in this session: with the arguments
// that worked before, or else with new ones.
func (v *visit) open(ctx context.Context, w *work) bool {
	if w.base != nil {
		return v.call(ctx, planned{work: w, arguments: w.base, canonical: encode(w.base)})
	}
	for range 3 {
		plan := v.plan(w, 1)
		if len(plan) == 0 || !v.call(ctx, plan[0]) {
			return false
		}
		if len(w.records) > 0 {
			return true
		}
	}
	return false
}
