package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// refused runs a command line that must fail with a message, under --json, and
// holds that it tells both streams.
func refused(t *testing.T, want string, args ...string) {
	t.Helper()
	s := expect(t, exitFailed, append(args, "--json")...)
	message, _ := s.object(t)["error"].(string)
	if !strings.Contains(message, want) || !strings.Contains(s.stderr, want) {
		t.Errorf("taskwright %s: %q lacks %q", strings.Join(args, " "), s.stderr, want)
	}
}

// readers and stages are command lines on a dataset, without its directory.
var (
	readers = [][]string{{"datasets", "info"}, {"datasets", "head"}, {"datasets", "validate"}, {"report"}, {"graph"}, {"fuzz", "--check"}}
	stages  = [][]string{{"generate"}, {"filter"}, {"filter", "--rethreshold"}, {"fuzz"}, {"evaluate"}}
	makers  = [][]string{{"run"}, {"discover"}}
)

func TestDirectoryThatIsNoDataset(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	foreign, empty, file := filepath.Join(dir, "foreign"), filepath.Join(dir, "empty"), filepath.Join(dir, "file")
	write(t, filepath.Join(foreign, "thesis.tex"), "x")
	write(t, file, "x")
	if err := os.Mkdir(empty, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, args := range append(readers, stages...) {
		refused(t, "not a taskwright dataset", append(args, foreign)...)
		refused(t, "not a taskwright dataset", append(args, empty)...)
		refused(t, "no such file or directory", append(args, filepath.Join(dir, "nowhere"))...)
		refused(t, "it is a file, not a directory", append(args, file)...)
	}
	for _, args := range makers {
		for _, more := range []string{"-q", "--dry-run"} {
			refused(t, "the directory is not empty (it holds thesis.tex)", append(args, foreign, more)...)
			refused(t, "it is a file, not a directory", append(args, file, more)...)
		}
	}
	if entries, err := os.ReadDir(foreign); err != nil || len(entries) != 1 {
		t.Errorf("%v %v", entries, err)
	}
	if entries, err := os.ReadDir(empty); err != nil || len(entries) != 0 {
		t.Errorf("%v %v", entries, err)
	}
}

func TestStagesSayWhatIsMissing(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "d")
	expect(t, exitFailed, "discover", dir, "--catalog", "/dev/null") // makes an empty dataset
	for stage, want := range map[string]string{
		"generate": "has no catalog yet: run taskwright discover " + dir,
		"filter":   "has no tasks to filter: run taskwright generate " + dir,
		"fuzz":     "has no accepted tasks to rewrite: run taskwright filter " + dir,
		"evaluate": "has no catalog yet: run taskwright discover " + dir,
	} {
		refused(t, want, stage, dir)
		refused(t, want, stage, dir, "--dry-run")
	}
	expect(t, exitDone, "discover", dir, "-q")
	refused(t, "has no accepted tasks to evaluate on: run taskwright filter "+dir, "evaluate", dir)
	expect(t, exitDone, "generate", dir, "-n", "3", "-q")
	expect(t, exitDone, "filter", dir, "-q")
	refused(t, "has an accepted variant: run taskwright fuzz "+dir, "evaluate", dir)
	expect(t, exitDone, "evaluate", dir, "--variant", "concrete")
	refused(t, "has no split test; it has candidates", "evaluate", dir, "--split", "test")
	refused(t, "has no run none; it has oracle-concrete", "report", dir, "--run", "none")
}

func TestDamagedFile(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func([]byte) []byte{
		"truncated": func(b []byte) []byte { return b[:len(b)/2] },
		"flipped":   func(b []byte) []byte { b[len(b)/3] ^= 0x40; return b },
		"empty":     func([]byte) []byte { return nil },
	} {
		dir := demoCopy(t)
		const table = "tasks/candidates-00000-of-00001.parquet"
		file := filepath.Join(dir, filepath.FromSlash(table))
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		raw = damage(raw)
		if err := os.WriteFile(file, raw, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, args := range append(stages, []string{"run", "-q"}, []string{"report"}, []string{"datasets", "head"}) {
			refused(t, table, append(args, dir)...)
		}
		s := expect(t, exitFailed, "datasets", "validate", dir, "--json")
		if len(s.object(t)["errors"].([]any)) == 0 || !strings.Contains(s.stdout, table) {
			t.Errorf("%s: %s", name, s.stdout)
		}
		if now, err := os.ReadFile(file); err != nil || !bytes.Equal(raw, now) {
			t.Errorf("%s: the damaged file was touched: %v", name, err)
		}
	}
	dir := demoCopy(t)
	if err := os.Remove(filepath.Join(dir, "catalog", "tools.parquet")); err != nil {
		t.Fatal(err)
	}
	refused(t, "catalog/tools.parquet is in the manifest but cannot be read", "filter", dir)
}

func TestNewerFormat(t *testing.T) {
	t.Parallel()
	dir := demoCopy(t)
	name := filepath.Join(dir, "taskwright.json")
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	write(t, name, strings.Replace(string(raw), `"format": "1.0"`, `"format": "2.0"`, 1))
	for _, args := range append(append(stages, readers...), makers...) {
		refused(t, "2.0", append(args, dir)...)
	}
	write(t, name, `{"format": `)
	refused(t, "taskwright.json", "datasets", "info", dir)
}

func TestDamagedLocalState(t *testing.T) {
	t.Parallel()
	dir := demoCopy(t)
	write(t, filepath.Join(dir, ".taskwright", "state.db"), strings.Repeat("no database ", 1000))
	for _, args := range [][]string{{"run", dir}, {"filter", dir}} {
		refused(t, "it is safe to delete "+filepath.Join(dir, ".taskwright"), args...)
	}
	expect(t, exitDone, "datasets", "validate", dir)
	write(t, filepath.Join(dir, ".taskwright", "source.json"), "{")
	if err := os.Remove(filepath.Join(dir, ".taskwright", "state.db")); err != nil {
		t.Fatal(err)
	}
	expect(t, exitDone, "run", dir, "-q")
	sameBytes(t, demoDir(t), dir)
}

func TestWrongSettings(t *testing.T) {
	t.Parallel()
	dir := demoCopy(t)
	for _, c := range []struct{ yaml, want string }{
		{"serverz: x\n", `taskwright.yaml:1:1: unknown field "serverz"`},
		{"thresholds:\n  solvability: 11\n", "solvability"},
		{"allow: 3\n", "taskwright.yaml:1:"},
		{"servers: nowhere.json\n", "nowhere.json"},
		{"phrases: nowhere.yaml\n", "nowhere.yaml"},
	} {
		write(t, filepath.Join(dir, "taskwright.yaml"), c.yaml)
		refused(t, c.want, "run", dir)
	}
	write(t, filepath.Join(dir, "taskwright.yaml"), "serverz: x\n")
	for _, args := range stages {
		refused(t, "serverz", append(args, dir)...)
	}
	if err := os.Remove(filepath.Join(dir, "taskwright.yaml")); err != nil {
		t.Fatal(err)
	}
	sameBytes(t, demoDir(t), dir)
}

func TestReportThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	refused(t, "writing report: open /nowhere/", "report", demoDir(t), "-o", "/nowhere/report.html")
}
