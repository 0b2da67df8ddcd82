package toolgraph

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// WriteDOT writes the graph in the language of Graphviz: a cluster for each
// server, one arrow for each pair of tools, labelled with its best edge. Equal
// graphs give equal bytes (the library's own writer follows map order).
func (g *Graph) WriteDOT(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "digraph tools {\n\trankdir=LR;\n\tnode [shape=box];")
	for n, server := range g.servers() {
		fmt.Fprintf(b, "\tsubgraph cluster_%d {\n\t\tlabel=%s;\n", n, quoted(server))
		for i := range g.tools {
			if g.tools[i].Server == server {
				fmt.Fprintf(b, "\t\tt%d [label=%s];\n", i, quoted(g.tools[i].Name))
			}
		}
		fmt.Fprintln(b, "\t}")
	}
	for _, i := range g.best() {
		from, to := g.ends(i)
		fmt.Fprintf(b, "\tt%d -> t%d [label=%s, penwidth=%.2f];\n", from, to, quoted(g.label(i)), 0.5+2*g.edges[i].Score)
	}
	fmt.Fprintln(b, "}")
	return b.Flush()
}

// WriteMermaid writes the graph as a Mermaid flowchart, in the form of
// [Graph.WriteDOT].
func (g *Graph) WriteMermaid(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "flowchart LR")
	for n, server := range g.servers() {
		fmt.Fprintf(b, "  subgraph s%d[\"%s\"]\n", n, entities(server))
		for i := range g.tools {
			if g.tools[i].Server == server {
				fmt.Fprintf(b, "    t%d[\"%s\"]\n", i, entities(g.tools[i].Name))
			}
		}
		fmt.Fprintln(b, "  end")
	}
	for _, i := range g.best() {
		from, to := g.ends(i)
		fmt.Fprintf(b, "  t%d -->|\"%s\"| t%d\n", from, entities(g.label(i)), to)
	}
	return b.Flush()
}

// WriteJSON writes {"tools":[…],"edges":[…]}: for each tool id, server and
// name, for each edge its row with the ends as tool ids.
func (g *Graph) WriteJSON(w io.Writer) error {
	type tool struct {
		ID     string `json:"id"`
		Server string `json:"server"`
		Name   string `json:"name"`
	}
	type edge struct {
		From     string  `json:"from"`
		FromPath string  `json:"from_path"`
		To       string  `json:"to"`
		ToParam  string  `json:"to_param"`
		Kind     string  `json:"kind"`
		Score    float64 `json:"score"`
		Evidence string  `json:"evidence"`
	}
	doc := struct {
		Tools []tool `json:"tools"`
		Edges []edge `json:"edges"`
	}{Tools: []tool{}, Edges: []edge{}}
	for i := range g.tools {
		t := &g.tools[i]
		doc.Tools = append(doc.Tools, tool{t.ID(), t.Server, t.Name})
	}
	for _, e := range g.edges {
		doc.Edges = append(doc.Edges, edge{e.FromServer + "/" + e.FromTool, e.FromPath, e.ToServer + "/" + e.ToTool, e.ToParam, e.Kind, e.Score, e.Evidence})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(doc)
}

// servers are the servers of the tools in order of appearance.
func (g *Graph) servers() []string {
	var out []string
	seen := map[string]bool{}
	for i := range g.tools {
		if s := g.tools[i].Server; !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

func (g *Graph) ends(edge int) (from, to int) {
	e := &g.edges[edge]
	return g.index[e.FromServer+"/"+e.FromTool], g.index[e.ToServer+"/"+e.ToTool]
}

func (g *Graph) label(edge int) string {
	return g.edges[edge].FromPath + " → " + g.edges[edge].ToParam
}

// quoted is a DOT string; names come from servers and may hold anything.
func quoted(s string) string {
	s = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "\r", " ", "\x00", "").Replace(s)
	return `"` + s + `"`
}

// entities escapes what would end a Mermaid string.
func entities(s string) string {
	return strings.NewReplacer("#", "#35;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "\n", " ", "\r", " ").Replace(s)
}
