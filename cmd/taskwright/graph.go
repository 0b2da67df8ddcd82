package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/toolgraph"
)

func newGraphCommand(e *env) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "graph DIR",
		Short: "Print the tool graph",
		Long: `Graph prints the tools of the dataset and the edges between them, for Graphviz
(dot), Mermaid (mermaid) or other programs (json).

Exit status: 0 done; 1 failed; 2 wrong usage.`,
		Example: "  taskwright graph demo --format dot | dot -Tsvg > graph.svg",
		Args:    exactly("a directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			write, err := graphWriter(format)
			if err != nil {
				return misuse(cmd, "%w", err)
			}
			return runGraph(e, args[0], write)
		},
	}
	cmd.Flags().StringVar(&format, "format", "dot", "dot, mermaid or json")
	return cmd
}

func graphWriter(format string) (func(*toolgraph.Graph, io.Writer) error, error) {
	switch format {
	case "dot":
		return (*toolgraph.Graph).WriteDOT, nil
	case "mermaid":
		return (*toolgraph.Graph).WriteMermaid, nil
	case "json":
		return (*toolgraph.Graph).WriteJSON, nil
	}
	return nil, fmt.Errorf("--format %s: want dot, mermaid or json", format)
}

func runGraph(e *env, dir string, write func(*toolgraph.Graph, io.Writer) error) error {
	d, err := datasets.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	tools, err := datasets.Collect(d.Tools())
	if err != nil {
		return err
	}
	edges, err := datasets.Collect(d.Edges())
	if err != nil {
		return err
	}
	g := toolgraph.New(tools, edges)
	if e.json {
		write = (*toolgraph.Graph).WriteJSON
		e.json = false // the graph is the one object
	}
	return e.answer(nil, func(out io.Writer) error { return write(g, out) })
}
