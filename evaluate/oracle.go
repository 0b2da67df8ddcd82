package evaluate

import (
	"context"

	"github.com/taskwright/taskwright/datasets"
)

// Oracle is the agent that knows the chain of the task and follows it by its
// rules on what really comes back, not by the values of the reference run.
// Steps whose inputs are there run in the same round; steps on a server with
// state keep the order of the chain. It then states the claims with the values
// that it got. A task that it fails is not solvable.
func Oracle(task *datasets.Task, opts *Options) Agent {
	return &oracle{
		task: task, opts: opts,
		wave: waves(task.Chain, opts.stateful),
		docs: make([]any, len(task.Chain)), good: make([]bool, len(task.Chain)),
	}
}

type oracle struct {
	task *datasets.Task
	opts *Options
	wave []int  // by step: the round that it runs in, from 1
	at   int    // last round asked for
	sent []int  // step index of each call asked for, in order
	read int    // calls of the view that were read
	docs []any  // by step: output document
	good []bool // by step: it was called and succeeded
}

func (o *oracle) Name() string { return AgentOracle }

func (o *oracle) Next(_ context.Context, v *View) (Move, error) {
	o.take(v.Calls)
	for last := lastWave(o.wave); o.at < last && !v.MustAnswer; {
		o.at++
		if calls := o.calls(); len(calls) > 0 {
			return Move{Calls: calls}, nil
		}
	}
	return Move{Final: true, Answer: o.answer()}, nil
}

// take reads the results that came back since the last round.
func (o *oracle) take(calls []datasets.Action) {
	for ; o.read < len(calls) && o.read < len(o.sent); o.read++ {
		step, res := o.sent[o.read], calls[o.read].Result
		if o.good[step] = !res.IsError; o.good[step] {
			o.docs[step] = datasets.Document(res)
		}
	}
}

// calls are those of the current round. A step whose inputs did not come is
// left out: the claims on it are lost, and the scores say so.
func (o *oracle) calls() []Call {
	var calls []Call
	for i := range o.task.Chain {
		step := &o.task.Chain[i]
		if o.wave[i] != o.at || !o.ready(step) {
			continue
		}
		args, err := step.ResolveArguments(o.docs)
		if err != nil {
			continue
		}
		calls = append(calls, Call{step.Server, step.Tool, datasets.EncodeJSON(args)})
		o.sent = append(o.sent, i)
	}
	return calls
}

func (o *oracle) ready(step *datasets.Step) bool {
	for _, a := range step.Arguments {
		if a.Source == datasets.SourceStep && (a.Step < 1 || int(a.Step) > len(o.good) || !o.good[a.Step-1]) {
			return false
		}
	}
	return true
}

func (o *oracle) answer() string {
	var claims []datasets.Claim
	var values []any
	for _, c := range o.task.Claims {
		if s := int(c.Step) - 1; s < 0 || s >= len(o.good) || !o.good[s] {
			continue
		}
		if v, err := LiveValue(o.task, &c, o.docs[c.Step-1]); err == nil {
			claims, values = append(claims, c), append(values, v)
		}
	}
	return state(o.opts, claims, values)
}

// state words claims with values.
func state(opts *Options, claims []datasets.Claim, values []any) string {
	if len(claims) == 0 {
		return "I found nothing."
	}
	return opts.claims().Answer(claims, values)
}

// waves is, for each step, the first round in which it can run: after the
// steps that feed it and, on a server with state, after the steps before it
// on that server.
func waves(chain []datasets.Step, stateful func(string) bool) []int {
	wave := make([]int, len(chain))
	for i := range chain {
		wave[i] = 1
		for _, a := range chain[i].Arguments {
			if a.Source == datasets.SourceStep && a.Step >= 1 && int(a.Step) <= i {
				wave[i] = max(wave[i], wave[a.Step-1]+1)
			}
		}
		for j := range i {
			if chain[j].Server == chain[i].Server && stateful(chain[i].Server) {
				wave[i] = max(wave[i], wave[j]+1)
			}
		}
	}
	return wave
}

func lastWave(wave []int) int {
	last := 0
	for _, w := range wave {
		last = max(last, w)
	}
	return last
}
