package world

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// clientFolder holds the check with the official TypeScript client.
const clientFolder = "../../ci/tsclient"

// need skips a test for want of a tool, or fails it when TASKWRIGHT_REQUIRE
// names that tool.
func need(t *testing.T, word string, present bool, missing string) {
	t.Helper()
	if present {
		return
	}
	if slices.Contains(strings.Split(os.Getenv("TASKWRIGHT_REQUIRE"), ","), word) {
		t.Fatal(missing)
	}
	t.Skip(missing)
}

type clientReport struct {
	Server struct{ Name string }
	Tools  []string
	Calls  []struct {
		Tool       string
		OK         bool
		IsError    bool
		Text       string
		Structured json.RawMessage
		Error      string
	}
}

// TestTypeScriptClient talks to every server, as a process of its own, with
// the official TypeScript client: all tools are listed, all samples answer,
// and a bad call ends as an error of the server's kind.
func TestTypeScriptClient(t *testing.T) {
	node, err := exec.LookPath("node")
	need(t, "node", err == nil, "node is not installed: the TypeScript client was not run")
	_, err = os.Stat(filepath.Join(clientFolder, "node_modules", "@modelcontextprotocol", "sdk", "package.json"))
	need(t, "npm", err == nil, "the TypeScript client is not installed: run npm ci --ignore-scripts in ci/tsclient")
	live, all := liveTools(newWorld(t)), samples(t)
	for _, server := range Names() {
		t.Run(server, func(t *testing.T) {
			t.Parallel()
			var ids []string
			for id := range live {
				if strings.HasPrefix(id, server+"/") {
					ids = append(ids, id)
				}
			}
			slices.Sort(ids)
			calls := clientCalls(ids, all)
			checkReport(t, runClient(t, node, server, calls), server, ids, calls)
		})
	}
}

// clientCalls makes a good and a bad call to every tool, in one session.
func clientCalls(ids []string, all map[string]sample) []preparedCall {
	var calls []preparedCall
	add := func(id string, args map[string]any) {
		_, tool, _ := strings.Cut(id, "/")
		if args == nil {
			args = map[string]any{}
		}
		calls = append(calls, preparedCall{tool, args})
	}
	for _, p := range all[ids[len(ids)-1]].Prepare {
		add(p.Tool, p.Arguments)
	}
	for _, id := range ids {
		add(id, all[id].Arguments)
	}
	add(ids[0], map[string]any{"no such argument": true})
	return calls
}

func runClient(t *testing.T, node, server string, calls []preparedCall) clientReport {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, "client.mjs", encoded(t, calls), self)
	cmd.Dir = clientFolder
	cmd.Env = append(os.Environ(), serveVariable+"="+server)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	var report clientReport
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatalf("reading the client's report: %v: %s", err, out)
	}
	return report
}

func checkReport(t *testing.T, r clientReport, server string, ids []string, calls []preparedCall) {
	t.Helper()
	if r.Server.Name != server || len(r.Tools) != len(ids) || len(r.Calls) != len(calls) {
		t.Fatalf("server %q with %d tools answered %d calls; want %q, %d, %d", r.Server.Name, len(r.Tools), len(r.Calls), server, len(ids), len(calls))
	}
	last := len(r.Calls) - 1
	for i, c := range r.Calls[:last] {
		if !c.OK || c.Text == "" {
			t.Errorf("%s %v: %s%s", c.Tool, calls[i].Arguments, c.Text, c.Error)
		}
	}
	bad := r.Calls[last]
	if strict := servers[server].strictErrors; bad.OK || bad.IsError == strict || strict && bad.Error == "" {
		t.Errorf("a call with an unknown argument: %+v", bad)
	}
}
