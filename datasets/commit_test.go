package datasets

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// failing is a file system whose step number at, counted from 0, fails; with
// dead set, so do all later ones, as if the process had been killed.
type failing struct {
	disk
	at, step int
	dead     bool
	err      error
}

func (f *failing) fail() error {
	f.step++
	if n := f.step - 1; n == f.at || f.dead && n > f.at {
		return f.err
	}
	return nil
}

func (f *failing) create(path string) (outFile, error) {
	if err := f.fail(); err != nil {
		return nil, err
	}
	out, err := f.disk.create(path)
	return &failingFile{out, f}, err
}

func (f *failing) rename(from, to string) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.disk.rename(from, to)
}

func (f *failing) remove(path string) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.disk.remove(path)
}

func (f *failing) syncDir(path string) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.disk.syncDir(path)
}

// failingFile writes half of what it is given when its step fails.
type failingFile struct {
	outFile
	fsys *failing
}

func (f *failingFile) Write(p []byte) (int, error) {
	if err := f.fsys.fail(); err != nil {
		n, _ := f.outFile.Write(p[:len(p)/2])
		return n, err
	}
	return f.outFile.Write(p)
}

func (f *failingFile) Sync() error {
	if err := f.fsys.fail(); err != nil {
		return err
	}
	return f.outFile.Sync()
}

// change replaces tasks and scores of a sample of 4 by those of a sample of 6
// and drops the servers' second row.
func change(d *Dir) error {
	tx, err := d.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	trajectories, scores := sampleRun(6)
	tasks := sampleTasks(6)
	for i := range tasks {
		tasks[i].Split = "test" // the files of split candidates go
	}
	if err := tx.WriteServers(All(sampleServers()[:1])); err != nil {
		return err
	}
	if err := tx.WriteTasks(All(tasks)); err != nil {
		return err
	}
	if err := tx.WriteRun(Run{ID: "r1", Attempts: 2}, All(trajectories), All(scores)); err != nil {
		return err
	}
	return tx.Commit(StageLog{Stage: "filter", Done: 6})
}

// state says which of the two datasets is there; it fails on anything else.
func state(t *testing.T, dir string) string {
	t.Helper()
	d, err := Open(dir)
	must(t, err)
	defer d.Close()
	if v := d.Validate(0); v.Total != 0 {
		t.Fatalf("the dataset is damaged: %v", v.Errors)
	}
	info, err := d.Info()
	must(t, err)
	switch {
	case info.Splits["candidates"] == 4 && len(info.Splits) == 1 && len(d.manifest.Log) == 1:
		return "old"
	case info.Splits["test"] == 6 && len(info.Splits) == 1 && len(d.manifest.Log) == 2:
		return "new"
	}
	t.Fatalf("neither the old nor the new dataset: %+v", info)
	return ""
}

func TestFailureAtEveryStep(t *testing.T) {
	for _, mode := range []struct {
		name string
		dead bool
		err  error
	}{{"full disk", false, syscall.ENOSPC}, {"killed", true, errors.New("killed")}} {
		t.Run(mode.name, func(t *testing.T) {
			seen := map[string]int{}
			for at := 0; ; at++ {
				d := sampleDir(t, 4)
				faulty := &failing{at: at, dead: mode.dead, err: mode.err}
				d.fsys = faulty
				err := change(d)
				now := state(t, d.Path())
				seen[now]++
				if err == nil && now != "new" {
					t.Fatalf("step %d: commit succeeded, but the dataset is %s", at, now)
				}
				if err != nil && !errors.Is(err, mode.err) {
					t.Fatalf("step %d: error %v hides %v", at, err, mode.err)
				}
				if err != nil && now == "new" && !strings.Contains(err.Error(), "will be put in place") {
					t.Fatalf("step %d: the dataset is new, but the error says %v", at, err)
				}
				recover := mustOpen(t, d.Path())
				tx, err := recover.Begin()
				must(t, err)
				must(t, tx.Rollback())
				if after := state(t, d.Path()); after != now {
					t.Fatalf("step %d: %s became %s by the next Begin", at, now, after)
				}
				noLeftovers(t, d.Path(), now)
				if faulty.step <= at {
					break // the failing step was never reached
				}
			}
			if seen["old"] < 10 || seen["new"] < 5 {
				t.Errorf("too few steps: %v", seen)
			}
		})
	}
}

func mustOpen(t *testing.T, dir string) *Dir {
	t.Helper()
	d, err := Open(dir)
	must(t, err)
	t.Cleanup(func() { d.Close() })
	return d
}

// noLeftovers holds the files on disk against the manifest.
func noLeftovers(t *testing.T, dir, state string) {
	t.Helper()
	listed := map[string]bool{ManifestName: true, CardName: true}
	for _, f := range mustOpen(t, dir).manifest.Files {
		listed[f.Path] = true
	}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			if rel, _ := filepath.Rel(dir, path); !listed[filepath.ToSlash(rel)] {
				t.Errorf("%s dataset: %s is left over", state, rel)
			}
		}
		return err
	})
	must(t, err)
}

func TestOpenReaderKeepsItsDataset(t *testing.T) {
	d := sampleDir(t, 4)
	reader := mustOpen(t, d.Path())
	n := 0
	for task, err := range reader.Tasks() {
		must(t, err)
		if n == 1 {
			must(t, change(d))
		}
		if diff := cmp.Diff(sampleTask(n), task); diff != "" {
			t.Errorf("task %d changed under the reader:\n%s", n, diff)
		}
		n++
	}
	compareRows(t, sampleServers(), reader.Servers())
	if n != 4 {
		t.Errorf("%d tasks", n)
	}
	if v := reader.Validate(0); v.Total != 0 {
		t.Errorf("validate of the old dataset: %v", v.Errors)
	}
	if _, err := reader.Begin(); !errors.Is(err, ErrChanged) {
		t.Errorf("Begin on an old dataset: %v", err)
	}
	if got := state(t, d.Path()); got != "new" {
		t.Errorf("the dataset is %s", got)
	}
}

// TestReadersDuringCommits opens the dataset again and again while it changes.
func TestReadersDuringCommits(t *testing.T) {
	d := sampleDir(t, 4)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				r, err := Open(d.Path())
				if err != nil {
					t.Error(err)
					return
				}
				tasks, err := Collect(r.Tasks())
				scores, err2 := Collect(r.Scores())
				if err != nil || err2 != nil || len(scores) != 2*len(tasks) {
					t.Errorf("%d tasks, %d scores, %v, %v", len(tasks), len(scores), err, err2)
				}
				r.Close()
			}
		})
	}
	for i := range 30 {
		n := 1 + i%5
		tx, err := d.Begin()
		must(t, err)
		trajectories, scores := sampleRun(n)
		must(t, tx.WriteTasks(All(sampleTasks(n))))
		must(t, tx.WriteRun(Run{ID: "r1"}, All(trajectories), All(scores)))
		must(t, tx.Commit(StageLog{Stage: "filter", Done: i}))
	}
	close(stop)
	wg.Wait()
}

func TestSecondWriterIsRefused(t *testing.T) {
	d := sampleDir(t, 4)
	other := mustOpen(t, d.Path())
	tx, err := other.Begin()
	must(t, err)
	must(t, tx.WriteEdges(All(sampleEdges())))
	must(t, change(d))
	if err := tx.Commit(StageLog{}); !errors.Is(err, ErrChanged) {
		t.Errorf("commit after another's: %v", err)
	}
	if got := state(t, d.Path()); got != "new" {
		t.Errorf("the dataset is %s", got)
	}
}

func TestRollbackLeavesNothing(t *testing.T) {
	d := sampleDir(t, 4)
	tx, err := d.Begin()
	must(t, err)
	must(t, tx.WriteTasks(All(sampleTasks(9))))
	broken := errors.New("the model went away")
	err = tx.WriteTape(func(yield func(Call, error) bool) { _ = yield(sampleCalls()[0], nil) && yield(Call{}, broken) })
	if !errors.Is(err, broken) {
		t.Errorf("WriteTape: %v", err)
	}
	must(t, tx.Rollback())
	if got := state(t, d.Path()); got != "old" {
		t.Errorf("the dataset is %s", got)
	}
	noLeftovers(t, d.Path(), "old")
	if err := tx.WriteEdges(All(sampleEdges())); err == nil {
		t.Error("a transaction that is over took rows")
	}
}

func TestShards(t *testing.T) {
	d := sampleDir(t, 1)
	tx, err := d.Begin()
	must(t, err)
	tx.shardBytes = 1
	rows := func(yield func(Task, error) bool) {
		for i := range 2100 {
			if !yield(Task{ID: fmt.Sprint(i), Instruction: Digest(fmt.Sprint(i)), Split: []string{"test", "dev"}[i%2]}, nil) {
				return
			}
		}
	}
	must(t, tx.WriteTasks(rows))
	must(t, tx.Commit(StageLog{}))
	var paths []string
	for _, f := range d.Manifest().Table(TableTasks) {
		paths = append(paths, fmt.Sprint(f.Path, " ", f.Rows))
	}
	want := []string{"tasks/dev-00000-of-00002.parquet 1000", "tasks/dev-00001-of-00002.parquet 50", "tasks/test-00000-of-00002.parquet 1000", "tasks/test-00001-of-00002.parquet 50"}
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Error(diff)
	}
	tasks, err := Collect(d.Tasks("test"))
	must(t, err)
	if len(tasks) != 1050 || tasks[1].ID != "2" {
		t.Errorf("%d tasks of split test", len(tasks))
	}
}

func TestNotADataset(t *testing.T) {
	foreign := t.TempDir()
	must(t, os.WriteFile(filepath.Join(foreign, "thesis.doc"), []byte("x"), 0o644))
	file := filepath.Join(foreign, "thesis.doc")
	for _, c := range []struct {
		name string
		call func() error
		want string
	}{
		{"open foreign", func() error { _, err := Open(foreign); return err }, "not a taskwright dataset: it has no taskwright.json"},
		{"create in foreign", func() error { _, err := Create(foreign); return err }, "the directory is not empty (it holds thesis.doc)"},
		{"open missing", func() error { _, err := Open(filepath.Join(foreign, "none")); return err }, "no such file or directory"},
		{"open file", func() error { _, err := Open(file); return err }, "it is a file, not a directory"},
		{"create over file", func() error { _, err := Create(file); return err }, "it is a file, not a directory"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.call(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
	if _, err := Open(foreign); !errors.Is(err, ErrNotDataset) {
		t.Errorf("%v is not ErrNotDataset", err)
	}
	if entries, _ := os.ReadDir(foreign); len(entries) != 1 {
		t.Errorf("something was written into the foreign directory: %v", entries)
	}
}

func TestCreateBesideSettings(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"taskwright.yaml", "mcp.json", "README.md", ".gitignore"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("mine\n"), 0o644))
	}
	d, err := Create(dir)
	must(t, err)
	must(t, d.Close())
	if d, err = Create(dir); err != nil {
		t.Fatalf("Create of a dataset that is there: %v", err)
	}
	defer d.Close()
	info, err := d.Info()
	must(t, err)
	if len(info.Tables) != 0 || info.Format != FormatVersion {
		t.Errorf("empty dataset: %+v", info)
	}
}

func TestReadOnlyDirectory(t *testing.T) {
	d := sampleDir(t, 4)
	d.fsys = &failing{at: 0, dead: true, err: syscall.EROFS}
	err := change(d)
	if !errors.Is(err, syscall.EROFS) || !strings.Contains(err.Error(), "writing catalog/servers.parquet: ") {
		t.Errorf("error %v", err)
	}
	if got := state(t, d.Path()); got != "old" {
		t.Errorf("the dataset is %s", got)
	}
	if _, err := createWith(filepath.Join(t.TempDir(), "x"), &failing{at: 0, dead: true, err: syscall.EROFS}); !errors.Is(err, syscall.EROFS) {
		t.Errorf("create: %v", err)
	}
	if os.Geteuid() == 0 {
		return // root may write anywhere
	}
	must(t, os.Chmod(d.file("tasks"), 0o555))
	defer os.Chmod(d.file("tasks"), 0o755)
	if err := change(mustOpen(t, d.Path())); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("read-only folder: %v", err)
	}
}

func TestManifestIsChecked(t *testing.T) {
	for _, c := range []struct{ raw, want string }{
		{`{"format":"2.0","files":17}`, "taskwright.json: dataset format 2.0, but taskwright " + Release + " reads format 1.x"},
		{`{"format":"one"}`, `format version "one" is not major.minor`},
		{`{`, "taskwright.json: unexpected end of JSON input"},
		{`{"format":"1.0","files":[{"path":"../x"}]}`, `path "../x" is not inside the dataset`},
		{`{"format":"1.0","files":[{"path":"/etc/passwd"}]}`, `path "/etc/passwd" is not inside the dataset`},
		{`{"format":"1.0","files":[{"path":"a","sha256":"xx"}]}`, "a has no proper sha256"},
		{`{"format":"1.0","files":[{"path":"tasks/x-00000-of-00001.parquet","sha256":"` + strings.Repeat("a", 64) + `"}]}`, "tasks/x-00000-of-00001.parquet is in the manifest but cannot be read"},
		{`{}`, "format version"},
	} {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, ManifestName), []byte(c.raw), 0o644))
		if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", c.raw, err, c.want)
		}
	}
}
