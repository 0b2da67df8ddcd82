package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/store"
)

// stageMain is taskwright with two more commands: a stage whose units can be
// told to fail or to wait, for tests of what all stages share, and one that
// writes a small dataset.
func stageMain() {
	ctx, stop := interruptible(context.Background())
	e := newEnv(os.Stdin, os.Stdout, os.Stderr)
	root := newRoot(e)
	root.AddCommand(newSquaresCommand(e), newSampleCommand())
	code := e.execute(ctx, root, os.Args[1:])
	stop()
	os.Exit(code)
}

type squaresOptions struct {
	n, workers, fail, hold int
	stubborn               bool
}

// newSquaresCommand squares numbers and appends each one that it worked on to
// the file "paid", so that a test sees what was done twice.
func newSquaresCommand(e *env) *cobra.Command {
	var o squaresOptions
	cmd := &cobra.Command{
		Use: "squares DIR", Args: exactly("a directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runSquares(cmd.Context(), e, o, args[0])
		},
	}
	f := cmd.Flags()
	f.IntVarP(&o.n, "number", "n", 10, "units")
	f.IntVar(&o.workers, "workers", 2, "at once")
	f.IntVar(&o.fail, "fail", 0, "every unit that this divides fails")
	f.IntVar(&o.hold, "hold", -1, "unit that says so in the file \"held\" and waits for the end")
	f.BoolVar(&o.stubborn, "stubborn", false, "the unit that waits does not heed Ctrl-C")
	return cmd
}

type square struct {
	Of, Is int
}

func runSquares(ctx context.Context, e *env, o squaresOptions, dir string) error {
	st, err := store.Open(dir)
	if err != nil {
		return err
	}
	defer st.Close()
	items := make([]int, o.n)
	for i := range items {
		items[i] = i
	}
	key := func(i int) string { return datasets.Digest("square", fmt.Sprint(i)) }
	out, err := runUnits(ctx, e, st, "squares", o.workers, items, key, func(ctx context.Context, i int) (square, error) {
		return o.square(ctx, dir, i)
	})
	if err != nil {
		return err
	}
	values := out.Values()
	summary := map[string]int{"done": out.Done, "skipped": out.Skipped, "failed": out.Failed}
	if err := e.answer(summary, func(w io.Writer) error {
		var rows [][]string
		for _, v := range values {
			rows = append(rows, []string{fmt.Sprint(v.Of), fmt.Sprint(v.Is)})
		}
		return table(w, []string{"of", "is"}, rows)
	}); err != nil {
		return err
	}
	return out.Partial()
}

func (o squaresOptions) square(ctx context.Context, dir string, i int) (square, error) {
	if i == o.hold {
		if err := os.WriteFile(filepath.Join(dir, "held"), nil, 0o666); err != nil {
			return square{}, stop(err)
		}
		if o.stubborn {
			select {}
		}
		<-ctx.Done()
		return square{}, ctx.Err()
	}
	if o.fail > 0 && i%o.fail == 0 {
		return square{}, fmt.Errorf("unit divides by %d", o.fail)
	}
	return square{i, i * i}, stop(appendLine(filepath.Join(dir, "paid"), i))
}

func appendLine(name string, i int) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = fmt.Fprintln(f, i)
	return err
}
