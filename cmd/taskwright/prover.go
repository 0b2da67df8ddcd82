package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/evaluate"
	"github.com/taskwright/taskwright/filter"
)

// prover runs the agents of the proof through the loop of evaluate.
type prover struct {
	workspace *workspace
	options   evaluate.Options
	secondary *secondary // for attempts beside the tape
}

func newProver(w *workspace) *prover { return &prover{w, w.evaluateOptions(), newSecondary(w.fleet)} }

// Close stops the servers that only the prover used.
func (p *prover) Close() error { return p.secondary.Close() }

// Attempt implements [filter.Prover].
func (p *prover) Attempt(ctx context.Context, t *datasets.Task, agent string, live bool) (filter.Attempt, error) {
	o := p.options
	o.Open = p.workspace.session
	if live {
		once := p.workspace.repeating(p.secondary)
		o.Open = func(context.Context) (evaluate.Session, error) { return once.Open(), nil }
	}
	attempts := 1
	if agent == evaluate.AgentSingle {
		attempts = max(1, len(evaluate.SingleSteps(t)))
	}
	var best filter.Attempt
	for n := 1; n <= attempts; n++ {
		made, err := attempt(ctx, t, agent, n, &o)
		if err != nil {
			return filter.Attempt{}, err
		}
		if n == 1 || made.Coverage > best.Coverage {
			best = made
		}
	}
	return best, nil
}

// attempt is one rollout with its claims scored. A rollout that could not be
// made for reasons outside of the task is an error.
func attempt(ctx context.Context, t *datasets.Task, name string, n int, o *evaluate.Options) (filter.Attempt, error) {
	agent, err := evaluate.Baseline(name, t, n, o)
	if err != nil {
		return filter.Attempt{}, err
	}
	rollout, scores := evaluate.Try(ctx, &evaluate.Job{Task: t, Agent: agent, Level: datasets.LevelConcrete, Attempt: n}, o)
	switch rollout.StopReason {
	case datasets.StopCancelled:
		return filter.Attempt{}, context.Cause(ctx)
	case datasets.StopInfraFailed:
		return filter.Attempt{}, fmt.Errorf("task %s: %s agent: %s", t.ID, name, rollout.Error)
	}
	a := filter.Attempt{Outcomes: map[string]string{}, StopReason: rollout.StopReason, Detail: rollout.Error}
	a.Passed, _ = evaluate.Passed(scores)
	if c := evaluate.Coverage(scores); c != nil {
		a.Coverage = *c
	}
	for _, s := range scores {
		if s.Scorer == evaluate.ScorerClaim {
			a.Outcomes[s.Name] = s.Outcome
		}
	}
	return a, nil
}

// evaluateOptions is what rollouts need of the dataset.
func (w *workspace) evaluateOptions() evaluate.Options {
	return evaluate.Options{
		Open:     w.session,
		Tool:     func(id string) (*datasets.Tool, bool) { return w.catalog.tool(id) },
		Validate: evaluate.Validator(w.catalog.tools),
		Stateful: func(server string) bool { return w.catalog.stateful(server) },
		Offline:  w.fleet == nil,
		Now:      w.env.now,
	}
}

// session opens a session on the tape that notes which calls it made.
func (w *workspace) session(ctx context.Context) (evaluate.Session, error) {
	keys, _ := ctx.Value(notedKeys{}).(*noted)
	return &notingSession{w.tape.Open(), keys}, nil
}

// tapeKey is the key of a recorded call with its server.
type tapeKey struct {
	Server string `json:"server"`
	Key    string `json:"key"`
}

// noted collects the calls of a unit. It is safe for concurrent use.
type noted struct {
	mu   sync.Mutex
	keys map[tapeKey]bool
}

type notedKeys struct{}

// noting makes a context whose sessions note their calls.
func noting(ctx context.Context) (context.Context, *noted) {
	n := &noted{keys: map[tapeKey]bool{}}
	return context.WithValue(ctx, notedKeys{}, n), n
}

func (n *noted) all() []tapeKey {
	n.mu.Lock()
	defer n.mu.Unlock()
	keys := make([]tapeKey, 0, len(n.keys))
	for k := range n.keys {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b tapeKey) int { return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.Key, b.Key)) })
	return keys
}

type notingSession struct {
	evaluate.Session
	noted *noted
}

func (s *notingSession) Call(ctx context.Context, server, tool, arguments string) (datasets.Call, bool, error) {
	call, hit, err := s.Session.Call(ctx, server, tool, arguments)
	if err == nil && s.noted != nil {
		s.noted.mu.Lock()
		s.noted.keys[tapeKey{server, call.Key}] = true
		s.noted.mu.Unlock()
	}
	return call, hit, err
}
