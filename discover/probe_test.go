package discover

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/taskwright/taskwright/datasets"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func probe(t *testing.T, w *fakeWorld, o Options) *Result {
	t.Helper()
	servers, tools := fakeCatalog()
	o.Open, o.Repeat = w.open, w.repeat
	r, err := Probe(context.Background(), servers, tools, &o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func toolOf(t *testing.T, r *Result, id string) datasets.Tool {
	t.Helper()
	for _, tool := range r.Tools {
		if tool.ID() == id {
			return tool
		}
	}
	t.Fatalf("no tool %s", id)
	return datasets.Tool{}
}

func TestProbeAll(t *testing.T) {
	w := &fakeWorld{}
	r := probe(t, w, Options{Mode: ProbeAll})
	for _, tool := range r.Tools {
		if tool.Health.Status != datasets.HealthOK {
			t.Errorf("%s: %s (%s)", tool.ID(), tool.Health.Status, tool.Health.Detail)
		}
	}
	states := map[string]string{}
	for _, s := range r.Servers {
		states[s.Name] = s.State
	}
	if d := cmp.Diff(map[string]string{"parks": "none", "geo": "none", "notes": "session"}, states); d != "" {
		t.Error(d)
	}
	if !toolOf(t, r, "geo/clock").Health.Volatile || toolOf(t, r, "geo/distance").Health.Volatile {
		t.Error("volatile: want the clock and not the distance")
	}
	if !toolOf(t, r, "geo/clock").Health.NoInput {
		t.Error("the clock takes no input")
	}
	if s := toolOf(t, r, "geo/distance"); len(s.Samples) < 4 || s.OutputSchemaSource != datasets.SchemaObserved || !strings.Contains(s.OutputSchema, `"km"`) {
		t.Errorf("distance: %d samples, schema %s", len(s.Samples), s.OutputSchema)
	}
	if s := toolOf(t, r, "parks/find_parks"); len(s.Samples) != 2 {
		t.Errorf("find_parks: %d samples, want one for each state", len(s.Samples))
	}
}

// An error that lists what it allows repairs the next call.
func TestProbeLearnsFromErrors(t *testing.T) {
	r := probe(t, &fakeWorld{}, Options{Mode: ProbeRead})
	c := toolOf(t, r, "geo/convert")
	if c.Health.Status != datasets.HealthOK || !strings.Contains(c.Samples[0].Arguments, "parsec") {
		t.Errorf("convert: %+v %v", c.Health, c.Samples)
	}
}

func TestProbeKeepsToWhatIsAllowed(t *testing.T) {
	tests := []struct {
		name    string
		options Options
		called  []string
		status  string
	}{
		{"read", Options{Mode: ProbeRead}, nil, datasets.HealthSkipped},
		{"none", Options{Mode: ProbeNone}, nil, datasets.HealthUntested},
		{"allowed tool", Options{Allow: []string{"notes/add_note"}}, []string{"notes/add_note"}, datasets.HealthSkipped},
		{"allowed server", Options{Allow: []string{"notes"}}, []string{"notes/add_note", "notes/get_note"}, datasets.HealthOK},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := &fakeWorld{}
			r := probe(t, w, test.options)
			var called []string
			for _, line := range w.log {
				id, _, _ := strings.Cut(line, " ")
				if (id == "notes/add_note" || id == "notes/get_note") && !slices.Contains(called, id) {
					called = append(called, id)
				}
			}
			slices.Sort(called)
			if d := cmp.Diff(test.called, called); d != "" {
				t.Error(d)
			}
			if got := toolOf(t, r, "notes/get_note").Health.Status; got != test.status {
				t.Errorf("get_note is %s, want %s", got, test.status)
			}
			if test.options.Mode == ProbeNone && len(w.log) > 0 {
				t.Errorf("calls were made: %v", w.log)
			}
		})
	}
}

func TestProbeSurvivesADeadServer(t *testing.T) {
	r := probe(t, &fakeWorld{dies: "geo", alive: 1}, Options{Mode: ProbeRead})
	for _, s := range r.Servers {
		if want := map[string]string{"geo": datasets.ServerDied}[s.Name]; want != "" && (s.Status != want || !strings.Contains(s.Error, "exit status 1")) {
			t.Errorf("%s: %s %q", s.Name, s.Status, s.Error)
		} else if want == "" && s.Status != datasets.ServerOK {
			t.Errorf("%s: %s", s.Name, s.Status)
		}
	}
	if h := toolOf(t, r, "geo/clock").Health; h.Status != datasets.HealthFailing || !strings.Contains(h.Detail, "server died") {
		t.Errorf("clock: %+v", h)
	}
	if h := toolOf(t, r, "parks/list_campgrounds").Health; h.Status != datasets.HealthOK {
		t.Errorf("campgrounds: %+v", h)
	}
}

func TestProbeIsTheSameTwice(t *testing.T) {
	catalog := func() string {
		w := &fakeWorld{}
		r := probe(t, w, Options{Mode: ProbeAll, PerServer: 8})
		return cmp.Diff(nil, r.Tools) + cmp.Diff(nil, r.Servers) + cmp.Diff(nil, Edges(r.Servers, r.Tools, w.answer))
	}
	first := catalog()
	for range 5 {
		if d := cmp.Diff(first, catalog()); d != "" {
			t.Fatal(d)
		}
	}
}

func TestProbeStops(t *testing.T) {
	servers, tools := fakeCatalog()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	w := &fakeWorld{}
	if _, err := Probe(ctx, servers, tools, &Options{Open: w.open}); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v", err)
	}
	broken := errors.New("no session today")
	_, err := Probe(context.Background(), servers, tools, &Options{Open: func(context.Context) (Session, error) { return nil, broken }})
	if !errors.Is(err, broken) {
		t.Errorf("error = %v", err)
	}
}

func TestEdges(t *testing.T) {
	w := &fakeWorld{}
	r := probe(t, w, Options{Mode: ProbeAll})
	got := map[string]string{}
	for _, e := range Edges(r.Servers, r.Tools, w.answer) {
		got[e.FromTool+e.FromPath+" > "+e.ToTool+e.ToParam] = e.Kind
		if e.Score <= 0 || e.Score > 1 || e.Evidence == "" {
			t.Errorf("edge %+v", e)
		}
	}
	for _, want := range []string{
		"find_parks/parks/*/id > list_campgrounds/park_id",
		"find_parks/parks/*/lat > distance/to_lat",
		"find_parks/parks/*/lon > distance/to_lon",
		"add_note/note_id > get_note/note_id",
	} {
		if got[want] != datasets.EdgeObserved {
			t.Errorf("edge %s: kind %q, want observed; have %v", want, got[want], sortedKeys(got))
		}
	}
	for edge := range got {
		if strings.Contains(edge, "clock") || strings.Contains(edge, "> find_parks/state") {
			t.Errorf("unlikely edge %s", edge)
		}
	}
}
