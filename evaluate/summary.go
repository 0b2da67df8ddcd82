package evaluate

import (
	"github.com/taskwright/taskwright/datasets"
)

// Summarize adds up the trajectories of one agent and their scores, in any
// order. Unscored trajectories are counted and are in no rate; the value of a
// metric is the mean over the trajectories that have one (as in MCP-Bench),
// nil when none has.
//
// The attempts of the single agent are different calls, not repetitions: the
// best of them is the task's one result. A task that none of them passes while
// some are unscored is unscored, since the missing one might have passed.
func Summarize(trajectories []datasets.Trajectory, scores []datasets.Score) datasets.Summary {
	byAttempt := map[attempt][]datasets.Score{}
	for _, s := range scores {
		k := attempt{s.Run, s.Task, s.Agent, s.Model, s.Variant, s.Attempt}
		byAttempt[k] = append(byAttempt[k], s)
	}
	var list []scored
	tasks := map[string]bool{}
	for i := range trajectories {
		t := &trajectories[i]
		tasks[t.Task] = true
		list = append(list, scored{t, byAttempt[attempt{t.Run, t.Task, t.Agent, t.Model, t.Variant, t.Attempt}]})
	}
	sum := datasets.Summary{Tasks: len(tasks), Metrics: map[string]*float64{}}
	list = bestSingles(list)
	addUp(&sum, list)
	return sum
}

// attempt identifies a trajectory, in its own row and in those of its scores.
type attempt struct {
	run, task, agent, model, variant string
	attempt                          int32
}

type scored struct {
	t    *datasets.Trajectory
	rows []datasets.Score
}

func addUp(sum *datasets.Summary, list []scored) {
	var coverage mean
	metrics := map[string]*mean{}
	for _, s := range list {
		passed, ok := Passed(s.rows)
		if !ok {
			sum.Unscored++
			continue
		}
		sum.Scored++
		if passed {
			sum.Passed++
		}
		coverage.add(Coverage(s.rows))
		for i := range s.rows {
			if r := &s.rows[i]; r.Scorer == ScorerRule && r.Name != MetricPass && r.Name != MetricCoverage {
				if metrics[r.Name] == nil {
					metrics[r.Name] = &mean{}
				}
				metrics[r.Name].add(r.Value)
			}
		}
	}
	if sum.Scored > 0 {
		v := float64(sum.Passed) / float64(sum.Scored)
		sum.PassRate = &v
	}
	sum.Coverage = coverage.value()
	for name, m := range metrics {
		sum.Metrics[name] = m.value()
	}
}

type mean struct {
	sum float64
	n   int
}

func (m *mean) add(v *float64) {
	if v != nil {
		m.sum += *v
		m.n++
	}
}

func (m *mean) value() *float64 {
	if m.n == 0 {
		return nil
	}
	v := m.sum / float64(m.n)
	return &v
}

// bestSingles replaces the attempts of the single agent at a task by the one
// that says most about the task.
func bestSingles(list []scored) []scored {
	var out []scored
	at := map[attempt]int{}
	for _, s := range list {
		if s.t.Agent != AgentSingle {
			out = append(out, s)
			continue
		}
		k := attempt{run: s.t.Run, task: s.t.Task, variant: s.t.Variant}
		i, known := at[k]
		if !known {
			at[k] = len(out)
			out = append(out, s)
		} else if better(s.rows, out[i].rows) {
			out[i] = s
		}
	}
	return out
}

// better orders attempts of the single agent: a pass, then an unscored one,
// then the higher coverage.
func better(a, b []datasets.Score) bool {
	ra, rb := rank(a), rank(b)
	if ra != rb {
		return ra > rb
	}
	ca, cb := Coverage(a), Coverage(b)
	return ca != nil && cb != nil && *ca > *cb
}

func rank(rows []datasets.Score) int {
	switch passed, ok := Passed(rows); {
	case passed:
		return 2
	case !ok:
		return 1
	}
	return 0
}
