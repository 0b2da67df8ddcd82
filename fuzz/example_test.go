package fuzz_test

import (
	"fmt"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/fuzz"
)

// A task with one ask becomes three texts that keep what the call needs and
// give away neither the tool nor the answer.
func ExampleVary() {
	task := &datasets.Task{
		ID: "lakes-1", Pattern: datasets.PatternSingle,
		RequiredTools: []string{"lakes/find_lakes"},
		Instruction:   "I am writing a quiz about lakes. Please find out which lake in Finland is the deepest.",
		Chain: []datasets.Step{{Server: "lakes", Tool: "find_lakes", Arguments: []datasets.Argument{
			{Path: "/country", Source: datasets.SourceConstant, Value: `"FI"`, Said: "Finland"},
		}}},
		Outline: []datasets.Part{
			{Role: datasets.RoleReason, Text: "I am writing a quiz about lakes", Brief: "writing a quiz about lakes"},
			{Role: datasets.RoleAsk, Step: 1, Text: "which lake in Finland is the deepest", Question: "which lake in Finland is the deepest", Brief: "deepest lake in Finland", Claims: []string{"c1"}},
		},
		Claims:    []datasets.Claim{{ID: "c1", Text: "The deepest lake in Finland is Inari", Kind: datasets.ClaimEntity, Step: 1, Pointer: "/lakes/0/name", Expected: `"Inari"`, Essential: true}},
		Reference: []datasets.Executed{{Step: 1, Server: "lakes", Tool: "find_lakes", Arguments: `{"country":"FI"}`, Output: `{"lakes":[{"name":"Inari","depth_m":92.5}]}`}},
	}
	if err := fuzz.Vary(task, nil); err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range task.Variants {
		fmt.Println(v.Level, v.Status)
	}
	counts := fuzz.Check(task)
	fmt.Println(counts.Kept, "kept,", counts.Lost, "lost,", counts.Leaks, "leaks")
	// Output:
	// light accepted
	// medium accepted
	// heavy accepted
	// 3 kept, 0 lost, 0 leaks
}
