package filter

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/taskwright/taskwright/datasets"
)

// script is a Prover that answers from a table of agent and live.
type script map[string]Attempt

func (s script) Attempt(_ context.Context, _ *datasets.Task, agent string, live bool) (Attempt, error) {
	key := agent
	if live {
		key += " live"
	}
	a, ok := s[key]
	if !ok {
		return Attempt{}, errors.New("no attempt scripted for " + key)
	}
	return a, nil
}

func answered(coverage float64, outcomes ...string) Attempt {
	a := Attempt{Coverage: coverage, Passed: coverage >= datasets.PassCoverage, StopReason: datasets.StopAnswered, Outcomes: map[string]string{}}
	for i, o := range outcomes {
		a.Outcomes["c"+string(rune('1'+i))] = o
	}
	return a
}

// proved is the script of a good task with two claims.
func proved() script {
	return script{
		Oracle: answered(1, datasets.Fulfilled, datasets.Fulfilled), Oracle + " live": answered(1, datasets.Fulfilled, datasets.Fulfilled),
		Null: answered(0, datasets.NotFulfilled, datasets.NotFulfilled), Single: answered(0.5, datasets.Fulfilled, datasets.NotFulfilled),
	}
}

var tools = []datasets.Tool{
	{Server: "lakes", Name: "search_lakes", InputSchema: `{"type":"object","properties":{"country":{"type":"string"}},"required":["country"]}`},
	{Server: "lakes", Name: "lake_details", InputSchema: `{"type":"object","properties":{"lake_id":{"type":"string"}},"required":["lake_id"]}`},
}

// lakeTask is a good two-step task.
func lakeTask() *datasets.Task {
	return &datasets.Task{
		ID: "t1", Pattern: datasets.PatternLinear, Proof: datasets.ProofExecuted, Status: datasets.StatusCandidate,
		Servers: []string{"lakes"}, RequiredTools: []string{"lakes/search_lakes", "lakes/lake_details"},
		Instruction: "I am writing a quiz. Which lake in Chad is the deepest, and how long is its shoreline?",
		Chain: []datasets.Step{
			{Server: "lakes", Tool: "search_lakes", Arguments: []datasets.Argument{{Path: "/country", Source: "constant", Value: `"TD"`, Said: "Chad"}}},
			{Server: "lakes", Tool: "lake_details", Arguments: []datasets.Argument{{Path: "/lake_id", Source: "step", Value: `"l-20"`, Step: 1, From: "/lakes/*/id", Pick: "largest", By: "/lakes/*/depth_m"}}},
		},
		Reference: []datasets.Executed{
			{Step: 1, Server: "lakes", Tool: "search_lakes", Arguments: `{"country":"TD"}`, Output: `{"lakes":[{"id":"l-9","name":"Fitri","depth_m":4},{"id":"l-20","name":"Yoa","depth_m":27}]}`},
			{Step: 2, Server: "lakes", Tool: "lake_details", Arguments: `{"lake_id":"l-20"}`, Output: `{"shoreline_km":12.5}`},
		},
		Claims: []datasets.Claim{
			{ID: "c1", Kind: "entity", Step: 1, Pointer: "/lakes/1/name", Expected: `"Yoa"`, Essential: true},
			{ID: "c2", Kind: "value", Step: 2, Pointer: "/shoreline_km", Expected: `12.5`, Unit: "km", Essential: true},
		},
	}
}

func TestTask(t *testing.T) {
	tests := []struct {
		name   string
		change func(*datasets.Task)
		prover script
		status string
		reason string // prefix of the only reason
	}{
		{name: "good", status: datasets.StatusAccepted},
		{name: "unknown tool", change: func(t *datasets.Task) { t.Chain[1].Tool = "gone" }, reason: "schema: step 2: the catalog has no tool lakes/gone"},
		{name: "schema violated", change: func(t *datasets.Task) {
			t.Reference[0].Arguments, t.Chain[0].Arguments[0].Value = `{"country":7}`, `7`
			t.Instruction += " 7"
		}, reason: "schema: step 1 (lakes/search_lakes): /country"},
		{name: "never run", change: func(t *datasets.Task) { t.Reference = t.Reference[:1] }, reason: "schema: step 2"},
		{name: "no chain", change: func(t *datasets.Task) { t.Chain = nil }, reason: "schema: the task has no chain"},
		{name: "rule gives another value", change: func(t *datasets.Task) { t.Chain[1].Arguments[0].Pick = "smallest" }, reason: "reference: chain[1].arguments[0].value: is "},
		{name: "pointer does not resolve", change: func(t *datasets.Task) { t.Claims[1].Pointer = "/shore" }, reason: "reference: claims[1].pointer: pointer /shore does not resolve"},
		{name: "claim differs from output", change: func(t *datasets.Task) { t.Claims[1].Expected = "13" }, reason: `reference: claims[1].expected: is "13", but step 2 /shoreline_km holds "12.5"`},
		{name: "no claims", change: func(t *datasets.Task) { t.Claims = nil }, reason: "reference: the task has no claims"},
		{name: "constant not stated", change: func(t *datasets.Task) { t.Instruction = "Which lake is deepest?" }, reason: "stated: the instruction does not state country"},
		{name: "claim given away", change: func(t *datasets.Task) { t.Instruction += " Is it Yoa?" }, reason: `stated: the instruction gives away "Yoa"`},
		{name: "oracle fails", prover: script{Oracle: answered(0.5, datasets.Fulfilled, datasets.NotFulfilled)}, reason: "oracle: c2 not_fulfilled"},
		{name: "oracle cannot call", prover: script{Oracle: {StopReason: datasets.StopInfraFailed, Detail: "lakes: exit status 1"}}, reason: "oracle: stopped: infra_failed lakes: exit status 1"},
		{name: "null passes", prover: with(Null, answered(1)), reason: "null: passes with coverage 1.00"},
		{name: "single call passes", prover: with(Single, answered(0.75)), reason: "single-call: passes with coverage 0.75"},
		{name: "single pattern is exempt", change: func(t *datasets.Task) { t.Pattern = datasets.PatternSingle }, prover: with(Single, answered(1)), status: datasets.StatusAccepted},
		{name: "all volatile", prover: with(Oracle+" live", answered(0, datasets.NotFulfilled, datasets.NotFulfilled)), reason: "stable: no essential claim"},
		{name: "low score", change: func(t *datasets.Task) {
			t.Scores = []datasets.Judgement{{Axis: "solvability", Value: 8}, {Axis: "solvability", Value: 9}}
		}, reason: "threshold: solvability 8.50 is below 9.00 (2 scores)"},
		{name: "good score", change: func(t *datasets.Task) {
			t.Scores = []datasets.Judgement{{Axis: "solvability", Value: 9}, {Axis: "utility", Value: 5}}
		}, status: datasets.StatusAccepted},
		{name: "catalog only", change: func(t *datasets.Task) { t.Proof = datasets.ProofNone }, reason: "threshold: proof none"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			task, prover := lakeTask(), tt.prover
			if tt.change != nil {
				tt.change(task)
			}
			if prover == nil {
				prover = proved()
			}
			f := New(Options{Thresholds: DefaultThresholds, Tools: tools, Prover: prover})
			if err := f.Task(context.Background(), task); err != nil {
				t.Fatal(err)
			}
			want := tt.status
			if want == "" {
				want = datasets.StatusRejected
			}
			if task.Status != want {
				t.Fatalf("status %s, want %s; reasons %q", task.Status, want, task.Reasons)
			}
			if tt.reason != "" && (len(task.Reasons) == 0 || !strings.HasPrefix(task.Reasons[0], tt.reason)) {
				t.Errorf("reasons %q, want one that starts with %q", task.Reasons, tt.reason)
			}
		})
	}
}

// with is the script of a good task in which one attempt is replaced.
func with(key string, a Attempt) script {
	s := proved()
	s[key] = a
	return s
}

func TestVolatileClaimIsMarkedAndTaskKept(t *testing.T) {
	task := lakeTask()
	f := New(Options{Tools: tools, Prover: with(Oracle+" live", answered(0.5, datasets.Fulfilled, datasets.NotFulfilled))})
	if err := f.Task(context.Background(), task); err != nil {
		t.Fatal(err)
	}
	if task.Status != datasets.StatusAccepted || task.Claims[0].Volatile || !task.Claims[1].Volatile {
		t.Errorf("status %s, volatile %v %v; want accepted, false, true", task.Status, task.Claims[0].Volatile, task.Claims[1].Volatile)
	}
}

func TestBrokenProverIsAnError(t *testing.T) {
	if err := New(Options{Tools: tools, Prover: script{}}).Task(context.Background(), lakeTask()); err == nil {
		t.Error("no error although no agent could be run")
	}
}

func TestRethreshold(t *testing.T) {
	task := lakeTask()
	task.Scores = []datasets.Judgement{{Axis: "solvability", Value: 8.5}, {Axis: "utility", Value: 6}}
	f := New(Options{Thresholds: DefaultThresholds, Tools: tools, Prover: proved()})
	if err := f.Task(context.Background(), task); err != nil {
		t.Fatal(err)
	}
	checks := append([]datasets.Check(nil), task.Checks...)
	reasons := task.Reasons
	if task.Status != datasets.StatusRejected {
		t.Fatalf("status %s, want rejected at solvability 9", task.Status)
	}
	Rethreshold(task, Thresholds{Solvability: 8.5, Utility: 5})
	if task.Status != datasets.StatusAccepted || len(task.Reasons) != 0 {
		t.Errorf("at 8.5: status %s, reasons %q", task.Status, task.Reasons)
	}
	Rethreshold(task, DefaultThresholds)
	if diff := cmp.Diff(checks, task.Checks); diff != "" {
		t.Errorf("back at the defaults, checks differ (-first +second):\n%s", diff)
	}
	if diff := cmp.Diff(reasons, task.Reasons); diff != "" {
		t.Errorf("back at the defaults, reasons differ:\n%s", diff)
	}
}

func TestCount(t *testing.T) {
	good, bad := lakeTask(), lakeTask()
	bad.Claims = nil
	f := New(Options{Thresholds: DefaultThresholds, Tools: tools, Prover: proved()})
	for _, task := range []*datasets.Task{good, bad} {
		if err := f.Task(context.Background(), task); err != nil {
			t.Fatal(err)
		}
	}
	got := Count([]datasets.Task{*good, *bad})
	want := Counts{Accepted: 1, Rejected: 1, Unscored: 2, Reasons: map[string]int{CheckReference: 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
