package mcpclient

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

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
		Instructions: "Be kind.", Status: "ok", Tools: 1, Warnings: []string{},
	}
	if d := cmp.Diff(want, server); d != "" {
		t.Errorf("server (-want +got):\n%s", d)
	}
	wantTool := datasets.Tool{
		Server: "fake", Name: "echo", Description: "Say it again.",
		InputSchema:  `{"properties":{"text":{"type":"string"}},"type":"object"}`,
		OutputSchema: "null", OutputSchemaSource: "none", Annotations: `{"readOnlyHint":true}`, Effect: "read",
		Warnings: []string{}, Samples: []datasets.Sample{}, Health: datasets.Health{Status: "untested"},
	}
	if d := cmp.Diff([]datasets.Tool{wantTool}, tools); d != "" {
		t.Errorf("tools (-want +got):\n%s", d)
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
