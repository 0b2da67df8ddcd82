package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/taskwright/taskwright/datasets"
)

func TestFailedServers(t *testing.T) {
	tests := []struct {
		mode   string
		limits Limits
		want   []string
	}{
		{"exits", Limits{}, []string{"starting", "exit status 5", "key [redacted] refused at /home/user"}},
		{"silent", Limits{Start: time.Second, Stop: 50 * time.Millisecond}, []string{"starting", "no answer within 1s", "listening on port 3000"}},
		{"list-fails", Limits{}, []string{"listing tools", "fetch failed"}},
		{"list-exits", Limits{}, []string{"listing tools", "exit status 4", "no database"}},
		{"list-silent", Limits{List: 300 * time.Millisecond, Stop: 5 * time.Second}, []string{"listing tools", "no answer within 300ms"}},
	}
	for _, test := range tests {
		t.Run(test.mode, func(t *testing.T) {
			f := openFake(t, test.mode, func(c *Config, _ *Options) {
				c.Env["API_KEY"] = "sesame-4711"
				c.Limits = test.limits
			})
			server, tools := catalogOne(t, f)
			if server.Status != datasets.ServerFailed || len(tools) != 0 || server.Name != "fake" {
				t.Errorf("got %+v", server)
			}
			for _, want := range test.want {
				if !strings.Contains(server.Error, want) {
					t.Errorf("error %q does not say %q", server.Error, want)
				}
			}
		})
	}
}

func TestMissingCommand(t *testing.T) {
	f := openFake(t, "plain", func(c *Config, _ *Options) { c.Command = "no-such-program-anywhere" })
	server, _ := catalogOne(t, f)
	if server.Status != datasets.ServerFailed || !strings.Contains(server.Error, "no-such-program-anywhere") || server.Transport != "stdio" {
		t.Errorf("got %+v", server)
	}
	if _, err := f.Shared(t.Context(), "fake"); err == nil {
		t.Error("a connection to nothing")
	}
	if _, err := f.Fresh(t.Context(), "fake"); err == nil {
		t.Error("a fresh connection to nothing")
	}
	if _, err := f.Shared(t.Context(), "nobody"); !errors.Is(err, ErrUnknownServer) {
		t.Errorf("got %v", err)
	}
}

func TestServerThatDies(t *testing.T) {
	f := openFake(t, "mortal", func(c *Config, o *Options) {
		c.Env["API_KEY"] = "sesame-4711"
		o.Restarts = 1
	})
	catalogOne(t, f)
	for _, want := range []string{"call 1", "call 2"} {
		if r := mustCall(t, f, "echo", ""); r.Text != want {
			t.Errorf("got %q, want %q", r.Text, want)
		}
	}
	die := func() {
		t.Helper()
		_, err := tryCall(t, f, "echo", `{"please":"die"}`)
		var e *Error
		if !errors.As(err, &e) || e.Server != "fake" || e.Op != "calling echo" || e.Exit != "exit status 6" || e.Stderr != "panic: token [redacted]" {
			t.Errorf("got %v", err)
		}
	}
	die()
	if s, tools := catalogOne(t, f); s.Status != datasets.ServerDied || s.Error == "" || len(tools) != 1 {
		t.Errorf("after the first death: %+v", s)
	}
	if r := mustCall(t, f, "echo", ""); r.Text != "call 1" {
		t.Errorf("not started anew: %q", r.Text)
	}
	if s, _ := catalogOne(t, f); s.Status != datasets.ServerOK || len(s.Warnings) != 1 {
		t.Errorf("after the restart: %+v", s)
	}
	die()
	if _, err := tryCall(t, f, "echo", ""); err == nil || !strings.Contains(err.Error(), "exit status 6") {
		t.Errorf("a second restart: %v", err)
	}
	if s, _ := catalogOne(t, f); s.Status != datasets.ServerDied || !strings.Contains(s.Error, "exit status 6") {
		t.Errorf("in the end: %+v", s)
	}
}

func TestCallTimeLimitKeepsTheConnection(t *testing.T) {
	f := openFake(t, "call-silent", func(c *Config, _ *Options) { c.Limits.Call = 500 * time.Millisecond })
	_, err := tryCall(t, f, "echo", `{"come":"late"}`)
	var e *Error
	if !errors.As(err, &e) || !e.Timeout || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "500ms") {
		t.Fatalf("got %v", err)
	}
	if r := mustCall(t, f, "echo", ""); r.Text != "in time" {
		t.Errorf("got %q", r.Text)
	}
}

func TestCancelledCall(t *testing.T) {
	f := openFake(t, "call-silent", nil)
	conn, err := f.Shared(t.Context(), "fake")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := conn.Call(ctx, "echo", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestServerThatDoesNotRead(t *testing.T) {
	f := openFake(t, "deaf", func(c *Config, _ *Options) {
		c.Limits.Call, c.Limits.Stop = 200*time.Millisecond, 50*time.Millisecond
	})
	big := `{"text":"` + strings.Repeat("x", 1<<20) + `"}`
	if _, err := tryCall(t, f, "echo", big); err == nil {
		t.Error("an answer from the deaf")
	}
}

func TestCloseEndsCallsInFlight(t *testing.T) {
	f := openFake(t, "call-silent", nil)
	conn, err := f.Fresh(t.Context(), "fake")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := conn.Call(context.Background(), "echo", json.RawMessage(`{"come":"late"}`))
		done <- err
	}()
	for len(conn.(*freshConn).link.calls) == 0 {
		runtime.Gosched()
	}
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; !errors.Is(err, ErrClosed) {
		t.Errorf("got %v", err)
	}
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
}

// TestNoProcessIsLeft has a server that ignores the end of its input and
// SIGTERM, and a child of it that does the same.
func TestNoProcessIsLeft(t *testing.T) {
	f := openFake(t, "stubborn", func(c *Config, _ *Options) { c.Limits.Stop = 50 * time.Millisecond })
	pids := strings.Fields(mustCall(t, f, "echo", "").Text)
	if len(pids) != 2 {
		t.Fatalf("got %q", pids)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	for _, s := range pids {
		pid, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(5 * time.Second); alive(pid); runtime.Gosched() {
			if time.Now().After(deadline) {
				t.Fatalf("process %d is still there", pid)
			}
		}
	}
}

// alive says whether a process runs; one that waits for being reaped does not.
func alive(pid int) bool {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err == nil {
		_, state, _ := strings.Cut(string(raw), ") ")
		return !strings.HasPrefix(state, "Z") && !strings.HasPrefix(state, "X")
	}
	return syscall.Kill(pid, 0) == nil
}

func TestPrivateDirectories(t *testing.T) {
	seed := t.TempDir()
	if err := os.WriteFile(seed+"/facts.txt", []byte("seeded"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := openFake(t, "state", func(c *Config, _ *Options) { c.Seed, c.Args = seed, []string{"--dir", "${WORKDIR}/data"} })
	write := `{"path":"/workspace/note","text":"mine"}`
	want := "/workspace/note=mine <nil> home /home/user wd /workspace temp /tmp/user arg --dir /workspace/data"
	if r := mustCall(t, f, "echo", write); r.Text != want {
		t.Errorf("got  %s\nwant %s", r.Text, want)
	}
	if r := mustCall(t, f, "echo", `{"path":"/workspace/facts.txt"}`); !strings.Contains(r.Text, "=seeded <nil>") {
		t.Errorf("seed: %s", r.Text)
	}
	fresh, err := f.Fresh(t.Context(), "fake")
	if err != nil {
		t.Fatal(err)
	}
	defer fresh.Close()
	r, err := fresh.Call(t.Context(), "echo", json.RawMessage(`{"path":"/workspace/note"}`))
	if err != nil || !strings.Contains(r.Text, "open /workspace/note: no such file") {
		t.Errorf("a fresh server sees the state of another: %+v, %v", r, err)
	}
}

func TestReducedEnvironment(t *testing.T) {
	host := map[string]string{"PATH": "/bin", "LANG": "C.UTF-8", "TZ": "UTC", "SECRET_OF_THE_HOST": "x", "HOME": "/root"}
	f := openFake(t, "environment", func(c *Config, o *Options) {
		c.Env["DATA"] = "${WORKDIR}/data"
		o.Getenv = func(name string) string { return host[name] }
	})
	got := mustCall(t, f, "echo", "").Text
	want := "DATA=/workspace/data\nHOME=/home/user\nLANG=C.UTF-8\nPATH=/bin\nTASKWRIGHT_FAKE_SERVER=environment\nTMPDIR=/tmp/user\nTZ=UTC\nXDG_RUNTIME_DIR=/tmp/user"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
