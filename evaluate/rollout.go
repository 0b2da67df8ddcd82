package evaluate

import (
	"context"
	"errors"
	"fmt"

	"github.com/taskwright/taskwright/datasets"
)

// Job is one attempt of one agent at one task.
type Job struct {
	Task    *datasets.Task
	Agent   Agent
	Level   string // see [Text]
	Attempt int    // from 1; 0 means 1
}

// Rollout lets the agent of a job work on its task until it answers, reaches a
// limit, stalls, fails or ctx ends, and returns what happened. It never fails
// itself: whatever goes wrong is the trajectory's stop reason and error.
// Goroutines that it starts have ended when it returns.
func Rollout(ctx context.Context, job *Job, opts *Options) datasets.Trajectory {
	r := start(job, opts)
	wall, cancel := context.WithTimeoutCause(ctx, r.limits.Wall, errWall)
	defer cancel()
	r.loop(wall)
	r.close()
	r.t.Calls, r.t.Messages = r.view.Calls, r.view.Messages
	r.t.Duration = opts.now().UnixMicro() - r.t.Started
	return r.t
}

var errWall = errors.New("the rollout's time is up")

// rollout is the state of one [Rollout]; it belongs to one goroutine.
type rollout struct {
	job     *Job
	opts    *Options
	limits  Limits
	exposed map[string]bool
	view    View
	session Session
	idle    int             // moves in a row that brought nothing new
	seen    map[string]bool // call and result digests, to tell new from old
	t       datasets.Trajectory
}

func start(job *Job, opts *Options) *rollout {
	r := &rollout{job: job, opts: opts, limits: opts.Limits.withDefaults(), exposed: map[string]bool{}, seen: map[string]bool{}}
	r.t = datasets.Trajectory{
		Run: opts.Run, Task: job.Task.ID, Agent: job.Agent.Name(), Model: opts.Model,
		Attempt: int32(max(job.Attempt, 1)), Started: opts.now().UnixMicro(),
	}
	text, level, err := Text(job.Task, job.Level)
	r.t.Variant = level
	if err != nil {
		r.stop(datasets.StopInfraFailed, err)
		return r
	}
	r.view.Text = text
	for _, id := range job.Task.ExposedTools {
		r.exposed[id] = true
		r.view.Tools = append(r.view.Tools, opts.tool(id))
	}
	r.say(datasets.Message{Role: "user", Content: text, Calls: "null"})
	return r
}

func (r *rollout) close() {
	if r.session == nil {
		return
	}
	if err := r.session.Close(); err != nil && r.t.Error == "" {
		r.t.Error = fmt.Sprintf("closing the session: %v", err)
	}
}

func (r *rollout) say(m datasets.Message) { r.view.Messages = append(r.view.Messages, m) }

func (r *rollout) stop(reason string, err error) {
	r.t.StopReason = reason
	if err != nil {
		r.t.Error = err.Error()
	}
}

// interrupted ends the rollout when its context has: by the caller, or by the
// wall time limit.
func (r *rollout) interrupted(ctx context.Context) bool {
	if ctx.Err() == nil {
		return false
	}
	if errors.Is(context.Cause(ctx), errWall) {
		r.stop(datasets.StopBudgetTime, nil)
	} else {
		r.stop(datasets.StopCancelled, context.Cause(ctx))
	}
	return true
}

func (r *rollout) loop(ctx context.Context) {
	for r.t.StopReason == "" {
		if int(r.t.Rounds) >= r.limits.Rounds {
			r.lastWord(ctx, datasets.StopBudgetRounds)
			return
		}
		r.round(ctx)
	}
}

// round asks for one move and carries it out.
func (r *rollout) round(ctx context.Context) {
	move, ok := r.next(ctx)
	if !ok {
		return
	}
	if move.Final {
		r.t.Answer = move.Answer
		r.stop(datasets.StopAnswered, nil)
		return
	}
	left := r.limits.Calls - len(r.view.Calls)
	calls := move.Calls[:min(len(move.Calls), left)]
	news, ok := false, true
	if len(calls) > 0 {
		r.t.Rounds++
		news, ok = r.perform(ctx, calls)
	}
	switch {
	case !ok:
	case len(calls) < len(move.Calls):
		r.lastWord(ctx, datasets.StopBudgetCalls)
	case news:
		r.idle = 0
	default:
		if r.idle++; r.idle >= r.limits.Stall {
			r.stop(datasets.StopStalled, nil)
		}
	}
}

// lastWord lets the agent answer with what it has when a limit is reached.
func (r *rollout) lastWord(ctx context.Context, reason string) {
	r.view.MustAnswer = true
	move, ok := r.next(ctx)
	if !ok {
		return
	}
	if move.Final {
		r.t.Answer = move.Answer
	}
	r.stop(reason, nil)
}

// next asks the agent, retries failures, and records what it said. It returns
// false when the rollout is over.
func (r *rollout) next(ctx context.Context) (Move, bool) {
	r.view.Round = int(r.t.Rounds) + 1
	r.view.CallsLeft = r.limits.Calls - len(r.view.Calls)
	r.view.RoundsLeft = r.limits.Rounds - int(r.t.Rounds)
	for try := 0; ; try++ {
		if r.interrupted(ctx) {
			return Move{}, false
		}
		move, err := safeNext(ctx, r.job.Agent, r.view)
		r.t.InputTokens += move.InputTokens
		r.t.OutputTokens += move.OutputTokens
		r.t.Cost += move.Cost
		if err == nil {
			r.record(&move)
			return move, true
		}
		if r.interrupted(ctx) {
			return Move{}, false
		}
		if try >= r.limits.Retries || errors.As(err, new(*panicError)) {
			r.stop(datasets.StopInfraFailed, fmt.Errorf("agent %s: %w", r.job.Agent.Name(), err))
			return Move{}, false
		}
		r.opts.pause(ctx, try+1)
	}
}

func (r *rollout) record(m *Move) {
	content := m.Note
	if m.Final {
		content = m.Answer
	}
	r.say(datasets.Message{Role: "assistant", Content: content, Calls: callsJSON(m)})
}

// panicError is a panic of an agent or a session, contained.
type panicError struct{ value any }

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }

// safeNext gives the agent its own copy of the view's header, so that it
// cannot lengthen or shorten the rollout's lists.
func safeNext(ctx context.Context, a Agent, view View) (move Move, err error) {
	defer func() {
		if p := recover(); p != nil {
			move, err = Move{}, &panicError{p}
		}
	}()
	return a.Next(ctx, &view)
}
