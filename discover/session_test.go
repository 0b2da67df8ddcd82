package discover

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/taskwright/taskwright/datasets"
)

func onlyWith(name string) string {
	return fmt.Sprintf(`{"type":"object","properties":{%q:{"type":"string"}},"required":[%[1]q]}`, name)
}

// needsDir answers once set_dir was called, and else as the message says.
func needsDir(message, text string) func(*memory, map[string]any) datasets.ToolResult {
	return func(m *memory, _ map[string]any) datasets.ToolResult {
		if !slices.Contains(m.notes, "dir") {
			return fakeError(message)
		}
		return fakeText(text)
	}
}

// dirWorld has tools that want another to be called first.
func dirWorld(message string) map[string]fakeTool {
	return map[string]fakeTool{
		"x/set_dir": {`{"readOnlyHint":false}`, onlyWith("path"), func(m *memory, _ map[string]any) datasets.ToolResult {
			m.notes = append(m.notes, "dir")
			return fakeText(`{"set":true}`)
		}},
		"x/list_files":  {readOnly, noInput, needsDir(message, `{"files":["a.txt","b.txt"]}`)},
		"x/create_file": {`{"readOnlyHint":false}`, onlyWith("content"), needsDir(message, `{"created":true}`)},
		"x/count_files": {readOnly, noInput, needsDir(message, `{"count":2}`)},
	}
}

func TestPrerequisites(t *testing.T) {
	tests := []struct {
		message string
		first   bool // set_dir is called first in each session after the first
		mode    string
	}{
		{"No directory is open: call set_dir first.", true, ProbeAll},
		{"Error: use `set_dir` before you go on", true, ProbeAll},
		{"No directory is open.", false, ProbeAll},
		{"No directory is open: call set_dirs first.", false, ProbeAll},
		{"No directory is open: call set_dir first.", false, ProbeRead},
	}
	for _, test := range tests {
		t.Run(test.message+" "+test.mode, func(t *testing.T) {
			w := &fakeWorld{more: dirWorld(test.message)}
			r := probeWorld(t, w, nil, Options{Mode: test.mode, Rounds: 3})
			if len(w.sessions) != 3 {
				t.Fatalf("%d sessions, want one for each round", len(w.sessions))
			}
			for i, s := range w.sessions[1:] {
				if got := len(s.log) > 0 && strings.HasPrefix(s.log[0], "x/set_dir "); got != test.first {
					t.Errorf("session %d begins with %v", i+2, s.log)
				}
			}
			if test.mode == ProbeRead && slices.ContainsFunc(w.log, func(line string) bool { return strings.HasPrefix(line, "x/set_dir ") }) {
				t.Error("a message made the probe call what it may not call")
			}
			if !test.first {
				return
			}
			for _, tool := range r.Tools {
				if tool.Health.Status != datasets.HealthOK {
					t.Errorf("%s: %+v", tool.ID(), tool.Health)
				}
			}
		})
	}
}

// A thing that a call made is asked for by the name that the call gave it, in
// its own session.
func TestNamesOfThingsMade(t *testing.T) {
	made := func(m *memory, a map[string]any) datasets.ToolResult {
		m.notes = append(m.notes, fmt.Sprint(a["box"]))
		return fakeText(`{"done":true}`)
	}
	opened := func(m *memory, a map[string]any) datasets.ToolResult {
		if !slices.Contains(m.notes, fmt.Sprint(a["box"])) {
			return fakeError("it is not here")
		}
		return fakeText(`{"weight":12.5}`)
	}
	seed := map[string][]any{"x/create_box/box": {"blue one"}}
	w := &fakeWorld{more: map[string]fakeTool{
		"x/create_box": {`{"readOnlyHint":false}`, onlyWith("box"), made},
		"x/weigh_box":  {`{"readOnlyHint":false}`, onlyWith("box"), opened},
		"x/weigh_lid":  {`{"readOnlyHint":false}`, onlyWith("lid"), opened},
	}}
	r := probeWorld(t, w, nil, Options{Mode: ProbeAll, Seeds: seed})
	box := toolOf(t, r, "x/weigh_box")
	if box.Health.Status != datasets.HealthOK || !strings.Contains(box.Samples[0].Arguments, "blue one") {
		t.Errorf("weigh_box: %+v %v", box.Health, box.Samples)
	}
	if strings.Contains(strings.Join(w.log, "\n"), `{"lid":"blue one"}`) {
		t.Error("a parameter of another name was given it, too")
	}
}

// Repeat is asked once for each server and round at most, about that server
// alone: with state about the round's session from its start, without about one
// call of each tool.
func TestRepeat(t *testing.T) {
	w := &fakeWorld{}
	probe(t, w, Options{Mode: ProbeAll, Rounds: 3, PerServer: 1})
	asked, tools := map[string]int{}, map[string]int{}
	var sessions []*fakeSession
	for _, s := range w.sessions {
		if len(s.log) > 0 && strings.HasPrefix(s.log[0], "notes/") {
			sessions = append(sessions, s)
		}
	}
	for _, calls := range w.repeats {
		server := calls[0].Server
		asked[server]++
		var lines []string
		for _, c := range calls {
			if c.Server != server {
				t.Errorf("a repetition on %s asks %s", server, c.Server)
			}
			lines = append(lines, c.Server+"/"+c.Tool+" "+c.Arguments)
			if server != "notes" {
				tools[c.Server+"/"+c.Tool]++
			}
		}
		if server == "notes" && !slices.ContainsFunc(sessions, func(s *fakeSession) bool {
			return len(s.log) >= len(lines) && slices.Equal(s.log[:len(lines)], lines)
		}) {
			t.Errorf("no session of notes begins with %v", lines)
		}
	}
	for _, server := range []string{"parks", "geo", "notes"} {
		if n := asked[server]; n < 1 || n > 3 {
			t.Errorf("%s was asked %d times in 3 rounds", server, n)
		}
	}
	want := map[string]int{"geo/clock": 1, "geo/convert": 1, "geo/distance": 1, "parks/find_parks": 1, "parks/list_campgrounds": 1}
	if d := cmp.Diff(want, tools); d != "" {
		t.Error(d)
	}
}

// The seed chooses among places that fit equally well. One seed makes one plan,
// and no seed has a say in which tools are called.
func TestSeed(t *testing.T) {
	plan := func(seed int64) (calls, tools string) {
		w := &fakeWorld{more: map[string]fakeTool{"x/get_stock": {readOnly, onlyWith("sku"), answers(`{"stock":4}`)}}}
		for _, name := range []string{"list_chairs", "list_tables", "list_lamps", "list_rugs"} {
			w.more["x/"+name] = fakeTool{readOnly, noInput, answers(fmt.Sprintf(`{"sku":"%s-4711"}`, name))}
		}
		r := probeWorld(t, w, nil, Options{Mode: ProbeAll, Seed: seed, CallsPerTool: 2, Rounds: 2})
		for _, tool := range r.Tools {
			if tool.Health.Calls > 0 {
				tools += " " + tool.ID()
			}
		}
		slices.Sort(w.log)
		return strings.Join(w.log, "\n"), tools
	}
	plans := map[string]bool{}
	_, tools := plan(0)
	if strings.Count(tools, "/") != 5 {
		t.Errorf("called are %s", tools)
	}
	for seed := range int64(12) {
		calls, now := plan(seed)
		if again, _ := plan(seed); again != calls {
			t.Errorf("seed %d gives two plans:\n%s\n\n%s", seed, calls, again)
		}
		if now != tools {
			t.Errorf("seed %d calls %s, want %s", seed, now, tools)
		}
		plans[calls] = true
	}
	if len(plans) < 2 {
		t.Error("twelve seeds give one plan")
	}
}
