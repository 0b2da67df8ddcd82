package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/filter"
)

// filterOptions are the flags of filter.
type filterOptions struct {
	solvability    float64
	utility        float64
	acceptUnproved bool
	rethreshold    bool
	repeats        int
	offline        bool
	dryRun         bool
}

func (o *filterOptions) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.Float64Var(&o.solvability, "solvability", 0, "least mean solvability score of 10, for tasks that have scores (default 9, or taskwright.yaml)")
	f.Float64Var(&o.utility, "utility", 0, "least mean utility score of 10, for tasks that have scores (default 5, or taskwright.yaml)")
	f.BoolVar(&o.acceptUnproved, "accept-unproved", false, "accept tasks that were made from catalogs alone, without a call")
	f.IntVar(&o.repeats, "repeats", 1, "times the oracle runs live beside the tape, to find volatile claims")
}

func (o *filterOptions) check(cmd *cobra.Command) error {
	for name, v := range map[string]float64{"solvability": o.solvability, "utility": o.utility} {
		if v < 0 || v > 10 {
			return misuse(cmd, "--%s %v: want 0 to 10", name, v)
		}
	}
	if o.repeats < 1 || o.repeats > 100 {
		return misuse(cmd, "--repeats %d: want 1 to 100", o.repeats)
	}
	return nil
}

// thresholds are those of the flags, else of the settings.
func (o *filterOptions) thresholds(s settings) filter.Thresholds {
	t := filter.Thresholds{Solvability: s.Thresholds.Solvability, Utility: s.Thresholds.Utility, AcceptNone: o.acceptUnproved}
	if o.solvability > 0 {
		t.Solvability = o.solvability
	}
	if o.utility > 0 {
		t.Utility = o.utility
	}
	return t
}

func newFilterCommand(e *env) *cobra.Command {
	var o filterOptions
	var s sourceFlags
	cmd := &cobra.Command{
		Use:   "filter DIR",
		Short: "Decide which candidates are kept, and record why",
		Long: `Filter checks every task of the dataset: against the catalog, by running the
oracle, the null and the single-call agent, and against the thresholds on
judges' scores where there are scores. Rejected tasks stay in the dataset with
the reason.

With --rethreshold it decides again from the stored checks and scores: no
model, no server.

Exit status: 0 done; 1 failed; 2 wrong usage; 3 done, but some tasks could not
be checked and stay candidates; 130 interrupted.`,
		Example: "  taskwright filter demo\n  taskwright filter demo --rethreshold --solvability 8.5",
		Args:    exactly("a directory"), ValidArgsFunction: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := firstOf(o.check(cmd), s.check(e)); err != nil {
				return err
			}
			o.offline = s.offline
			return inWorkspace(e, args[0], opening{dryRun: o.dryRun}, func(w *workspace) error {
				return w.filterCommand(cmd.Context(), o, &s)
			})
		},
	}
	o.add(cmd)
	s.add(cmd)
	s.addOffline(cmd)
	cmd.Flags().BoolVar(&o.rethreshold, "rethreshold", false, "apply the thresholds to stored checks and scores only")
	addDryRun(cmd, &o.dryRun)
	return cmd
}

// filterAnswer is what filter prints.
type filterAnswer struct {
	filter.Counts
	Unchecked  int `json:"unchecked"` // tasks whose checks could not be run; they stay candidates
	ModelCalls int `json:"model_calls"`
}

func (w *workspace) filterCommand(ctx context.Context, o filterOptions, s *sourceFlags) error {
	tasks, err := w.tasks()
	switch {
	case err != nil:
		return err
	case len(tasks) == 0:
		return fmt.Errorf("%s has no tasks to filter: run taskwright generate %s first", w.path, w.path)
	case o.dryRun:
		return planned(w.env, o.plan(len(tasks)))
	}
	decide := w.filter
	if o.rethreshold {
		decide = w.rethreshold
	} else if err := w.reconnect(ctx, s); err != nil {
		return err
	}
	answer, err := decide(ctx, o)
	if err != nil {
		return err
	}
	return w.env.answer(answer, answer.print)
}

func (o *filterOptions) plan(tasks int) stagePlan {
	of := "tasks to prove with the oracle, null and single-call agents"
	if o.rethreshold {
		of = "tasks to decide again from what is stored"
	}
	return stagePlan{Stage: "filter", Units: tasks, Of: of}
}

// filtered is the stored result of the filter unit of a task: what filtering
// found out, without the thresholds, which are free to change.
type filtered struct {
	Checks   []datasets.Check `json:"checks"`
	Volatile []string         `json:"volatile"` // claims by id
	Keys     []tapeKey        `json:"keys"`     // calls that its agents made: they belong on the tape
}

// apply writes what was found out into the task and decides on it.
func (f *filtered) apply(t *datasets.Task, thresholds filter.Thresholds) {
	for i := range t.Claims {
		t.Claims[i].Volatile = t.Claims[i].Volatile || slices.Contains(f.Volatile, t.Claims[i].ID)
	}
	decide(t, f.Checks, thresholds)
}

// filterChecks are the checks that are filter's own.
var filterChecks = []string{
	filter.CheckSchema, filter.CheckReference, filter.CheckStated, filter.CheckOracle, filter.CheckStable, filter.CheckNull, filter.CheckSingleCall, filter.CheckThreshold,
}

// decide decides on a task by filter's own checks. Those of other stages stay
// after them.
func decide(t *datasets.Task, own []datasets.Check, thresholds filter.Thresholds) {
	others := slices.DeleteFunc(slices.Clone(t.Checks), func(c datasets.Check) bool { return slices.Contains(filterChecks, c.Name) })
	t.Checks = slices.DeleteFunc(slices.Clone(own), func(c datasets.Check) bool { return !slices.Contains(filterChecks, c.Name) })
	filter.Rethreshold(t, thresholds)
	t.Checks = append(t.Checks, others...)
}

func (w *workspace) filter(ctx context.Context, o filterOptions) (answer *filterAnswer, err error) {
	thresholds := o.thresholds(w.settings)
	log := w.stageLog("filter", 0, []any{thresholds, o.repeats, o.offline})
	tasks, err := w.tasks()
	if err != nil {
		return nil, err
	}
	p := newProver(w)
	defer func() { err = errors.Join(err, p.Close()) }()
	for i := range tasks {
		finishClaims(&tasks[i])
	}
	f := filter.New(filter.Options{
		Thresholds: thresholds, Tools: w.catalog.tools, Prover: p, Repeats: o.repeats, Offline: o.offline || w.fleet == nil,
	})
	done, err := runUnits(ctx, w.env, w.store, "filter", 4, tasks, w.filterKey(o), func(ctx context.Context, t datasets.Task) (filtered, error) {
		return checked(ctx, f, t)
	})
	if err != nil {
		return nil, err
	}
	for i, u := range done.Units {
		if u.Err != nil {
			tasks[i].Status, tasks[i].Checks, tasks[i].Reasons = datasets.StatusCandidate, nil, nil
			continue
		}
		u.Value.apply(&tasks[i], thresholds)
		if err := w.recall(u.Value.Keys); err != nil {
			return nil, err
		}
	}
	w.failed(done.Partial())
	log.Done, log.Failed = done.Done, done.Failed
	err = w.commit(log, func(tx *datasets.Tx) error {
		if err := tx.WriteTasks(datasets.All(tasks)); err != nil {
			return err
		}
		return w.writeTape(tx)
	})
	return &filterAnswer{Counts: filter.Count(tasks), Unchecked: done.Failed}, err
}

// checked runs the checks of one task, on a copy.
func checked(ctx context.Context, f *filter.Filter, t datasets.Task) (filtered, error) {
	if err := own(&t); err != nil {
		return filtered{}, err
	}
	ctx, keys := noting(ctx)
	if err := f.Task(ctx, &t); err != nil {
		return filtered{}, err
	}
	out := filtered{Checks: t.Checks, Volatile: []string{}, Keys: keys.all()}
	for _, c := range t.Claims {
		if c.Volatile {
			out.Volatile = append(out.Volatile, c.ID)
		}
	}
	return out, nil
}

// filterKey is the digest of what can change the outcome of a task's checks:
// the task without what later stages and people add and what filtering itself
// writes, its tools, and how often calls are repeated. Thresholds come after.
func (w *workspace) filterKey(o filterOptions) func(datasets.Task) string {
	common := digestOf([]any{version, o.repeats, o.offline || w.fleet == nil})
	return func(t datasets.Task) string {
		parts := []string{common}
		for i := range t.Chain {
			if tool, ok := w.catalog.tool(t.Chain[i].ID()); ok {
				parts = append(parts, tool.Digest, w.scope(tool.Server))
			}
		}
		t.Checks, t.Reasons, t.Status, t.Split = nil, nil, "", ""
		t.Variants, t.Scores, t.Reviews = nil, nil, nil
		t.Claims = slices.Clone(t.Claims)
		for i := range t.Claims {
			t.Claims[i].Volatile = false
		}
		return datasets.Digest(append(parts, digestOf(t))...)
	}
}

func (w *workspace) rethreshold(_ context.Context, o filterOptions) (*filterAnswer, error) {
	thresholds := o.thresholds(w.settings)
	log := w.stageLog("filter --rethreshold", 0, thresholds)
	tasks, err := w.tasks()
	if err != nil {
		return nil, err
	}
	for i := range tasks {
		if tasks[i].Status != datasets.StatusCandidate {
			decide(&tasks[i], tasks[i].Checks, thresholds)
			log.Done++
		}
	}
	err = w.commit(log, func(tx *datasets.Tx) error { return tx.WriteTasks(datasets.All(tasks)) })
	return &filterAnswer{Counts: filter.Count(tasks), Unchecked: len(tasks) - log.Done}, err
}

func (a *filterAnswer) print(out io.Writer) error {
	p := &printing{out: out}
	p.f("%d accepted, %d rejected%s", a.Accepted, a.Rejected, bracketed(a.Reasons))
	if a.Unchecked > 0 {
		p.f(", %d not checked", a.Unchecked)
	}
	p.f("\n")
	if a.Unscored > 0 {
		p.f("%s without judges' scores: the thresholds on them did not apply\n", plural(a.Unscored, "task"))
	}
	return p.err
}
