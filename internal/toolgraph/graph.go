// Package toolgraph indexes the edges of a catalog: which tool's output can
// feed which tool's input.
//
// [Graph] holds integer adjacency for code that walks it often (sampling of
// chains, coverage). [Graph.Public] is the same as a graph of the library
// dominikbraun/graph, for what is asked once: strongly connected groups,
// orders, paths. Tool graphs are cyclic as a rule (search feeds get, get feeds
// search), so nothing here prevents cycles or lists all paths.
//
// A Graph does not change after [New] and may be read concurrently.
package toolgraph

import (
	"sort"

	"github.com/dominikbraun/graph"

	"github.com/taskwright/taskwright/datasets"
)

// Link is one end of an edge as seen from a tool.
type Link struct {
	Tool int // index of the tool at the other end
	Edge int // index of the edge
}

// Graph is a catalog's tools and edges with integer indexes.
type Graph struct {
	tools    []datasets.Tool
	edges    []datasets.Edge
	index    map[string]int
	out, in  [][]Link
	unplaced int
}

// New indexes tools and edges. Indexes of tools follow the given order, those
// of edges the given order of the edges whose both tools are known; the others
// are left out and counted by [Graph.Unplaced]. Of two tools with one ID the
// first counts.
func New(tools []datasets.Tool, edges []datasets.Edge) *Graph {
	g := &Graph{tools: tools, index: make(map[string]int, len(tools)), out: make([][]Link, len(tools)), in: make([][]Link, len(tools))}
	for i := range tools {
		if _, taken := g.index[tools[i].ID()]; !taken {
			g.index[tools[i].ID()] = i
		}
	}
	for _, e := range edges {
		from, ok := g.index[e.FromServer+"/"+e.FromTool]
		to, ok2 := g.index[e.ToServer+"/"+e.ToTool]
		if !ok || !ok2 {
			g.unplaced++
			continue
		}
		n := len(g.edges)
		g.edges = append(g.edges, e)
		g.out[from] = append(g.out[from], Link{to, n})
		g.in[to] = append(g.in[to], Link{from, n})
	}
	return g
}

// Len is the number of tools.
func (g *Graph) Len() int { return len(g.tools) }

// Tool is the tool with index i.
func (g *Graph) Tool(i int) *datasets.Tool { return &g.tools[i] }

// Index is the index of the tool "server/tool".
func (g *Graph) Index(id string) (int, bool) {
	i, ok := g.index[id]
	return i, ok
}

// Edges are the edges in the order of their indexes. The caller must not
// change them.
func (g *Graph) Edges() []datasets.Edge { return g.edges }

// Edge is the edge with index i.
func (g *Graph) Edge(i int) *datasets.Edge { return &g.edges[i] }

// Out are the edges that leave a tool, In those that enter it, both in edge
// order. The caller must not change them.
func (g *Graph) Out(tool int) []Link { return g.out[tool] }

// In are the edges that enter a tool.
func (g *Graph) In(tool int) []Link { return g.in[tool] }

// Unplaced is the number of edges that name a tool which is not there.
func (g *Graph) Unplaced() int { return g.unplaced }

// Public is the graph as one of dominikbraun/graph: a vertex for each tool ID,
// one directed edge for each pair of tools that has any, with the best score
// in per mille as weight and the best edge as data.
func (g *Graph) Public() graph.Graph[string, *datasets.Tool] {
	p := graph.New(func(t *datasets.Tool) string { return t.ID() }, graph.Directed())
	for _, i := range g.index {
		// The IDs are distinct and the store is in memory: it cannot fail.
		_ = p.AddVertex(&g.tools[i])
	}
	for _, i := range g.best() {
		e := &g.edges[i]
		_ = p.AddEdge(e.FromServer+"/"+e.FromTool, e.ToServer+"/"+e.ToTool,
			graph.EdgeWeight(int(e.Score*1000)), graph.EdgeData(e))
	}
	return p
}

// best is, for each pair of tools with edges, the index of the one with the
// highest score (of equal ones the first), ascending.
func (g *Graph) best() []int {
	type pair struct{ from, to int }
	best := map[pair]int{}
	for from := range g.out {
		for _, l := range g.out[from] {
			p := pair{from, l.Tool}
			if i, ok := best[p]; !ok || g.edges[l.Edge].Score > g.edges[i].Score {
				best[p] = l.Edge
			}
		}
	}
	out := make([]int, 0, len(best))
	for _, i := range best {
		out = append(out, i)
	}
	sort.Ints(out)
	return out
}

// Components are the strongly connected groups: within one, every tool can
// reach every other. Groups and their members are sorted by tool index.
func (g *Graph) Components() [][]int {
	groups, err := graph.StronglyConnectedComponents(g.Public())
	if err != nil { // only for undirected graphs
		panic("toolgraph: " + err.Error())
	}
	out := make([][]int, len(groups))
	for i, ids := range groups {
		for _, id := range ids {
			out[i] = append(out[i], g.index[id])
		}
		sort.Ints(out[i])
	}
	sort.Slice(out, func(i, j int) bool { return out[i][0] < out[j][0] })
	return out
}
