package filter

import (
	"context"
	"slices"

	"github.com/taskwright/taskwright/datasets"
)

// Options say how tasks are filtered.
type Options struct {
	Thresholds
	Tools   []datasets.Tool // the catalog that tasks must fit
	Prover  Prover          // runs agents; nil leaves tasks without the proof by execution
	Repeats int             // times the oracle runs live beside the tape, to find volatile claims; 1 if 0
	Offline bool            // prove from the tape alone, without repetitions
}

// Names of the checks, in the order in which they run.
const (
	CheckSchema     = "schema"      // arguments fit input schemas, tools are in the catalog
	CheckReference  = "reference"   // the chain's arguments and the claims follow from the recorded outputs
	CheckStated     = "stated"      // the instruction states what the chain needs and gives no claim away
	CheckOracle     = "oracle"      // the reference chain, run again, fulfils every claim
	CheckStable     = "stable"      // claims are the same when the calls are repeated
	CheckNull       = "null"        // an agent without tools fails
	CheckSingleCall = "single-call" // an agent with one call fails
	CheckThreshold  = "threshold"   // judges' scores reach the thresholds
)

// Filter holds what the checks of many tasks share. It may be used by several
// goroutines at once.
type Filter struct {
	opts  Options
	tools map[string]*datasets.Tool
}

// New prepares a filter.
func New(opts Options) *Filter {
	f := &Filter{opts: opts, tools: map[string]*datasets.Tool{}}
	for i := range opts.Tools {
		f.tools[opts.Tools[i].ID()] = &opts.Tools[i]
	}
	return f
}

// Task checks one task and sets its Checks, Status, Reasons and the volatile
// marks of its claims. A failed check is no error: the error is that of ctx,
// or of an agent that could not be run at all.
func (f *Filter) Task(ctx context.Context, t *datasets.Task) error {
	t.Checks, t.Reasons = nil, nil
	record(t, CheckSchema, f.schemaProblem(t))
	record(t, CheckReference, referenceProblem(t))
	record(t, CheckStated, statedProblem(t))
	if f.opts.Prover != nil && len(t.Reasons) == 0 && t.Proof == datasets.ProofExecuted {
		if err := f.prove(ctx, t); err != nil {
			return err
		}
	}
	f.opts.Thresholds.apply(t)
	return nil
}

// record adds the outcome of a check: problem is "" where it passed.
func record(t *datasets.Task, name, problem string) {
	t.Checks = append(t.Checks, datasets.Check{Name: name, Passed: problem == "", Detail: problem})
	if problem != "" {
		t.Reasons = append(t.Reasons, name+": "+problem)
	}
}

// note adds a passed check with a remark.
func note(t *datasets.Task, name, remark string) {
	t.Checks = append(t.Checks, datasets.Check{Name: name, Passed: true, Detail: remark})
}

// Counts are the outcome over many tasks.
type Counts struct {
	Accepted int            `json:"accepted"`
	Rejected int            `json:"rejected"`
	Unscored int            `json:"unscored"` // accepted or rejected without any judge's score
	Reasons  map[string]int `json:"reasons"`  // rejected tasks by the check that failed first
}

// Count adds up tasks that were filtered.
func Count(tasks []datasets.Task) Counts {
	c := Counts{Reasons: map[string]int{}}
	for i := range tasks {
		t := &tasks[i]
		switch t.Status {
		case datasets.StatusAccepted:
			c.Accepted++
		case datasets.StatusRejected:
			c.Rejected++
			c.Reasons[firstFailed(t)]++
		}
		if len(t.Scores) == 0 {
			c.Unscored++
		}
	}
	return c
}

func firstFailed(t *datasets.Task) string {
	i := slices.IndexFunc(t.Checks, func(c datasets.Check) bool { return !c.Passed })
	if i < 0 {
		return "unknown"
	}
	return t.Checks[i].Name
}
