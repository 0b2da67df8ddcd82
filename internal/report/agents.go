package report

import (
	"cmp"
	"slices"

	"github.com/taskwright/taskwright/datasets"
)

// Agent is one run on the leaderboard.
type Agent struct {
	Run      string   `json:"run"`
	Agent    string   `json:"agent"`
	Model    string   `json:"model"`
	Variant  string   `json:"variant"`
	Judge    string   `json:"judge"`
	Offline  bool     `json:"offline"`
	Tasks    int      `json:"tasks"`
	Scored   int      `json:"scored"`
	Unscored int      `json:"unscored"`
	Passed   int      `json:"passed"`
	PassRate *float64 `json:"pass_rate"` // null when nothing was scored
	PassLow  *float64 `json:"pass_low"`  // 95 % interval of the pass rate
	PassHigh *float64 `json:"pass_high"`
	Coverage *float64 `json:"coverage"`
	Metrics  []Metric `json:"metrics"`
	Stops    []Count  `json:"stop_reasons"`
	Started  string   `json:"started"`
	Finished string   `json:"finished"`
}

// Metric is one figure of a run: the mean over trajectories that have it, and
// the sums that it was computed from.
type Metric struct {
	Name        string   `json:"name"`
	Value       *float64 `json:"value"`       // null when no trajectory has a value
	Numerator   int64    `json:"numerator"`   // over all scored trajectories
	Denominator int64    `json:"denominator"` // 0 for counts, and where there was nothing to rate
}

// metrics in the order of the tables, with their headings. Others follow by name.
var metrics = []struct{ name, title, short string }{
	{"valid_tool_name_rate", "Valid tool names", "names"},
	{"input_schema_compliance", "Input schema compliance", "schema"},
	{"execution_success_rate", "Execution success", "success"},
	{"valid_call_failure_rate", "Valid calls that failed", "failed"},
	{"planning_json_compliance", "Planning JSON compliance", "plan JSON"},
	{"dependency_compliance", "Dependency compliance", "dependencies"},
	{"required_tool_recall", "Required tools used", "recall"},
	{"redundancy", "Repeated calls", "repeated"},
	{"parallelism", "Calls in parallel", "parallel"},
	{"essential_coverage", "Essential claims", "essential"},
	{"calls", "Calls a task", "calls"},
	{"rounds", "Rounds a task", "rounds"},
}

// records is a run's rows by task, in the order of attempts.
type records struct {
	byTask map[string][]record
}

// record is one trajectory with its rows.
type record struct {
	t      *datasets.Trajectory
	scores []*datasets.Score
}

func index(rows *RunRows) records {
	type key struct {
		task, agent, model, variant string
		attempt                     int32
	}
	scores := map[key][]*datasets.Score{}
	for i := range rows.Scores {
		s := &rows.Scores[i]
		k := key{s.Task, s.Agent, s.Model, s.Variant, s.Attempt}
		scores[k] = append(scores[k], s)
	}
	r := records{map[string][]record{}}
	for i := range rows.Trajectories {
		t := &rows.Trajectories[i]
		r.byTask[t.Task] = append(r.byTask[t.Task], record{t, scores[key{t.Task, t.Agent, t.Model, t.Variant, t.Attempt}]})
	}
	for _, list := range r.byTask {
		slices.SortStableFunc(list, func(a, b record) int { return cmp.Compare(a.t.Attempt, b.t.Attempt) })
	}
	return r
}

// rule is the row of a rule metric, nil if there is none.
func (r record) rule(name string) *datasets.Score {
	for _, s := range r.scores {
		if s.Scorer == "rule" && s.Name == name {
			return s
		}
	}
	return nil
}

// value is that of a rule metric; nil if there is none.
func (r record) value(name string) *float64 {
	if s := r.rule(name); s != nil {
		return s.Value
	}
	return nil
}

func agent(rows *RunRows, rec *records) Agent {
	run, sum := &rows.Run, rows.Run.Summary
	a := Agent{
		Run: run.ID, Agent: run.Agent, Model: run.Model, Variant: run.Variant, Judge: run.Judge, Offline: run.Offline,
		Tasks: sum.Tasks, Scored: sum.Scored, Unscored: sum.Unscored, Passed: sum.Passed,
		PassRate: sum.PassRate, Coverage: sum.Coverage, Started: run.Started, Finished: run.Finished,
	}
	if a.Scored > 0 {
		low, high := wilson(a.Passed, a.Scored)
		a.PassLow, a.PassHigh = &low, &high
	}
	stops := tally{}
	for i := range rows.Trajectories {
		stops[rows.Trajectories[i].StopReason]++
	}
	a.Stops = stops.ranked()
	for _, name := range metricNames(sum.Metrics) {
		a.Metrics = append(a.Metrics, sums(name, sum.Metrics[name], rows.Scores))
	}
	return a
}

// metricNames lists the known metrics in order, then the others by name.
func metricNames(values map[string]*float64) []string {
	var names, others []string
	for _, m := range metrics {
		if _, ok := values[m.name]; ok {
			names = append(names, m.name)
		}
	}
	for name := range values {
		if !slices.Contains(names, name) {
			others = append(others, name)
		}
	}
	slices.Sort(others)
	return append(names, others...)
}

func sums(name string, value *float64, scores []datasets.Score) Metric {
	m := Metric{Name: name, Value: value}
	for i := range scores {
		if s := &scores[i]; s.Scorer == "rule" && s.Name == name {
			m.Numerator += s.Numerator
			m.Denominator += s.Denominator
		}
	}
	return m
}

// Row is one task with what each run made of it.
type Row struct {
	ID       string   `json:"id"`
	Status   string   `json:"status"`
	Reasons  []string `json:"reasons"`
	Proof    string   `json:"proof"`
	Pattern  string   `json:"pattern"`
	Servers  []string `json:"servers"`
	Steps    int      `json:"steps"`
	Depth    int      `json:"depth"`
	Variants int      `json:"variants"` // accepted ones
	Claims   int      `json:"claims"`
	Text     string   `json:"text"` // the instruction
	Cells    []Cell   `json:"runs"` // one for each run, in the order of Agents
}

// Cell is what one run made of one task.
type Cell struct {
	Run      string   `json:"run"`
	Outcome  string   `json:"outcome"`  // passed, failed, unscored or absent
	Passed   int      `json:"passed"`   // attempts that passed
	Attempts int      `json:"attempts"` // all attempts
	Unscored int      `json:"unscored"` // attempts without a score
	Coverage *float64 `json:"coverage"` // best of the scored attempts
}

// Outcomes of a cell.
const (
	Passed   = "passed"   // at least one attempt passed
	Failed   = "failed"   // every attempt was scored, none passed
	Unscored = "unscored" // none passed, and some could not be scored
	Absent   = "absent"   // the run has no attempt at the task
)

func taskRows(tasks []datasets.Task, runs []RunRows, recs []records) []Row {
	rows := make([]Row, len(tasks))
	for i := range tasks {
		t := &tasks[i]
		row := Row{
			ID: t.ID, Status: t.Status, Reasons: t.Reasons, Proof: t.Proof, Pattern: t.Pattern, Servers: t.Servers,
			Steps: len(t.Chain), Depth: int(t.Depth), Claims: len(t.Claims), Text: t.Instruction,
		}
		for _, v := range t.Variants {
			if v.Status == datasets.StatusAccepted {
				row.Variants++
			}
		}
		for j := range runs {
			row.Cells = append(row.Cells, cell(runs[j].Run.ID, recs[j].byTask[t.ID]))
		}
		rows[i] = row
	}
	return rows
}

func cell(run string, list []record) Cell {
	c := Cell{Run: run, Attempts: len(list)}
	for _, r := range list {
		v := r.value("pass")
		switch {
		case v == nil:
			c.Unscored++
			continue
		case *v > 0:
			c.Passed++
		}
		if cov := r.value("claim_coverage"); cov != nil && (c.Coverage == nil || *cov > *c.Coverage) {
			c.Coverage = cov
		}
	}
	switch {
	case c.Attempts == 0:
		c.Outcome = Absent
	case c.Passed > 0:
		c.Outcome = Passed
	case c.Unscored > 0:
		c.Outcome = Unscored
	default:
		c.Outcome = Failed
	}
	return c
}
