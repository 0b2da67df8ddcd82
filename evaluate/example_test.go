package evaluate_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/evaluate"
)

// weather is a session that knows one tool.
type weather struct{}

func (weather) Call(_ context.Context, server, tool, arguments string) (datasets.Call, bool, error) {
	return datasets.Call{Server: server, Tool: tool, Arguments: arguments, Result: datasets.ToolResult{Text: `{"high":21.4}`}}, false, nil
}

func (weather) Close() error { return nil }

// exact finds the expected value in the answer as it is written.
type exact struct{}

func (exact) Score(_ *datasets.Task, c *datasets.Claim, answer string) (outcome, detail string) {
	if strings.Contains(answer, c.Expected) {
		return datasets.Fulfilled, ""
	}
	return datasets.NotFulfilled, ""
}

func (exact) Answer(_ []datasets.Claim, values []any) string { return fmt.Sprint(values...) }

// The oracle and the null agent prove a task: the one must pass, the other
// must fail.
func ExampleTry() {
	task := &datasets.Task{
		ExposedTools: []string{"climate/month"},
		Variants:     []datasets.Variant{{Level: datasets.LevelMedium, Text: "How warm does it get?", Status: datasets.StatusAccepted}},
		Chain:        []datasets.Step{{Server: "climate", Tool: "month"}},
		Claims:       []datasets.Claim{{ID: "c1", Kind: datasets.ClaimValue, Step: 1, Pointer: "/high", Expected: "21.4"}},
	}
	opts := &evaluate.Options{
		Open:   func(context.Context) (evaluate.Session, error) { return weather{}, nil },
		Claims: exact{},
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
