package world

import (
	"strings"
	"testing"

	"github.com/taskwright/taskwright/datasets"
)

// flow is a true data flow between two tools: what From returns at Path is
// what To takes as Param, in kind and meaning. The file lists kinds of flow
// that make sense to a person, so that the precision and recall of a tool
// graph can be measured against it.
type flow struct {
	From      string         `json:"from"`
	Path      string         `json:"path"`
	All       bool           `json:"all"` // all values, as an array
	To        string         `json:"to"`
	Param     string         `json:"param"`
	Arguments map[string]any `json:"arguments"` // the other arguments of the call that proves it
	Before    []preparedCall `json:"before"`    // calls between the two
}

// flowSample replaces the sample of a tool whose answer lacks the value.
var flowSample = map[string]map[string]any{
	"books/search": {"genre": "modernist novel"},
}

func TestFlowsWork(t *testing.T) {
	var flows []flow
	readJSON(t, "flows.json", &flows)
	live, all := liveTools(newWorld(t)), samples(t)
	shared := newWorld(t)
	seen := map[[4]string]bool{}
	for _, f := range flows {
		key := [4]string{f.From, f.Path, f.To, f.Param}
		if seen[key] {
			t.Errorf("%v is listed twice", key)
		}
		seen[key] = true
		if live[f.From] == nil || live[f.To] == nil {
			t.Errorf("%s -> %s: no such tool", f.From, f.To)
			continue
		}
		if !flowing(t, shared, f, all[f.From]) {
			t.Errorf("%s %s: nothing that %s takes as %s", f.From, f.Path, f.To, f.Param)
		}
	}
	if len(flows) < 300 {
		t.Errorf("%d flows: want all that make sense", len(flows))
	}
}

// flowing tries the values of a flow until the receiving tool takes one.
func flowing(t *testing.T, shared *world, f flow, s sample) bool {
	w := shared
	if stateful(f.From) || stateful(f.To) {
		w = newWorld(t)
		prepareState(w, f, s)
	}
	args := s.Arguments
	if other := flowSample[f.From]; other != nil {
		args = other
	}
	matches, err := datasets.Resolve(w.document(f.From, args), f.Path)
	if err != nil {
		t.Errorf("%s: %v", f.From, err)
		return false
	}
	for _, p := range f.Before {
		w.document(p.Tool, p.Arguments)
	}
	values := make([]any, len(matches))
	for i, m := range matches {
		values[i] = m.Value
	}
	if f.All {
		return accepts(t, w, f, values)
	}
	for _, v := range values {
		if accepts(t, w, f, v) {
			return true
		}
	}
	return false
}

func accepts(t *testing.T, w *world, f flow, value any) bool {
	args := map[string]any{}
	for k, v := range f.Arguments {
		args[k] = v
	}
	if err := datasets.SetPointer(args, f.Param, value); err != nil {
		t.Fatal(err)
	}
	r := w.call(f.To, args)
	if r.IsError {
		t.Logf("%s %s -> %s %s = %v: %s", f.From, f.Path, f.To, f.Param, value, r.Text)
	}
	return !r.IsError
}

func stateful(id string) bool { return strings.HasPrefix(id, "itinerary/") }

// prepareState makes the calls of the sample, or an itinerary with a stop for
// flows that only end in the stateful server.
func prepareState(w *world, f flow, s sample) {
	for _, p := range s.Prepare {
		w.document(p.Tool, p.Arguments)
	}
	if !stateful(f.From) {
		w.document("itinerary/create_itinerary", map[string]any{"title": "Tour", "start_date": "2026-10-03"})
		w.document("itinerary/add_stop", map[string]any{"itinerary_id": "it-1001", "place": "Moab", "nights": 2})
	}
}
