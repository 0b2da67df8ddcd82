package evaluate

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/taskwright/taskwright/datasets"
)

// perform makes the calls of one round, in parallel but for servers with
// state, and appends them in the order asked for. news says whether any call
// or answer was new; ok is false when the rollout is over.
func (r *rollout) perform(ctx context.Context, calls []Call) (news, ok bool) {
	actions := make([]datasets.Action, len(calls))
	errs := make([]error, len(calls))
	var send []int
	for i, c := range calls {
		actions[i] = r.check(c)
		if actions[i].Result.ErrorKind == "" {
			send = append(send, i)
		}
	}
	if len(send) > 0 && !r.open(ctx) {
		return false, false
	}
	r.send(ctx, actions, errs, send)
	for i := range actions {
		if errs[i] == nil {
			news = r.observe(actions[i]) || news
		}
	}
	return news, !r.broken(ctx, actions, errs)
}

// broken ends the rollout when a call could not be made.
func (r *rollout) broken(ctx context.Context, actions []datasets.Action, errs []error) bool {
	for i, err := range errs {
		if err == nil {
			continue
		}
		if !r.interrupted(ctx) {
			r.stop(datasets.StopInfraFailed, fmt.Errorf("%s/%s: %w", actions[i].Server, actions[i].Tool, err))
		}
		return true
	}
	return false
}

// check judges a call before it is sent. What cannot be sent (a tool that is
// not exposed, arguments that are no object) has an error result already.
func (r *rollout) check(c Call) datasets.Action {
	text, object := argumentsJSON(c.Arguments)
	a := datasets.Action{
		Round: r.t.Rounds, Server: c.Server, Tool: c.Tool, Arguments: text,
		NameValid: r.exposed[c.Server+"/"+c.Tool], Started: r.opts.now().UnixMicro(),
		Result: datasets.ToolResult{Structured: "null"},
	}
	switch {
	case !a.NameValid:
		a.Result = refusal(datasets.ErrorUnknownTool, fmt.Sprintf("there is no tool %q on server %q", c.Tool, c.Server))
	case !object:
		a.Result = refusal(datasets.ErrorProtocol, "the arguments are no JSON object")
	default:
		a.ArgumentsValid = r.opts.Validate == nil || len(r.opts.Validate(c.Server, c.Tool, text)) == 0
	}
	return a
}

func refusal(kind, text string) datasets.ToolResult {
	return datasets.ToolResult{Text: text, Structured: "null", ContentTypes: []string{"text"}, IsError: true, ErrorKind: kind}
}

// open starts the session before the first call.
func (r *rollout) open(ctx context.Context) bool {
	if r.session != nil {
		return true
	}
	if r.opts.Open == nil {
		r.stop(datasets.StopInfraFailed, errors.New("opening a session: no servers and no tape given"))
		return false
	}
	for try := 0; ; try++ {
		s, err := r.opts.Open(ctx)
		if err == nil {
			r.session = s
			return true
		}
		if r.interrupted(ctx) {
			return false
		}
		if try >= r.limits.Retries {
			r.stop(datasets.StopInfraFailed, fmt.Errorf("opening a session: %w", err))
			return false
		}
		r.opts.pause(ctx, try+1)
	}
}

// send makes the calls at the given indexes. Each goroutine owns the actions
// of its lane; a lane is one call, or all calls to one server with state.
func (r *rollout) send(ctx context.Context, actions []datasets.Action, errs []error, indexes []int) {
	slots := make(chan struct{}, r.limits.Parallel)
	var wg sync.WaitGroup
	for _, lane := range r.lanes(actions, indexes) {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			for _, i := range lane {
				if errs[i] = r.call(ctx, &actions[i]); errs[i] != nil {
					markUnsent(errs, lane, i)
					return
				}
			}
		})
	}
	wg.Wait()
}

// markUnsent gives the calls after a failed one of the same lane its error.
func markUnsent(errs []error, lane []int, failed int) {
	for _, i := range lane {
		if i > failed {
			errs[i] = errs[failed]
		}
	}
}

func (r *rollout) lanes(actions []datasets.Action, indexes []int) [][]int {
	var lanes [][]int
	at := map[string]int{}
	for _, i := range indexes {
		server := actions[i].Server
		if !r.opts.stateful(server) {
			lanes = append(lanes, []int{i})
			continue
		}
		n, known := at[server]
		if !known {
			n = len(lanes)
			at[server] = n
			lanes = append(lanes, nil)
		}
		lanes[n] = append(lanes[n], i)
	}
	return lanes
}

// call makes one call, with retries when it could not be made. Offline there
// is nothing to wait for: what is not on the tape now will not be there later.
func (r *rollout) call(ctx context.Context, a *datasets.Action) error {
	for try := 0; ; try++ {
		a.Started = r.opts.now().UnixMicro()
		c, hit, err := r.once(ctx, a)
		a.Duration = r.opts.now().UnixMicro() - a.Started
		if err == nil {
			a.Result, a.Tape = clip(c.Result, r.limits.ResultBytes), hit
			return nil
		}
		if ctx.Err() != nil || r.opts.Offline || try >= r.limits.Retries || errors.As(err, new(*panicError)) {
			return err
		}
		r.opts.pause(ctx, try+1)
	}
}

func (r *rollout) once(ctx context.Context, a *datasets.Action) (c datasets.Call, hit bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, r.limits.Call)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = &panicError{p}
		}
	}()
	return r.session.Call(ctx, a.Server, a.Tool, a.Arguments)
}

// observe appends a finished call and its message, and says whether it was new.
func (r *rollout) observe(a datasets.Action) bool {
	r.view.Calls = append(r.view.Calls, a)
	r.say(datasets.Message{Role: "tool", Content: Observation(a.Result), Calls: "null"})
	key := datasets.Digest(a.Server, a.Tool, a.Arguments, a.Result.Text, a.Result.Structured)
	old := r.seen[key]
	r.seen[key] = true
	return !old
}
