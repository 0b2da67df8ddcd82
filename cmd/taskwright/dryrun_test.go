package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// snapshot is every file below dir with its size and time of change.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && !d.IsDir() {
			raw, _ := os.ReadFile(path)
			files[path] = info.ModTime().String() + string(raw)
		} else if err == nil {
			files[path] = info.ModTime().String()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// planOf holds that a command line answers with a plan that costs nothing, and
// returns its units by stage.
func planOf(t *testing.T, args ...string) map[string]float64 {
	t.Helper()
	a := expect(t, exitDone, append(args, "--dry-run", "--json")...).object(t)
	for _, key := range []string{"model_calls", "tokens", "cost"} {
		if a[key] != 0.0 {
			t.Errorf("%q: %s %v", args, key, a[key])
		}
	}
	if a["dry_run"] != true {
		t.Errorf("%q: %v", args, a)
	}
	units := map[string]float64{}
	for _, s := range a["stages"].([]any) {
		stage := s.(map[string]any)
		hasKeys(t, stage, "stage", "units", "of", "model_calls", "tokens", "cost")
		units[stage["stage"].(string)] = stage["units"].(float64)
	}
	expect(t, exitDone, append(args, "--dry-run")...)
	return units
}

func TestDryRunOfNothing(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	dir := filepath.Join(parent, "new")
	units := planOf(t, "run", dir, "-n", "7")
	if diff := cmp.Diff(map[string]float64{"discover": 59, "generate": 7, "filter": 7, "fuzz": 7, "evaluate": 21}, units); diff != "" {
		t.Error(diff)
	}
	planOf(t, "discover", dir)
	if entries, err := os.ReadDir(parent); err != nil || len(entries) != 0 {
		t.Errorf("%v %v", entries, err)
	}
}

func TestDryRunChangesNothing(t *testing.T) {
	t.Parallel()
	dir := demoCopy(t)
	tasks, accepted := 0.0, 0.0
	for _, task := range readTasks(t, dir) {
		tasks++
		if task.Status == "accepted" {
			accepted++
		}
	}
	before := snapshot(t, dir)
	for _, c := range []struct {
		args  []string
		stage string
		units float64
	}{
		{[]string{"discover", dir, "--probe", "none"}, "discover", 0},
		{[]string{"discover", dir}, "discover", 59},
		{[]string{"generate", dir, "-n", "12"}, "generate", 12},
		{[]string{"filter", dir}, "filter", tasks},
		{[]string{"filter", dir, "--rethreshold"}, "filter", tasks},
		{[]string{"fuzz", dir}, "fuzz", accepted},
		{[]string{"evaluate", dir, "--agent", "oracle,null", "-k", "3"}, "evaluate", accepted * 6},
	} {
		units := planOf(t, c.args...)
		if len(units) != 1 || units[c.stage] != c.units {
			t.Errorf("%q: %v", c.args, units)
		}
	}
	planOf(t, "run", dir)
	if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestDryRunCallsNoTool(t *testing.T) {
	t.Parallel()
	f := newFakes(t, "good")
	dir := filepath.Join(t.TempDir(), "d")
	for _, c := range []struct {
		probe string
		units float64
	}{{"read", 2}, {"all", 3}, {"none", 0}} {
		if units := planOf(t, "run", dir, "--servers", f.file, "--probe", c.probe); units["discover"] != c.units {
			t.Errorf("--probe %s: %v", c.probe, units)
		}
	}
	if calls := f.calls("good"); len(calls) > 0 {
		t.Errorf("called %q", calls)
	}
}
