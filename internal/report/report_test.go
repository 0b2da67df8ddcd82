package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/taskwright/taskwright/datasets"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func written(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	r := Build(sample(5))
	for name, write := range map[string]func(io.Writer) error{"report.md": r.Markdown, "report.json": r.JSON, "report.csv": r.CSV} {
		t.Run(name, func(t *testing.T) {
			got, file := written(t, write), filepath.Join("testdata", name)
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Errorf("%s differs (-want +got); -update rewrites it\n%s", file, d)
			}
		})
	}
}

func TestSameRowsSameBytes(t *testing.T) {
	for range 5 {
		a, b := Build(sample(9)), Build(sample(9))
		for _, w := range [][2]func(io.Writer) error{{a.Markdown, b.Markdown}, {a.JSON, b.JSON}, {a.CSV, b.CSV}, {a.HTML, b.HTML}} {
			if written(t, w[0]) != written(t, w[1]) {
				t.Fatal("two reports on the same rows differ")
			}
		}
	}
}

func TestCounts(t *testing.T) {
	r := Build(sample(10))
	f := r.Funnel
	if f.Candidates != 10 || f.Accepted != 8 || f.Rejected != 2 || f.Undecided != 0 {
		t.Errorf("funnel %+v", f)
	}
	if d := cmp.Diff([]Count{{"literals", 2}, {"single-call", 2}}, f.Reasons); d != "" {
		t.Error(d)
	}
	if c := r.Catalog; c.EdgesUsed != 2 || c.Edges != 3 || c.ToolsUsed != 3 || math.Abs(*c.EdgeCoverage-2.0/3) > 1e-9 {
		t.Errorf("catalog %+v", c)
	}
	if s := r.Split; s.Claims != 32 || s.Volatile != 8 || s.Dropped != 8 {
		t.Errorf("split %+v", s)
	}
	outcomes := tally{}
	for _, row := range r.Tasks {
		for _, c := range row.Cells {
			outcomes[c.Outcome]++
		}
	}
	if d := cmp.Diff([]Count{{"absent", 4}, {"failed", 8}, {"passed", 7}, {"unscored", 1}}, outcomes.list()); d != "" {
		t.Error(d)
	}
}

// A rate over nothing is a dash, null and empty; never 0.
func TestNothingToRate(t *testing.T) {
	r := Build(sample(5))
	null := r.Agents[1].metric("valid_tool_name_rate")
	if null.Value != nil || figure(null) != none || basis(null) != "nothing to rate" {
		t.Errorf("%+v shown as %s (%s)", null, figure(null), basis(null))
	}
	var decoded struct {
		Agents []struct{ Metrics []map[string]any }
	}
	if err := json.Unmarshal([]byte(written(t, r.JSON)), &decoded); err != nil {
		t.Fatal(err)
	}
	if m := decoded.Agents[1].Metrics[0]; m["value"] != nil || m["denominator"] != 0.0 {
		t.Errorf("JSON %v", m)
	}
	if !strings.Contains(written(t, r.Markdown), "| null | medium | 4 | 4 | 0 | 0 | 0 % | 0–49 % | 0 % | – |") {
		t.Error("Markdown has no dash for the null agent's names")
	}
}

func TestCSVIsOneLineForEachAttempt(t *testing.T) {
	in := sample(5)
	in.Tasks[0].ID = "=1+1"
	in.Runs[0].Trajectories[0].Task, in.Runs[1].Trajectories[0].Task = "=1+1", "=1+1"
	r := Build(in)
	lines, err := csv.NewReader(strings.NewReader(written(t, r.CSV))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if want := 1 + 2*4 + 1; len(lines) != want {
		t.Errorf("%d lines, want %d", len(lines), want)
	}
	if lines[1][0] != "'=1+1" {
		t.Errorf("a formula reached the table: %q", lines[1][0])
	}
}

func TestHTMLEscapesHostileText(t *testing.T) {
	r := Build(sample(5))
	page := written(t, r.HTML)
	for _, bad := range []string{"<script>alert", "<img src=x", `"><img`} {
		if strings.Contains(page, bad) {
			t.Errorf("the page holds %s unescaped", bad)
		}
	}
	if n := strings.Count(page, "<script"); n != 1 {
		t.Errorf("%d scripts", n)
	}
	for _, outside := range []string{"http://", "https://", "@import", "url("} {
		if strings.Contains(page, outside) {
			t.Errorf("the page is not self-contained: it holds %s", outside)
		}
	}
	for _, want := range []string{`<main id="main">`, `lang="en"`, "Glen Mesa", "unscored", "single-call"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	md := written(t, r.Markdown)
	if strings.Contains(md, "<script") || strings.Contains(md, "<img") {
		t.Error("Markdown holds HTML of a server")
	}
}

func TestBounds(t *testing.T) {
	in := sample(200)
	in.Tasks[0].Instruction = strings.Repeat("long ", 1<<20)
	in.Options = Options{Pages: 10, Rows: 20}
	r := Build(in)
	if n := len(written(t, r.HTML)); n > 1<<20 {
		t.Errorf("one long text makes a page of %d bytes", n)
	}
	if len(r.Pages) != 10 || len(r.Notes) < 2 {
		t.Errorf("%d pages, notes %v", len(r.Pages), r.Notes)
	}
	in.Options = Options{Pages: -1}
	if r := Build(in); len(r.Pages) != 0 {
		t.Errorf("%d pages, want none", len(r.Pages))
	}
	if got := clip("äöü", 2); got != "äö … (1 more characters)" {
		t.Errorf("clip: %q", got)
	}
}

func TestEmpty(t *testing.T) {
	r := Build(Input{})
	for _, w := range []func(io.Writer) error{r.Markdown, r.JSON, r.CSV, r.HTML} {
		if written(t, w) == "" {
			t.Error("nothing was written")
		}
	}
	if r.Catalog.EdgeCoverage != nil {
		t.Errorf("coverage of no edges: %v", *r.Catalog.EdgeCoverage)
	}
}

func TestAttemptsInOneCell(t *testing.T) {
	in := Input{Tasks: []datasets.Task{sampleTask(0)}, Runs: []RunRows{{Run: datasets.Run{ID: "r"}}}}
	for i, v := range []*float64{ptr(0), nil, ptr(1)} {
		id := in.Tasks[0].ID
		in.Runs[0].Trajectories = append(in.Runs[0].Trajectories, datasets.Trajectory{Task: id, Attempt: int32(i)})
		in.Runs[0].Scores = append(in.Runs[0].Scores, datasets.Score{Task: id, Attempt: int32(i), Scorer: "rule", Name: "pass", Value: v})
	}
	c := Build(in).Tasks[0].Cells[0]
	if c.Outcome != Passed || c.Passed != 1 || c.Unscored != 1 || c.Attempts != 3 || mark(c) != "✓ 1/3" {
		t.Errorf("%+v shown as %s", c, mark(c))
	}
}

func TestWilson(t *testing.T) {
	for _, tt := range []struct {
		k, n      int
		low, high float64
	}{{0, 10, 0, 0.2775}, {10, 10, 0.7225, 1}, {5, 10, 0.2366, 0.7634}} {
		low, high := wilson(tt.k, tt.n)
		if math.Abs(low-tt.low) > 1e-3 || math.Abs(high-tt.high) > 1e-3 {
			t.Errorf("wilson(%d, %d) = %.4f, %.4f", tt.k, tt.n, low, high)
		}
	}
}
