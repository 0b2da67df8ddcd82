package main

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/toolgraph"
)

// graphFormats write a tool graph, by the name of the format.
var graphFormats = map[string]func(*toolgraph.Graph, io.Writer) error{
	"dot":     (*toolgraph.Graph).WriteDOT,
	"mermaid": (*toolgraph.Graph).WriteMermaid,
	"json":    (*toolgraph.Graph).WriteJSON,
}

func newGraphCommand(e *env) *cobra.Command {
	format, least := "dot", 0.0
	names := slices.Sorted(maps.Keys(graphFormats))
	cmd := &cobra.Command{
		Use: "graph DIR", Short: "Print the tool graph of a dataset", Args: exactly("a directory"), ValidArgsFunction: directories,
		Long: `Graph prints what can flow from one tool's output into another's input, as DOT
for Graphviz, as a Mermaid flowchart or as JSON. --json is --format json.`,
		Example: "  taskwright graph demo | dot -Tsvg -o demo.svg",
		RunE: func(cmd *cobra.Command, args []string) error {
			if e.json {
				if cmd.Flags().Changed("format") && format != "json" {
					return misuse(cmd, "--json and --format %s exclude each other", format)
				}
				format = "json"
			}
			write, known := graphFormats[format]
			if !known {
				return misuse(cmd, "no format %q; there are %s", format, strings.Join(names, ", "))
			}
			return reading(args[0], func(d *datasets.Dir) error { return runGraph(e, d, write, least) })
		},
	}
	cmd.Flags().StringVar(&format, "format", format, "`format`: "+strings.Join(names, ", "))
	cmd.Flags().Float64Var(&least, "min-score", 0, "leave out edges with a lower score, 0 to 1")
	cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)) // the flag exists
	return cmd
}

func runGraph(e *env, d *datasets.Dir, write func(*toolgraph.Graph, io.Writer) error, least float64) error {
	g, err := readGraph(d, least)
	if err != nil {
		return err
	}
	if n := g.Unplaced(); n > 0 {
		e.notef("%d edges name tools that the catalog does not have; they are left out", n)
	}
	var b bytes.Buffer
	if err := write(g, &b); err != nil {
		return wrap("writing the graph", err)
	}
	return e.answer(json.RawMessage(b.Bytes()), func(w io.Writer) error {
		_, err := w.Write(b.Bytes())
		return err
	})
}

// readGraph is the tool graph of a dataset with the edges that score at least
// so much.
func readGraph(d *datasets.Dir, least float64) (*toolgraph.Graph, error) {
	tools, err := datasets.Collect(d.Tools())
	if err != nil {
		return nil, err
	}
	edges, err := datasets.Collect(d.Edges())
	if err != nil {
		return nil, err
	}
	edges = slices.DeleteFunc(edges, func(e datasets.Edge) bool { return e.Score < least })
	return toolgraph.New(tools, edges), nil
}
