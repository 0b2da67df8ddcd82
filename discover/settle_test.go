package discover

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/taskwright/taskwright/datasets"
)

// The schemas of the tools below.
const (
	noInput  = `{"type":"object"}`
	takesTxt = `{"type":"object","properties":{"text":{"type":"string","examples":["one","two"]}},"required":["text"]}`
)

// probeWorld probes the tools that a test adds to the fake world, with the
// state that the servers' rows say.
func probeWorld(t *testing.T, w *fakeWorld, state map[string]string, o Options) *Result {
	t.Helper()
	var servers []datasets.Server
	var tools []datasets.Tool
	for _, id := range sortedKeys(w.more) {
		server, name, _ := strings.Cut(id, "/")
		if !slices.ContainsFunc(servers, func(s datasets.Server) bool { return s.Name == server }) {
			servers = append(servers, datasets.Server{Name: server, Status: datasets.ServerOK, State: state[server]})
		}
		tools = append(tools, datasets.Tool{Server: server, Name: name, Description: "Does " + name, Annotations: w.more[id].annotations, InputSchema: w.more[id].schema})
	}
	servers, tools = Prepare(servers, tools)
	w.state = map[string]string{}
	for _, s := range servers {
		w.state[s.Name] = s.State
	}
	o.Open, o.Repeat, o.PerServer = w.open, w.repeat, 1
	r, err := Probe(context.Background(), servers, tools, &o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func answers(text string) func(*memory, map[string]any) datasets.ToolResult {
	return func(*memory, map[string]any) datasets.ToolResult { return fakeText(text) }
}

// Worlds of one server, x.
var (
	// names that sound like changes, and nothing that changes
	calmWorld = func(*fakeWorld) map[string]fakeTool {
		return map[string]fakeTool{
			"x/create_greeting": {"null", takesTxt, func(_ *memory, a map[string]any) datasets.ToolResult {
				return fakeText(fmt.Sprintf(`{"greeting":"hello %v"}`, a["text"]))
			}},
			"x/list_languages": {readOnly, noInput, answers(`{"languages":["en","de"]}`)},
		}
	}
	// notes that are counted
	notesWorld = func(*fakeWorld) map[string]fakeTool {
		return map[string]fakeTool{
			"x/add_note": {`{"readOnlyHint":false}`, takesTxt, func(m *memory, a map[string]any) datasets.ToolResult {
				m.notes = append(m.notes, fmt.Sprint(a["text"]))
				return fakeText(`{"added":true}`)
			}},
			"x/count_notes": {readOnly, noInput, func(m *memory, _ map[string]any) datasets.ToolResult {
				return fakeText(fmt.Sprintf(`{"count":%d}`, len(m.notes)))
			}},
			"x/list_colors": {readOnly, noInput, answers(`{"colors":["red","blue"]}`)},
		}
	}
	brokenWorld = func(w *fakeWorld) map[string]fakeTool {
		tools := calmWorld(w)
		tools["x/remove_greeting"] = fakeTool{"null", takesTxt, func(*memory, map[string]any) datasets.ToolResult { return fakeError("not today") }}
		return tools
	}
	// ids that are never the same twice, and a list that shows none of them
	randomWorld = func(w *fakeWorld) map[string]fakeTool {
		return map[string]fakeTool{
			"x/create_ticket": {"null", takesTxt, func(m *memory, a map[string]any) datasets.ToolResult {
				w.ticks++
				m.notes = append(m.notes, fmt.Sprint("ticket-", w.ticks))
				return fakeText(fmt.Sprintf(`{"ticket":"ticket-%d"}`, w.ticks))
			}},
			"x/list_tickets": {readOnly, noInput, func(m *memory, _ map[string]any) datasets.ToolResult {
				return fakeText(`{"tickets":` + encode(m.notes) + `}`)
			}},
			"x/list_kinds": {readOnly, noInput, answers(`{"kinds":["bug","wish"]}`)},
		}
	}
	// one call, which shows nothing of an order
	onceWorld = func(*fakeWorld) map[string]fakeTool {
		return map[string]fakeTool{"x/schedule_long_job": {"null", noInput, answers(`{"job":"started"}`)}}
	}
	// nothing is marked or sounds like it, and every answer counts the calls
	countingWorld = func(*fakeWorld) map[string]fakeTool {
		counts := func(m *memory, _ map[string]any) datasets.ToolResult {
			m.notes = append(m.notes, "")
			return fakeText(fmt.Sprintf(`{"total":%d}`, len(m.notes)))
		}
		tools := map[string]fakeTool{}
		for _, name := range []string{"peek", "step", "tally", "tell", "turn"} {
			tools["x/"+name] = fakeTool{"null", takesTxt, counts}
		}
		return tools
	}
)

func TestSettle(t *testing.T) {
	tests := []struct {
		name    string
		world   func(*fakeWorld) map[string]fakeTool
		state   string // the row's; "" for a guess
		options Options
		want    string
		told    []string
	}{
		{"nothing changes", calmWorld, "", Options{Mode: ProbeAll}, "none", []string{"x none"}},
		{"nothing changes, but the author says so", calmWorld, "session", Options{Mode: ProbeAll, Fixed: []string{"x"}}, "session", nil},
		{"the order shows", notesWorld, "", Options{Mode: ProbeAll}, "session", nil},
		{"a changing tool never worked", brokenWorld, "", Options{Mode: ProbeAll}, "session", nil},
		{"a changing tool may not be called", notesWorld, "", Options{Mode: ProbeRead}, "session", nil},
		{"what changes gives random ids", randomWorld, "", Options{Mode: ProbeAll}, "session", nil},
		{"one call says nothing", onceWorld, "", Options{Mode: ProbeAll}, "session", nil},
		{"answers count", countingWorld, "", Options{Mode: ProbeAll}, "session", []string{"x session"}},
		{"answers count in the last round", countingWorld, "", Options{Mode: ProbeAll, Rounds: 1}, "session", []string{"x session"}},
		{"answers count, but the author says none", countingWorld, "none", Options{Mode: ProbeAll, Fixed: []string{"x"}}, "none", nil},
	}
	for _, test := range tests {
		for _, listens := range []bool{true, false} {
			t.Run(fmt.Sprint(test.name, " ", listens), func(t *testing.T) {
				w := &fakeWorld{}
				w.more = test.world(w)
				var told []string
				o, want := test.options, test.want
				if listens {
					o.Settle = func(server, state string) {
						told = append(told, server+" "+state)
						w.state[server] = state
					}
				}
				r := probeWorld(t, w, map[string]string{"x": test.state}, o)
				if !listens && len(test.told) > 0 { // the row's word stands
					want = map[string]string{"none": "session", "session": "none"}[want]
				}
				if got := r.Servers[0].State; got != want {
					t.Errorf("state %s, want %s", got, want)
				}
				if d := cmp.Diff(test.told, told); listens && d != "" {
					t.Error(d)
				}
			})
		}
	}
}

// What was recorded before a server was settled is no sample of it: samples are
// calls without history where there is no state, and of sessions where there is.
func TestSettledSamples(t *testing.T) {
	tests := []struct {
		state  string
		world  func(*fakeWorld) map[string]fakeTool
		rounds int
	}{{"none", calmWorld, 3}, {"none", calmWorld, 1}, {"session", countingWorld, 3}, {"session", countingWorld, 1}}
	for _, test := range tests {
		w := &fakeWorld{}
		w.more = test.world(w)
		r := probeWorld(t, w, nil, Options{Mode: ProbeAll, Rounds: test.rounds, Settle: func(server, state string) { w.state[server] = state }})
		histories := 0
		for _, tool := range r.Tools {
			if tool.Health.Status != datasets.HealthOK || tool.Health.Volatile || len(tool.Samples) == 0 {
				t.Errorf("%s: %+v, %d samples", tool.ID(), tool.Health, len(tool.Samples))
			}
			for _, s := range tool.Samples {
				c, ok := w.calls[s.TapeKey]
				if !ok {
					t.Errorf("%s: a sample that is not recorded", tool.ID())
				}
				if c.History != "" {
					histories++
				}
			}
		}
		if (histories > 0) != (test.state == "session") {
			t.Errorf("%s: %d samples with a history", test.state, histories)
		}
	}
}
