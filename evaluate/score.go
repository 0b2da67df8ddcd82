package evaluate

import (
	"fmt"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/claim"
)

// Scorers of this package, as score rows name them.
const (
	ScorerRule  = "rule"
	ScorerClaim = "claim"
)

// ScoreTrajectory is all rows on one trajectory: the rule metrics, one row for
// each claim, then claim coverage, essential coverage and pass. Rows come in
// that order, whatever happened.
//
// A trajectory that ended in infra_failed or cancelled has the same rows with
// outcome unscored and no value. Volatile claims are unscored, too. Without a
// claim that can be scored, coverage and pass are unscored.
func ScoreTrajectory(task *datasets.Task, t *datasets.Trajectory, opts *Options) []datasets.Score {
	s := scoring{task: task, t: t}
	if why := unscored(t); why != "" {
		s.nothing(why)
		return s.rows
	}
	for _, m := range RuleMetrics(task, t) {
		s.add(ScorerRule, m, "")
	}
	s.claims(opts)
	return s.rows
}

// unscored says why a trajectory cannot be scored, "" if it can.
func unscored(t *datasets.Trajectory) string {
	switch t.StopReason {
	case datasets.StopInfraFailed, datasets.StopCancelled:
		return t.StopReason + ": " + t.Error
	case "":
		return "the trajectory has no stop reason"
	}
	return ""
}

type scoring struct {
	task *datasets.Task
	t    *datasets.Trajectory
	rows []datasets.Score
}

func (s *scoring) add(scorer string, m Metric, outcome string) {
	t := s.t
	s.rows = append(s.rows, datasets.Score{
		Run: t.Run, Task: t.Task, Agent: t.Agent, Model: t.Model, Variant: t.Variant, Attempt: t.Attempt,
		Scorer: scorer, Name: m.Name, Value: m.Value, Outcome: outcome,
		Numerator: m.Numerator, Denominator: m.Denominator, Detail: m.Detail,
	})
}

func (s *scoring) nothing(why string) {
	for _, name := range MetricNames {
		s.add(ScorerRule, Metric{Name: name, Detail: why}, datasets.Unscored)
	}
	for _, c := range s.task.Claims {
		s.add(ScorerClaim, Metric{Name: c.ID, Detail: why}, datasets.Unscored)
	}
	for _, name := range []string{MetricCoverage, MetricEssential, MetricPass} {
		s.add(ScorerRule, Metric{Name: name, Detail: why}, datasets.Unscored)
	}
}

// claims scores each claim and adds them up.
func (s *scoring) claims(opts *Options) {
	var all, essential coverage
	verdicts := opts.claims().Score(s.task, s.t.Answer)
	for i := range s.task.Claims {
		c := &s.task.Claims[i]
		v := verdict(c, verdicts, i)
		m := Metric{Name: c.ID, Detail: v.Detail}
		if w, scored := claim.Weight(v.Outcome); scored {
			m.Value = &w
		}
		s.add(ScorerClaim, m, v.Outcome)
		all.add(v.Outcome)
		if c.Essential {
			essential.add(v.Outcome)
		}
	}
	s.coverage(MetricCoverage, all)
	s.coverage(MetricEssential, essential)
	s.pass(all, opts.pass())
}

// verdict is that of claim i. A volatile claim, one that the scorer left out,
// and an outcome that is none are unscored.
func verdict(c *datasets.Claim, verdicts []Verdict, i int) Verdict {
	switch {
	case c.Volatile:
		return Verdict{datasets.Unscored, "volatile: the value differs when the call is repeated"}
	case i >= len(verdicts):
		return Verdict{datasets.Unscored, "the scorer said nothing"}
	}
	v := verdicts[i]
	if _, scored := claim.Weight(v.Outcome); !scored {
		v.Outcome = datasets.Unscored
	}
	return v
}

// coverage adds claims up: weights over scored claims.
type coverage struct {
	sum       float64
	n         int
	fulfilled int
}

func (c *coverage) add(outcome string) {
	w, scored := claim.Weight(outcome)
	if !scored {
		return
	}
	c.n++
	c.sum += w
	if outcome == datasets.Fulfilled {
		c.fulfilled++
	}
}

func (c coverage) value() *float64 {
	if c.n == 0 {
		return nil
	}
	v := c.sum / float64(c.n)
	return &v
}

// coverage adds a coverage row. Its value counts partly fulfilled claims by
// half; its numerator counts fulfilled claims only.
func (s *scoring) coverage(name string, c coverage) {
	m := Metric{Name: name, Value: c.value(), Numerator: int64(c.fulfilled), Denominator: int64(c.n)}
	outcome := ""
	if c.n == 0 && name == MetricCoverage {
		outcome, m.Detail = datasets.Unscored, "no claim could be scored"
	}
	s.add(ScorerRule, m, outcome)
}

func (s *scoring) pass(c coverage, threshold float64) {
	v := c.value()
	if v == nil {
		s.add(ScorerRule, Metric{Name: MetricPass, Detail: "no claim could be scored"}, datasets.Unscored)
		return
	}
	passed := 0
	if claim.Passed(*v, threshold) {
		passed = 1
	}
	m := rate(MetricPass, passed, 1)
	m.Detail = fmt.Sprintf("coverage %.4g, threshold %.4g", *v, threshold)
	if Exempt(s.task, s.t.Agent) {
		m.Detail += "; exempt: the task needs one call by design"
	}
	s.add(ScorerRule, m, "")
}

// Exempt says whether an agent may pass a task that is meant to be non-trivial:
// the single-call agent a task of the single pattern.
func Exempt(task *datasets.Task, agent string) bool {
	return agent == AgentSingle && task.Pattern == datasets.PatternSingle
}

// Passed reads the pass row out of the rows of one trajectory. scored is false
// when it has no value.
func Passed(scores []datasets.Score) (passed, scored bool) {
	v := value(scores, MetricPass)
	return v != nil && *v > 0, v != nil
}

// Coverage reads the claim coverage out of the rows of one trajectory; nil if
// unscored.
func Coverage(scores []datasets.Score) *float64 { return value(scores, MetricCoverage) }

func value(scores []datasets.Score, name string) *float64 {
	for i := range scores {
		if scores[i].Scorer == ScorerRule && scores[i].Name == name {
			return scores[i].Value
		}
	}
	return nil
}
