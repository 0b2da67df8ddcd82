package main

import (
	"context"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/mcpclient"
)

// TestSecondaryShowsWhatAServerDrewAtItsStart holds that a repetition goes to
// another instance than the recorded call, and that it is the same one for all
// repetitions.
func TestSecondaryShowsWhatAServerDrewAtItsStart(t *testing.T) {
	starts := 0
	fleet := mcpclient.Open(context.Background(), []mcpclient.Config{mcpclient.InMemory("dice", func() *mcp.Server {
		starts++
		drawn := starts
		s := mcp.NewServer(&mcp.Implementation{Name: "dice", Version: "1"}, nil)
		s.AddTool(&mcp.Tool{Name: "drawn", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(`{"drawn":"number %d"}`, drawn)}}}, nil
		})
		return s
	})}, nil)
	defer fleet.Close()
	w := &workspace{fleet: fleet, catalog: newCatalog([]datasets.Server{{Name: "dice", State: datasets.StateNone}}, nil, nil)}
	call := func(session interface {
		Call(context.Context, string, string, string) (datasets.Call, bool, error)
	}) string {
		t.Helper()
		c, _, err := session.Call(context.Background(), "dice", "drawn", "{}")
		if err != nil {
			t.Fatal(err)
		}
		return c.Result.Text
	}
	recorded := call(w.newTape().Open())
	second := newSecondary(fleet)
	defer second.Close()
	first, again := call(w.repeating(second).Open()), call(w.repeating(second).Open())
	if first == recorded {
		t.Errorf("a repetition got %s from the instance of the recorded call", first)
	}
	if first != again {
		t.Errorf("two repetitions got %s and %s: an instance each", first, again)
	}
}
