package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// suite is benchmarks of a package, run once.
type suite struct {
	folder, bench, time string
	slow                bool
}

var suites = []suite{
	{folder: "./datasets", bench: "WriteTasks/^10000$|ReadTasks/10000$", time: "1x"},
	{folder: "./datasets", bench: "Baseline", time: "1x"},
	{folder: "./datasets", bench: "WriteTasks/^100000$|ReadTasks/100000$", time: "1x", slow: true},
	{folder: "./datasets", bench: "Info", time: "5x", slow: true},
	{folder: "./evaluate", bench: "RuleMetrics", time: "1s"},
	{folder: "./discover", bench: "Edges", time: "3x"},
	{folder: "./fuzz", bench: ".", time: "1s"},
	{folder: "./internal/literal", bench: ".", time: "1s"},
	{folder: "./internal/store", bench: ".", time: "500ms"},
	{folder: "./internal/toolgraph", bench: ".", time: "500ms"},
	{folder: "./internal/mcpclient", bench: ".", time: "500ms"},
}

func (s suite) run(ctx context.Context, m measurements) error {
	cmd := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", s.bench, "-benchtime", s.time, "-timeout", "30m", s.folder)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("benchmarks of %s: %w\n%s", s.folder, err, out)
	}
	m.lines(strings.TrimPrefix(s.folder, "./"), out)
	return nil
}

// result is a line that a benchmark prints: its name, without the number of
// processors, and its figures.
var result = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(.*)$`)

// lines adds the figures in the output of go test.
func (m measurements) lines(folder string, out []byte) {
	for in := bufio.NewScanner(bytes.NewReader(out)); in.Scan(); {
		found := result.FindStringSubmatch(in.Text())
		if found == nil {
			continue
		}
		m.figures(folder+" "+found[1], strings.Fields(found[2]))
	}
}

// figures adds the pairs of value and unit of one benchmark. Its time is left
// out where a rate says the same, and so are figures of memory management.
func (m measurements) figures(name string, pairs []string) {
	rate := false
	for i := 1; i < len(pairs); i += 2 {
		rate = rate || strings.HasSuffix(pairs[i], "/s")
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		v, err := strconv.ParseFloat(pairs[i], 64)
		switch unit := pairs[i+1]; {
		case err != nil || unit == "B/op" || unit == "allocs/op":
		case unit == "ns/op" && !rate:
			m.add(name, "ms", v/1e6)
		case unit != "ns/op":
			m.add(name, unit, v)
		}
	}
}
