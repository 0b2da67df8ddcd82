package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/fuzz"
)

// fuzzOptions are the flags of fuzz.
type fuzzOptions struct {
	levels []string
	seed   int64
	check  bool
	dryRun bool
}

var levels = []string{datasets.LevelLight, datasets.LevelMedium, datasets.LevelHeavy}

func (o *fuzzOptions) add(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&o.levels, "levels", levels, "fuzzy levels to write")
}

func (o *fuzzOptions) validate(cmd *cobra.Command) error {
	for _, l := range o.levels {
		if !slices.Contains(levels, l) {
			return misuse(cmd, "--levels %s: want %s", l, strings.Join(levels, ", "))
		}
	}
	return nil
}

func newFuzzCommand(e *env) *cobra.Command {
	var o fuzzOptions
	cmd := &cobra.Command{
		Use:   "fuzz DIR",
		Short: "Rewrite accepted tasks as people really ask, and finish their claims",
		Long: `Fuzz writes a variant of each accepted task at each level, from a phrase bank,
and finishes the list of claims. A variant that loses a value of the task, or
gives one away, is kept as rejected with the reason.

With --check it only counts literals and leaks in the variants that are there.

Exit status: 0 done; 1 failed; 2 wrong usage; 3 done, but some tasks could not
be rewritten; 130 interrupted.`,
		Example: "  taskwright fuzz demo --levels light,heavy\n  taskwright fuzz demo --check",
		Args:    exactly("a directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.validate(cmd); err != nil {
				return err
			}
			if o.check {
				return runFuzzCheck(e, args[0])
			}
			return inWorkspace(e, args[0], openExisting, func(w *workspace) error {
				answer, partial, err := w.fuzz(cmd.Context(), o)
				if err != nil {
					return err
				}
				return finish(e, answer, partial)
			})
		},
	}
	o.add(cmd)
	addSeed(cmd, &o.seed)
	cmd.Flags().BoolVar(&o.check, "check", false, "only count literals and leaks of the variants that are there")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "say what would be done, and do nothing")
	return cmd
}

// fuzzAnswer is what fuzz prints.
type fuzzAnswer struct {
	Tasks            int  `json:"tasks"`
	Variants         int  `json:"variants"` // accepted ones
	Claims           int  `json:"claims"`
	RejectedVariants int  `json:"rejected_variants"`
	ModelCalls       int  `json:"model_calls"`
	DryRun           bool `json:"dry_run,omitempty"`
}

func (w *workspace) fuzz(ctx context.Context, o fuzzOptions) (*fuzzAnswer, error, error) {
	log := w.stageLog("fuzz", o.seed, []any{o.levels})
	tasks, err := w.tasks()
	if err != nil {
		return nil, nil, err
	}
	var at []int
	for i, t := range tasks {
		if t.Status == datasets.StatusAccepted {
			at = append(at, i)
		}
	}
	if o.dryRun {
		return &fuzzAnswer{Tasks: len(at), Variants: len(at) * len(o.levels), DryRun: true}, nil, nil
	}
	done, err := runUnits(ctx, w.env, nil, "fuzz", 2, at, func(i int) string { return tasks[i].ID }, func(_ context.Context, i int) (datasets.Task, error) {
		t := tasks[i]
		if err := own(&t); err != nil {
			return t, err
		}
		return t, fuzz.Vary(&t, &fuzz.Options{Levels: o.levels, Seed: o.seed})
	})
	if err != nil {
		return nil, nil, err
	}
	answer := &fuzzAnswer{}
	for n, u := range done.Units {
		if u.Err == nil {
			tasks[at[n]] = u.Value
			answer.count(&u.Value)
		}
	}
	log.Done, log.Failed = done.Done, done.Failed
	err = w.commit(log, func(tx *datasets.Tx) error { return tx.WriteTasks(datasets.All(tasks)) })
	return answer, done.Partial(), err
}

// own gives a task lists of its own, so that a unit that fails half-way leaves
// the original as it was.
func own(t *datasets.Task) error {
	raw, err := json.Marshal(t)
	if err != nil {
		return err
	}
	*t = datasets.Task{}
	return json.Unmarshal(raw, t)
}

func (a *fuzzAnswer) count(t *datasets.Task) {
	a.Tasks++
	a.Claims += len(t.Claims)
	for _, v := range t.Variants {
		if v.Status == datasets.StatusAccepted {
			a.Variants++
		} else {
			a.RejectedVariants++
		}
	}
}

func (a *fuzzAnswer) print(out io.Writer) error {
	verb := "rewrote"
	if a.DryRun {
		verb = "would rewrite"
	}
	_, err := fmt.Fprintf(out, "%s %d tasks: %d variants, %d rejected; %d claims\n", verb, a.Tasks, a.Variants, a.RejectedVariants, a.Claims)
	return err
}

// runFuzzCheck counts literals and leaks of all variants. It takes no lock and
// changes nothing.
func runFuzzCheck(e *env, dir string) error {
	d, err := datasets.Open(dir)
	if err != nil {
		return err
	}
	var c checkCounts
	for t, err := range d.Tasks() {
		if err != nil {
			return errors.Join(err, d.Close())
		}
		c.Add(fuzz.Check(&t))
	}
	return errors.Join(finish(e, &c, nil), d.Close())
}

type checkCounts struct{ fuzz.Counts }

func (c *checkCounts) print(out io.Writer) error {
	return table(out, []string{"TASKS", "LITERALS", "KEPT", "NORMALISED", "INFERABLE", "LOST", "ALTERED", "INVENTED", "LEAKS"}, [][]string{{
		fmt.Sprint(c.Tasks), fmt.Sprint(c.Literals), fmt.Sprint(c.Kept), fmt.Sprint(c.Normalised), fmt.Sprint(c.Inferable),
		fmt.Sprint(c.Lost), fmt.Sprint(c.Altered), fmt.Sprint(c.Invented), fmt.Sprint(c.Leaks),
	}})
}
