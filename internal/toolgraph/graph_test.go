package toolgraph

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/taskwright/taskwright/datasets"
)

func tool(id string) datasets.Tool {
	server, name, _ := strings.Cut(id, "/")
	return datasets.Tool{Server: server, Name: name}
}

func edge(from, path, to, param string, score float64) datasets.Edge {
	f, t := tool(from), tool(to)
	return datasets.Edge{FromServer: f.Server, FromTool: f.Name, FromPath: path, ToServer: t.Server, ToTool: t.Name, ToParam: param, Kind: datasets.EdgeSchema, Score: score}
}

// sample has a cycle between a/find and a/get, a second server, and an edge
// that leads nowhere.
func sample() *Graph {
	return New(
		[]datasets.Tool{tool("a/find"), tool("a/get"), tool(`b/say "hi"`)},
		[]datasets.Edge{
			edge("a/find", "/items/*/id", "a/get", "/id", 0.9),
			edge("a/find", "/items/*/name", "a/get", "/id", 0.2),
			edge("a/get", "/name", "a/find", "/query", 0.4),
			edge("a/get", "/name", `b/say "hi"`, "/text", 0.3),
			edge("a/get", "/name", "c/gone", "/text", 0.3),
		})
}

func TestIndexes(t *testing.T) {
	g := sample()
	if g.Len() != 3 || len(g.Edges()) != 4 || g.Unplaced() != 1 {
		t.Errorf("%d tools, %d edges, %d unplaced", g.Len(), len(g.Edges()), g.Unplaced())
	}
	get, ok := g.Index("a/get")
	if !ok || g.Tool(get).Name != "get" {
		t.Fatalf("Index = %d, %v", get, ok)
	}
	if d := cmp.Diff([]Link{{0, 0}, {0, 1}}, g.In(get)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]Link{{0, 2}, {2, 3}}, g.Out(get)); d != "" {
		t.Error(d)
	}
}

func TestComponents(t *testing.T) {
	if d := cmp.Diff([][]int{{0, 1}, {2}}, sample().Components()); d != "" {
		t.Error(d)
	}
}

func TestCoverage(t *testing.T) {
	g := sample()
	c := NewCoverage(g)
	c.Add([]datasets.Step{
		{Server: "a", Tool: "find"},
		{Server: "a", Tool: "get", Arguments: []datasets.Argument{{Path: "/id", Source: datasets.SourceStep, Step: 1, From: "/items/0/id"}}},
		{Server: "c", Tool: "gone", Arguments: []datasets.Argument{{Path: "/x", Source: datasets.SourceStep, Step: 9}}},
	})
	used, all := c.Edges()
	tools, _ := c.Tools()
	if used != 1 || all != 4 || tools != 2 || c.EdgeUses(0) != 1 || c.ToolUses(1) != 1 {
		t.Errorf("edges %d/%d, tools %d", used, all, tools)
	}
}

func TestWriters(t *testing.T) {
	g := sample()
	for name, write := range map[string]func(*bytes.Buffer) error{
		"dot":     func(b *bytes.Buffer) error { return g.WriteDOT(b) },
		"mermaid": func(b *bytes.Buffer) error { return g.WriteMermaid(b) },
		"json":    func(b *bytes.Buffer) error { return g.WriteJSON(b) },
	} {
		var first, second bytes.Buffer
		if err := write(&first); err != nil {
			t.Fatal(err)
		}
		if err := write(&second); err != nil {
			t.Fatal(err)
		}
		if first.String() != second.String() || !strings.Contains(first.String(), "find") {
			t.Errorf("%s: not the same twice, or empty:\n%s", name, first.String())
		}
		if name == "dot" && !strings.Contains(first.String(), `label="say \"hi\""`) {
			t.Errorf("dot: name not escaped:\n%s", first.String())
		}
		if name == "mermaid" && !strings.Contains(first.String(), `["say #quot;hi#quot;"]`) {
			t.Errorf("mermaid: name not escaped:\n%s", first.String())
		}
		if name == "json" && !json.Valid(first.Bytes()) {
			t.Errorf("json: not valid")
		}
	}
}

func BenchmarkNew(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var tools []datasets.Tool
	for i := range 6000 {
		tools = append(tools, tool(fmt.Sprintf("s%d/t%d", i/10, i)))
	}
	var edges []datasets.Edge
	for range 60_000 {
		from, to := tools[r.IntN(len(tools))], tools[r.IntN(len(tools))]
		edges = append(edges, edge(from.ID(), "/id", to.ID(), "/id", r.Float64()))
	}
	for b.Loop() {
		New(tools, edges)
	}
}
