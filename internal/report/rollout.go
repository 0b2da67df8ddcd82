package report

import (
	"fmt"

	"github.com/taskwright/taskwright/datasets"
)

// RolloutView is one trajectory at the task.
type RolloutView struct {
	Agent    string // with model, variant and attempt
	Outcome  string
	Coverage *float64
	Stop     string
	Error    string
	Calls    []CallView
	Answer   string
	Claims   []ScoreView
	More     int // calls that are not shown
}

// CallView is one tool call.
type CallView struct {
	Round     int
	Tool      string
	Arguments string
	Result    string
	Problem   string // what was wrong with it, "" if nothing
}

// ScoreView is the outcome of one claim.
type ScoreView struct{ ID, Outcome, Detail string }

func (p *Page) rollouts(list []record, clipAt int) {
	for _, r := range list {
		if len(p.Rollouts) >= maxRollouts {
			p.More = fmt.Sprintf("Only the first %d rollouts are shown; the run's trajectories hold all.", maxRollouts)
			return
		}
		p.Rollouts = append(p.Rollouts, rolloutView(r, clipAt))
	}
}

func rolloutView(r record, clipAt int) RolloutView {
	t := r.t
	c := cell(t.Run, []record{r})
	v := RolloutView{
		Agent: name(t), Outcome: c.Outcome, Coverage: c.Coverage, Stop: t.StopReason,
		Error: clip(t.Error, clipAt), Answer: clip(t.Answer, 4*clipAt), More: max(0, len(t.Calls)-maxCalls),
	}
	for i := range t.Calls[:min(len(t.Calls), maxCalls)] {
		v.Calls = append(v.Calls, callView(&t.Calls[i], clipAt))
	}
	for _, s := range r.scores {
		if s.Scorer == "claim" && len(v.Claims) < maxClaims {
			v.Claims = append(v.Claims, ScoreView{s.Name, s.Outcome, clip(s.Detail, clipAt)})
		}
	}
	return v
}

func name(t *datasets.Trajectory) string {
	s := t.Agent
	if t.Model != "" {
		s += " · " + t.Model
	}
	if t.Variant != "" {
		s += " · " + t.Variant
	}
	return fmt.Sprintf("%s · attempt %d", s, t.Attempt)
}

func callView(a *datasets.Action, clipAt int) CallView {
	v := CallView{Round: int(a.Round), Tool: a.Server + "/" + a.Tool, Arguments: clip(a.Arguments, clipAt), Result: a.Result.Text}
	if v.Result == "" && a.Result.Structured != "null" {
		v.Result = a.Result.Structured
	}
	v.Result = clip(v.Result, clipAt)
	switch {
	case !a.NameValid:
		v.Problem = "not an exposed tool"
	case !a.ArgumentsValid:
		v.Problem = "arguments do not fit the schema"
	case a.Result.IsError:
		v.Problem = "error"
	}
	return v
}
