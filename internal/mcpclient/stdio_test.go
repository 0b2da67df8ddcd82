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

	"github.com/google/go-cmp/cmp"
	"github.com/taskwright/taskwright/datasets"
)

// openFake opens a fleet of one fake server; opened after it is closed first.
func openFake(t *testing.T, mode string, change func(*Config, *Options)) *Fleet {
	t.Helper()
	c, o := fakeConfig(t, mode), Options{TempDir: t.TempDir()}
	if change != nil {
		change(&c, &o)
	}
	f := Open(t.Context(), []Config{c}, &o)
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		left, err := os.ReadDir(o.TempDir)
		if err != nil || len(left) > 0 {
			t.Errorf("private directories left behind: %v, %v", left, err)
		}
	})
	return f
}

func catalogOne(t *testing.T, f *Fleet) (datasets.Server, []datasets.Tool) {
	t.Helper()
	servers, tools := f.Catalog(t.Context())
	if len(servers) != 1 {
		t.Fatalf("catalog of %d servers", len(servers))
	}
	return servers[0], tools
}

func mustCall(t *testing.T, f *Fleet, tool, arguments string) datasets.ToolResult {
	t.Helper()
	r, err := tryCall(t, f, tool, arguments)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func tryCall(t *testing.T, f *Fleet, tool, arguments string) (datasets.ToolResult, error) {
	t.Helper()
	conn, err := f.Shared(t.Context(), "fake")
	if err != nil {
		return datasets.ToolResult{}, err
	}
	return conn.Call(t.Context(), tool, json.RawMessage(arguments))
}

func TestCatalogRow(t *testing.T) {
	server, tools := catalogOne(t, openFake(t, "plain", nil))
	want := datasets.Server{
		Name: "fake", Title: "Fake server", Version: "1.2", Protocol: "2025-06-18", Transport: "stdio",
		Instructions: "Be kind.", Status: "ok", State: "none", Tools: 1, Warnings: []string{}, Digest: server.Digest,
	}
	if d := cmp.Diff(want, server); d != "" {
		t.Errorf("server (-want +got):\n%s", d)
	}
	wantTool := datasets.Tool{
		Server: "fake", Name: "echo", Description: "Say it again.",
		InputSchema:  `{"properties":{"text":{"type":"string"}},"type":"object"}`,
		OutputSchema: "null", OutputSchemaSource: "none", Annotations: `{"readOnlyHint":true}`, Effect: "read",
		Warnings: []string{}, Samples: []datasets.Sample{}, Health: datasets.Health{Status: "untested"}, Digest: tools[0].Digest,
	}
	if d := cmp.Diff([]datasets.Tool{wantTool}, tools); d != "" {
		t.Errorf("tools (-want +got):\n%s", d)
	}
	if len(server.Digest) != 64 || len(tools[0].Digest) != 64 {
		t.Errorf("digests %q, %q", server.Digest, tools[0].Digest)
	}
}

func TestNoiseOnStdout(t *testing.T) {
	f := openFake(t, "noise", nil)
	server, tools := catalogOne(t, f)
	want := []string{`wrote 5 lines to stdout that are no messages, the first: "Starting Fake MCP server..."`}
	if d := cmp.Diff(want, server.Warnings); d != "" || len(tools) != 1 {
		t.Errorf("%d tools, warnings (-want +got):\n%s", len(tools), d)
	}
	if r := mustCall(t, f, "echo", `{"text":"hi"}`); r.Text != `{"text":"hi"}` {
		t.Errorf("got %+v", r)
	}
}

func TestOddServersAnswer(t *testing.T) {
	tests := []struct{ mode, arguments, want string }{
		{"picky", `{"a":1}`, `{"a":1}`},
		{"old-version", `{"a":1}`, `{"a":1}`},
		{"null-id", `{}`, "in a batch"},
		{"strict-arguments", ``, `{}`},
		{"strict-arguments", `null`, `{}`},
	}
	for _, test := range tests {
		t.Run(test.mode, func(t *testing.T) {
			f := openFake(t, test.mode, nil)
			if _, tools := catalogOne(t, f); len(tools) != 1 {
				t.Errorf("%d tools", len(tools))
			}
			if r := mustCall(t, f, "echo", test.arguments); r.Text != test.want {
				t.Errorf("got %+v, want %s", r, test.want)
			}
		})
	}
}

func TestArgumentsMustBeAnObject(t *testing.T) {
	f := openFake(t, "plain", nil)
	for _, bad := range []string{`[1]`, `"x"`, `{"a":`, `{} {}`} {
		if r, err := tryCall(t, f, "echo", bad); err == nil {
			t.Errorf("arguments %s gave %+v", bad, r)
		}
	}
}

func TestBigAnswersAreCutAtARune(t *testing.T) {
	f := openFake(t, "big", func(_ *Config, o *Options) { o.ResultSize = 1001 })
	_, tools := catalogOne(t, f)
	if len(tools) != 1 || len(tools[0].Description) != maxDescription || len(tools[0].Warnings) != 1 {
		t.Fatalf("got %d tools, %q", len(tools), tools[0].Warnings)
	}
	r := mustCall(t, f, "echo", "")
	if r.Text != strings.Repeat("é", 500) || !r.Truncated {
		t.Errorf("%d bytes of text, truncated %v", len(r.Text), r.Truncated)
	}
}

func TestLineOverTheBound(t *testing.T) {
	f := openFake(t, "huge", nil)
	if _, err := tryCall(t, f, "echo", ""); err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Errorf("got %v", err)
	}
}

func TestOddSchemas(t *testing.T) {
	server, tools := catalogOne(t, openFake(t, "schemas", nil))
	got := map[string][]string{}
	for _, tool := range tools {
		got[tool.Name] = append(append([]string{}, tool.InputSchema, tool.Effect, tool.Title), tool.Warnings...)
	}
	want := map[string][]string{
		"untyped": {`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}`, "unknown", "", "input schema without type; taken as an object"},
		"none":    {`{"type":"object"}`, "unknown", "", "no input schema; taken as an object without properties"},
		"draft4": {`{"properties":{"n":{"exclusiveMinimum":true,"minimum":0,"type":"number"}},"type":"object"}`, "unknown", "",
			"input schema: /properties/n/: exclusiveMinimum is not a number"},
		"list":   {`{"type":"object"}`, "unknown", "", "inputSchema is not an object and is left out", "no input schema; taken as an object without properties"},
		"odd":    {`{"type":"object"}`, "write", "", "title is not a string", "description is not a string", "input schema of type string; taken as an object"},
		"keeper": {`{"properties":{"big":{"const":1234567890123456789}},"type":"object"}`, "write", "Keeper"},
		"wipe":   {`{"required":"x","type":"object"}`, "unknown", "", "input schema: /: required is not a list"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("tools (-want +got):\n%s", d)
	}
	wantWarnings := []string{`tool "draft4" is listed twice; the first is kept`, "tool 6 is left out: it has no name", "tool 7 is left out: it is not an object"}
	if d := cmp.Diff(wantWarnings, server.Warnings); d != "" {
		t.Errorf("warnings (-want +got):\n%s", d)
	}
}

func TestListChangedStormAndNoCapabilities(t *testing.T) {
	f := openFake(t, "storm", nil)
	catalogOne(t, f)
	catalogOne(t, f)
	if r := mustCall(t, f, "echo", ""); r.Text != "lists 1 caps {}" {
		t.Errorf("got %q", r.Text)
	}
}

func TestFormsOfError(t *testing.T) {
	f := openFake(t, "errors", nil)
	catalogOne(t, f)
	none := []string{}
	text := []string{"text"}
	tests := []struct {
		tool string
		want datasets.ToolResult
	}{
		{"tool", datasets.ToolResult{Text: "park not found", Structured: `{"code":4}`, ContentTypes: text, IsError: true, ErrorKind: "tool"}},
		{"rpc", datasets.ToolResult{Text: "JSON-RPC error -32603: fetch failed", Structured: "null", ContentTypes: none, IsError: true, ErrorKind: "protocol"}},
		{"text-rpc", datasets.ToolResult{Text: `JSON-RPC error 0: "just words"`, Structured: "null", ContentTypes: none, IsError: true, ErrorKind: "protocol"}},
		{"ok", datasets.ToolResult{Text: "Error: no such task", Structured: "null", ContentTypes: text}},
		{"structured", datasets.ToolResult{Structured: `{"error":"disk on fire"}`, ContentTypes: none}},
		{"ghost", datasets.ToolResult{Text: "Unknown tool: ghost", Structured: "null", ContentTypes: text, IsError: true, ErrorKind: "unknown_tool"}},
		{"ghost-rpc", datasets.ToolResult{Text: "JSON-RPC error -32601: Method not found", Structured: "null", ContentTypes: none, IsError: true, ErrorKind: "unknown_tool"}},
	}
	for _, test := range tests {
		if d := cmp.Diff(test.want, mustCall(t, f, test.tool, "")); d != "" {
			t.Errorf("%s (-want +got):\n%s", test.tool, d)
		}
	}
}

func TestContentBlocks(t *testing.T) {
	r := mustCall(t, openFake(t, "blocks", nil), "echo", "")
	want := datasets.ToolResult{
		Text: "one\ntwo", Structured: `{"dir":"/workspace/x","n":1234567890123456789}`,
		ContentTypes: []string{"text", "image", "audio", "resource", "resource_link", "hologram", "text", "unknown"},
	}
	if d := cmp.Diff(want, r); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestServerThatAsks(t *testing.T) {
	f := openFake(t, "asks", nil)
	answers := mustCall(t, f, "echo", "").Text
	for _, want := range []string{`"id":"r1"`, `"id":2,"error":{"code":-32601`, `"id":3,"error"`, `"id":4,"error"`} {
		if !strings.Contains(answers, want) {
			t.Errorf("no answer %s in\n%s", want, answers)
		}
	}
}

func TestPages(t *testing.T) {
	server, tools := catalogOne(t, openFake(t, "endless-pages", nil))
	if len(tools) != 3 || len(server.Warnings) != 1 || !strings.Contains(server.Warnings[0], "does not end") {
		t.Errorf("%d tools, warnings %q", len(tools), server.Warnings)
	}
	server, tools = catalogOne(t, openFake(t, "broken-page", nil))
	if len(tools) != 1 || len(server.Warnings) != 1 || !strings.Contains(server.Warnings[0], "page 2") || server.Status != datasets.ServerOK {
		t.Errorf("%d tools, server %+v", len(tools), server)
	}
}

func TestFailedServers(t *testing.T) {
	short := Limits{Start: 300 * time.Millisecond, List: 300 * time.Millisecond, Stop: 5 * time.Second}
	tests := []struct {
		mode   string
		limits Limits
		want   []string
	}{
		{"exits", Limits{}, []string{"starting", "exit status 5", "key [redacted] refused at /home/user"}},
		{"silent", short, []string{"starting", "no answer within 300ms", "listening on port 3000"}},
		{"list-fails", Limits{}, []string{"listing tools", "fetch failed"}},
		{"list-exits", Limits{}, []string{"listing tools", "exit status 4", "no database"}},
		{"list-silent", short, []string{"listing tools", "no answer within 300ms"}},
	}
	for _, test := range tests {
		t.Run(test.mode, func(t *testing.T) {
			f := openFake(t, test.mode, func(c *Config, _ *Options) {
				c.Env["API_KEY"] = "sesame-4711"
				if c.Limits = test.limits; test.mode == "silent" {
					c.Limits.Stop = 50 * time.Millisecond
				}
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
	f := openFake(t, "call-silent", func(c *Config, _ *Options) { c.Limits.Call = 200 * time.Millisecond })
	_, err := tryCall(t, f, "echo", `{"come":"late"}`)
	var e *Error
	if !errors.As(err, &e) || !e.Timeout || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "200ms") {
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
