package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/taskwright/taskwright/datasets"
)

// headColumns are the columns that a row is shown by, for each table.
var headColumns = map[string][]string{
	datasets.TableServers:      {"name", "status", "transport", "tools", "title"},
	datasets.TableTools:        {"server", "name", "effect", "output_schema_source", "title"},
	datasets.TableEdges:        {"from_server", "from_tool", "from_path", "to_server", "to_tool", "to_param", "kind", "score"},
	datasets.TableTasks:        {"id", "status", "split", "pattern", "depth", "instruction"},
	datasets.TableTape:         {"key", "server", "tool", "arguments", "volatile"},
	datasets.TableTrajectories: {"run", "task", "agent", "variant", "stop_reason", "answer"},
	datasets.TableScores:       {"run", "task", "agent", "variant", "scorer", "value"},
}

func newHeadCommand(e *env) *cobra.Command {
	name, n := datasets.TableTasks, 10
	cmd := &cobra.Command{
		Use: "head DIR", Short: "Show the first rows of a table", Args: exactly("a directory"), ValidArgsFunction: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			columns, known := headColumns[name]
			if !known {
				return misuse(cmd, "no table %q; there are %s", name, strings.Join(tableNames(), ", "))
			}
			return reading(args[0], func(d *datasets.Dir) error { return runHead(e, d, name, n, columns) })
		},
	}
	cmd.Flags().StringVarP(&name, "table", "t", name, "`table`: "+strings.Join(tableNames(), ", "))
	cmd.Flags().IntVarP(&n, "rows", "n", n, "rows to show")
	cmd.RegisterFlagCompletionFunc("table", cobra.FixedCompletions(tableNames(), cobra.ShellCompDirectiveNoFileComp)) // the flag exists
	return cmd
}

func tableNames() []string { return slices.Sorted(maps.Keys(headColumns)) }

func runHead(e *env, d *datasets.Dir, name string, n int, columns []string) error {
	rows, err := d.Head(name, n)
	if err != nil {
		return err
	}
	return e.answer(map[string]any{"table": name, "rows": rows}, func(w io.Writer) error {
		var cells [][]string
		for _, raw := range rows {
			row := map[string]json.RawMessage{}
			if err := json.Unmarshal(raw, &row); err != nil {
				return err
			}
			cells = append(cells, pickCells(row, columns))
		}
		return table(w, columns, cells)
	})
}

// pickCells are the named fields of a row, cut to what fits in a table: of a
// digest its beginning, by which show finds it, too.
func pickCells(row map[string]json.RawMessage, columns []string) []string {
	const widest, digest, begin = 60, 64, 12
	cells := make([]string, len(columns))
	for i, c := range columns {
		text := string(row[c])
		var s string
		if json.Unmarshal(row[c], &s) == nil {
			text = s
		}
		if len(text) == digest && !strings.Contains(text, " ") {
			text = text[:begin]
		}
		cells[i] = shorten(text, widest)
	}
	return cells
}

func newShowCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "show DIR ID", Short: "Show one task, or one tool (server/tool)", Args: exactly("a directory", "an id"), ValidArgsFunction: directories,
		Long: `Show prints a task by its id, of which the first 6 characters or more will do,
or a tool by "server/tool".`,
		RunE: func(_ *cobra.Command, args []string) error {
			return reading(args[0], func(d *datasets.Dir) error {
				raw, err := d.Show(args[1])
				if err != nil {
					return err
				}
				return e.answer(raw, func(w io.Writer) error { return printRow(w, raw) })
			})
		},
	}
}

func printRow(w io.Writer, raw json.RawMessage) error {
	var task datasets.Task
	if err := json.Unmarshal(raw, &task); err == nil && task.ID != "" {
		return printTask(w, &task)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, printable(b.String()))
	return err
}

// printTask tells a task to a person: what is asked, how it is solved, what a
// right answer holds, and what is known against it.
func printTask(w io.Writer, t *datasets.Task) error {
	var b strings.Builder
	fmt.Fprintf(&b, "task %s: %s, %s, depth %d, proof %s\n", t.ID, t.Status, t.Pattern, t.Depth, t.Proof)
	for _, r := range t.Reasons {
		fmt.Fprintf(&b, "  because %s\n", r)
	}
	fmt.Fprintf(&b, "\nInstruction\n  %s\n", t.Instruction)
	for _, v := range t.Variants {
		fmt.Fprintf(&b, "\nVariant %s (%s)\n  %s\n", v.Level, v.Status, v.Text)
	}
	fmt.Fprintf(&b, "\nChain\n")
	for i := range t.Chain {
		fmt.Fprintf(&b, "  %d %s%s\n", i+1, t.Chain[i].ID(), sources(t.Chain[i].Arguments))
	}
	fmt.Fprintf(&b, "\nClaims\n")
	for _, c := range t.Claims {
		fmt.Fprintf(&b, "  %s %s (step %d %s)\n", c.ID, c.Text, c.Step, c.Pointer)
	}
	fmt.Fprintf(&b, "\nChecks\n")
	for _, c := range t.Checks {
		passed := "passed"
		if !c.Passed {
			passed = "failed"
		}
		fmt.Fprintf(&b, "  %s %s %s\n", passed, c.Name, c.Detail)
	}
	_, err := io.WriteString(w, printable(b.String()))
	return err
}

// sources says where the arguments of a step come from.
func sources(arguments []datasets.Argument) string {
	var b strings.Builder
	for _, a := range arguments {
		fmt.Fprintf(&b, " %s=%s", strings.TrimPrefix(a.Path, "/"), a.Value)
		if a.Source == datasets.SourceStep {
			fmt.Fprintf(&b, " (from step %d %s)", a.Step, a.From)
		}
	}
	return b.String()
}
