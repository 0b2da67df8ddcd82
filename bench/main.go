// Bench measures the speed and size of taskwright: all stages of the command
// as a process of its own, and the benchmarks of the packages beside those of
// other programs with the same rows, in one go on one machine.
//
//	go run ./bench                        # a table on standard output
//	go run ./bench -o docs/benchmarks.md  # into the page, between its markers
//
// Every figure is the median of -count runs, with the smallest and the largest
// beside it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
)

func main() {
	count := flag.Int("count", 3, "runs of each measurement")
	page := flag.String("o", "", "page to write the table into, between its markers")
	quick := flag.Bool("quick", false, "leave out what takes minutes")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := bench(ctx, *count, *quick, *page)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(ctx context.Context, count int, quick bool, page string) error {
	dir, err := os.MkdirTemp("", "taskwright-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "taskwright")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/taskwright").CombinedOutput(); err != nil {
		return fmt.Errorf("building taskwright: %w\n%s", err, out)
	}
	m := measurements{}
	for range count { // in turn, so that a busy minute does not hit one figure alone
		if err := runs(ctx, m, program, dir); err != nil {
			return err
		}
		for _, s := range suites {
			if s.slow && quick {
				continue
			}
			if err := s.run(ctx, m); err != nil {
				return err
			}
		}
	}
	text := m.table(count)
	if page == "" {
		fmt.Print(text)
		return nil
	}
	return intoPage(page, text)
}
