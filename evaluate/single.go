package evaluate

import (
	"context"
	"encoding/json"
	"unicode/utf8"

	"github.com/taskwright/taskwright/datasets"
)

// SingleSteps lists the steps of a chain, from 1, that can be called with what
// the text states: those that no other step feeds.
func SingleSteps(task *datasets.Task) []int32 {
	var steps []int32
	for i := range task.Chain {
		fed := false
		for _, a := range task.Chain[i].Arguments {
			fed = fed || a.Source == datasets.SourceStep
		}
		if !fed {
			steps = append(steps, int32(i+1))
		}
	}
	return steps
}

// Single is the best agent that makes exactly one call: that of the given step,
// one of [SingleSteps]. It states every claim whose value this one output
// holds, the claims on the step itself and those on other steps alike, as if
// it had guessed which of the values were asked for. A task is single-call
// solvable if Single passes it with any of its steps.
func Single(task *datasets.Task, step int32, opts *Options) Agent {
	return &single{task: task, step: step, opts: opts}
}

type single struct {
	task  *datasets.Task
	step  int32
	opts  *Options
	asked bool
}

func (s *single) Name() string { return AgentSingle }

func (s *single) Next(_ context.Context, v *View) (Move, error) {
	if !s.asked && !v.MustAnswer && s.step >= 1 && int(s.step) <= len(s.task.Chain) {
		s.asked = true
		step := &s.task.Chain[s.step-1]
		if args, err := step.ResolveArguments(nil); err == nil {
			return Move{Calls: []Call{{step.Server, step.Tool, datasets.EncodeJSON(args)}}}, nil
		}
	}
	return Move{Final: true, Answer: s.answer(v.Calls)}, nil
}

func (s *single) answer(calls []datasets.Action) string {
	var claims []datasets.Claim
	var values []any
	for _, a := range calls {
		if a.Result.IsError {
			continue
		}
		doc := datasets.Document(a.Result)
		held := scalars(doc)
		for _, c := range s.task.Claims {
			if v, ok := s.value(&c, doc, held); ok {
				claims, values = append(claims, c), append(values, v)
			}
		}
	}
	return state(s.opts, claims, values)
}

// value is what the one output says on a claim. On another step's claim it
// counts only when the expected value itself is there and is telling: a 2 or a
// "true" that happens to stand somewhere is no answer.
func (s *single) value(c *datasets.Claim, doc any, held map[string]bool) (any, bool) {
	if c.Step == s.step {
		v, err := LiveValue(s.task, c, doc)
		return v, err == nil
	}
	expected, err := datasets.DecodeJSON(c.Expected)
	if err != nil {
		return nil, false
	}
	list, isList := expected.([]any)
	if !isList {
		list = []any{expected}
	}
	for _, e := range list {
		if !telling(e) || !held[datasets.EncodeJSON(e)] {
			return nil, false
		}
	}
	return expected, len(list) > 0
}

// telling says whether a value is unlikely to stand in an output by chance.
func telling(v any) bool {
	switch v := v.(type) {
	case string:
		return utf8.RuneCountInString(v) >= 3
	case json.Number:
		return len(v) >= 3
	}
	return false
}

// scalars is the set of all strings and numbers of a document, as JSON.
func scalars(doc any) map[string]bool {
	set := map[string]bool{}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, e := range v {
				walk(e)
			}
		case []any:
			for _, e := range v {
				walk(e)
			}
		case nil, bool:
		default:
			set[datasets.EncodeJSON(v)] = true
		}
	}
	walk(doc)
	return set
}
