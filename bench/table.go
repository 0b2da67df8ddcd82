package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
)

// measurements are the figures of each measurement, by name and unit.
type measurements map[string]map[string][]float64

func (m measurements) add(name, unit string, v float64) {
	if m[name] == nil {
		m[name] = map[string][]float64{}
	}
	m[name][unit] = append(m[name][unit], v)
}

// median of the figures, 0 if there are none.
func (m measurements) median(name, unit string) float64 {
	v := slices.Sorted(slices.Values(m[name][unit]))
	if len(v) == 0 {
		return 0
	}
	return (v[len(v)/2] + v[(len(v)-1)/2]) / 2
}

// targets are what a figure must keep to: at most, or with "≥" at least.
var targets = map[string]string{
	"run -n 50 s":                                    "≤ 10",
	"run -n 50 peak-MB":                              "≤ 150",
	"datasets WriteTasks/10000 MB/s":                 "≥ 100",
	"datasets WriteTasks/100000 MB/s":                "≥ 100",
	"evaluate RuleMetrics calls/s":                   "≥ 50000",
	"growth of live heap, writing 10 times the rows": "≈ 1",
	"growth of live heap, reading 10 times the rows": "≈ 1",
	"growth of seconds, 50 to 200 tasks":             "≤ 4",
	"growth of peak memory, 50 to 200 tasks":         "",
}

// growth is a ratio of two medians.
type growth struct{ name, to, from, unit string }

var growths = []growth{
	{"growth of live heap, writing 10 times the rows", "datasets WriteTasks/100000", "datasets WriteTasks/10000", "live-heap-MB"},
	{"growth of live heap, reading 10 times the rows", "datasets ReadTasks/100000", "datasets ReadTasks/10000", "live-heap-MB"},
	{"growth of seconds, 50 to 200 tasks", "run -n 200", "run -n 50", "s"},
	{"growth of peak memory, 50 to 200 tasks", "run -n 200", "run -n 50", "peak-MB"},
}

// table is all figures as Markdown, with what they were measured on.
func (m measurements) table(count int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s. Medians of %d runs, smallest and largest in brackets.\n\n", time.Now().UTC().Format(time.DateOnly), machine(), count)
	b.WriteString("| measurement | unit | median | range | target |\n| --- | --- | ---: | --- | --- |\n")
	for _, name := range sorted(m) {
		for _, unit := range sorted(m[name]) {
			v := m[name][unit]
			fmt.Fprintf(&b, "| %s | %s | %s | %s – %s | %s |\n", name, unit, figure(m.median(name, unit)), figure(slices.Min(v)), figure(slices.Max(v)), targets[name+" "+unit])
		}
	}
	for _, g := range growths {
		if from := m.median(g.from, g.unit); from > 0 && m.median(g.to, g.unit) > 0 {
			fmt.Fprintf(&b, "| %s | times | %s | | %s |\n", g.name, figure(m.median(g.to, g.unit)/from), targets[g.name])
		}
	}
	return b.String()
}

// machine says what was measured, and on what.
func machine() string {
	text := fmt.Sprintf("%s, %s/%s, %d cores", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	if raw, err := os.ReadFile("/proc/meminfo"); err == nil {
		if f := strings.Fields(string(raw)); len(f) > 1 {
			if kb, err := strconv.Atoi(f[1]); err == nil {
				text += fmt.Sprintf(", %d GB", (kb+1<<19)>>20)
			}
		}
	}
	if out, err := exec.Command("git", "rev-parse", "--short", "HEAD").Output(); err == nil {
		text += ", commit " + strings.TrimSpace(string(out))
	} else if info, ok := debug.ReadBuildInfo(); ok {
		text += ", " + info.Main.Version
	}
	return text
}

// figure writes three digits that count.
func figure(v float64) string {
	switch {
	case v >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

func sorted[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Markers of the part of the page that is written here.
const (
	begin = "<!-- figures: begin -->\n"
	end   = "<!-- figures: end -->\n"
)

// intoPage puts the table between the markers of a page.
func intoPage(page, text string) error {
	raw, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(raw), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return fmt.Errorf("%s: no markers %q and %q", page, strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return os.WriteFile(page, []byte(before+begin+"\n"+text+"\n"+end+after), 0o666)
}
