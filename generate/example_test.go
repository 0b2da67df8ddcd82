package generate_test

import (
	"context"
	"fmt"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/generate"
)

// lakes is a session over two tools: the lakes of a country, and one lake.
type lakes struct{}

func (lakes) Close() error { return nil }

func (lakes) Call(_ context.Context, server, tool, arguments string) (datasets.Call, bool, error) {
	call := datasets.Call{Key: datasets.CallKey(server, tool, arguments, ""), Server: server, Tool: tool, Arguments: arguments}
	call.Result = datasets.ToolResult{Structured: "null", ContentTypes: []string{"text"}, Text: `{"shoreline_km":3308.5}`}
	if tool == "search" {
		call.Result.Text = `{"lakes":[{"id":"l-101","name":"Inari","depth_m":92.5},{"id":"l-119","name":"Saimaa","depth_m":85.8}]}`
	}
	return call, false, nil
}

// A candidate is grown along an edge of the tool graph, from a call that
// discovery has seen work. Every call of its chain is made.
func ExampleGenerate() {
	servers := []datasets.Server{{Name: "lakes", Status: datasets.ServerOK}}
	tools := []datasets.Tool{
		{Server: "lakes", Name: "search", Description: "Finds the lakes of a country.", Health: datasets.Health{Status: datasets.HealthOK},
			InputSchema: `{"type":"object","properties":{"country":{"type":"string"}},"required":["country"]}`, Samples: []datasets.Sample{{Arguments: `{"country":"Finland"}`}}},
		{Server: "lakes", Name: "details", Description: "Get details of a lake.", Health: datasets.Health{Status: datasets.HealthOK},
			InputSchema: `{"type":"object","properties":{"lake_id":{"type":"string"}},"required":["lake_id"]}`, Samples: []datasets.Sample{{Arguments: `{"lake_id":"l-101"}`}}},
	}
	edges := []datasets.Edge{{FromServer: "lakes", FromTool: "search", FromPath: "/lakes/*/id", ToServer: "lakes", ToTool: "details", ToParam: "/lake_id", Kind: datasets.EdgeObserved, Score: 0.9}}
	made, err := generate.Generate(context.Background(), servers, tools, edges, &generate.Options{
		N: 1, Patterns: []string{datasets.PatternLinear}, Seed: 1,
		Open: func(context.Context) (generate.Session, error) { return lakes{}, nil },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, task := range made.Tasks {
		fmt.Println(task.Status, task.Pattern, task.RequiredTools, len(task.Reference), "calls made")
	}
	// Output:
	// candidate linear [lakes/search lakes/details] 2 calls made
}
