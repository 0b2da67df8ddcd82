package evaluate

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/taskwright/taskwright/datasets"
)

func manyTasks(n int) []datasets.Task {
	tasks := make([]datasets.Task, n)
	for i := range tasks {
		tasks[i] = *parksTask()
		tasks[i].ID = fmt.Sprintf("t%02d", i)
	}
	return tasks
}

func collect(t *testing.T, tasks []datasets.Task, opts *RunOptions) []Result {
	t.Helper()
	var all []Result
	for r, err := range Run(context.Background(), tasks, opts) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

func TestRunKeepsOrderAndResumes(t *testing.T) {
	tasks := manyTasks(20)
	var mu sync.Mutex
	journal := map[string]Result{}
	opts := &RunOptions{Options: *testOptions(parksWorld()), Agent: AgentOracle, Attempts: 2, Workers: 5}
	opts.Keep = func(r Result) error {
		mu.Lock()
		defer mu.Unlock()
		journal[r.Key] = r
		return nil
	}
	first := collect(t, tasks, opts)
	if len(first) != 40 || len(journal) != 40 {
		t.Fatalf("%d results, %d kept", len(first), len(journal))
	}
	for i, r := range first {
		if r.Task != tasks[i/2].ID || int(r.Trajectory.Attempt) != i%2+1 {
			t.Fatalf("result %d is %s attempt %d", i, r.Task, r.Trajectory.Attempt)
		}
	}
	w := parksWorld()
	opts.Open, opts.Run = w.Open, "r2"
	opts.Done = func(key string) (Result, bool, error) {
		mu.Lock()
		defer mu.Unlock()
		r, ok := journal[key]
		return r, ok, nil
	}
	second := collect(t, tasks, opts)
	if w.opened != 0 {
		t.Errorf("%d rollouts were paid for twice", w.opened)
	}
	for i := range second {
		if second[i].Trajectory.Run != "r2" || second[i].Scores[0].Run != "r2" || first[i].Scores[0].Run != "r1" {
			t.Fatalf("run names: %s, %s", second[i].Trajectory.Run, second[i].Scores[0].Run)
		}
	}
	for i := range second {
		second[i] = second[i].of("r1")
	}
	if d := cmp.Diff(first, second); d != "" {
		t.Error(d)
	}
}

func TestRunDoesNotKeepFailures(t *testing.T) {
	opts := &RunOptions{Options: *testOptions(parksWorld()), Agent: AgentOracle}
	opts.Open = nil
	opts.Keep = func(Result) error { t.Error("a failure was kept"); return nil }
	got := collect(t, manyTasks(2), opts)
	if len(got) != 2 || !got[0].Unscored() {
		t.Errorf("%+v", got)
	}
}

func TestRunErrors(t *testing.T) {
	broken := errors.New("disk full")
	tests := map[string]func(*RunOptions){
		"agent":     func(o *RunOptions) { o.Agent = "sage" },
		"finished":  func(o *RunOptions) { o.Done = func(string) (Result, bool, error) { return Result{}, false, broken } },
		"keeping":   func(o *RunOptions) { o.Keep = func(Result) error { return broken } },
		"new agent": func(o *RunOptions) { o.New = func(*datasets.Task, int) (Agent, error) { return nil, broken } },
	}
	for name, change := range tests {
		opts := &RunOptions{Options: *testOptions(parksWorld()), Agent: AgentNull}
		change(opts)
		for _, err := range Run(context.Background(), manyTasks(1), opts) {
			if err == nil {
				t.Errorf("%s: no error", name)
			}
		}
	}
}

func TestRunCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	opts := &RunOptions{Options: *testOptions(parksWorld()), Agent: AgentOracle, Workers: 1}
	seen := 0
	var last error
	for _, err := range Run(ctx, manyTasks(30), opts) {
		if last = err; err == nil {
			seen++
			cancel()
		}
	}
	if !errors.Is(last, context.Canceled) || seen >= 30 {
		t.Errorf("%d results, then %v", seen, last)
	}
}

func TestRunSingleTriesEachFirstStep(t *testing.T) {
	task := *parksTask()
	task.Chain = append(task.Chain, datasets.Step{Server: "places", Tool: "distance"})
	opts := &RunOptions{Options: *testOptions(parksWorld()), Agent: AgentSingle, Attempts: 7}
	got := collect(t, []datasets.Task{task}, opts)
	if len(got) != 2 || got[0].Trajectory.Calls[0].Tool != "find_parks" || got[1].Trajectory.Calls[0].Tool != "distance" {
		t.Fatalf("%d attempts", len(got))
	}
	sum := summary(got)
	if sum.Tasks != 1 || sum.Scored != 1 || sum.Passed != 0 || *sum.Coverage != 0.25 {
		t.Errorf("%+v", sum)
	}
}

func summary(results []Result) datasets.Summary {
	var trajectories []datasets.Trajectory
	var scores []datasets.Score
	for _, r := range results {
		trajectories = append(trajectories, r.Trajectory)
		scores = append(scores, r.Scores...)
	}
	return Summarize(trajectories, scores)
}

func TestSummarizeKeepsUnscoredApart(t *testing.T) {
	tasks := manyTasks(3)
	tasks[1].Variants = nil // cannot run
	opts := &RunOptions{Options: *testOptions(parksWorld()), Agent: AgentOracle}
	sum := summary(collect(t, tasks, opts))
	if sum.Tasks != 3 || sum.Scored != 2 || sum.Unscored != 1 || sum.Passed != 2 || *sum.PassRate != 1 || *sum.Coverage != 1 {
		t.Errorf("%+v", sum)
	}
	if v := sum.Metrics[MetricCalls]; v == nil || *v != 3 {
		t.Errorf("calls %v", v)
	}
	if v, ok := sum.Metrics[MetricPlanJSON]; !ok || v != nil {
		t.Errorf("planning compliance of an agent that does not plan: %v, %v", v, ok)
	}
	empty := summary(nil)
	if empty.PassRate != nil || empty.Coverage != nil || empty.Metrics == nil {
		t.Errorf("nothing sums up to %+v", empty)
	}
}

// A single-call task with an attempt that failed and none that passed is not
// known to need more than one call.
func TestSummarizeSingleWithAFailure(t *testing.T) {
	row := func(attempt int32, value *float64) (datasets.Trajectory, datasets.Score) {
		return datasets.Trajectory{Task: "t", Agent: AgentSingle, Attempt: attempt},
			datasets.Score{Task: "t", Agent: AgentSingle, Attempt: attempt, Scorer: ScorerRule, Name: MetricPass, Value: value}
	}
	zero, one := 0.0, 1.0
	for _, tt := range []struct {
		values                   []*float64
		scored, passed, unscored int
	}{
		{[]*float64{&zero, nil}, 0, 0, 1},
		{[]*float64{nil, &zero}, 0, 0, 1},
		{[]*float64{nil, &one}, 1, 1, 0},
		{[]*float64{&zero, &zero}, 1, 0, 0},
	} {
		var ts []datasets.Trajectory
		var ss []datasets.Score
		for i, v := range tt.values {
			tr, s := row(int32(i+1), v)
			ts, ss = append(ts, tr), append(ss, s)
		}
		if sum := Summarize(ts, ss); sum.Scored != tt.scored || sum.Passed != tt.passed || sum.Unscored != tt.unscored {
			t.Errorf("%v: %+v", tt.values, sum)
		}
	}
}

func TestVolatileClaimsAndThreshold(t *testing.T) {
	task := parksTask()
	task.Claims[0].Volatile = true
	opts := testOptions(parksWorld())
	_, rows := Try(context.Background(), &Job{Task: task, Agent: Single(task, 1, opts)}, opts)
	if r := metric(t, rows, "c1"); r.Outcome != datasets.Unscored || r.Value != nil {
		t.Errorf("volatile claim: %+v", r)
	}
	if r := metric(t, rows, MetricCoverage); r.Denominator != 3 || *r.Value != 0 {
		t.Errorf("coverage: %+v", r)
	}
	task.Claims[0].Volatile = false
	opts.Pass = 0.25
	_, rows = Try(context.Background(), &Job{Task: task, Agent: Single(task, 1, opts)}, opts)
	if passed, _ := Passed(rows); !passed {
		t.Error("coverage 0.25 does not pass at threshold 0.25")
	}
	task.Claims = nil
	_, rows = Try(context.Background(), &Job{Task: task, Agent: Null()}, opts)
	if _, scored := Passed(rows); scored {
		t.Error("a task without claims was scored")
	}
}

func TestUnitKey(t *testing.T) {
	base := func() string { return UnitKey(parksTask(), AgentOracle, "", 1, false) }
	change := func(f func(*datasets.Task)) string {
		task := parksTask()
		f(task)
		return UnitKey(task, AgentOracle, "", 1, false)
	}
	same := map[string]string{
		"status":        change(func(t *datasets.Task) { t.Status, t.Reasons = "accepted", []string{"x"} }),
		"other variant": change(func(t *datasets.Task) { t.Variants[0].Text = "other" }),
		"instruction":   change(func(t *datasets.Task) { t.Instruction = "other" }),
	}
	for name, key := range same {
		if key != base() {
			t.Errorf("%s changes the key and cannot change the result", name)
		}
	}
	seen := map[string]string{base(): "base"}
	for name, key := range map[string]string{
		"text":      change(func(t *datasets.Task) { t.Variants[1].Text = "other" }),
		"claim":     change(func(t *datasets.Task) { t.Claims[0].Expected = "1" }),
		"chain":     change(func(t *datasets.Task) { t.Chain[0].Arguments[0].Value = "1" }),
		"tools":     change(func(t *datasets.Task) { t.ExposedTools = t.ExposedTools[1:] }),
		"reference": change(func(t *datasets.Task) { t.Reference[0].Output = "1" }),
		"agent":     UnitKey(parksTask(), AgentNull, "", 1, false),
		"level":     UnitKey(parksTask(), AgentOracle, "light", 1, false),
		"attempt":   UnitKey(parksTask(), AgentOracle, "", 2, false),
		"offline":   UnitKey(parksTask(), AgentOracle, "", 1, true),
		"more":      UnitKey(parksTask(), AgentOracle, "", 1, false, "x"),
	} {
		if was := seen[key]; was != "" {
			t.Errorf("%s has the key of %s", name, was)
		}
		seen[key] = name
	}
}
