package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/taskwright/taskwright/datasets"
)

// serverOf is the row of a server in the answer of discover.
func serverOf(t *testing.T, answer map[string]any, name string) map[string]any {
	t.Helper()
	for _, s := range answer["servers"].([]any) {
		if row := s.(map[string]any); row["name"] == name {
			return row
		}
	}
	t.Fatalf("no server %s in %v", name, answer)
	return nil
}

func TestRunOnServersOfAFile(t *testing.T) {
	t.Parallel()
	f := newFakes(t, "good")
	dir := filepath.Join(t.TempDir(), "mine")
	a := expect(t, exitDone, "run", dir, "--servers", f.file, "--probe", "all", "-n", "6", "--json").object(t)
	if a["accepted"].(float64) < 1 || a["servers"] != 1.0 {
		t.Fatalf("%v", a)
	}
	before := sums(t, dir)
	n := len(f.calls("good"))
	expect(t, exitDone, "run", dir, "--servers", f.file, "--probe", "all", "-n", "6", "-q")
	if more := f.calls("good")[n:]; len(more) > 0 {
		t.Errorf("a finished run, started again, called %q", more)
	}
	expect(t, exitDone, "evaluate", dir, "--offline", "-q")
	for name, sum := range sums(t, dir) {
		if before[name] != sum {
			t.Errorf("%s has changed", name)
		}
	}
	// Later commands know the servers, without being told again.
	s := expect(t, exitDone, "generate", dir, "-n", "2", "--seed", "5", "-v")
	if !strings.Contains(s.stderr, "calls go to the servers of "+f.file) {
		t.Errorf("%s", s.stderr)
	}
	if s = expect(t, exitDone, "datasets", "info", dir); !strings.Contains(s.stdout, "made with: the servers of "+f.file) {
		t.Errorf("%s", s.stdout)
	}
	if err := os.RemoveAll(filepath.Join(dir, ".taskwright")); err != nil {
		t.Fatal(err)
	}
	if s = expect(t, exitDone, "filter", dir); !strings.Contains(s.stderr, "this dataset's servers are not known here") {
		t.Errorf("%s", s.stderr)
	}
}

func TestOnlyReadOnlyToolsAreCalledUnasked(t *testing.T) {
	t.Parallel()
	f := newFakes(t, "good")
	called := func(args ...string) (tools []string) {
		os.Remove(f.log("good"))
		dir := filepath.Join(t.TempDir(), "d")
		expect(t, exitDone, append([]string{"discover", dir, "--servers", f.file, "-q"}, args...)...)
		for _, line := range f.calls("good") {
			name, _, _ := strings.Cut(line, " ")
			tools = append(tools, name)
		}
		slices.Sort(tools)
		return slices.Compact(tools)
	}
	for _, c := range []struct {
		args string
		want string
	}{
		{"--probe none", ""},
		{"--probe read", "city_facts list_cities"},
		{"--seed 3", "city_facts list_cities"},
		{"--allow good/river_of", "city_facts list_cities river_of"},
		{"--probe all", "city_facts list_cities river_of"},
	} {
		if got := strings.Join(called(strings.Fields(c.args)...), " "); got != c.want {
			t.Errorf("%s: called %s", c.args, got)
		}
	}
}

func TestEmbeddedServersAreProbedByTheSameRule(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "d")
	expect(t, exitDone, "discover", dir, "--probe", "read", "-q")
	d, err := datasets.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	effects := map[string]string{}
	for tool, err := range d.Tools() {
		if err != nil {
			t.Fatal(err)
		}
		effects[tool.ID()] = tool.Effect
	}
	calls := readCalls(t, dir)
	for _, c := range calls {
		if effects[c.Server+"/"+c.Tool] != datasets.EffectRead {
			t.Errorf("called %s/%s", c.Server, c.Tool)
		}
	}
	if len(calls) < 100 {
		t.Errorf("%d calls", len(calls))
	}
}

func TestServerThatDiesCostsOnlyItself(t *testing.T) {
	t.Parallel()
	f := newFakes(t, "good", "dies", "broken", "silent")
	dir := filepath.Join(t.TempDir(), "d")
	s := expect(t, exitPartial, "discover", dir, "--servers", f.file, "--probe", "all", "--json")
	a := s.object(t)
	for name, want := range map[string]string{"good": "ok", "dies": "died", "broken": "failed", "silent": "failed"} {
		row := serverOf(t, a, name)
		if row["status"] != want || (row["error"] == "") != (want == "ok") {
			t.Errorf("%v, want %s", row, want)
		}
	}
	for _, want := range []string{"discover: 3 of 4 servers failed:", "broken: ", "no database at /nowhere", "dies: ", "silent: "} {
		if !strings.Contains(s.stderr, want) {
			t.Errorf("stderr lacks %q: %s", want, s.stderr)
		}
	}
	tool := expect(t, exitDone, "datasets", "show", dir, "dies/city_facts", "--json").object(t)
	if health := tool["health"].(map[string]any); !strings.Contains(health["detail"].(string), "server died") {
		t.Errorf("%v", health)
	}
	run := expect(t, exitPartial, "run", dir, "--servers", f.file, "--probe", "all", "-n", "4", "--json").object(t)
	if run["accepted"].(float64) < 1 || run["servers"].(float64) > 2 {
		t.Errorf("%v", run)
	}
	expect(t, exitDone, "evaluate", dir, "--offline", "-q") // whatever was accepted replays without it
}

func TestNoServerAtAll(t *testing.T) {
	t.Parallel()
	f := newFakes(t, "broken", "silent")
	dir := demoCopy(t)
	s := expect(t, exitFailed, "run", dir, "--servers", f.file)
	if !strings.Contains(s.stderr, "no server could be used; the dataset is as it was:\n  broken: ") || !strings.Contains(s.stderr, "no database") {
		t.Errorf("%s", s.stderr)
	}
	sameBytes(t, demoDir(t), dir)
}

// What differs from call to call makes no task that counts on it.
func TestServerWhoseAnswersChange(t *testing.T) {
	t.Parallel()
	f := newFakes(t, "changing")
	dir := filepath.Join(t.TempDir(), "d")
	s := command("run", dir, "--servers", f.file, "--probe", "all", "-n", "12", "--pattern", "single,linear,parallel", "--json")
	if s.code != exitDone && s.code != exitPartial {
		t.Fatalf("exit status %d: %s", s.code, s.stderr)
	}
	s.object(t)
	for _, task := range readTasks(t, dir) {
		for _, c := range task.Claims {
			shaky := strings.Contains(c.Pointer, "area_km2") || strings.Contains(c.Pointer, "length_km")
			if task.Status == datasets.StatusAccepted && shaky && !c.Volatile {
				t.Errorf("task %s is accepted with the claim %q", task.ID, c.Text)
			}
		}
	}
	volatile := false
	for _, c := range readCalls(t, dir) {
		volatile = volatile || c.Volatile
	}
	if !volatile {
		t.Error("no call is volatile")
	}
}

func TestSecondDiscoveryBreaksNoTask(t *testing.T) {
	t.Parallel()
	f := newFakes(t, "good")
	dir := filepath.Join(t.TempDir(), "d")
	expect(t, exitDone, "run", dir, "--servers", f.file, "--probe", "all", "-n", "4", "-q")
	for _, other := range [][]string{
		{"--builtin"}, // another set of servers
		{"--servers", f.file, "--probe", "none"},
	} {
		expect(t, exitDone, append([]string{"discover", dir, "-q"}, other...)...)
		a := expect(t, exitDone, "evaluate", dir, "--offline", "--json").object(t)
		if a["pass_rate"] != 1.0 || a["unscored"] != 0.0 {
			t.Errorf("after discover %q: %v", other, a)
		}
		expect(t, exitDone, "datasets", "validate", dir)
	}
	// The server is down today: its rows stay, and the tasks, too.
	g := newFakes(t, "broken", "good")
	raw, err := os.ReadFile(g.file)
	if err != nil {
		t.Fatal(err)
	}
	broken := strings.Replace(string(raw), `"args":["good"`, `"args":["broken"`, 1)
	if err := os.WriteFile(g.file, []byte(strings.Replace(broken, `"broken":{`, `"good2":{`, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	expect(t, exitFailed, "discover", dir, "--servers", g.file, "-q")
	a := expect(t, exitDone, "evaluate", dir, "--offline", "--json").object(t)
	if a["pass_rate"] != 1.0 {
		t.Errorf("%v", a)
	}
}

func TestBadServersFile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file string // "" for none at all
		want string
	}{
		"missing":         {"", "no such file"},
		"not JSON":        {`{"mcpServers": {`, "mcp.json"},
		"wrong key":       {`{"mcpServers": {"a": {"comand": "x"}}}`, `comand`},
		"missing command": {`{"mcpServers": {"a": {"args": ["x"]}}}`, "command"},
		"unset variable":  {`{"mcpServers": {"a": {"command": "x", "env": {"KEY": "${TASKWRIGHT_NO_SUCH_VARIABLE}"}}}}`, "TASKWRIGHT_NO_SUCH_VARIABLE"},
		"no servers":      {`{"mcpServers": {}}`, "no server"},
	} {
		for _, stage := range []string{"run", "discover"} {
			dir := t.TempDir()
			file := filepath.Join(dir, "mcp.json")
			if c.file != "" {
				if err := os.WriteFile(file, []byte(c.file), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			s := expect(t, exitFailed, stage, filepath.Join(dir, "new"), "--servers", file, "--json")
			message, _ := s.object(t)["error"].(string)
			if !strings.Contains(message, c.want) || !strings.Contains(message, "mcp.json") || !strings.Contains(s.stderr, message) {
				t.Errorf("%s: %s", name, s.stderr)
			}
			if _, err := os.Stat(filepath.Join(dir, "new")); err == nil {
				t.Errorf("%s: %s made the directory", name, stage)
			}
		}
	}
}

func TestCommandThatIsNotThere(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "mcp.json")
	if err := os.WriteFile(file, []byte(`{"mcpServers": {"a": {"command": "no-such-program-anywhere"}}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	s := expect(t, exitFailed, "discover", filepath.Join(t.TempDir(), "new"), "--servers", file)
	if !strings.Contains(s.stderr, "no-such-program-anywhere") {
		t.Errorf("%s", s.stderr)
	}
}

func TestSavedLists(t *testing.T) {
	t.Parallel()
	lists := t.TempDir()
	good := map[string]any{"tools": []any{map[string]any{"name": "a", "description": "A.", "inputSchema": map[string]any{"type": "object"}}}}
	raw, err := json.Marshal(good)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"good.json": string(raw), "bad.json": `{"tools": `, "odd.json": `[1, 2]`} {
		if err := os.WriteFile(filepath.Join(lists, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	dir := filepath.Join(t.TempDir(), "d")
	s := expect(t, exitPartial, "discover", dir, "--catalog", lists, "--json")
	a := s.object(t)
	if a["tools"] != 1.0 || a["probed"] != 0.0 || !strings.Contains(s.stderr, "reading catalogs: 2 of 3 files failed:") || !strings.Contains(s.stderr, "bad.json") {
		t.Errorf("%v: %s", a, s.stderr)
	}
	expect(t, exitDone, "datasets", "validate", dir)
	if calls := readCalls(t, dir); len(calls) != 0 {
		t.Errorf("%d calls", len(calls))
	}
	s = expect(t, exitFailed, "discover", filepath.Join(t.TempDir(), "d"), "--catalog", filepath.Join(lists, "bad.json"))
	if !strings.Contains(s.stderr, "no server in 1 file:\n  ") {
		t.Errorf("%s", s.stderr)
	}
	never := filepath.Join(t.TempDir(), "d")
	s = expect(t, exitFailed, "discover", never, "--catalog", "nowhere/*.json")
	if _, err := os.Stat(never); err == nil || !strings.Contains(s.stderr, "nowhere/*.json is no file, folder or pattern that matches") {
		t.Errorf("%s", s.stderr)
	}
}

func TestSavedListsOfTheCorpus(t *testing.T) {
	t.Parallel()
	corpus := os.Getenv("TASKWRIGHT_CORPUS")
	if corpus == "" {
		corpus = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	catalogs := filepath.Join(corpus, "catalogs")
	if _, err := os.Stat(catalogs); err != nil {
		if slices.Contains(strings.Split(os.Getenv("TASKWRIGHT_REQUIRE"), ","), "corpus") {
			t.Fatal(err)
		}
		t.Skip("needs the corpus of catalogs: set TASKWRIGHT_CORPUS")
	}
	dir := filepath.Join(t.TempDir(), "d")
	s := command("discover", dir, "--catalog", catalogs, "--json", "-q")
	a := s.object(t)
	if s.code != exitDone && s.code != exitPartial || a["probed"] != 0.0 || a["tools"].(float64) < 1000 {
		t.Errorf("exit status %d: %s %v", s.code, s.stderr, a["tools"])
	}
	expect(t, exitDone, "datasets", "validate", dir)
}
