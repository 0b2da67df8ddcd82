package mcpclient

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestParseConfig(t *testing.T) {
	const file = `{
  "$schema": "x",
  "mcpServers": {
    "zeta": {
      "command": "${BIN}/node", "args": ["a.js", "${WORKDIR}/x", "${MODE:-fast}", "$5"],
      "env": {"KEY": "${TOKEN}"}, "seed": "seed/z", "allow": ["write"], "state": "session",
      "timeouts": {"start": "5s", "list": 2.5, "call": 90, "stop": "100ms"}, "concurrency": 2
    },
    "off": {"disabled": true, "command": "${UNSET}"},
    "alpha": {"url": "https://example.org/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}, "disabled": false},
    "old": {"type": "sse", "url": "http://localhost:3000/sse"},
    "new": {"transport": "streamable-http", "url": "http://localhost/mcp"}
  }
}`
	got, err := ParseConfig(strings.NewReader(file), env("BIN", "/opt", "TOKEN", "sesame-4711"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Config{
		{
			Name: "zeta", Transport: TransportStdio, Command: "/opt/node", Args: []string{"a.js", "${WORKDIR}/x", "fast", "$5"},
			Env: map[string]string{"KEY": "sesame-4711"}, Seed: "seed/z", Allow: []string{"write"}, State: "session",
			Limits: Limits{Calls: 2, Start: 5 * time.Second, List: 2500 * time.Millisecond, Call: 90 * time.Second, Stop: 100 * time.Millisecond},
		},
		{Name: "alpha", Transport: TransportAuto, URL: "https://example.org/mcp", Headers: map[string]string{"Authorization": "Bearer sesame-4711"}},
		{Name: "old", Transport: TransportSSE, URL: "http://localhost:3000/sse"},
		{Name: "new", Transport: TransportHTTP, URL: "http://localhost/mcp"},
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Config{})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	text := newRedactor(got[1]).text("Bearer sesame-4711, sesame-4711 at https://u:p@example.org/mcp?x=1.")
	if text != "[redacted], [redacted] at https://example.org/mcp" {
		t.Errorf("redacted: %s", text)
	}
}

func TestParseConfigErrors(t *testing.T) {
	server := func(s string) string { return "{\"mcpServers\": {\n\"a\": " + s + "}}" }
	tests := []struct{ name, file, want string }{
		{"empty", ``, `line 1: unexpected end`},
		{"no JSON", "{\n\"mcpServers\": {\n,}}", `line 3: invalid character`},
		{"a list", `[]`, `want an object with the key "mcpServers", got a list`},
		{"no servers", `{}`, `the key "mcpServers" is missing`},
		{"wrong top key", "{\n\"mcpservers\": {}}", `line 2: unknown key "mcpservers", did you mean "mcpServers"?`},
		{"foreign top key", `{"colour": 1}`, `unknown key "colour" (known: mcpServers, $schema)`},
		{"more input", `{"mcpServers": {}} x`, `line 1:`},
		{"wrong key", server(`{"comand": "x"}`), `line 2: server "a": unknown key "comand", did you mean "command"?`},
		{"wrong limit", server(`{"command": "x", "timeouts": {"strat": 1}}`), `line 2: server "a": timeouts: unknown key "strat", did you mean "start"?`},
		{"bad limit", server(`{"command": "x", "timeouts": {"start": "soon"}}`), `timeouts.start: want a duration`},
		{"no command", server(`{"args": []}`), `line 2: server "a": command or url is missing`},
		{"empty command", server(`{"command": " "}`), `server "a": command: is empty`},
		{"both", server(`{"command": "x", "url": "http://x"}`), `a command or a url, not both`},
		{"twice", `{"mcpServers": {"a": {"command": "x"},` + "\n" + `"a": {"command": "y"}}}`, `line 2: key "a" is there twice (first on line 1)`},
		{"unset", server("{\"command\": \"x\",\n\"env\": {\"K\": \"${NOT_SET}\"}}"), `line 3: server "a": env.K: variable NOT_SET is not set`},
		{"unclosed", server(`{"command": "${X"}`), `server "a": command: "${" without "}"`},
		{"bad variable", server(`{"command": "${X Y}"}`), `is not a variable name`},
		{"args", server(`{"command": "x", "args": "y"}`), `server "a": args: want a list of strings, got a string`},
		{"arg", server(`{"command": "x", "args": [1]}`), `server "a": args: want a string, got a number`},
		{"env", server(`{"command": "x", "env": []}`), `server "a": env: want an object of strings, got a list`},
		{"env name", server(`{"command": "x", "env": {"A=B": "c"}}`), `is not a variable name`},
		{"disabled", server(`{"command": "x", "disabled": "yes"}`), `server "a": disabled: want true or false, got a string`},
		{"transport", server(`{"url": "http://x", "type": "carrier pigeon"}`), `unknown transport "carrier pigeon"`},
		{"transport of a command", server(`{"command": "x", "type": "sse"}`), `sse needs a url`},
		{"transport of a url", server(`{"url": "http://x", "type": "stdio"}`), `stdio needs a command`},
		{"url", server(`{"url": "ftp://x"}`), `server "a": url: want an http or https URL`},
		{"args of a url", server(`{"url": "http://x", "args": []}`), `args: belongs to a server with a command`},
		{"headers of a command", server(`{"command": "x", "headers": {}}`), `headers: belongs to a server with a url`},
		{"header", server(`{"url": "http://x", "headers": {"A": "b\nc"}}`), `is not a header`},
		{"seed and cwd", server(`{"command": "x", "seed": "s", "cwd": "/x"}`), `seed: is copied into a private working directory`},
		{"state", server(`{"command": "x", "state": "some"}`), `state: want "none" or "session"`},
		{"concurrency", server(`{"command": "x", "concurrency": 0}`), `concurrency: want a whole number`},
		{"server name", `{"mcpServers": {"a/b": {}}}`, `server name "a/b"`},
		{"a server", `{"mcpServers": {"a": 1}}`, `server "a": want an object, got a number`},
		{"deep", `{"mcpServers":` + strings.Repeat("[", 100), `nested deeper`},
		{"big", `{"mcpServers":"` + strings.Repeat("x", maxConfigBytes) + `"}`, `larger than`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := ParseConfig(strings.NewReader(test.file), env())
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %+v, %v\nwant an error with %s", got, err, test.want)
			}
		})
	}
}

func TestConfigErrorsHoldNoValues(t *testing.T) {
	for _, file := range []string{
		`{"mcpServers": {"a": {"url": "://sesame-4711"}}}`,
		`{"mcpServers": {"a": {"command": "x", "env": {"K": "sesame-4711", "L": "${NONE}"}}}}`,
		`{"mcpServers": {"a": {"command": "x", "env": {"K": "sesame-4711"}, "timeouts": {"start": "sesame-4711"}}}}`,
	} {
		if _, err := ParseConfig(strings.NewReader(file), env()); err == nil || strings.Contains(err.Error(), "sesame") {
			t.Errorf("got %v", err)
		}
	}
}

func TestReadConfigTakesFoldersFromTheFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "mcp.json")
	if _, err := ReadConfig(path, env()); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a file that is not there: %v", err)
	}
	file := `{"mcpServers": {"a": {"command": "x", "seed": "s"}, "b": {"command": "x", "cwd": "d"}, "c": {"command": "x", "cwd": "${WORKDIR}/e", "seed": "/abs"}}}`
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := ReadConfig(path, env())
	if err != nil {
		t.Fatal(err)
	}
	if got[0].Seed != filepath.Join(dir, "s") || got[1].Dir != filepath.Join(dir, "d") || got[2].Dir != "${WORKDIR}/e" || got[2].Seed != "/abs" {
		t.Errorf("got %+v", got)
	}
	if err := os.WriteFile(path, []byte(`{`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadConfig(path, env()); err == nil || !strings.Contains(err.Error(), path+": line 1") {
		t.Errorf("a broken file: %v", err)
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add(`{"mcpServers": {"a": {"command": "x", "args": ["${A:-b}"]}}}`)
	f.Add(`{"mcpServers": {"a": {"url": "http://x", "headers": {"k": "${V}"}, "timeouts": {"call": 1e9}}}}`)
	f.Add("{\"mcpServers\":\n{\"\\ud800\": {\"disabled\": true}}}")
	f.Fuzz(func(t *testing.T, file string) {
		configs, err := ParseConfig(strings.NewReader(file), env("V", "value"))
		if err != nil && configs != nil {
			t.Error("configs beside an error")
		}
		for _, c := range configs {
			if checkServerName(c.Name) != nil || (c.Command == "") == (c.URL == "") || c.Transport == "" {
				t.Errorf("accepted %+v", c)
			}
		}
	})
}
