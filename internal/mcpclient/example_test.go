package mcpclient_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/taskwright/taskwright/internal/mcpclient"
)

func ExampleOpen() {
	greeter := func() *mcp.Server {
		s := mcp.NewServer(&mcp.Implementation{Name: "greeter", Version: "1.0"}, nil)
		mcp.AddTool(s, &mcp.Tool{Name: "greet"}, func(_ context.Context, _ *mcp.CallToolRequest, in struct {
			Name string `json:"name"`
		}) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Hello, " + in.Name}}}, nil, nil
		})
		return s
	}
	ctx := context.Background()
	fleet := mcpclient.Open(ctx, []mcpclient.Config{mcpclient.InMemory("greeter", greeter)}, nil)
	defer fleet.Close()

	servers, tools := fleet.Catalog(ctx)
	fmt.Println(servers[0].Status, tools[0].ID())

	conn, err := fleet.Shared(ctx, "greeter")
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := conn.Call(ctx, "greet", json.RawMessage(`{"name":"Ada"}`))
	fmt.Println(result.Text, err)
	// Output:
	// ok greeter/greet
	// Hello, Ada <nil>
}
