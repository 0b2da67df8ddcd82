package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/store"
)

func newDatasetsCommand(e *env) *cobra.Command {
	cmd := newGroup("datasets", "Look into datasets, check and compare them")
	cmd.AddCommand(
		newInfoCommand(e),
		newHeadCommand(e),
		newShowCommand(e),
		newValidateCommand(e),
		newDiffCommand(e),
		newCardCommand(e),
	)
	return cmd
}

// reading opens a dataset, hands it to f and closes it.
func reading(dir string, f func(*datasets.Dir) error) error {
	d, err := datasets.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return f(d)
}

// directories completes an argument with names of directories.
func directories(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

func newInfoCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "info DIR", Short: "Sum up a dataset", Args: exactly("a directory"), ValidArgsFunction: directories,
		RunE: func(_ *cobra.Command, args []string) error {
			return reading(args[0], func(d *datasets.Dir) error {
				info, err := d.Info()
				if err != nil {
					return err
				}
				return e.answer(info, func(w io.Writer) error { return printInfo(w, args[0], info) })
			})
		},
	}
}

func printInfo(w io.Writer, dir string, info *datasets.Info) error {
	fmt.Fprintf(w, "%s: taskwright dataset, format %s\n\n", cell(dir), cell(info.Format))
	rows := [][]string{}
	for _, t := range info.Tables {
		rows = append(rows, []string{t.Table, fmt.Sprint(t.Files), fmt.Sprint(t.Rows), fmt.Sprint(t.Bytes)})
	}
	err := table(w, []string{"table", "files", "rows", "bytes"}, rows)
	for _, line := range []struct{ name, value string }{
		{"splits", counts(info.Splits)}, {"status", counts(info.Status)},
		{"made with", madeWith(dir)}, {"runs", strings.Join(info.Runs, ", ")}, {"other files", strings.Join(info.Other, ", ")},
	} {
		if line.value != "" && err == nil {
			_, err = fmt.Fprintf(w, "\n%s: %s", line.name, cell(line.value))
		}
	}
	if err == nil {
		_, err = fmt.Fprintln(w)
	}
	return err
}

// madeWith says which servers the dataset was made with on this machine, "" if
// that is not known.
func madeWith(dir string) string {
	if m := readMemory(dir); !m.Source.none() {
		return m.Source.String()
	}
	return ""
}

func newValidateCommand(e *env) *cobra.Command {
	limit := 0
	cmd := &cobra.Command{
		Use: "validate DIR", Short: "Check every file, row and field of a dataset", Args: exactly("a directory"), ValidArgsFunction: directories,
		Long: `Validate reads the whole dataset and checks its bytes against the manifest, its
rows against the format, and what rows say of each other.

Exit status: 0 nothing is wrong; 1 something is.`,
		RunE: func(_ *cobra.Command, args []string) error {
			return reading(args[0], func(d *datasets.Dir) error { return runValidate(e, d, limit) })
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 0, fmt.Sprintf("errors to list (default %d)", datasets.ValidateLimit))
	return cmd
}

func runValidate(e *env, d *datasets.Dir, limit int) error {
	v := d.Validate(limit)
	err := e.answer(v, func(w io.Writer) error {
		for _, p := range v.Errors {
			if _, err := fmt.Fprintln(w, cell(p.String())); err != nil {
				return err
			}
		}
		_, err := fmt.Fprintf(w, "%d rows, %d errors\n", v.Rows, v.Total)
		return err
	})
	if err == nil && v.Total > 0 {
		err = fmt.Errorf("%s is not valid: %d errors", d.Path(), v.Total)
	}
	return err
}

func newDiffCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "diff A B", Short: "Compare the tasks and tools of two datasets", Args: exactly("a directory", "another directory"), ValidArgsFunction: directories,
		RunE: func(_ *cobra.Command, args []string) error {
			return reading(args[0], func(a *datasets.Dir) error {
				return reading(args[1], func(b *datasets.Dir) error {
					diff, err := datasets.Compare(a, b)
					if err != nil {
						return err
					}
					return e.answer(diff, func(w io.Writer) error { return printDiff(w, diff) })
				})
			})
		},
	}
}

func printDiff(w io.Writer, diff *datasets.Diff) error {
	var rows [][]string
	for _, t := range []struct {
		name string
		diff datasets.TableDiff
	}{{"task", diff.Tasks}, {"tool", diff.Tools}} {
		for _, id := range t.diff.Added {
			rows = append(rows, []string{"added", t.name, id})
		}
		for _, id := range t.diff.Removed {
			rows = append(rows, []string{"removed", t.name, id})
		}
		for _, c := range t.diff.Changed {
			rows = append(rows, []string{"changed", t.name, c.ID, strings.Join(c.Fields, ", ")})
		}
	}
	if err := table(w, nil, rows); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "unchanged: %d tasks, %d tools\n", diff.Tasks.Unchanged, diff.Tools.Unchanged)
	return err
}

func newCardCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "card DIR", Short: "Bring the dataset card (README.md) up to date", Args: exactly("a directory"), ValidArgsFunction: directories,
		RunE: func(_ *cobra.Command, args []string) error {
			return reading(args[0], func(d *datasets.Dir) error { return runCard(e, d) })
		},
	}
}

func runCard(e *env, d *datasets.Dir) error {
	held, err := store.Open(d.Path()) // nobody else writes meanwhile
	if err != nil {
		return err
	}
	defer held.Close()
	if err := d.WriteCard(); err != nil {
		return err
	}
	return e.answer(map[string]string{"card": datasets.CardName}, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s/%s is up to date\n", d.Path(), datasets.CardName)
		return err
	})
}
