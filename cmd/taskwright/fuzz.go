package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

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
	completes(cmd, "levels", levels)
}

func (o *fuzzOptions) validate(cmd *cobra.Command) error {
	return oneOf(cmd, "levels", levels, o.levels...)
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
		Args:    exactly("a directory"), ValidArgsFunction: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.validate(cmd); err != nil {
				return err
			}
			if o.check {
				return runFuzzCheck(e, args[0])
			}
			return inWorkspace(e, args[0], opening{dryRun: o.dryRun}, func(w *workspace) error {
				return w.fuzzCommand(cmd.Context(), o)
			})
		},
	}
	o.add(cmd)
	addSeed(cmd, &o.seed)
	cmd.Flags().BoolVar(&o.check, "check", false, "only count literals and leaks of the variants that are there")
	addDryRun(cmd, &o.dryRun)
	cmd.MarkFlagsMutuallyExclusive("check", "dry-run")
	return cmd
}

// fuzzAnswer is what fuzz prints.
type fuzzAnswer struct {
	Tasks            int `json:"tasks"`
	Variants         int `json:"variants"` // accepted ones
	Claims           int `json:"claims"`
	RejectedVariants int `json:"rejected_variants"`
	RejectedTasks    int `json:"rejected_tasks"` // whose proof does not hold for the claims that rewriting left
	ModelCalls       int `json:"model_calls"`

	unvaried int // tasks without an accepted variant
}

func (w *workspace) fuzzCommand(ctx context.Context, o fuzzOptions) error {
	tasks, err := w.tasks()
	if err != nil {
		return err
	}
	accepted := len(acceptedAt(tasks))
	switch {
	case accepted == 0:
		return fmt.Errorf("%s has no accepted tasks to rewrite: run taskwright filter %s first", w.path, w.path)
	case o.dryRun:
		return planned(w.env, o.plan(accepted))
	}
	answer, err := w.fuzz(ctx, o)
	if err != nil {
		return err
	}
	return w.env.answer(answer, answer.print)
}

func (o *fuzzOptions) plan(tasks int) stagePlan {
	return stagePlan{Stage: "fuzz", Units: tasks, Of: fmt.Sprintf("tasks to rewrite at %s", plural(len(o.levels), "level"))}
}

// acceptedAt are the indexes of the accepted tasks.
func acceptedAt(tasks []datasets.Task) (at []int) {
	for i := range tasks {
		if tasks[i].Status == datasets.StatusAccepted {
			at = append(at, i)
		}
	}
	return at
}

func (w *workspace) fuzz(ctx context.Context, o fuzzOptions) (*fuzzAnswer, error) {
	log := w.stageLog("fuzz", o.seed, []any{o.levels})
	tasks, err := w.tasks()
	if err != nil {
		return nil, err
	}
	at := acceptedAt(tasks)
	again, err := w.newReprover()
	if err != nil {
		return nil, err
	}
	done, err := runUnits(ctx, w.env, nil, "fuzz", 2, at, func(i int) string { return tasks[i].ID }, func(ctx context.Context, i int) (datasets.Task, error) {
		t := tasks[i]
		if err := own(&t); err != nil {
			return t, err
		}
		if err := fuzz.Vary(&t, &fuzz.Options{Levels: o.levels, Seed: o.seed}); err != nil {
			return t, err
		}
		return t, again.prove(ctx, &t, tasks[i].Claims)
	})
	if err != nil {
		return nil, err
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
	w.failed(done.Partial())
	return answer, err
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
	if t.Status == datasets.StatusRejected {
		a.RejectedTasks++
		return
	}
	a.Claims += len(t.Claims)
	accepted := 0
	for _, v := range t.Variants {
		if v.Status == datasets.StatusAccepted {
			accepted++
		}
	}
	a.Variants += accepted
	a.RejectedVariants += len(t.Variants) - accepted
	if accepted == 0 {
		a.unvaried++
	}
}

func (a *fuzzAnswer) print(out io.Writer) error {
	p := &printing{out: out}
	p.f("%s rewritten: %s, %d rejected; %s\n", plural(a.Tasks, "task"), plural(a.Variants, "variant"), a.RejectedVariants, plural(a.Claims, "claim"))
	if a.RejectedTasks > 0 {
		p.f("%s rejected: the proof does not hold for the claims that rewriting left\n", plural(a.RejectedTasks, "task"))
	}
	if a.unvaried > 0 {
		p.f("%s without any accepted variant: agents can get only the concrete instruction\n", plural(a.unvaried, "task"))
	}
	return p.err
}

// runFuzzCheck counts literals and leaks of all variants. It takes no lock and
// changes nothing.
func runFuzzCheck(e *env, dir string) error {
	return reading(dir, func(d *datasets.Dir) error {
		var c checkCounts
		for t, err := range d.Tasks() {
			if err != nil {
				return err
			}
			c.Add(fuzz.Check(&t))
		}
		return e.answer(&c, c.print)
	})
}

type checkCounts struct{ fuzz.Counts }

func (c *checkCounts) print(out io.Writer) error {
	return table(out, []string{"TASKS", "LITERALS", "KEPT", "NORMALISED", "INFERABLE", "LOST", "ALTERED", "INVENTED", "LEAKS"}, [][]string{{
		fmt.Sprint(c.Tasks), fmt.Sprint(c.Literals), fmt.Sprint(c.Kept), fmt.Sprint(c.Normalised), fmt.Sprint(c.Inferable),
		fmt.Sprint(c.Lost), fmt.Sprint(c.Altered), fmt.Sprint(c.Invented), fmt.Sprint(c.Leaks),
	}})
}
