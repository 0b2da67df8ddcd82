package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/taskwright/taskwright/datasets"
)

// said is what a command line came to.
type said struct {
	code           int
	stdout, stderr string
}

// command runs a command line in this process.
func command(args ...string) said {
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), args, strings.NewReader(""), &stdout, &stderr)
	return said{code, stdout.String(), stderr.String()}
}

// expect runs a command line and holds its exit status.
func expect(t *testing.T, code int, args ...string) said {
	t.Helper()
	s := command(args...)
	if s.code != code {
		t.Fatalf("taskwright %s: exit status %d, want %d\nstdout: %s\nstderr: %s", strings.Join(args, " "), s.code, code, s.stdout, s.stderr)
	}
	return s
}

// object is the one object that a command printed under --json.
func (s said) object(t *testing.T) map[string]any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(s.stdout))
	var v map[string]any
	if err := d.Decode(&v); err != nil || d.More() {
		t.Fatalf("not one object on stdout: %v\n%s", err, s.stdout)
	}
	return v
}

// demo is a dataset that run made of the embedded servers, and what run said.
// It is made once and only read.
var demo = sync.OnceValues(func() (string, said) {
	dir, err := os.MkdirTemp("", "taskwright-demo-")
	if err != nil {
		panic(err)
	}
	removeDemo = func() { os.RemoveAll(dir) }
	return dir, command("run", filepath.Join(dir, "demo"), "--json")
})

// removeDemo removes [demo], if it was made.
var removeDemo = func() {}

// demoDir is the directory of [demo].
func demoDir(t *testing.T) string {
	t.Helper()
	dir, s := demo()
	if s.code != exitDone {
		t.Fatalf("run: exit status %d: %s", s.code, s.stderr)
	}
	return filepath.Join(dir, "demo")
}

// demoCopy is a copy of [demo] to change.
func demoCopy(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "demo")
	if err := os.CopyFS(dir, os.DirFS(demoDir(t))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// sums are the digests of the files of a dataset that depend on nothing but
// the servers and the seed.
func sums(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, folder := range []string{"catalog", "tasks", "tape"} {
		err := filepath.WalkDir(filepath.Join(dir, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			raw, err := os.ReadFile(path)
			name, _ := filepath.Rel(dir, path)
			sum := sha256.Sum256(raw)
			out[filepath.ToSlash(name)] = hex.EncodeToString(sum[:8])
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// sameBytes holds a dataset against another.
func sameBytes(t *testing.T, want, got string) {
	t.Helper()
	if diff := cmp.Diff(sums(t, want), sums(t, got)); diff != "" {
		t.Errorf("%s and %s differ: %s", want, got, diff)
	}
}

func readTasks(t *testing.T, dir string) []datasets.Task {
	t.Helper()
	d, err := datasets.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	tasks, err := datasets.Collect(d.Tasks())
	if err != nil {
		t.Fatal(err)
	}
	return tasks
}

func readCalls(t *testing.T, dir string) []datasets.Call {
	t.Helper()
	d, err := datasets.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	calls, err := datasets.Collect(d.Tape())
	if err != nil {
		t.Fatal(err)
	}
	return calls
}
