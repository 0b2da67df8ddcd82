package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

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
		Args:    exactly("a directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			o.offline = s.offline
			return inWorkspace(e, args[0], openExisting, func(w *workspace) error {
				answer, partial, err := w.filterCommand(cmd.Context(), o, &s)
				if err != nil {
					return err
				}
				return finish(e, answer, partial)
			})
		},
	}
	o.add(cmd)
	s.add(cmd)
	s.addOffline(cmd)
	cmd.Flags().BoolVar(&o.rethreshold, "rethreshold", false, "apply the thresholds to stored checks and scores only")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "say what would be done, and do nothing")
	return cmd
}

// filterAnswer is what filter prints.
type filterAnswer struct {
	filter.Counts
	Unchecked  int  `json:"unchecked"` // tasks whose checks could not be run; they stay candidates
	ModelCalls int  `json:"model_calls"`
	DryRun     bool `json:"dry_run,omitempty"`
}

func (w *workspace) filterCommand(ctx context.Context, o filterOptions, s *sourceFlags) (*filterAnswer, error, error) {
	if o.rethreshold {
		return w.rethreshold(o)
	}
	if err := w.reconnect(ctx, s); err != nil {
		return nil, nil, err
	}
	return w.filter(ctx, o)
}

// filtered is the stored result of the filter unit of a task. Keys are those
// of the calls that its agents made: they belong on the tape.
type filtered struct {
	Task datasets.Task `json:"task"`
	Keys []tapeKey     `json:"keys"`
}

func (w *workspace) filter(ctx context.Context, o filterOptions) (*filterAnswer, error, error) {
	log := w.stageLog("filter", 0, []any{o.solvability, o.utility, o.acceptUnproved, o.repeats, o.offline})
	tasks, err := w.tasks()
	if err != nil {
		return nil, nil, err
	}
	if o.dryRun {
		return &filterAnswer{Counts: filter.Counts{Reasons: map[string]int{}}, Unchecked: len(tasks), DryRun: true}, nil, nil
	}
	p := &prover{workspace: w}
	f := filter.New(filter.Options{
		Thresholds: o.thresholds(w.settings), Tools: w.tools, Prover: p, Repeats: o.repeats, Offline: o.offline || w.fleet == nil,
	})
	done, err := runUnits(ctx, w.env, w.store, "filter", 4, tasks, w.filterKey(o), func(ctx context.Context, t datasets.Task) (filtered, error) {
		ctx, keys := noting(ctx)
		err := f.Task(ctx, &t)
		return filtered{t, keys.all()}, err
	})
	if err != nil {
		return nil, nil, err
	}
	for i, u := range done.Units {
		if u.Err != nil {
			tasks[i].Status, tasks[i].Checks, tasks[i].Reasons = datasets.StatusCandidate, nil, nil
			continue
		}
		tasks[i] = u.Value.Task
		if err := w.recall(u.Value.Keys); err != nil {
			return nil, nil, err
		}
	}
	log.Done, log.Failed = done.Done, done.Failed
	err = w.commit(log, func(tx *datasets.Tx) error {
		if err := tx.WriteTasks(datasets.All(tasks)); err != nil {
			return err
		}
		return w.writeTape(tx)
	})
	return &filterAnswer{Counts: filter.Count(tasks), Unchecked: done.Failed}, done.Partial(), err
}

// filterKey is the digest of what can change the outcome of a task's checks:
// the task without what filtering itself writes, the tools, the thresholds.
func (w *workspace) filterKey(o filterOptions) func(datasets.Task) string {
	common, err := json.Marshal([]any{version, o.thresholds(w.settings), o.repeats, o.offline || w.fleet == nil})
	if err != nil {
		panic("filter options cannot be encoded: " + err.Error())
	}
	return func(t datasets.Task) string {
		parts := []string{string(common)}
		for i := range t.Chain {
			if tool, ok := w.tool(t.Chain[i].ID()); ok {
				parts = append(parts, tool.Digest)
			}
		}
		t.Checks, t.Reasons, t.Status = nil, nil, ""
		raw, err := json.Marshal(t)
		if err != nil {
			panic("a task cannot be encoded: " + err.Error())
		}
		return datasets.Digest(append(parts, string(raw))...)
	}
}

func (w *workspace) rethreshold(o filterOptions) (*filterAnswer, error, error) {
	log := w.stageLog("filter --rethreshold", 0, []any{o.solvability, o.utility, o.acceptUnproved})
	tasks, err := w.tasks()
	if err != nil {
		return nil, nil, err
	}
	thresholds := o.thresholds(w.settings)
	for i := range tasks {
		if tasks[i].Status != datasets.StatusCandidate {
			filter.Rethreshold(&tasks[i], thresholds)
			log.Done++
		}
	}
	if !o.dryRun {
		err = w.commit(log, func(tx *datasets.Tx) error { return tx.WriteTasks(datasets.All(tasks)) })
	}
	return &filterAnswer{Counts: filter.Count(tasks), Unchecked: len(tasks) - log.Done, DryRun: o.dryRun}, nil, err
}

func (a *filterAnswer) print(out io.Writer) error {
	if a.DryRun && a.Accepted+a.Rejected == 0 {
		_, err := fmt.Fprintf(out, "would check %d tasks, with 0 model calls\n", a.Unchecked)
		return err
	}
	_, err := fmt.Fprintf(out, "%d accepted, %d rejected (%s), %d without judges' scores", a.Accepted, a.Rejected, tally(a.Reasons), a.Unscored)
	if err == nil && a.Unchecked > 0 {
		_, err = fmt.Fprintf(out, ", %d not checked", a.Unchecked)
	}
	if err == nil {
		_, err = fmt.Fprintln(out)
	}
	return err
}
