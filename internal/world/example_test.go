package world_test

import (
	"context"
	"fmt"
	"log"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/taskwright/taskwright/internal/world"
)

// A server runs in process over the SDK's in-memory transport.
func ExampleNew() {
	ctx := context.Background()
	server, err := world.New("places")
	if err != nil {
		log.Fatal(err)
	}
	near, far := mcp.NewInMemoryTransports()
	running, err := server.Connect(ctx, near, nil)
	if err != nil {
		log.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "example", Version: "1"}, nil)
	session, err := client.Connect(ctx, far, nil)
	if err != nil {
		log.Fatal(err)
	}
	answer, err := session.CallTool(ctx, &mcp.CallToolParams{
		Name:      "distance",
		Arguments: map[string]any{"from": "Salt Lake City", "to_lat": 37.3, "to_lon": -113.05},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Content[0].(*mcp.TextContent).Text)
	session.Close()
	running.Wait()
	// Output: {"km":397.6,"bearing_deg":195}
}
