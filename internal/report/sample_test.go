package report

import (
	"fmt"

	"github.com/taskwright/taskwright/datasets"
)

func ptr(v float64) *float64 { return &v }

// hostile is text that breaks out of whatever it is put into carelessly.
const hostile = `</script><script>alert(1)</script>|"><img src=x onerror=alert(2)> =cmd|' /C calc'!A0`

// sample is a small dataset with two runs: accepted and rejected tasks, a
// failure, a volatile claim, and hostile text.
func sample(tasks int) Input {
	in := Input{
		Title: "demo", Version: "0.1.0", Canary: "taskwright canary 1234",
		Servers: []datasets.Server{
			{Name: "parks", Title: "National parks", Version: "1.0", Transport: "memory", Status: "ok", State: "none", Tools: 2},
			{Name: "places", Version: "1.0", Transport: "memory", Status: "ok", State: "none", Tools: 1},
			{Name: "broken", Transport: "stdio", Status: "failed", Error: "starting: exit status 1 " + hostile, State: "none"},
		},
		Tools: []datasets.Tool{
			{Server: "parks", Name: "find_parks", Effect: "read", Health: datasets.Health{Status: "ok"}},
			{Server: "parks", Name: "list_campgrounds", Effect: "read", Health: datasets.Health{Status: "ok"}},
			{Server: "places", Name: "distance", Effect: "unknown", Health: datasets.Health{Status: "untested"}},
		},
		Edges: []datasets.Edge{
			{FromServer: "parks", FromTool: "find_parks", FromPath: "/parks/*/id", ToServer: "parks", ToTool: "list_campgrounds", ToParam: "/park_id", Kind: "verified", Score: 1},
			{FromServer: "parks", FromTool: "find_parks", FromPath: "/parks/*/lat", ToServer: "places", ToTool: "distance", ToParam: "/to_lat", Kind: "observed", Score: .8},
			{FromServer: "places", FromTool: "distance", FromPath: "/km", ToServer: "places", ToTool: "distance", ToParam: "/to_lat", Kind: "schema", Score: .2},
		},
		Stages: []Stage{
			{Stage: "discover", Version: "0.1.0", Seed: 1, Started: "2025-01-02T03:04:05Z", Finished: "2025-01-02T03:04:06Z", Done: 3, Failed: 1},
			{Stage: "generate", Version: "0.1.0", Seed: 1, Started: "2025-01-02T03:04:06Z", Finished: "2025-01-02T03:04:07Z", Done: tasks},
		},
	}
	for i := range tasks {
		in.Tasks = append(in.Tasks, sampleTask(i))
	}
	in.Runs = []RunRows{sampleRun("run-oracle", "oracle", in.Tasks), sampleRun("run-null", "null", in.Tasks)}
	return in
}

func sampleTask(i int) datasets.Task {
	t := datasets.Task{
		ID: datasets.Digest(fmt.Sprint("task", i)), Servers: []string{"parks", "places"}, Pattern: "hybrid", Depth: 2, Width: 2, CrossServer: true,
		Status: "accepted", Proof: "executed", Split: "candidates", DependencyAnalysis: "The search delivers the park's id and place; both branches need it.",
		Instruction: "I live in Salt Lake City and want to camp in Utah's largest national park. Work out which park that is by area, list its campgrounds, and give the straight-line distance from Salt Lake City in kilometres.",
		Variants: []datasets.Variant{
			{Level: "light", Status: "accepted", Author: "phrasebank", Text: "Planning a camping trip from Salt Lake City to whichever national park in Utah covers the most ground. Which is it, which campgrounds does it have, and how far is it in a straight line in kilometres?"},
			{Level: "medium", Status: "accepted", Author: "phrasebank", Text: "I'm off camping, leaving from Salt Lake City, and I want the biggest national park Utah has. Where could I pitch a tent there, and how many kilometres is it as the crow flies?"},
			{Level: "heavy", Status: "rejected", Author: "phrasebank", Text: "Biggest park in Utah?", Reasons: []string{"literals: Salt Lake City is lost"}},
		},
		Chain: []datasets.Step{
			{Server: "parks", Tool: "find_parks", Arguments: []datasets.Argument{{Path: "/state", Source: "constant", Value: `"UT"`, Said: "Utah"}}},
			{Server: "parks", Tool: "list_campgrounds", Arguments: []datasets.Argument{{Path: "/park_id", Source: "step", Step: 1, From: "/parks/*/id", Pick: "largest", By: "/parks/*/area_km2", Value: `"glca"`}}},
			{Server: "places", Tool: "distance", Arguments: []datasets.Argument{
				{Path: "/from", Source: "constant", Value: `"Salt Lake City"`},
				{Path: "/to_lat", Source: "step", Step: 1, From: "/parks/*/lat", Pick: "largest", By: "/parks/*/area_km2", Value: "37.3"}}},
		},
		Claims: []datasets.Claim{
			{ID: "c1", Kind: "entity", Text: "Utah's largest national park by area is Glen Mesa", Step: 1, Pointer: "/parks/0/name", Expected: `"Glen Mesa"`, Essential: true},
			{ID: "c2", Kind: "set", Text: "Its campgrounds are Bullfrog and Lees", Step: 2, Pointer: "/campgrounds/*/name", Expected: `["Bullfrog","Lees"]`, Essential: true},
			{ID: "c3", Kind: "value", Text: "The straight-line distance is 392.6 km", Step: 3, Pointer: "/km", Expected: "392.6", ToleranceKind: "relative", Tolerance: 0.01, Unit: "km"},
			{ID: "c4", Kind: "value", Text: "The road is open", Step: 3, Pointer: "/open", Expected: "true", Volatile: true},
		},
		Reference: []datasets.Executed{
			{Step: 1, Output: `{"parks":[{"id":"glca","name":"Glen Mesa","area_km2":5075,"lat":37.3,"lon":-110.9}]}`},
			{Step: 2, Output: `{"campgrounds":[{"name":"Bullfrog","sites":78},{"name":"Lees","sites":54}]}`},
			{Step: 3, Output: `{"km":392.6}`},
		},
		Checks: []datasets.Check{{Name: "oracle", Passed: true, Detail: "3 of 3 claims"}, {Name: "null", Passed: true}, {Name: "single-call", Passed: true, Detail: "best coverage 0.33"}},
	}
	switch i % 5 {
	case 3:
		t.Pattern, t.Status, t.Reasons = "linear", "rejected", []string{"single-call: coverage 1 with step 1", "literals: 5 is lost"}
		t.Checks[2] = datasets.Check{Name: "single-call", Detail: "coverage 1 with step 1"}
	case 4:
		t.Pattern, t.Servers, t.Instruction = "parallel", []string{hostile}, "A hostile request: "+hostile
	}
	return t
}

func sampleRun(id, agent string, tasks []datasets.Task) RunRows {
	run := RunRows{Run: datasets.Run{ID: id, Agent: agent, Variant: "medium", Attempts: 1, Judge: "exact", Offline: true,
		Started: "2025-01-02T03:05:00Z", Finished: "2025-01-02T03:05:09Z", Summary: datasets.Summary{Metrics: map[string]*float64{}}}}
	sum := &run.Run.Summary
	for i := range tasks {
		if tasks[i].Status != "accepted" {
			continue
		}
		sum.Tasks++
		t := datasets.Trajectory{Run: id, Task: tasks[i].ID, Agent: agent, Variant: "medium", Attempt: 1, StopReason: "answered", Answer: "I do not know."}
		good := agent == "oracle"
		if good {
			t.Rounds, t.Answer = 2, "Glen Mesa is the largest. Its campgrounds are Bullfrog and Lees. It is 392.6 km away."
			t.Calls = sampleCalls()
		}
		if good && i == 1 {
			t.StopReason, t.Error, t.Calls, t.Answer = "infra_failed", "parks/find_parks: the server is gone", nil, ""
			sum.Unscored++
		} else if sum.Scored++; good {
			sum.Passed++
		}
		run.Trajectories = append(run.Trajectories, t)
		run.Scores = append(run.Scores, sampleScores(&t, good)...)
	}
	if sum.Scored > 0 {
		sum.PassRate = ptr(float64(sum.Passed) / float64(sum.Scored))
		sum.Coverage = sum.PassRate
	}
	for _, m := range metrics {
		sum.Metrics[m.name] = nil
	}
	sum.Metrics["calls"], sum.Metrics["rounds"], sum.Metrics["dependency_compliance"] = ptr(0), ptr(0), ptr(0)
	if agent == "oracle" {
		for _, m := range metrics[:3] {
			sum.Metrics[m.name] = ptr(1)
		}
		sum.Metrics["calls"], sum.Metrics["rounds"], sum.Metrics["dependency_compliance"] = ptr(3), ptr(2), ptr(1)
		sum.Metrics["parallelism"], sum.Metrics["zz_other"] = ptr(2.0/3), ptr(.5)
	}
	return run
}

func sampleCalls() []datasets.Action {
	call := func(round int32, server, tool, args, text string) datasets.Action {
		return datasets.Action{Round: round, Server: server, Tool: tool, Arguments: args, NameValid: true, ArgumentsValid: true,
			Result: datasets.ToolResult{Text: text, Structured: "null"}}
	}
	calls := []datasets.Action{
		call(1, "parks", "find_parks", `{"state":"UT"}`, `{"parks":[{"id":"glca","name":"Glen Mesa","area_km2":5075}]}`),
		call(2, "parks", "list_campgrounds", `{"park_id":"glca"}`, `{"campgrounds":[{"name":"Bullfrog","sites":78}]}`),
		call(2, "places", "distance", `{"from":"Salt Lake City","to_lat":37.3}`, "no such place "+hostile),
	}
	calls[2].Result.IsError = true
	return calls
}

func sampleScores(t *datasets.Trajectory, good bool) []datasets.Score {
	row := func(scorer, name string, v *float64, outcome string) datasets.Score {
		return datasets.Score{Run: t.Run, Task: t.Task, Agent: t.Agent, Variant: t.Variant, Attempt: t.Attempt, Scorer: scorer, Name: name, Value: v, Outcome: outcome}
	}
	if t.StopReason == "infra_failed" {
		return []datasets.Score{row("claim", "c1", nil, datasets.Unscored), row("rule", "claim_coverage", nil, datasets.Unscored), row("rule", "pass", nil, datasets.Unscored)}
	}
	v, outcome := ptr(0), datasets.NotFulfilled
	names := row("rule", "valid_tool_name_rate", nil, "")
	if good {
		v, outcome = ptr(1), datasets.Fulfilled
		names.Value, names.Numerator, names.Denominator = ptr(1), 3, 3
	}
	return []datasets.Score{names, row("claim", "c1", v, outcome), row("claim", "c2", v, outcome), row("claim", "c3", v, outcome),
		row("claim", "c4", nil, datasets.Unscored), row("rule", "claim_coverage", v, ""), row("rule", "pass", v, "")}
}
