package filter

import (
	"context"
	"fmt"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// Agents that the proof runs.
const (
	Oracle = "oracle" // follows the chain by its rules
	Null   = "null"   // calls nothing and knows nothing
	Single = "single" // makes the best single call
)

// Attempt is what became of one agent's attempt at a task.
type Attempt struct {
	Passed     bool
	Coverage   float64           // claim coverage, 0..1
	Outcomes   map[string]string // outcome by claim id
	StopReason string
	Detail     string // for an attempt that failed: what happened
}

// Prover runs an agent on a task. live asks for calls to the servers even
// where the tape has the answer; nothing of such an attempt is recorded.
type Prover interface {
	Attempt(ctx context.Context, t *datasets.Task, agent string, live bool) (Attempt, error)
}

// prove runs the agents of the proof: the oracle must fulfil every claim,
// the null and the single-call agent must fail.
func (f *Filter) prove(ctx context.Context, t *datasets.Task) error {
	oracle, err := f.opts.Prover.Attempt(ctx, t, Oracle, false)
	if err != nil {
		return fmt.Errorf("running the oracle: %w", err)
	}
	if problem := lacking(t, oracle); problem != "" {
		record(t, CheckOracle, problem)
		return nil
	}
	note(t, CheckOracle, fmt.Sprintf("%d of %d claims", len(t.Claims), len(t.Claims)))
	if !f.opts.Offline {
		if err := f.repeat(ctx, t); err != nil {
			return err
		}
	}
	if err := f.mustFail(ctx, t, Null, CheckNull); err != nil {
		return err
	}
	if t.Pattern == datasets.PatternSingle {
		note(t, CheckSingleCall, "exempt: the task is one call by design")
		return nil
	}
	return f.mustFail(ctx, t, Single, CheckSingleCall)
}

// lacking says which claims an oracle's attempt did not fulfil.
func lacking(t *datasets.Task, a Attempt) string {
	if a.StopReason != datasets.StopAnswered {
		return fmt.Sprintf("stopped: %s %s", a.StopReason, a.Detail)
	}
	var missing []string
	for _, c := range t.Claims {
		if o := a.Outcomes[c.ID]; !c.Volatile && o != datasets.Fulfilled {
			missing = append(missing, c.ID+" "+o)
		}
	}
	if len(missing) > 0 {
		return strings.Join(missing, ", ")
	}
	return ""
}

// repeat runs the oracle live and marks the claims that come out differently
// as volatile. A task needs an essential claim that is not.
func (f *Filter) repeat(ctx context.Context, t *datasets.Task) error {
	volatile := 0
	for range max(1, f.opts.Repeats) {
		again, err := f.opts.Prover.Attempt(ctx, t, Oracle, true)
		if err != nil {
			return fmt.Errorf("repeating the oracle: %w", err)
		}
		if again.StopReason != datasets.StopAnswered {
			record(t, CheckStable, fmt.Sprintf("a repetition stopped: %s %s", again.StopReason, again.Detail))
			return nil
		}
		for i := range t.Claims {
			if c := &t.Claims[i]; again.Outcomes[c.ID] != datasets.Fulfilled {
				c.Volatile = true
			}
		}
	}
	essential := 0
	for _, c := range t.Claims {
		switch {
		case c.Volatile:
			volatile++
		case c.Essential:
			essential++
		}
	}
	switch {
	case essential == 0:
		record(t, CheckStable, fmt.Sprintf("no essential claim is the same when the calls are repeated (%d volatile)", volatile))
	default:
		note(t, CheckStable, fmt.Sprintf("%d of %d claims volatile", volatile, len(t.Claims)))
	}
	return nil
}

func (f *Filter) mustFail(ctx context.Context, t *datasets.Task, agent, check string) error {
	a, err := f.opts.Prover.Attempt(ctx, t, agent, false)
	if err != nil {
		return fmt.Errorf("running the %s agent: %w", agent, err)
	}
	switch {
	case a.StopReason != datasets.StopAnswered:
		record(t, check, fmt.Sprintf("stopped: %s %s", a.StopReason, a.Detail))
	case a.Passed:
		record(t, check, fmt.Sprintf("passes with coverage %.2f", a.Coverage))
	default:
		note(t, check, fmt.Sprintf("fails with coverage %.2f", a.Coverage))
	}
	return nil
}
