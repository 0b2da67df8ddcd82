//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// process is a started program and what it said.
type process struct {
	*exec.Cmd
	stdout, stderr bytes.Buffer
}

// start runs stagetest until its unit that waits says so.
func start(t *testing.T, dir string, args ...string) *process {
	t.Helper()
	os.Remove(filepath.Join(dir, "held"))
	p := &process{Cmd: exec.Command("stagetest", args...)}
	p.Stdout, p.Stderr = &p.stdout, &p.stderr
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Process.Kill(); p.Wait() })
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, "held")); err == nil {
			return p
		}
		if time.Now().After(deadline) {
			t.Fatal("the unit never began")
		}
	}
}

// end waits for the process and returns its exit status, -1 after a signal.
func (p *process) end(t *testing.T) int {
	t.Helper()
	err := p.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return p.ProcessState.ExitCode()
}

func paid(t *testing.T, dir string) []string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, "paid"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(raw))
}

func TestInterruptKeepsAndGoesOn(t *testing.T) {
	dir := t.TempDir()
	p := start(t, dir, "squares", dir, "-n", "20", "--hold", "7", "--json")
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := p.end(t); code != exitInterrupted {
		t.Errorf("exit status %d: %s", code, &p.stderr)
	}
	if !strings.Contains(p.stderr.String(), "taskwright: interrupted; what was finished is kept") || !strings.Contains(p.stdout.String(), `"exit":130`) {
		t.Errorf("said %q, %q", &p.stderr, &p.stdout)
	}
	before := len(paid(t, dir))
	again := start20(t, dir)
	if want := fmt.Sprintf("{\"done\":20,\"failed\":0,\"skipped\":%d}\n", before); before == 0 || again != want {
		t.Errorf("%d were done before; then %q", before, again)
	}
	done := paid(t, dir)
	slices.Sort(done)
	if len(done) != 20 || len(slices.Compact(done)) != 20 {
		t.Errorf("units done: %q", done)
	}
}

// start20 squares 20 numbers and returns what is on stdout.
func start20(t *testing.T, dir string) string {
	t.Helper()
	out, err := exec.Command("stagetest", "squares", dir, "-n", "20", "--json", "--quiet").Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestSecondInterruptEnds(t *testing.T) {
	dir := t.TempDir()
	p := start(t, dir, "squares", dir, "--hold", "3", "--stubborn")
	ended := make(chan int)
	go func() { ended <- p.end(t) }()
	for sent := 0; ; sent++ {
		p.Process.Signal(os.Interrupt)
		select {
		case code := <-ended:
			status := p.ProcessState.Sys().(syscall.WaitStatus)
			if sent == 0 || !status.Signaled() || status.Signal() != syscall.SIGINT {
				t.Errorf("ended after %d signals with %d, %v", sent+1, code, status)
			}
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func TestKillKeepsAndGoesOn(t *testing.T) {
	whole := t.TempDir()
	want, err := exec.Command("stagetest", "squares", whole, "-n", "20", "-q").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, hold := range []string{"3", "4", "11", "19"} {
		p := start(t, dir, "squares", dir, "-n", "20", "--hold", hold, "--workers", "1")
		p.Process.Kill()
		p.end(t)
	}
	got, err := exec.Command("stagetest", "squares", dir, "-n", "20", "-q").Output()
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v, after kills:\n%s\nwithout:\n%s", err, got, want)
	}
	if n := len(paid(t, dir)); n != 20 {
		t.Errorf("%d units were done for 20", n)
	}
}

func TestSecondRunIsRefusedByName(t *testing.T) {
	dir := t.TempDir()
	p := start(t, dir, "squares", dir, "--hold", "3")
	name := fmt.Sprintf("%s is in use by process %d (stagetest squares %s --hold 3)", dir, p.Process.Pid, dir)
	out, err := exec.Command("stagetest", "squares", dir).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitFailed || !strings.Contains(string(out), name) {
		t.Errorf("%v: %s", err, out)
	}
	out, err = exec.Command("taskwright", "doctor", "--no-model", dir).Output()
	if err != nil || !strings.Contains(string(out), name) {
		t.Errorf("doctor: %v: %s", err, out)
	}
}
