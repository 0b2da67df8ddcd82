package evaluate

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/taskwright/taskwright/datasets"
)

func did(round int32, id, arguments, output string) datasets.Action {
	server, tool := splitID(id)
	return datasets.Action{Round: round, Server: server, Tool: tool, Arguments: arguments, NameValid: true, ArgumentsValid: true,
		Result: datasets.ToolResult{Text: output, Structured: "null", IsError: strings.HasPrefix(output, "Error")}}
}

func TestDependencyCompliance(t *testing.T) {
	search := did(1, "parks/find_parks", `{"state":"UT"}`, parksOutput)
	tests := []struct {
		name  string
		calls []datasets.Action
		met   int
		lost  string
	}{
		{"all delivered", []datasets.Action{search, did(2, "parks/list_campgrounds", `{"park_id":"glca"}`, ""), did(2, "places/distance", `{"to_lat":37.30,"to_lon":-110.9}`, "")}, 3, ""},
		{"another park is delivered, too", []datasets.Action{search, did(2, "parks/list_campgrounds", `{"park_id":"zion"}`, "")}, 1, "step 3 places/distance/to_lat"},
		{"same round", []datasets.Action{search, did(1, "parks/list_campgrounds", `{"park_id":"glca"}`, "")}, 0, "step 2 parks/list_campgrounds/park_id"},
		{"invented", []datasets.Action{search, did(2, "parks/list_campgrounds", `{"park_id":"glc"}`, "")}, 0, "park_id"},
		{"without a source", []datasets.Action{did(1, "parks/list_campgrounds", `{"park_id":"glca"}`, "")}, 0, "park_id"},
		{"the source failed", []datasets.Action{did(1, "parks/find_parks", `{}`, "Error glca"), did(2, "parks/list_campgrounds", `{"park_id":"glca"}`, "")}, 0, "park_id"},
		{"part of a number", []datasets.Action{search, did(2, "places/distance", `{"to_lat":7.3,"to_lon":110.9}`, "")}, 0, "to_lon"},
		{"retry counts", []datasets.Action{search, did(2, "parks/list_campgrounds", `{"park_id":"?"}`, "Error"), did(3, "parks/list_campgrounds", `{"park_id":"glca"}`, "")}, 1, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			met, edges, lost := dependencies(parksTask(), &datasets.Trajectory{Calls: tt.calls})
			if met != tt.met || edges != 3 || !strings.Contains(lost, tt.lost) {
				t.Errorf("%d of %d, lost %q", met, edges, lost)
			}
		})
	}
}

// Two steps with one tool need two calls.
func TestDependencyComplianceNeedsACallForEachStep(t *testing.T) {
	task := parksTask()
	task.Chain = append(task.Chain[:2], task.Chain[1])
	calls := []datasets.Action{did(1, "parks/find_parks", `{}`, parksOutput), did(2, "parks/list_campgrounds", `{"park_id":"glca"}`, "")}
	if met, edges, _ := dependencies(task, &datasets.Trajectory{Calls: calls}); met != 1 || edges != 2 {
		t.Errorf("%d of %d", met, edges)
	}
	calls = append(calls, did(2, "parks/list_campgrounds", `{"park_id":"zion"}`, ""))
	if met, _, _ := dependencies(task, &datasets.Trajectory{Calls: calls}); met != 2 {
		t.Errorf("%d of 2", met)
	}
}

func TestDelivered(t *testing.T) {
	tests := []struct {
		output, value string
		want          bool
	}{
		{`Mean high 21.4 C`, `21.4`, true},
		{`Mean high 21.40 C`, `21.4`, true},
		{`{"v":5.0}`, `5`, true},
		{`{"v":-5}`, `5`, false},
		{`{"v":1.5}`, `5`, false},
		{`{"v":5.5}`, `5`, false},
		{`It is 5.`, `5`, true},
		{`{"v":"a \"b\" c"}`, `"a \"b\" c"`, true},
		{`{"v":"Zürich"}`, `"Zürich"`, true},
		{`{"v":"Zürichsee"}`, `"Zürich"`, false},
		{`{"v":["x","y"]}`, `["x","y"]`, true},
		{`{"v":["x","y"]}`, `["x","z"]`, false},
		{`{"v":{"lat":1,"lon":2}}`, `{"lat":1,"lon":2}`, true},
		{`{"v":[]}`, `[]`, false},
		{`{"v":"é"}`, `"é"`, true},
		{`anything`, `""`, false},
	}
	for _, tt := range tests {
		v, err := datasets.DecodeJSON(tt.value)
		if err != nil {
			t.Fatal(err)
		}
		tr := datasets.Trajectory{Calls: []datasets.Action{did(1, "a/b", "{}", tt.output)}}
		p := provenance{t: &tr, docs: make([]any, 1), read: make([]bool, 1)}
		if got := p.delivered(v, 2); got != tt.want {
			t.Errorf("%s delivered by %s: %v", tt.value, tt.output, got)
		}
	}
}

func TestPlanningCompliance(t *testing.T) {
	plan := func(agent string, plans ...string) datasets.Score {
		tr := &datasets.Trajectory{Agent: agent, StopReason: datasets.StopAnswered}
		for _, p := range plans {
			tr.Messages = append(tr.Messages, datasets.Message{Role: "assistant", Calls: callsJSON(&Move{Plan: p})})
		}
		return metric(t, ScoreTrajectory(parksTask(), tr, &Options{}), MetricPlanJSON)
	}
	if r := plan(AgentTools, `[{"tool":"x"}]`); r.Denominator != 0 || r.Value != nil {
		t.Errorf("not a planner: %+v", r)
	}
	if r := plan(AgentPlanner); r.Denominator != 0 || r.Value != nil {
		t.Errorf("no plans: %+v", r)
	}
	r := plan(AgentPlanner, `[{"tool":"a:b"},{"tool":""},{"tools":"x"},7]`, `[{"tool":`, `{"tool":"x"}`)
	if r.Numerator != 1 || r.Denominator != 5 {
		t.Errorf("%d of %d, want 1 of 5", r.Numerator, r.Denominator)
	}
}

func TestRedundancyAndParallelism(t *testing.T) {
	tr := &datasets.Trajectory{Rounds: 2, Calls: []datasets.Action{
		did(1, "a/b", `{}`, "x"), did(2, "a/b", `{}`, "x"), did(2, "a/b", `{"c":1}`, "x"), did(3, "a/c", `{}`, "x"),
	}}
	c := tally(tr)
	if c.repeated != 1 || c.shared != 2 {
		t.Errorf("repeated %d, shared %d", c.repeated, c.shared)
	}
}

// Whatever the trajectory, a rate lies in 0..1 and an empty denominator has no
// value.
func TestRatesAreRates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := datasets.Trajectory{Agent: rapid.SampledFrom([]string{AgentPlanner, AgentTools}).Draw(t, "agent")}
		round := int32(1)
		for range rapid.IntRange(0, 12).Draw(t, "calls") {
			id := rapid.SampledFrom(parksTask().ExposedTools).Draw(t, "id")
			args := rapid.SampledFrom([]string{`{}`, `{"park_id":"glca"}`, `"junk`, `[]`, `{"to_lat":37.3}`}).Draw(t, "args")
			a := did(round, id, args, rapid.SampledFrom([]string{parksOutput, "Error", "", "{"}).Draw(t, "output"))
			a.NameValid = rapid.Bool().Draw(t, "name")
			a.ArgumentsValid = a.NameValid && rapid.Bool().Draw(t, "fits")
			tr.Calls = append(tr.Calls, a)
			round += int32(rapid.IntRange(0, 1).Draw(t, "next"))
		}
		for _, m := range RuleMetrics(parksTask(), &tr) {
			if m.Name == MetricCalls || m.Name == MetricRounds {
				continue
			}
			if (m.Value == nil) != (m.Denominator == 0) || m.Numerator < 0 || m.Numerator > m.Denominator {
				t.Fatalf("%+v", m)
			}
		}
	})
}

// BenchmarkRuleMetrics counts calls checked against their schema and rated, on
// one core: the report has calls/s.
func BenchmarkRuleMetrics(b *testing.B) {
	task := parksTask()
	validate := Validator([]datasets.Tool{
		{Server: "parks", Name: "find_parks", InputSchema: `{"type":"object","required":["state"],"properties":{"state":{"type":"string","minLength":2}}}`},
		{Server: "parks", Name: "list_campgrounds", InputSchema: `{"type":"object","required":["park_id"],"properties":{"park_id":{"type":"string"}}}`},
		{Server: "places", Name: "distance", InputSchema: `{"type":"object","properties":{"to_lat":{"type":"number"},"to_lon":{"type":"number"}}}`},
	})
	long := strings.Replace(parksOutput, `{"parks":[`, `{"parks":[`+strings.Repeat(`{"id":"abcd","name":"Some Other Park","area_km2":12,"lat":1.5,"lon":2.5},`, 20), 1)
	tr := &datasets.Trajectory{Rounds: 10}
	for i := range int32(10) {
		tr.Calls = append(tr.Calls,
			did(i+1, "parks/find_parks", fmt.Sprintf(`{"state":"S%d"}`, i), long),
			did(i+2, "parks/list_campgrounds", `{"park_id":"glca"}`, campsOutput),
			did(i+2, "places/distance", `{"to_lat":37.3,"to_lon":-110.9}`, kmOutput))
	}
	b.ReportAllocs()
	for b.Loop() {
		for i := range tr.Calls {
			a := &tr.Calls[i]
			a.ArgumentsValid = len(validate(a.Server, a.Tool, a.Arguments)) == 0
		}
		RuleMetrics(task, tr)
	}
	b.ReportMetric(float64(b.N*len(tr.Calls))/b.Elapsed().Seconds(), "calls/s")
}
