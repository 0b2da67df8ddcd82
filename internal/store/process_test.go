package store_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/taskwright/taskwright/internal/store"
)

// child is the process that the tests below start and kill: it opens dir,
// prints the key of each acknowledged Put and never ends by itself.
func child(dir string) {
	s, err := store.Open(dir)
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	fmt.Println("ready")
	var out sync.Mutex
	for w := range 8 {
		go func() {
			for i := 0; ; i++ {
				key := fmt.Sprintf("%d-%d", w, i)
				if err := s.Put("s", key, []byte(strings.Repeat(key, 100))); err != nil {
					fmt.Println("error:", err)
					os.Exit(1)
				}
				out.Lock()
				fmt.Println(key)
				out.Unlock()
			}
		}()
	}
	select {}
}

// startChild starts the process above and returns when it holds the lock.
func startChild(t *testing.T, dir string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), "STORE_TEST_CHILD="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); io.Copy(io.Discard, out); cmd.Wait() })
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "ready" {
		t.Fatalf("child said %q", lines.Text())
	}
	return cmd, lines
}

func TestAcknowledgedPutsSurviveKill(t *testing.T) {
	dir := t.TempDir()
	for round := range 3 {
		cmd, lines := startChild(t, dir)
		var acknowledged []string
		for lines.Scan() {
			acknowledged = append(acknowledged, lines.Text())
			if len(acknowledged) == 150 {
				cmd.Process.Kill() // the loop reads on until the pipe ends
			}
		}
		cmd.Wait()
		s, err := store.Open(dir) // the lock of the dead process is no obstacle
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		for _, key := range acknowledged {
			got, found, err := s.Get("s", key)
			if err != nil || !found || string(got) != strings.Repeat(key, 100) {
				t.Fatalf("round %d: %s acknowledged and lost: %v, %v", round, key, found, err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSecondProcessIsRefusedByName(t *testing.T) {
	dir := t.TempDir()
	cmd, _ := startChild(t, dir)
	_, err := store.Open(dir)
	var held *store.HeldError
	if !errors.As(err, &held) {
		t.Fatalf("error: %v", err)
	}
	if held.Holder.PID != cmd.Process.Pid || !strings.Contains(held.Holder.Command, "-test.run=^$") {
		t.Errorf("holder: %+v, want process %d", held.Holder, cmd.Process.Pid)
	}
	for _, part := range []string{dir, fmt.Sprint("process ", cmd.Process.Pid), "-test.run=^$"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not name %q", err, part)
		}
	}
}

func TestSecondOpenInOneProcessIsRefused(t *testing.T) {
	dir := t.TempDir()
	open(t, dir)
	var held *store.HeldError
	if _, err := store.Open(dir); !errors.As(err, &held) || held.Holder.PID != os.Getpid() {
		t.Errorf("error: %v", err)
	}
}
