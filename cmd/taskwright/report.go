package main

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/report"
)

// reportOptions are the flags of report.
type reportOptions struct {
	runs  []string
	out   string
	pages int
}

func newReportCommand(e *env) *cobra.Command {
	var o reportOptions
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "Show the dataset and its runs as a page or as tables",
		Long: `Report shows what became of the candidates, the catalog, the split, and the
agents' results. -o says where to and in which form: .html, .md, .json or .csv;
"-" or nothing prints Markdown. With --json it prints the report as JSON.

Exit status: 0 done; 1 failed; 2 wrong usage.`,
		Example: "  taskwright report demo -o report.html\n  taskwright report demo --run oracle-medium",
		Args:    exactly("a directory"), ValidArgsFunction: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := writerFor(o.out); err != nil {
				return misuse(cmd, "%w", err)
			}
			return runReport(e, args[0], o)
		},
	}
	cmd.Flags().StringSliceVar(&o.runs, "run", nil, "runs to show (default all)")
	cmd.Flags().StringVarP(&o.out, "output", "o", "", "`FILE` to write: .html, .md, .json or .csv")
	cmd.MarkFlagFilename("output", "html", "md", "json", "csv")
	offers(cmd, "run", partsOf(datasets.TableRun))
	cmd.Flags().IntVar(&o.pages, "pages", 0, "tasks shown in full on the HTML page (default 60)")
	return cmd
}

// writerFor is the form that a file's name asks for.
func writerFor(name string) (func(*report.Report, io.Writer) error, error) {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".html", ".htm":
		return (*report.Report).HTML, nil
	case ".md":
		return (*report.Report).Markdown, nil
	case ".json":
		return (*report.Report).JSON, nil
	case ".csv":
		return (*report.Report).CSV, nil
	}
	if name == "" || name == "-" {
		return (*report.Report).Markdown, nil
	}
	return nil, fmt.Errorf("-o %s: want a name that ends in .html, .md, .json or .csv", name)
}

func runReport(e *env, dir string, o reportOptions) error {
	d, err := datasets.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	r, err := buildReport(d, o)
	if err != nil {
		return err
	}
	if o.out != "" && o.out != "-" {
		if err := writeReport(r, o.out); err != nil {
			return err
		}
		return e.answer(map[string]string{"file": o.out}, func(out io.Writer) error {
			_, err := fmt.Fprintln(out, o.out)
			return err
		})
	}
	return e.answer(r, r.Markdown)
}

// buildReport reads the dataset into a report.
func buildReport(d *datasets.Dir, o reportOptions) (*report.Report, error) {
	in := report.Input{Title: filepath.Base(absPath(d.Path())), Version: version, Canary: d.Manifest().Canary, Options: report.Options{Pages: o.pages}}
	var err error
	read := func(step func() error) {
		if err == nil {
			err = step()
		}
	}
	read(func() (e error) { in.Servers, e = datasets.Collect(d.Servers()); return })
	read(func() (e error) { in.Tools, e = datasets.Collect(d.Tools()); return })
	read(func() (e error) { in.Edges, e = datasets.Collect(d.Edges()); return })
	read(func() (e error) { in.Tasks, e = datasets.Collect(d.Tasks()); return })
	read(func() (e error) { in.Runs, e = runRows(d, o.runs); return })
	if err != nil {
		return nil, err
	}
	for _, s := range d.Manifest().Log {
		in.Stages = append(in.Stages, report.Stage(s))
	}
	r := report.Build(in)
	return &r, nil
}

func absPath(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		return abs
	}
	return name
}

// runRows reads the named runs, all if none is named.
func runRows(d *datasets.Dir, names []string) ([]report.RunRows, error) {
	runs, err := d.Runs()
	if err != nil {
		return nil, err
	}
	var rows []report.RunRows
	for _, run := range runs {
		if len(names) > 0 && !slices.Contains(names, run.ID) {
			continue
		}
		r := report.RunRows{Run: run}
		if r.Trajectories, err = datasets.Collect(d.Trajectories(run.ID)); err != nil {
			return nil, err
		}
		if r.Scores, err = datasets.Collect(d.Scores(run.ID)); err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	if len(names) > len(rows) {
		return nil, fmt.Errorf("the dataset has no run %s; it has %s", strings.Join(names, ", "), strings.Join(runIDs(runs), ", "))
	}
	return rows, nil
}

func runIDs(runs []datasets.Run) []string {
	ids := []string{}
	for _, r := range runs {
		ids = append(ids, r.ID)
	}
	return ids
}

// writeReport writes the report to a file, all of it or nothing.
func writeReport(r *report.Report, name string) error {
	write, err := writerFor(name)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := write(r, &b); err != nil {
		return wrap("writing "+name, err)
	}
	return wrap("writing report", writeWhole(name, b.Bytes()))
}
