package evaluate

import (
	"context"
	"fmt"
	"iter"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/parallel"
)

// Result is what one attempt at one task came to.
type Result struct {
	Key        string              `json:"key"` // see [UnitKey]
	Task       string              `json:"task"`
	Trajectory datasets.Trajectory `json:"trajectory"`
	Scores     []datasets.Score    `json:"scores"`
}

// Unscored says whether the result is a failure that another run should try
// again.
func (r *Result) Unscored() bool { return unscored(&r.Trajectory) != "" }

// RunOptions says which agent runs on which text, how often, and what is done
// already.
type RunOptions struct {
	Options
	Agent    string // name; needed for the unit key
	Level    string // see [Text]
	Attempts int    // for each task; 1 if 0. The single agent has one for each of [SingleSteps] instead
	Workers  int    // rollouts at once; 4 if 0

	// New makes the agent of one attempt; [Baseline] if nil.
	New func(task *datasets.Task, attempt int) (Agent, error)
	// More is what changes the results beside these options (prompt digests,
	// sampling settings); it goes into the unit keys.
	More []string
	// Done returns the result of a unit that is finished already. It is called
	// concurrently. Nil means that nothing is.
	Done func(key string) (result Result, ok bool, err error)
	// Keep makes a finished unit durable, as soon as it is finished. It is
	// called concurrently, and not for unscored units: they are tried again.
	Keep func(result Result) error
}

// Try is one attempt with its scores.
func Try(ctx context.Context, job *Job, opts *Options) (datasets.Trajectory, []datasets.Score) {
	t := Rollout(ctx, job, opts)
	return t, ScoreTrajectory(job.Task, &t, opts)
}

// Baseline makes the oracle, null, echo or single agent by name. For single,
// attempt n calls the n-th of [SingleSteps].
func Baseline(name string, task *datasets.Task, attempt int, opts *Options) (Agent, error) {
	switch name {
	case AgentOracle:
		return Oracle(task, opts), nil
	case AgentNull:
		return Null(), nil
	case AgentEcho:
		return Echo(), nil
	case AgentSingle:
		step := int32(0)
		if steps := SingleSteps(task); attempt >= 1 && attempt <= len(steps) {
			step = steps[attempt-1]
		}
		return Single(task, step, opts), nil
	}
	return nil, fmt.Errorf("agent %q is none of oracle, null, echo, single", name)
}

// Run makes all attempts at all tasks, opts.Workers at a time, and yields their
// results in the order of tasks and attempts. Only New, Done, Keep and the end
// of ctx cause errors, each beside its unit; a failed rollout is a result. When
// the loop over it ends, no goroutine is left.
func Run(ctx context.Context, tasks []datasets.Task, opts *RunOptions) iter.Seq2[Result, error] {
	var units []unit
	for i := range tasks {
		for n := range opts.attempts(&tasks[i]) {
			units = append(units, unit{&tasks[i], n + 1})
		}
	}
	workers := opts.Workers
	if workers == 0 {
		workers = 4
	}
	return parallel.Map(ctx, workers, units, func(ctx context.Context, _ int, u unit) (Result, error) {
		return opts.unit(ctx, u)
	})
}

type unit struct {
	task    *datasets.Task
	attempt int
}

func (o *RunOptions) attempts(task *datasets.Task) int {
	if o.Agent == AgentSingle {
		return max(1, len(SingleSteps(task)))
	}
	return max(1, o.Attempts)
}

// unit returns the finished result of a unit, or works it out and keeps it.
func (o *RunOptions) unit(ctx context.Context, u unit) (Result, error) {
	more := append(o.more(u.task), o.More...)
	key := UnitKey(u.task, o.Agent, o.Level, u.attempt, o.Offline, more...)
	if o.Done != nil {
		r, ok, err := o.Done(key)
		if err != nil {
			return Result{}, fmt.Errorf("task %s: reading its finished result: %w", u.task.ID, err)
		}
		if ok {
			return r.of(o.Run), nil
		}
	}
	agent, err := o.agent(u)
	if err != nil {
		return Result{}, fmt.Errorf("task %s: %w", u.task.ID, err)
	}
	r := Result{Key: key, Task: u.task.ID}
	r.Trajectory, r.Scores = Try(ctx, &Job{u.task, agent, o.Level, u.attempt}, &o.Options)
	if r.Trajectory.StopReason == datasets.StopCancelled {
		return r, context.Cause(ctx)
	}
	if o.Keep != nil && !r.Unscored() {
		if err := o.Keep(r); err != nil {
			return Result{}, fmt.Errorf("task %s: keeping its result: %w", u.task.ID, err)
		}
	}
	return r, nil
}

func (o *RunOptions) agent(u unit) (Agent, error) {
	if o.New != nil {
		return o.New(u.task, u.attempt)
	}
	return Baseline(o.Agent, u.task, u.attempt, &o.Options)
}

// of gives a finished result the name of the run that uses it again.
func (r Result) of(run string) Result {
	r.Trajectory.Run = run
	rows := make([]datasets.Score, len(r.Scores))
	for i, s := range r.Scores {
		s.Run = run
		rows[i] = s
	}
	r.Scores = rows
	return r
}
