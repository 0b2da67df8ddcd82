package world

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/taskwright/taskwright/datasets"
)

func TestMain(m *testing.M) {
	if runServer() {
		return
	}
	goleak.VerifyTestMain(m)
}

// connect starts a fresh instance of a server and a client for it.
func connect(t *testing.T, name string) *mcp.ClientSession {
	t.Helper()
	s, err := New(name)
	if err != nil {
		t.Fatal(err)
	}
	near, far := mcp.NewInMemoryTransports()
	ctx := context.Background()
	ss, err := s.Connect(ctx, near, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	cs, err := c.Connect(ctx, far, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cs.Close()
		ss.Wait()
	})
	return cs
}

// world holds one connection to each server that a test talks to.
type world struct {
	t        *testing.T
	sessions map[string]*mcp.ClientSession
}

func newWorld(t *testing.T) *world { return &world{t, map[string]*mcp.ClientSession{}} }

func (w *world) session(server string) *mcp.ClientSession {
	if w.sessions[server] == nil {
		w.sessions[server] = connect(w.t, server)
	}
	return w.sessions[server]
}

// tools lists all pages of a server's tools.
func (w *world) tools(server string) []*mcp.Tool {
	w.t.Helper()
	var out []*mcp.Tool
	for tool, err := range w.session(server).Tools(context.Background(), nil) {
		if err != nil {
			w.t.Fatal(err)
		}
		out = append(out, tool)
	}
	return out
}

// call calls "server/tool" and gives the answer in the form of the dataset.
func (w *world) call(id string, args map[string]any) datasets.ToolResult {
	w.t.Helper()
	server, tool, _ := strings.Cut(id, "/")
	r, err := w.session(server).CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return datasets.ToolResult{Text: err.Error(), IsError: true, ErrorKind: datasets.ErrorProtocol}
	}
	out := datasets.ToolResult{Structured: "null", IsError: r.IsError}
	var texts []string
	for _, c := range r.Content {
		texts = append(texts, c.(*mcp.TextContent).Text)
	}
	out.Text = strings.Join(texts, "\n")
	if r.StructuredContent != nil {
		raw, err := json.Marshal(r.StructuredContent)
		if err != nil {
			w.t.Fatal(err)
		}
		out.Structured = string(raw)
	}
	return out
}

// document calls a tool and gives the document of its answer; an error fails
// the test.
func (w *world) document(id string, args map[string]any) any {
	w.t.Helper()
	r := w.call(id, args)
	if r.IsError {
		w.t.Fatalf("%s %v: %s", id, args, r.Text)
	}
	return datasets.Document(r)
}

// value is what one path of an answer leads to, as encoded JSON.
func (w *world) value(id string, args map[string]any, path string) string {
	w.t.Helper()
	v, err := datasets.ResolveOne(w.document(id, args), path)
	if err != nil {
		w.t.Fatalf("%s: %v", id, err)
	}
	return datasets.EncodeJSON(v)
}

// ids lists all tools as "server/tool", sorted.
func (w *world) ids() []string {
	var out []string
	for _, server := range Names() {
		for _, tool := range w.tools(server) {
			out = append(out, server+"/"+tool.Name)
		}
	}
	slices.Sort(out)
	return out
}
