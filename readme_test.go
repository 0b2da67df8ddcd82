package taskwright_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the output of commands into the pages that show it")

// TestPages runs the console blocks of README.md and docs/*.md in a folder of
// their own, one after the other, and holds what they print against what the
// page shows. [page] says what a page can hold.
func TestPages(t *testing.T) {
	names, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	bin := programs(t)
	demo := filepath.Join(t.TempDir(), "demo")
	shell{dir: filepath.Dir(demo), bin: bin}.mustRun(t, "taskwright run demo")
	for _, name := range append([]string{"README.md"}, names...) {
		p, err := readPage(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.blocks) == 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := shell{dir: t.TempDir(), bin: bin}
			link(t, "ci", s.dir)
			if name != "README.md" {
				if err := os.CopyFS(filepath.Join(s.dir, "demo"), os.DirFS(demo)); err != nil {
					t.Fatal(err)
				}
			}
			for i := range p.blocks {
				p.check(t, &p.blocks[i], s)
			}
			if *update {
				p.write(t)
			}
		})
	}
}

// check runs a block and compares, or renews, what it shows.
func (p *page) check(t *testing.T, b *block, s shell) {
	if b.file != "" {
		if err := os.WriteFile(filepath.Join(s.dir, b.file), []byte(strings.Join(b.lines, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if missing := lacking(b.needs); missing != "" {
		if strings.Contains(os.Getenv("TASKWRIGHT_REQUIRE"), missing) {
			t.Errorf("%s:%d: needs %s, which is not there", p.name, b.line, missing)
		}
		t.Logf("%s:%d: not run: needs %s", p.name, b.line, missing)
		return
	}
	var shown []string
	for _, c := range b.commands() {
		got := s.run(t, c.command)
		if *update && failed(got) && !failed(c.output) && !slices.Contains(c.output, elision) {
			if got = s.shownInstead(t, c); failed(got) {
				t.Fatalf("%s:%d: %s\n%s", p.name, b.line, c.command, strings.Join(got, "\n"))
			}
		}
		if !c.matches(got) && !*update {
			t.Errorf("%s:%d: %s\n(- shown, + printed; go test . -update renews it)\n%s", p.name, b.line, c.command, cmp.Diff(c.steady(c.output), c.steady(got)))
		}
		if !c.matches(got) {
			c.renew(got)
		}
		shown = append(append(shown, "$ "+c.command), c.output...)
	}
	b.lines = shown
}

// failed says whether a command ended with status 1 or 2.
func failed(output []string) bool {
	return len(output) > 0 && (output[len(output)-1] == "exit status 1" || output[len(output)-1] == "exit status 2")
}

var (
	showTask = regexp.MustCompile(`datasets show (\S+) [0-9a-f]{6}`)
	aTask    = regexp.MustCompile(`^([0-9a-f]{6})[0-9a-f]{10} +accepted +\S+ +hybrid +3 `)
)

// shownInstead has a page show another task where the one that it showed is
// made no more: the first hybrid one of depth 3.
func (s shell) shownInstead(t *testing.T, c *command) []string {
	m := showTask.FindStringSubmatch(c.command)
	if m == nil {
		return s.run(t, c.command)
	}
	for _, line := range s.run(t, "taskwright datasets head "+m[1]+" -n 1000") {
		if found := aTask.FindStringSubmatch(line); found != nil {
			c.command = showTask.ReplaceAllString(c.command, "datasets show "+m[1]+" "+found[1])
			break
		}
	}
	return s.run(t, c.command)
}

// shell runs the commands of a page.
type shell struct{ dir, bin string }

func (s shell) mustRun(t *testing.T, command string) {
	t.Helper()
	if got := s.run(t, command); len(got) == 0 || strings.HasPrefix(got[len(got)-1], "exit status 1") {
		t.Fatalf("%s: %s", command, strings.Join(got, "\n"))
	}
}

// run is what a command writes to standard output, and, as go run does, its
// exit status if it is not 0, with the complaint that goes with it.
func (s shell) run(t *testing.T, command string) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, "sh", "-c", strings.ReplaceAll(command, "go run ./cmd/taskwright", "taskwright"))
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir, &stdout, &stderr
	cmd.Env = append(os.Environ(), "PATH="+s.bin+string(os.PathListSeparator)+os.Getenv("PATH"), "TASKWRIGHT_NPM="+npmFolder(),
		"HF_HOME="+filepath.Join(s.dir, ".hf"), "HF_HUB_OFFLINE=1", "HF_DATASETS_DISABLE_PROGRESS_BARS=1", "NO_COLOR=1")
	err := cmd.Run()
	lines := split(s.local(stdout.String()))
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		if _, complaint, found := strings.Cut("\n"+stderr.String(), "\ntaskwright: "); found {
			lines = append(lines, split(s.local("taskwright: "+complaint))...)
		} else {
			t.Logf("%s", stderr.String())
		}
		lines = append(lines, exit.String())
	case err != nil:
		t.Fatalf("%s: %v", command, err)
	}
	return lines
}

// local takes the folder that the commands ran in out of what they print.
func (s shell) local(text string) string {
	return strings.ReplaceAll(text, s.dir+string(filepath.Separator), "")
}

// programs builds taskwright into a folder for PATH, beside the Python that
// the tests of other programs use.
func programs(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		if strings.Contains(os.Getenv("TASKWRIGHT_REQUIRE"), "sh") {
			t.Fatal("sh is required but missing")
		}
		t.Skip("the pages' commands need sh")
	}
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin, "./cmd/taskwright").CombinedOutput(); err != nil {
		t.Fatalf("building taskwright: %v\n%s", err, out)
	}
	if p := python(); p != "" {
		if err := os.WriteFile(filepath.Join(bin, "python"), []byte("#!/bin/sh\nexec '"+p+"' \"$@\"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return bin
}

// link makes a folder of the project known in dir under its own name.
func link(t *testing.T, folder, dir string) {
	t.Helper()
	target, err := filepath.Abs(folder)
	if err == nil {
		err = os.Symlink(target, filepath.Join(dir, folder))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// lacking is the first of the needs that is not there.
func lacking(needs []string) string {
	there := map[string]bool{"python": python() != "", "npm": npmFolder() != ""}
	for _, n := range needs {
		if !there[n] {
			return n
		}
	}
	return ""
}

// python is a Python that has ci/interop/requirements.txt, "" for none.
func python() string {
	return firstFile(os.Getenv("TASKWRIGHT_PYTHON"), "ci/interop/.venv/bin/python")
}

// npmFolder is where the servers of ci/npm are installed, "" for nowhere.
func npmFolder() string {
	const modules = "/node_modules"
	found := firstFile(os.Getenv("TASKWRIGHT_NPM")+modules, os.Getenv("TASKWRIGHT_NPM_SERVERS")+modules, "ci/npm"+modules)
	return strings.TrimSuffix(found, modules)
}

// firstFile is the absolute name of the first that exists, "" for none.
func firstFile(names ...string) string {
	for _, name := range names {
		if _, err := os.Stat(name); err == nil && name != "" && !strings.HasPrefix(name, "/node_modules") {
			if name, err = filepath.Abs(name); err == nil {
				return name
			}
		}
	}
	return ""
}
