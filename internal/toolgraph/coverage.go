package toolgraph

import (
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// Coverage counts which edges and tools of a graph the chains so far used. It
// is for one goroutine at a time.
type Coverage struct {
	g     *Graph
	edges []int // uses of each edge
	tools []int // uses of each tool
}

// NewCoverage is the coverage of no chain at all.
func NewCoverage(g *Graph) *Coverage {
	return &Coverage{g: g, edges: make([]int, len(g.edges)), tools: make([]int, len(g.tools))}
}

// Add counts the tools and edges that a chain uses: an edge is used by an
// argument whose source is an earlier step's output at the edge's path.
// Indexes in the path count as "*".
func (c *Coverage) Add(chain []datasets.Step) {
	for i := range chain {
		to, ok := c.g.index[chain[i].ID()]
		if !ok {
			continue
		}
		c.tools[to]++
		for _, a := range chain[i].Arguments {
			if a.Source != datasets.SourceStep || a.Step < 1 || int(a.Step) > len(chain) {
				continue
			}
			from, ok := c.g.index[chain[a.Step-1].ID()]
			if !ok {
				continue
			}
			if e, ok := c.g.Find(from, to, a.From, a.Path); ok {
				c.edges[e]++
			}
		}
	}
}

// Find is the edge from one tool's output path to another's parameter.
func (g *Graph) Find(from, to int, path, param string) (int, bool) {
	for _, l := range g.out[from] {
		e := &g.edges[l.Edge]
		if l.Tool == to && e.ToParam == param && starred(e.FromPath) == starred(path) {
			return l.Edge, true
		}
	}
	return 0, false
}

// starred writes "*" for every index of a path.
func starred(path string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if s != "" && strings.Trim(s, "0123456789") == "" {
			segments[i] = "*"
		}
	}
	return strings.Join(segments, "/")
}

// EdgeUses and ToolUses say how often the chains used an edge or a tool.
func (c *Coverage) EdgeUses(edge int) int { return c.edges[edge] }

// ToolUses says how often the chains used a tool.
func (c *Coverage) ToolUses(tool int) int { return c.tools[tool] }

// Edges is the number of edges used at least once, and of all edges.
func (c *Coverage) Edges() (n, all int) { return used(c.edges), len(c.edges) }

// Tools is the number of tools used at least once, and of all tools.
func (c *Coverage) Tools() (n, all int) { return used(c.tools), len(c.tools) }

func used(uses []int) int {
	n := 0
	for _, u := range uses {
		if u > 0 {
			n++
		}
	}
	return n
}
