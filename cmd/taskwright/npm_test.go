package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/taskwright/taskwright/datasets"
)

// npmFolder is the folder that holds the node_modules of the pinned servers:
// TASKWRIGHT_NPM_SERVERS, ci/npm where it is not set. Without them the test is
// skipped.
func npmFolder(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("TASKWRIGHT_NPM_SERVERS")
	if folder == "" {
		folder = filepath.Join("..", "..", "ci", "npm")
	}
	_, nodeErr := exec.LookPath("node")
	_, npmErr := os.Stat(filepath.Join(folder, "node_modules", "@modelcontextprotocol"))
	for _, need := range []struct {
		word string
		err  error
		why  string
	}{
		{"node", nodeErr, "node is not installed"},
		{"npm", npmErr, "the pinned servers are not installed: run npm ci --ignore-scripts in ci/npm"},
	} {
		if need.err == nil {
			continue
		}
		if slices.Contains(strings.Split(os.Getenv("TASKWRIGHT_REQUIRE"), ","), need.word) {
			t.Fatal(need.why)
		}
		t.Skip(need.why)
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// The whole of run on servers that no one here wrote.
func TestRunOnPinnedNPMServers(t *testing.T) {
	t.Setenv("TASKWRIGHT_NPM", npmFolder(t))
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp) // all that servers get lies below it
	dir := filepath.Join(t.TempDir(), "real")
	npm := filepath.Join("..", "..", "ci", "npm")
	s := expect(t, exitDone, "run", dir, "--servers", filepath.Join(npm, "mcp.json"), "--probe", "all",
		"--phrases", filepath.Join(npm, "phrases.yaml"), "-n", "40", "--json", "-q")
	nothingLeft(t, temp)
	a := s.object(t)
	rates := agentsOf(a)
	t.Logf("%v servers, %v tools, %v edges, %v candidates, %v accepted, oracle %v, null %v, single %v", a["servers"], a["tools"], a["edges"],
		a["candidates"], a["accepted"], rates["oracle"]["pass_rate"], rates["null"]["pass_rate"], rates["single"]["pass_rate"])
	if a["servers"].(float64) < 12 || a["tools"].(float64) < 150 || a["accepted"].(float64) < 20 {
		t.Errorf("want at least 12 servers, 150 tools and 20 accepted tasks: %s", s.stdout)
	}
	if rates["oracle"]["pass_rate"] != 1.0 || rates["null"]["pass_rate"] != 0.0 {
		t.Errorf("want oracle 1 and null 0: %v", rates)
	}
	servers := acceptedServers(t, dir)
	if t.Logf("accepted tasks on %q", servers); len(servers) < 5 {
		t.Errorf("the accepted tasks are on %q only", servers)
	}
	expect(t, exitDone, "datasets", "validate", dir)
	t.Run("tape", func(t *testing.T) { sameFromTape(t, dir, rates) })
}

// agentsOf are the results of run by agent, without the names of the runs.
func agentsOf(a map[string]any) map[string]map[string]any {
	out := map[string]map[string]any{}
	for _, v := range a["agents"].([]any) {
		r := v.(map[string]any)
		delete(r, "run")
		out[r["agent"].(string)] = r
	}
	return out
}

// acceptedServers are the servers of the accepted tasks, sorted.
func acceptedServers(t *testing.T, dir string) []string {
	t.Helper()
	var servers []string
	for _, task := range readTasks(t, dir) {
		if task.Status == datasets.StatusAccepted {
			servers = append(servers, task.Servers...)
		}
	}
	slices.Sort(servers)
	return slices.Compact(servers)
}

// sameFromTape holds that the agents do from the tape what they did live,
// where no server could be started.
func sameFromTape(t *testing.T, dir string, want map[string]map[string]any) {
	t.Setenv("TASKWRIGHT_NPM", "")
	t.Setenv("PATH", t.TempDir())
	if err := os.RemoveAll(filepath.Join(dir, ".taskwright")); err != nil { // nor is anything known of the run
		t.Fatal(err)
	}
	for _, agent := range []string{"oracle", "null"} {
		got := expect(t, exitDone, "evaluate", dir, "--agent", agent, "--offline", "--run", "tape-"+agent, "--json", "-q").object(t)
		delete(got, "run")
		if diff := cmp.Diff(want[agent], got); diff != "" {
			t.Errorf("%s, live and from the tape: %s", agent, diff)
		}
	}
	a := expect(t, exitDone, "evaluate", dir, "--agent", "oracle,null", "--offline", "--json", "-q").object(t)
	if diff := cmp.Diff(map[string]map[string]any{"oracle": want["oracle"], "null": want["null"]}, agentsOf(a)); diff != "" {
		t.Errorf("both agents, live and from the tape: %s", diff)
	}
}

// nothingLeft holds that the processes that were given folders below temp have
// ended, and that their folders are gone. Processes are looked for where there
// is a /proc.
func nothingLeft(t *testing.T, temp string) {
	t.Helper()
	left, err := os.ReadDir(temp)
	if err != nil || len(left) > 0 {
		t.Errorf("left in the temporary folder: %v, %v", left, err)
	}
	environs, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range environs {
		raw, err := os.ReadFile(name) // of others' processes it is not readable
		if err == nil && strings.Contains(string(raw), "HOME="+temp) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
			t.Errorf("%s is left: %q", filepath.Dir(name), line)
		}
	}
}
