package main

import (
	"context"
	"slices"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/filter"
	"github.com/taskwright/taskwright/fuzz"
)

// The proof of a task stands for the claims that it was made with. So claims
// are finished before filter looks at them, and where a rewriting changes them
// after all, fuzz has the task proved again from the tape.

// finishClaims brings the claims of a task to what fuzz would leave it with.
// A task whose outline is unknown keeps its claims.
func finishClaims(t *datasets.Task) {
	_ = fuzz.Vary(t, &fuzz.Options{Levels: []string{}}) // an error means that nothing was done
}

// reprover proves tasks again whose claims have changed.
type reprover struct{ filter *filter.Filter }

func (w *workspace) newReprover() (*reprover, error) {
	if w.tape == nil {
		w.tape = w.newTape()
		if err := w.loadTape(w.tape, func(datasets.Call) bool { return true }); err != nil {
			return nil, err
		}
	}
	return &reprover{filter.New(filter.Options{Tools: w.catalog.tools, Prover: newProver(w), Offline: true})}, nil
}

// prove rejects a task if the proof fails for the claims that it has now.
// before are those that it was proved with.
func (r *reprover) prove(ctx context.Context, t *datasets.Task, before []datasets.Claim) error {
	if digestOf(before) == digestOf(t.Claims) || t.Proof != datasets.ProofExecuted {
		return nil
	}
	again, err := checked(ctx, r.filter, *t)
	if err != nil {
		return err
	}
	for _, c := range again.Checks {
		i := slices.IndexFunc(t.Checks, func(old datasets.Check) bool { return old.Name == c.Name })
		if i < 0 || c.Name == filter.CheckThreshold {
			continue
		}
		t.Checks[i] = c
		if !c.Passed {
			t.Status, t.Reasons = datasets.StatusRejected, append(t.Reasons, c.Name+": "+c.Detail)
		}
	}
	return nil
}
