package evaluate_test

import (
	"context"
	"fmt"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/evaluate"
)

// weather is a session that knows one tool.
type weather struct{}

func (weather) Call(_ context.Context, server, tool, arguments string) (datasets.Call, bool, error) {
	return datasets.Call{Server: server, Tool: tool, Arguments: arguments, Result: datasets.ToolResult{Text: `{"high":21.4}`}}, false, nil
}

func (weather) Close() error { return nil }

// The oracle and the null agent prove a task: the one must pass, the other
// must fail.
func ExampleTry() {
	task := &datasets.Task{
		ExposedTools: []string{"climate/month"},
		Variants:     []datasets.Variant{{Level: datasets.LevelMedium, Text: "How warm does it get?", Status: datasets.StatusAccepted}},
		Chain:        []datasets.Step{{Server: "climate", Tool: "month"}},
		Claims:       []datasets.Claim{{ID: "c1", Text: "The mean high is 21.4 °C", Kind: datasets.ClaimValue, Step: 1, Pointer: "/high", Expected: "21.4", Unit: "C"}},
	}
	opts := &evaluate.Options{
		Open: func(context.Context) (evaluate.Session, error) { return weather{}, nil },
	}
	for _, agent := range []evaluate.Agent{evaluate.Oracle(task, opts), evaluate.Null()} {
		t, scores := evaluate.Try(context.Background(), &evaluate.Job{Task: task, Agent: agent}, opts)
		passed, scored := evaluate.Passed(scores)
		fmt.Println(agent.Name(), len(t.Calls), scored, passed)
	}
	// Output:
	// oracle 1 true true
	// null 0 true false
}
