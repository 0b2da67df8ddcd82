package world

import (
	"encoding/json"
	"os"
	"testing"
)

// sample is one call of testdata/samples.json: arguments that a tool accepts
// and arguments that it must refuse. "prepare" lists calls to make before, on
// the same instance.
type sample struct {
	Arguments map[string]any `json:"arguments"`
	Bad       map[string]any `json:"bad"`
	Prepare   []preparedCall `json:"prepare"`
}

type preparedCall struct {
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments"`
}

func readJSON(t *testing.T, file string, into any) {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("reading %s: %v", file, err)
	}
}

func samples(t *testing.T) map[string]sample {
	t.Helper()
	all := map[string]sample{}
	readJSON(t, "samples.json", &all)
	return all
}

// sampleAnswer makes the calls that a sample prepares, then the sample's call,
// on a fresh instance.
func sampleAnswer(t *testing.T, id string, s sample) (doc any) {
	t.Helper()
	w := newWorld(t)
	for _, p := range s.Prepare {
		w.document(p.Tool, p.Arguments)
	}
	return w.document(id, s.Arguments)
}

func TestEveryToolAnswersAndRefuses(t *testing.T) {
	all := samples(t)
	w := newWorld(t)
	ids := w.ids()
	if len(Names()) < 10 || len(ids) < 40 {
		t.Errorf("%d servers with %d tools: want at least 10 and 40", len(Names()), len(ids))
	}
	if len(all) != len(ids) {
		t.Errorf("%d samples for %d tools", len(all), len(ids))
	}
	for _, id := range ids {
		s, ok := all[id]
		if !ok {
			t.Errorf("%s: no sample", id)
			continue
		}
		t.Run(id, func(t *testing.T) {
			first, second := sampleAnswer(t, id, s), sampleAnswer(t, id, s)
			if a, b := encoded(t, first), encoded(t, second); a != b {
				t.Errorf("two fresh instances answer differently:\n%s\n%s", a, b)
			} else if testing.Verbose() {
				t.Logf("%v -> %s", s.Arguments, a)
			}
			w := newWorld(t)
			if r := w.call(id, s.Bad); !r.IsError || len(r.Text) < 10 {
				t.Errorf("bad arguments %v: want an error that helps, got %+v", s.Bad, r)
			}
		})
	}
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
