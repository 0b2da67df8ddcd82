package datasets

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func FuzzCanonicalJSON(f *testing.F) {
	for _, s := range []string{`{"b":1.0,"a":[1e3,-0,0.1,"<é>"]}`, `12345678901234567890`, `1e400`, `"\ud800"`, `{"a":1,"a":2}`, ` null `, `-0.0`, `1E-7`, `9007199254740993.0`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		once, err := CanonicalJSON(raw)
		if err != nil {
			return
		}
		if !json.Valid([]byte(once)) {
			t.Fatalf("%q became %q, which is not JSON", raw, once)
		}
		if twice, err := CanonicalJSON(once); err != nil || twice != once {
			t.Fatalf("%q became %q, then %q (%v)", raw, once, twice, err)
		}
	})
}

func FuzzResolve(f *testing.F) {
	f.Add(`{"a":[{"b":1},{"c":2},3],"x/y":{"~":null}}`, "/a/*/b")
	f.Add(`[[1,2],[3]]`, "/*/*")
	f.Add(`{"x/y":{"~":1}}`, "/x~1y/~0")
	f.Add(`{}`, "no slash")
	f.Fuzz(func(t *testing.T, raw, path string) {
		doc, err := DecodeJSON(raw)
		if err != nil {
			return
		}
		matches, err := Resolve(doc, path)
		if (err == nil) == (len(matches) == 0) {
			t.Fatalf("%d matches with error %v", len(matches), err)
		}
		for _, m := range matches {
			v, err := ResolveOne(doc, m.Pointer)
			if strings.Contains(m.Pointer, "*") {
				continue // an object key that is itself a star
			}
			if err != nil || EncodeJSON(v) != EncodeJSON(m.Value) {
				t.Fatalf("%s matched %s, which leads to %v (%v)", path, m.Pointer, v, err)
			}
		}
		SetPointer(map[string]any{}, path, 1)
		for _, pick := range []string{PickFirst, PickLargest, PickSmallest, PickEqual, PickAll, PickOnly, "other"} {
			a := Argument{Source: SourceStep, Step: 1, From: path, Pick: pick, By: path, Equal: "1"}
			a.Resolve([]any{doc})
		}
	})
}

func FuzzDocument(f *testing.F) {
	for _, s := range []string{"Mean low 7.8 C, 6 wet days", "a: 1\nb: two: three\n**Name**: x", "{\"a\":1}\n{\"a\":2}", "5,000", "-0", "2024-01-02T03:04:05Z", "[", "+.5", "x\xff: 1"} {
		f.Add(s, "null")
	}
	f.Add("", `{"a":[1]}`)
	f.Fuzz(func(t *testing.T, text, structured string) {
		r := ToolResult{Text: text, Structured: structured}
		doc := EncodeJSON(Document(r))
		if again := EncodeJSON(Document(r)); again != doc {
			t.Fatalf("%q, then %q", doc, again)
		}
		if !json.Valid([]byte(doc)) {
			t.Fatalf("not JSON: %q", doc)
		}
	})
}

func FuzzReadFile(f *testing.F) {
	f.Add([]byte("PAR1"), 3)
	f.Fuzz(func(t *testing.T, patch []byte, at int) {
		path := t.TempDir() + "/x.parquet"
		_, err := WriteFile(path, All(sampleEdges()), nil)
		must(t, err)
		patchFile(t, path, patch, at)
		for _, err := range Read[Edge](path) {
			if err != nil && !strings.Contains(err.Error(), path) {
				t.Fatalf("error does not name the file: %v", err)
			}
		}
	})
}

func TestCanonicalJSON(t *testing.T) {
	for raw, want := range map[string]string{
		`{"b":1.0,"a":"<&>"}`: `{"a":"<&>","b":1}`, `1e3`: `1000`, `-0`: `0`, `-0.0`: `0`, `0.10`: `0.1`, `1E2`: `100`,
		`9007199254740993`: `9007199254740993`, `12345678901234567890123`: `12345678901234567890123`, `1e-7`: `1e-7`, `[ ]`: `[]`,
	} {
		if got, err := CanonicalJSON(raw); err != nil || got != want {
			t.Errorf("%s became %s (%v), want %s", raw, got, err, want)
		}
	}
	for _, raw := range []string{"", "1 2", "{", "nul"} {
		if got, err := CanonicalJSON(raw); err == nil {
			t.Errorf("%q became %q", raw, got)
		}
	}
}

func TestDigestPartsAreApart(t *testing.T) {
	if Digest("ab", "c") == Digest("a", "bc") || Digest("a") == Digest("a", "") {
		t.Error("different parts have one digest")
	}
	if CallKey("s", "t", "{}", "") == NextHistory("s", "t", "{}") {
		t.Error("a key and a history coincide")
	}
}

func TestSetThenResolve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		object := map[string]any{}
		keys := rapid.SliceOfN(rapid.StringMatching(`[a-z~/]{1,3}`), 1, 4).Draw(t, "keys")
		path := ""
		for _, k := range keys {
			path += "/" + EscapeSegment(k)
		}
		must2(t, SetPointer(object, path, "v"))
		got, err := ResolveOne(object, path)
		must2(t, err)
		if got != "v" {
			t.Fatalf("%s holds %v", path, got)
		}
	})
}

func must2(t *rapid.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestSetPointer(t *testing.T) {
	object := map[string]any{}
	for _, s := range []struct {
		path string
		v    any
	}{{"/a/0/b", 1}, {"/a/0/c", 2}, {"/a/1/b", 3}, {"/x~1y", 4}} {
		must(t, SetPointer(object, s.path, s.v))
	}
	if got := EncodeJSON(object); got != `{"a":[{"b":1,"c":2},{"b":3}],"x/y":4}` {
		t.Error(got)
	}
	for _, path := range []string{"", "a", "/a/5", "/a/-1", "/x~1y/z"} {
		before := EncodeJSON(object)
		if err := SetPointer(object, path, 9); err == nil {
			t.Errorf("%q was set", path)
		}
		if after := EncodeJSON(object); after != before {
			t.Errorf("%q: an error changed the object from %s to %s", path, before, after)
		}
	}
}

func TestResolveArguments(t *testing.T) {
	task := sampleTask(0)
	first, err := DecodeJSON(parksOutput)
	must(t, err)
	for pick, want := range map[string]string{PickLargest: `{"park":"p2"}`, PickSmallest: `{"park":"p1"}`, PickFirst: `{"park":"p1"}`, PickAll: `{"park":["p1","p2"]}`, PickEqual: `{"park":"p2"}`} {
		step := task.Chain[1]
		a := step.Arguments[0]
		a.Pick, a.Equal = pick, "20.5"
		step.Arguments = []Argument{a}
		got, err := step.ResolveArguments([]any{first})
		must(t, err)
		if EncodeJSON(got) != want {
			t.Errorf("%s gives %s, want %s", pick, EncodeJSON(got), want)
		}
	}
}

func TestDocument(t *testing.T) {
	for _, c := range []struct{ text, structured, want string }{
		{"ignored", `{"a":1}`, `{"a":1}`},
		{`[1,2]`, "null", `[1,2]`},
		{"{\"a\":1}\n{\"a\":2}", "", `[{"a":1},{"a":2}]`},
		{"5,000", "", `{"text":"5,000","value":5000}`},
		{"Mean high 21.4 C, mean low 7.8 C, 6 wet days", "", `{"fields":{"mean_high":21.4,"mean_low":7.8,"wet_days":6},"text":"Mean high 21.4 C, mean low 7.8 C, 6 wet days"}`},
		{"Tokyo has 2025-03-01 12:00:00, there 2025-02-28 22:00:00", "", `{"fields":{"there":"2025-02-28 22:00:00","tokyo":"2025-03-01 12:00:00"},"text":"Tokyo has 2025-03-01 12:00:00, there 2025-02-28 22:00:00"}`},
		{"Name: Glen\nArea: 5,075", "", `{"fields":{"area":5075,"name":"Glen"},"text":"Name: Glen\nArea: 5,075"}`},
	} {
		if diff := cmp.Diff(c.want, EncodeJSON(Document(ToolResult{Text: c.text, Structured: c.structured}))); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}
