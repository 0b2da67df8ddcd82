package datasets

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"testing"
)

// sampleDir makes a small dataset with every table filled and nothing wrong.
func sampleDir(t testing.TB, tasks int) *Dir {
	t.Helper()
	d, err := createWith(t.TempDir(), fast{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	writeSample(t, d, tasks)
	return d
}

func writeSample(t testing.TB, d *Dir, tasks int) {
	t.Helper()
	tx, err := d.Begin()
	if err != nil {
		t.Fatal(err)
	}
	must(t, tx.WriteServers(All(sampleServers())))
	must(t, tx.WriteTools(All(sampleTools())))
	must(t, tx.WriteEdges(All(sampleEdges())))
	must(t, tx.WriteTape(All(sampleCalls())))
	must(t, tx.WriteTasks(All(sampleTasks(tasks))))
	trajectories, scores := sampleRun(tasks)
	must(t, tx.WriteRun(Run{ID: "r1", Agent: "oracle", Variant: LevelLight, Attempts: 1}, All(trajectories), All(scores)))
	must(t, tx.Commit(StageLog{Stage: "generate", Seed: 1, Started: "2026-01-02T03:04:05Z", Finished: "2026-01-02T03:04:06Z", Done: tasks}))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func sampleServers() []Server {
	return []Server{
		{Name: "parks", Title: "Parks", Version: "1.0", Protocol: "2025-11-25", Transport: "memory", Status: ServerOK, State: StateNone, Tools: 2, Warnings: []string{"odd", "“quoted”\n"}, Digest: "d1"},
		{Name: "units", Transport: "stdio", Status: ServerFailed, Error: "exit status 1", State: StateNone, Warnings: []string{}, Digest: "d2"},
	}
}

func sampleTools() []Tool {
	return []Tool{
		{Server: "parks", Name: "find", Description: "Finds parks.", InputSchema: `{"type":"object"}`, OutputSchema: "null", OutputSchemaSource: SchemaNone, Annotations: `{"readOnlyHint":true}`, Effect: EffectRead, Digest: "t1",
			Warnings: []string{}, Health: Health{Status: HealthOK, Calls: 1}, Samples: []Sample{{Arguments: `{"state":"UT"}`, TapeKey: sampleCalls()[0].Key}}},
		{Server: "parks", Name: "camps", InputSchema: `{"type":"object"}`, OutputSchema: `{"type":"object"}`, OutputSchemaSource: SchemaObserved, Annotations: "null", Effect: EffectUnknown, Digest: "t2",
			Warnings: []string{}, Health: Health{Status: HealthUntested}, Samples: []Sample{}},
	}
}

func sampleEdges() []Edge {
	return []Edge{{"parks", "find", "/parks/*/id", "parks", "camps", "/park", EdgeObserved, 0.9, "p1"}}
}

const (
	parksOutput = `{"parks":[{"area":10,"id":"p1","name":"Small"},{"area":20.5,"id":"p2","name":"Größe 山"}]}`
	campsOutput = `{"camps":["Lees","Bullfrog"],"sites":54}`
)

func sampleCalls() []Call {
	return []Call{
		{Key: CallKey("parks", "find", `{"state":"UT"}`, ""), Server: "parks", Tool: "find", Arguments: `{"state":"UT"}`, Result: ToolResult{Text: parksOutput, Structured: "null", ContentTypes: []string{"text", "image"}}},
		{Key: CallKey("parks", "camps", `{"park":"p2"}`, ""), Server: "parks", Tool: "camps", Arguments: `{"park":"p2"}`, Result: ToolResult{Structured: campsOutput, ContentTypes: []string{}}},
	}
}

func sampleTasks(n int) []Task {
	tasks := make([]Task, n)
	for i := range tasks {
		tasks[i] = sampleTask(i)
	}
	return tasks
}

// sampleTask is task i; every third is rejected.
func sampleTask(i int) Task {
	calls := sampleCalls()
	t := Task{
		ID: Digest("task", fmt.Sprint(i)), Servers: []string{"parks"}, RequiredTools: []string{"parks/find", "parks/camps"},
		DistractorServers: []string{"units"}, ExposedTools: []string{"parks/camps", "parks/find"}, Pattern: PatternLinear, Depth: 2, Width: 1,
		Chain: []Step{
			{"parks", "find", []Argument{{Path: "/state", Source: SourceConstant, Value: `"UT"`, Said: "Utah", Equal: "null"}}},
			{"parks", "camps", []Argument{{Path: "/park", Source: SourceStep, Value: `"p2"`, Step: 1, From: "/parks/*/id", Pick: PickLargest, By: "/parks/*/area", Equal: "null"}}},
		},
		DependencyAnalysis: "camps needs the id that find gives", Instruction: fmt.Sprintf("Request %d: which camps are in Utah's largest park?", i),
		Outline: []Part{{Role: RoleGiven, Text: "in Utah", Brief: "Utah", Claims: []string{}}, {Role: RoleAsk, Step: 2, Text: "the camps", Claims: []string{"c1", "c2"}}},
		Variants: []Variant{{Level: LevelLight, Text: "Which camps has Utah's largest park?", Author: "phrasebank", Status: StatusAccepted, Reasons: []string{},
			Checks: []Check{{Name: "literals", Passed: true}, {Name: "leaks", Passed: true, Detail: "none"}}},
			{Level: LevelHeavy, Text: "", Status: StatusRejected, Reasons: []string{"literals: Utah lost"}, Checks: []Check{}}},
		Claims: []Claim{
			{ID: "c1", Text: "The camps are Bullfrog and Lees", Kind: ClaimSet, Step: 2, Pointer: "/camps/*", Expected: `["Bullfrog","Lees"]`, ToleranceKind: ToleranceExact, Essential: true},
			{ID: "c2", Text: "There are 54 sites", Kind: ClaimValue, Step: 2, Pointer: "/sites", Expected: "54", Tolerance: 0.01, ToleranceKind: ToleranceRelative},
		},
		Reference: []Executed{
			{1, "parks", "find", calls[0].Arguments, parksOutput, calls[0].Key},
			{2, "parks", "camps", calls[1].Arguments, campsOutput, calls[1].Key},
		},
		ReferenceAnswer: "Bullfrog and Lees", Checks: []Check{{Name: "oracle", Passed: true}},
		Scores: []Judgement{{Axis: "solvability", Value: 9.5, Judge: "m", Pass: 1}}, Status: StatusAccepted, Reasons: []string{}, Proof: ProofExecuted,
		Reviews: []Review{}, Split: SplitCandidates, Provenance: Provenance{Author: "grounded", Prompts: []string{}, Seed: int64(i), Version: Release},
	}
	if i%3 == 2 {
		t.Status, t.Reasons = StatusRejected, []string{"null: answered without a tool"}
		t.Reviews = []Review{{Reviewer: "ann", Decision: "reject", Edits: "{}", Time: 1764547200123456}}
	}
	return t
}

func sampleRun(tasks int) ([]Trajectory, []Score) {
	var trajectories []Trajectory
	var scores []Score
	for i := range tasks {
		id := Digest("task", fmt.Sprint(i))
		trajectories = append(trajectories, Trajectory{Run: "r1", Task: id, Agent: "oracle", Variant: LevelLight, Attempt: 1, Rounds: 1,
			Calls:    []Action{{Round: 1, Server: "parks", Tool: "find", Arguments: `{"state":"UT"}`, Result: sampleCalls()[0].Result, NameValid: true, ArgumentsValid: true, Started: 1764547200000001, Duration: 5}},
			Messages: []Message{{Role: "user", Content: "hi", Calls: "null"}}, Answer: "Lees", StopReason: StopAnswered, Cost: 0.25, Started: 1764547200000000, Duration: 1500})
		value := 0.5
		scores = append(scores,
			Score{Run: "r1", Task: id, Agent: "oracle", Variant: LevelLight, Attempt: 1, Scorer: "rule", Name: "coverage", Value: &value, Numerator: 1, Denominator: 2},
			Score{Run: "r1", Task: id, Agent: "oracle", Variant: LevelLight, Attempt: 1, Scorer: "claim", Name: "c1", Outcome: Unscored, Detail: "why"})
	}
	return trajectories, scores
}

func valueOf[T any](row *T) reflect.Value { return reflect.ValueOf(row).Elem() }

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }

type rawJSON = json.RawMessage

// fast is the real file system without waiting for the disk, for tests that
// write many datasets.
type fast struct{ disk }

type fastFile struct{ outFile }

func (fastFile) Sync() error { return nil }

func (f fast) create(path string) (outFile, error) {
	out, err := f.disk.create(path)
	return fastFile{out}, err
}

func (fast) syncDir(string) error { return nil }

// patchFile overwrites bytes of a file; the position wraps around.
func patchFile(t *testing.T, path string, patch []byte, at int) {
	t.Helper()
	whole, err := os.ReadFile(path)
	must(t, err)
	for i, b := range patch {
		whole[(uint(at)+uint(i))%uint(len(whole))] = b
	}
	must(t, os.WriteFile(path, whole, 0o644))
}
