package evaluate

import (
	"testing"

	"github.com/taskwright/taskwright/datasets"
)

// Whatever a model writes as arguments or as a plan, the recorded form is
// valid JSON and recording it again changes nothing.
func FuzzRecordedJSON(f *testing.F) {
	for _, s := range []string{``, `{}`, `{"a":1.0}`, `{"a":`, `[1,2]`, "\xff", `"x"`, `{"a":1} {"b":2}`, `[{"tool":"a:b"}]`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		text, object := argumentsJSON(raw)
		v, err := datasets.DecodeJSON(text)
		if err != nil {
			t.Fatalf("%q is recorded as %q: %v", raw, text, err)
		}
		if _, is := v.(map[string]any); is != object {
			t.Fatalf("%q: object %v", raw, object)
		}
		if again, _ := argumentsJSON(text); again != text {
			t.Fatalf("%q, again %q", text, again)
		}
		plan := callsJSON(&Move{Plan: raw})
		if _, err := datasets.DecodeJSON(plan); err != nil {
			t.Fatalf("plan %q is recorded as %q: %v", raw, plan, err)
		}
	})
}

func FuzzDelivered(f *testing.F) {
	f.Add(`{"a":37.3}`, `37.3`)
	f.Add("Mean low 7.8 C", "7.8")
	f.Add("é", `"é"`)
	f.Fuzz(func(t *testing.T, output, value string) {
		v, err := datasets.DecodeJSON(value)
		if err != nil {
			return // not a value
		}
		tr := datasets.Trajectory{Calls: []datasets.Action{did(1, "a/b", "{}", output)}}
		p := provenance{t: &tr, docs: make([]any, 1), read: make([]bool, 1)}
		p.delivered(v, 2)
		if p.delivered(v, 1) {
			t.Fatal("delivered by its own round")
		}
	})
}
