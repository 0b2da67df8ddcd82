package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/taskwright/taskwright/datasets"
)

// hasKeys holds the keys that scripts may rely on.
func hasKeys(t *testing.T, v any, keys ...string) {
	t.Helper()
	object, ok := v.(map[string]any)
	if !ok {
		t.Fatalf("%v is no object", v)
	}
	for _, k := range keys {
		if value, ok := object[k]; !ok || value == nil {
			t.Errorf("key %s is missing: there are %q", k, slices.Sorted(maps.Keys(object)))
		}
	}
}

func TestRunProvesAndEvaluates(t *testing.T) {
	t.Parallel()
	demoDir(t)
	_, s := demo()
	a := s.object(t)
	hasKeys(t, a, "servers", "tools", "edges", "candidates", "accepted", "rejected", "variants", "claims", "agents", "seconds")
	if a["servers"].(float64) < 10 || a["tools"].(float64) < 40 || a["candidates"].(float64) < 50 || a["edge_coverage"].(float64) <= 0 {
		t.Errorf("%v", a)
	}
	rates := map[string]any{}
	for _, agent := range a["agents"].([]any) {
		r := agent.(map[string]any)
		hasKeys(t, r, "agent", "tasks", "scored", "unscored", "passed", "pass_rate", "coverage")
		if r["unscored"] != 0.0 || r["tasks"] != a["accepted"] {
			t.Errorf("%v", r)
		}
		rates[r["agent"].(string)] = r["pass_rate"]
	}
	if diff := cmp.Diff(map[string]any{"oracle": 1.0, "null": 0.0, "single": 0.0}, rates); diff != "" {
		t.Error(diff)
	}
}

func TestAcceptedTasksOfRun(t *testing.T) {
	t.Parallel()
	accepted := 0
	for _, task := range readTasks(t, demoDir(t)) {
		if task.Status != datasets.StatusAccepted {
			if len(task.Reasons) == 0 {
				t.Errorf("%s is rejected for no reason", task.ID)
			}
			continue
		}
		accepted++
		if len(task.Chain) < 2 || len(task.Claims) < 1 || len(task.Variants) < 1 || task.Proof != datasets.ProofExecuted {
			t.Errorf("%s: %d steps, %d claims, %d variants, proof %s", task.ID, len(task.Chain), len(task.Claims), len(task.Variants), task.Proof)
		}
	}
	if accepted < 40 {
		t.Errorf("%d accepted", accepted)
	}
}

func TestRunIsValid(t *testing.T) {
	t.Parallel()
	a := expect(t, exitDone, "datasets", "validate", demoDir(t), "--json").object(t)
	hasKeys(t, a, "rows", "errors")
	if len(a["errors"].([]any)) != 0 || a["rows"].(float64) < 1000 {
		t.Errorf("%v", a)
	}
}

func TestSameSeedSameBytes(t *testing.T) {
	t.Parallel()
	again := filepath.Join(t.TempDir(), "again")
	expect(t, exitDone, "run", again, "-q")
	sameBytes(t, demoDir(t), again)
}

func TestOtherSeedOtherTasks(t *testing.T) {
	t.Parallel()
	other := filepath.Join(t.TempDir(), "other")
	expect(t, exitDone, "run", other, "-q", "--seed", "2")
	seen := map[string]bool{}
	for _, task := range readTasks(t, demoDir(t)) {
		seen[task.ID] = true
	}
	same, tasks := 0, readTasks(t, other)
	for _, task := range tasks {
		if seen[task.ID] {
			same++
		}
	}
	if same > len(tasks)/2 {
		t.Errorf("%d of %d tasks are those of seed 1", same, len(tasks))
	}
}

func TestStagesAloneAreRun(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "alone")
	a := expect(t, exitDone, "discover", dir, "--json").object(t)
	hasKeys(t, a, "servers", "tools", "edges", "edges_by_kind", "probed")
	hasKeys(t, a["servers"].([]any)[0], "name", "status", "tools", "error")
	a = expect(t, exitDone, "generate", dir, "--json").object(t)
	hasKeys(t, a, "candidates", "by_pattern", "edge_coverage")
	a = expect(t, exitDone, "filter", dir, "--json").object(t)
	hasKeys(t, a, "accepted", "rejected", "unscored", "reasons", "model_calls")
	a = expect(t, exitDone, "fuzz", dir, "--json").object(t)
	hasKeys(t, a, "tasks", "variants", "claims", "rejected_variants")
	a = expect(t, exitDone, "fuzz", dir, "--check", "--json").object(t)
	hasKeys(t, a, "tasks", "literals", "kept", "normalised", "inferable", "lost", "altered", "invented", "leaks")
	if a["lost"] != 0.0 || a["altered"] != 0.0 || a["invented"] != 0.0 || a["leaks"] != 0.0 {
		t.Errorf("fuzz --check: %v", a)
	}
	a = expect(t, exitDone, "evaluate", dir, "--json").object(t)
	hasKeys(t, a, "run", "agent", "tasks", "scored", "unscored", "passed", "pass_rate", "coverage", "metrics")
	a = expect(t, exitDone, "datasets", "info", dir, "--json").object(t)
	hasKeys(t, a, "format", "tables", "splits", "status")
	hasKeys(t, a["tables"].([]any)[0], "table", "files", "rows", "bytes")
	sameBytes(t, demoDir(t), dir)
}

func TestSecondTimeChangesNothing(t *testing.T) {
	t.Parallel()
	dir := demoCopy(t)
	for _, args := range [][]string{
		{"run", dir, "-q"}, {"discover", dir, "-q"}, {"generate", dir, "-q"}, {"filter", dir, "-q"}, {"fuzz", dir, "-q"}, {"filter", dir, "-q"},
		{"filter", dir, "--rethreshold", "-q"}, {"evaluate", dir, "--offline", "-q"},
	} {
		expect(t, exitDone, args...)
		if args[0] != "generate" && args[0] != "filter" { // a new candidate waits for fuzz
			sameBytes(t, demoDir(t), dir)
		}
	}
	sameBytes(t, demoDir(t), dir)
}

func TestLocalStateIsSafeToDelete(t *testing.T) {
	t.Parallel()
	dir := demoCopy(t)
	if err := os.RemoveAll(filepath.Join(dir, ".taskwright")); err != nil {
		t.Fatal(err)
	}
	expect(t, exitDone, "run", dir, "-q")
	sameBytes(t, demoDir(t), dir)
}

func TestOfflineNeedsNoServer(t *testing.T) {
	t.Parallel()
	dir := demoCopy(t)
	for _, agent := range []string{"oracle", "null", "single"} {
		a := expect(t, exitDone, "evaluate", dir, "--offline", "--agent", agent, "--run", "tape-"+agent, "--json").object(t)
		want := 0.0
		if agent == "oracle" {
			want = 1
		}
		if a["pass_rate"] != want || a["run"] != "tape-"+agent {
			t.Errorf("%v", a)
		}
	}
	s := expect(t, exitDone, "filter", dir, "--offline", "--json")
	if a := s.object(t); a["accepted"].(float64) < 40 {
		t.Errorf("filter --offline: %v", a)
	}
}

// The five lines that run ends with are commands that work.
func TestWhatNextWorks(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "what next")
	out := expect(t, exitDone, "run", dir, "-n", "5").stdout
	_, next, found := strings.Cut(out, "What next:\n")
	lines := strings.Split(strings.TrimSpace(next), "\n")
	if !found || len(lines) != 5 {
		t.Fatalf("%s", out)
	}
	for _, line := range lines {
		words, comment, _ := strings.Cut(line, "#")
		args := strings.Fields(strings.ReplaceAll(words, "'"+dir+"'", "DIR"))
		switch {
		case comment == "":
			t.Errorf("%q says nothing", line)
		case args[0] == "open":
			if _, err := os.Stat(filepath.Join(dir, "report.html")); err != nil || !strings.Contains(line, "report.html") {
				t.Errorf("%q: %v", line, err)
			}
		case slices.Contains(args, "mcp.json"):
			expect(t, exitFailed, args[1:]...) // there is no such file here
		default:
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "DIR", dir)
			}
			expect(t, exitDone, args[1:]...)
		}
	}
}

func TestReadersNeedNoLock(t *testing.T) {
	t.Parallel()
	dir := demoCopy(t)
	err := inWorkspace(newEnv(strings.NewReader(""), os.Stdout, os.Stderr), dir, opening{}, func(*workspace) error {
		for _, args := range [][]string{
			{"datasets", "info", dir}, {"datasets", "head", dir}, {"datasets", "validate", dir}, {"graph", dir}, {"report", dir}, {"fuzz", dir, "--check"},
			{"run", dir, "--dry-run"}, {"evaluate", dir, "--dry-run"},
		} {
			expect(t, exitDone, args...)
		}
		s := expect(t, exitFailed, "filter", dir)
		if !strings.Contains(s.stderr, dir+" is in use by process ") {
			t.Errorf("%s", s.stderr)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
