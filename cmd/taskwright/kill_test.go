//go:build unix

package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// killedMain is taskwright with a sudden end, by the environment:
//
//	KILL_WITH   signal number
//	KILL_AFTER  how long after the start, or
//	KILL_AT     a file pattern: as soon as a file matches
func killedMain() {
	number := 0
	if _, err := fmt.Sscan(os.Getenv("KILL_WITH"), &number); err != nil {
		panic(err)
	}
	kill := func() { syscall.Kill(os.Getpid(), syscall.Signal(number)) }
	if after, err := time.ParseDuration(os.Getenv("KILL_AFTER")); err == nil {
		time.AfterFunc(after, kill)
	}
	if pattern := os.Getenv("KILL_AT"); pattern != "" {
		go func() {
			for {
				if found, _ := filepath.Glob(pattern); len(found) > 0 {
					kill()
					return
				}
				time.Sleep(50 * time.Microsecond)
			}
		}()
	}
	main()
}

// suddenly runs a command line that a signal may end, and returns what of it
// ended: the exit status, -1 after a kill.
func suddenly(t *testing.T, with syscall.Signal, when string, args ...string) (int, string) {
	t.Helper()
	cmd := exec.Command("killed", args...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("KILL_WITH=%d", with), when)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), stderr.String()
}

// killPoints are instants inside stages and inside commits of a run in dir:
// files that appear then, and times.
func killPoints(dir string) []string {
	var points []string
	for _, at := range []string{
		"taskwright.json", ".taskwright/lock", ".taskwright/state.db-wal", "catalog/.*", "catalog/.edges*", "tape/.*", "taskwright.json.next", "catalog/tools.parquet",
		"tasks/.*", "tasks/candidates*", "runs/oracle-medium", "runs/oracle-medium/.*", "runs/oracle-medium/run.json", "runs/single-medium/.traj*", "report.html.tmp",
	} {
		points = append(points, "KILL_AT="+filepath.Join(dir, at))
	}
	rng := rand.New(rand.NewPCG(7, 7))
	for range 6 {
		points = append(points, fmt.Sprintf("KILL_AFTER=%dms", 5+rng.IntN(500)))
	}
	return points
}

func TestKilledRunEndsTheSame(t *testing.T) {
	t.Parallel()
	whole := filepath.Join(t.TempDir(), "whole")
	expect(t, exitDone, "run", whole, "-n", "5", "--calls-per-tool", "3", "-q")
	dir := filepath.Join(t.TempDir(), "killed")
	args := []string{"run", dir, "-n", "5", "--calls-per-tool", "3", "-q"}
	killed := 0
	for _, when := range killPoints(dir) {
		switch code, stderr := suddenly(t, syscall.SIGKILL, when, args...); code {
		case -1:
			killed++
		case exitDone:
		default:
			t.Errorf("%s: exit status %d: %s", when, code, stderr)
		}
	}
	expect(t, exitDone, args...)
	sameBytes(t, whole, dir)
	expect(t, exitDone, "datasets", "validate", dir)
	if killed < 10 {
		t.Errorf("killed only %d times", killed)
	}
	t.Logf("killed %d times", killed)
}

// Each time from the start, so that early and late instants of a first run are
// met, too.
func TestRunKilledOnceEndsTheSame(t *testing.T) {
	t.Parallel()
	whole := filepath.Join(t.TempDir(), "whole")
	expect(t, exitDone, "run", whole, "-n", "5", "--calls-per-tool", "3", "-q")
	rng := rand.New(rand.NewPCG(11, 11))
	for i, at := range []string{"catalog/.edges*", "taskwright.json.next", "tasks/.*", "tasks/candidates*", "runs/null-medium/.*", "", "", ""} {
		dir := filepath.Join(t.TempDir(), fmt.Sprint("killed", i))
		when := "KILL_AT=" + filepath.Join(dir, at)
		if at == "" {
			when = fmt.Sprintf("KILL_AFTER=%dms", 50+rng.IntN(500))
		}
		suddenly(t, syscall.SIGKILL, when, "run", dir, "-n", "5", "--calls-per-tool", "3", "-q")
		expect(t, exitDone, "run", dir, "-n", "5", "--calls-per-tool", "3", "-q")
		sameBytes(t, whole, dir)
	}
}

func TestInterruptedRunGoesOn(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "d")
	for _, at := range []string{".taskwright/state.db-wal", "catalog/tools.parquet", "tasks/candidates*", "runs/oracle-medium"} {
		code, stderr := suddenly(t, syscall.SIGINT, "KILL_AT="+filepath.Join(dir, at), "run", dir, "-n", "5", "--calls-per-tool", "3")
		if code != exitInterrupted && code != exitDone || code == exitInterrupted && !strings.Contains(stderr, "taskwright: interrupted; what was finished is kept") {
			t.Errorf("%s: exit status %d: %s", at, code, stderr)
		}
		if at == ".taskwright/state.db-wal" && code != exitInterrupted {
			t.Errorf("the first interrupt came too late: %d", code)
		}
	}
	whole := filepath.Join(t.TempDir(), "whole")
	expect(t, exitDone, "run", whole, "-n", "5", "--calls-per-tool", "3", "-q")
	expect(t, exitDone, "run", dir, "-n", "5", "--calls-per-tool", "3", "-q")
	sameBytes(t, whole, dir)
}

// A kill in the middle of calls to real processes pays no call twice but the
// one that was under way.
func TestKilledRunRepeatsNoCall(t *testing.T) {
	t.Parallel()
	f := newFakes(t, "good")
	dir := filepath.Join(t.TempDir(), "d")
	args := []string{"run", dir, "--servers", f.file, "--probe", "all", "-n", "4", "-q"}
	expect(t, exitDone, args...)
	whole := len(f.calls("good"))
	if err := errors.Join(os.RemoveAll(dir), os.Remove(f.log("good"))); err != nil {
		t.Fatal(err)
	}
	kills := 0
	for _, at := range []string{f.log("good"), filepath.Join(dir, "catalog", "tools.parquet"), filepath.Join(dir, "tasks", "candidates*")} {
		if code, _ := suddenly(t, syscall.SIGKILL, "KILL_AT="+at, args...); code == -1 {
			kills++
		}
	}
	expect(t, exitDone, args...)
	const underWay = 8 // calls at once
	if got := len(f.calls("good")); got > whole+kills*underWay {
		t.Errorf("%d calls with %d kills, %d without", got, kills, whole)
	}
}

func TestSecondRunInOneDirectoryIsRefused(t *testing.T) {
	t.Parallel()
	dir := demoCopy(t)
	p := exec.Command("killed", "run", dir, "-n", "2000", "-q")
	p.Env = append(os.Environ(), "KILL_WITH=15")
	before, err := os.ReadFile(filepath.Join(dir, ".taskwright", "lock"))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { p.Process.Kill(); p.Wait() }()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		now, err := os.ReadFile(filepath.Join(dir, ".taskwright", "lock"))
		if err == nil && len(now) > 0 && string(now) != string(before) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the first run took no lock")
		}
	}
	s := expect(t, exitFailed, "run", dir)
	if want := fmt.Sprintf("%s is in use by process %d (killed run %s -n 2000 -q)", dir, p.Process.Pid, dir); !strings.Contains(s.stderr, want) {
		t.Errorf("%s", s.stderr)
	}
}
