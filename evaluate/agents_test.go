package evaluate

import (
	"context"
	"strings"
	"testing"

	"github.com/taskwright/taskwright/datasets"
)

func TestOracleFollowsTheChain(t *testing.T) {
	w := parksWorld()
	opts := testOptions(w)
	task := parksTask()
	tr, rows := Try(context.Background(), &Job{Task: task, Agent: Oracle(task, opts)}, opts)
	if tr.StopReason != datasets.StopAnswered || tr.Error != "" {
		t.Fatalf("stop %s: %s", tr.StopReason, tr.Error)
	}
	if tr.Rounds != 2 || len(tr.Calls) != 3 || tr.Calls[1].Round != 2 || tr.Calls[2].Round != 2 {
		t.Errorf("rounds %d, calls %+v: steps 2 and 3 must share round 2", tr.Rounds, tr.Calls)
	}
	if got := *Coverage(rows); got != 1 {
		t.Errorf("coverage %v, answer %q", got, tr.Answer)
	}
	if v := metric(t, rows, MetricDependency); *v.Value != 1 || v.Denominator != 3 {
		t.Errorf("dependency compliance %+v", v)
	}
	if w.opened != 1 || w.closed != 1 {
		t.Errorf("%d sessions opened, %d closed", w.opened, w.closed)
	}
}

// The oracle follows rules, not the reference run: when the list comes in
// another order, the largest park and the named campground are found again.
func TestOracleRederivesPicks(t *testing.T) {
	w := parksWorld()
	w.tools["parks/find_parks"] = func(map[string]any) (string, error) {
		return `{"parks":[{"id":"x","name":"Small","area_km2":1,"lat":1,"lon":2},{"id":"glca","name":"Glen Mesa","area_km2":5075,"lat":37.3,"lon":-110.9}]}`, nil
	}
	w.tools["parks/list_campgrounds"] = func(map[string]any) (string, error) {
		return `{"campgrounds":[{"name":"Lees","sites":54},{"name":"Bullfrog","sites":78}]}`, nil
	}
	opts, task := testOptions(w), parksTask()
	tr := Rollout(context.Background(), &Job{Task: task, Agent: Oracle(task, opts)}, opts)
	for _, want := range []string{`[c1] = "Glen Mesa";`, `[c2] = ["Lees","Bullfrog"];`, `[c3] = 78;`, `[c4] = 392.6;`} {
		if !strings.Contains(tr.Answer, want) {
			t.Errorf("answer lacks %s:\n%s", want, tr.Answer)
		}
	}
}

func TestOracleLosesClaimsOfFailedSteps(t *testing.T) {
	w := parksWorld()
	w.tools["places/distance"] = func(map[string]any) (string, error) { return "", toolError("road closed") }
	opts, task := testOptions(w), parksTask()
	tr, rows := Try(context.Background(), &Job{Task: task, Agent: Oracle(task, opts)}, opts)
	if *Coverage(rows) != 0.75 || strings.Contains(tr.Answer, "c4") {
		t.Errorf("coverage %v, answer %q", *Coverage(rows), tr.Answer)
	}
	w.tools["parks/find_parks"] = func(map[string]any) (string, error) { return "", toolError("down") }
	tr, rows = Try(context.Background(), &Job{Task: task, Agent: Oracle(task, opts)}, opts)
	if *Coverage(rows) != 0 || len(tr.Calls) != 1 || tr.StopReason != datasets.StopAnswered {
		t.Errorf("a chain without its first step: %+v", tr)
	}
}

func TestOracleKeepsChainOrderOnServersWithState(t *testing.T) {
	chain := parksTask().Chain
	chain = append(chain, datasets.Step{Server: "places", Tool: "history"})
	free := waves(chain, func(string) bool { return false })
	state := waves(chain, func(s string) bool { return s == "places" })
	if free[3] != 1 || state[3] != 3 {
		t.Errorf("waves without state %v, with state %v", free, state)
	}
}

func TestBaselinesWithoutTools(t *testing.T) {
	for _, agent := range []Agent{Null(), Echo()} {
		w := parksWorld()
		opts := testOptions(w)
		tr, rows := Try(context.Background(), &Job{Task: parksTask(), Agent: agent}, opts)
		if *Coverage(rows) != 0 || len(tr.Calls) != 0 || w.opened != 0 {
			t.Errorf("%s: %+v", agent.Name(), tr)
		}
		if agent.Name() == AgentEcho && tr.Answer != "MEDIUM text" {
			t.Errorf("echo answered %q", tr.Answer)
		}
		for _, name := range []string{MetricValidName, MetricSchema, MetricSuccess, MetricCallFailure, MetricRedundancy} {
			if r := metric(t, rows, name); r.Value != nil || r.Denominator != 0 {
				t.Errorf("%s: %s of no calls is %+v, want null over 0", agent.Name(), name, r)
			}
		}
		if r := metric(t, rows, MetricDependency); r.Value == nil || *r.Value != 0 || r.Denominator != 3 {
			t.Errorf("dependency compliance without calls: %+v, want 0 of 3", r)
		}
	}
}

func TestSingle(t *testing.T) {
	task := parksTask()
	if steps := SingleSteps(task); len(steps) != 1 || steps[0] != 1 {
		t.Fatalf("single steps %v", steps)
	}
	opts := testOptions(parksWorld())
	tr, rows := Try(context.Background(), &Job{Task: task, Agent: Single(task, 1, opts)}, opts)
	if len(tr.Calls) != 1 || *Coverage(rows) != 0.25 {
		t.Errorf("%d calls, coverage %v, answer %q", len(tr.Calls), *Coverage(rows), tr.Answer)
	}
}

// A value of another step that the first output holds already is found.
func TestSingleReadsClaimsOfOtherSteps(t *testing.T) {
	w := parksWorld()
	w.tools["parks/find_parks"] = func(map[string]any) (string, error) {
		return strings.Replace(parksOutput, `"lat":37.3`, `"lat":37.3,"km":392.6,"camps":["Lees","Bullfrog"],"n":2`, 1), nil
	}
	opts, task := testOptions(w), parksTask()
	_, rows := Try(context.Background(), &Job{Task: task, Agent: Single(task, 1, opts)}, opts)
	if passed, scored := Passed(rows); !passed || !scored || *Coverage(rows) != 0.75 {
		t.Errorf("coverage %v", *Coverage(rows))
	}
	task.Pattern = datasets.PatternSingle
	_, rows = Try(context.Background(), &Job{Task: task, Agent: Single(task, 1, opts)}, opts)
	if r := metric(t, rows, MetricPass); !strings.Contains(r.Detail, "exempt") {
		t.Errorf("pass of a single-pattern task is not marked: %+v", r)
	}
	if telling("ab") || telling(true) || !telling("abc") {
		t.Error("telling values")
	}
}

func TestTextIsNeverTheInstructionUnlessConcrete(t *testing.T) {
	task := parksTask()
	for level, want := range map[string]string{"": "MEDIUM text", "light": "LIGHT text", "medium": "MEDIUM text", "concrete": task.Instruction} {
		if got, _, err := Text(task, level); err != nil || got != want {
			t.Errorf("level %q: %q, %v", level, got, err)
		}
	}
	for _, level := range []string{"heavy", "bogus", "CONCRETE"} {
		if got, _, err := Text(task, level); err == nil {
			t.Errorf("level %q: %q, want an error", level, got)
		}
	}
	task.Variants[1].Status = datasets.StatusRejected
	if got, level, _ := Text(task, ""); got != "LIGHT text" || level != "light" {
		t.Errorf("fallback: %q at %s", got, level)
	}
	task.Variants = nil
	s := &script{}
	tr := Rollout(context.Background(), &Job{Task: task, Agent: s}, testOptions(parksWorld()))
	if len(s.seen) != 0 || tr.StopReason != datasets.StopInfraFailed || strings.Contains(tr.Error, "CONCRETE:") {
		t.Errorf("a task without variants: %+v, agent saw %v", tr, s.seen)
	}
}

func TestAgentSeesVariantJudgeSeesInstruction(t *testing.T) {
	task := parksTask()
	for _, level := range []string{"", "light", "medium"} {
		s := &script{moves: []Move{{Calls: []Call{{"parks", "find_parks", `{"state":"UT"}`}}}}}
		tr := Rollout(context.Background(), &Job{Task: task, Agent: s, Level: level}, testOptions(parksWorld()))
		for _, v := range s.seen {
			for _, m := range v.Messages {
				if strings.Contains(m.Content+v.Text, "CONCRETE:") {
					t.Fatalf("level %q: the agent saw the instruction", level)
				}
			}
		}
		judge := ForJudge(task, &tr)
		if judge.Instruction != task.Instruction || strings.Contains(judge.Instruction+judge.DependencyAnalysis, "text") {
			t.Errorf("level %q: the judge's view is %+v", level, judge)
		}
	}
}

// With the exact rules: the oracle states all claims, the best single call
// those of its step, and the other baselines none.
func TestBaselinesWithExactClaims(t *testing.T) {
	task := parksTask()
	for i, text := range []string{
		"Utah's largest national park by area is Glen Mesa", "Its campgrounds are Bullfrog and Lees",
		"Bullfrog has 78 sites", "The straight-line distance from Salt Lake City is 392.6 km",
	} {
		task.Claims[i].Text = text
	}
	task.Claims[3].Unit, task.Claims[3].ToleranceKind, task.Claims[3].Tolerance = "km", datasets.ToleranceRelative, 0.01
	opts := testOptions(parksWorld())
	opts.Claims = nil
	for agent, want := range map[string]float64{AgentOracle: 1, AgentSingle: 0.25, AgentNull: 0, AgentEcho: 0} {
		a, err := Baseline(agent, task, 1, opts)
		if err != nil {
			t.Fatal(err)
		}
		tr, rows := Try(context.Background(), &Job{Task: task, Agent: a, Level: datasets.LevelConcrete}, opts)
		if got := Coverage(rows); got == nil || *got != want {
			t.Errorf("%s: coverage %v, want %v; answer %q", agent, *got, want, tr.Answer)
		}
	}
}
