package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/taskwright/taskwright/datasets"
)

// line shows the parts of a Param that a test states.
func line(p Param) string {
	s := p.Path + " " + strings.Join(p.Types, "|")
	if p.Required {
		s += " required"
	}
	if p.Nullable {
		s += " nullable"
	}
	if len(p.Enum) > 0 {
		s += " " + datasets.EncodeJSON(p.Enum)
	}
	if p.Default != nil {
		s += " =" + datasets.EncodeJSON(p.Default)
	}
	return s
}

func lines(ps []Param) string {
	var out []string
	for _, p := range ps {
		out = append(out, line(p))
	}
	return strings.Join(out, "\n")
}

func TestParams(t *testing.T) {
	tests := []struct{ name, schema, want string }{
		{"order", `{"properties":{"b":{"type":"string"},"a":{"type":"integer","default":3},"z":{"type":"number"}},"required":["z"]}`,
			"/z number required\n/a integer =3\n/b string"},
		{"nested", `{"properties":{"o":{"type":"object","properties":{"x/y":{"enum":["p","q"]},"k":{}},"required":["k"]}}}`,
			"/o object\n/o/k  required\n/o/x~1y  [\"p\",\"q\"]"},
		{"nullable", `{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}],"default":"x"},"b":{"type":["null","integer"]}}}`,
			"/a string nullable =\"x\"\n/b integer nullable"},
		{"reference", `{"$defs":{"c":{"type":"string","enum":["red"]}},"properties":{"a":{"$ref":"#/$defs/c"}}}`, `/a string ["red"]`},
		{"all of", `{"allOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"boolean"}}}]}`,
			"/a string required\n/b boolean"},
		{"one of constants", `{"properties":{"a":{"oneOf":[{"const":"x"},{"const":"y"}]}}}`, `/a  ["x","y"]`},
		{"no schema", `nonsense`, ""},
		{"recursion ends", `{"properties":{"a":{"$ref":"#"}}}`,
			"/a \n/a/a \n/a/a/a \n/a/a/a/a \n/a/a/a/a/a \n/a/a/a/a/a/a \n/a/a/a/a/a/a/a \n/a/a/a/a/a/a/a/a "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if d := cmp.Diff(test.want, lines(Params(test.schema))); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestParamsBounded(t *testing.T) {
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, `"p%d":{"$ref":"#"},`, i)
	}
	raw := `{"properties":{` + strings.TrimSuffix(b.String(), ",") + `}}`
	if n := len(Params(raw)); n == 0 || n > maxParams {
		t.Errorf("%d parameters", n)
	}
}

func TestLeaves(t *testing.T) {
	raw := `{"type":"object","properties":{"parks":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}}}}},"total":{"type":"integer"}}}`
	if d := cmp.Diff("/parks/*/id string\n/parks/*/tags/* string\n/total integer", lines(Leaves(raw))); d != "" {
		t.Error(d)
	}
	if got := Leaves(raw)[1].Name; got != "tags" {
		t.Errorf("name of an element = %q", got)
	}
}

func TestInfer(t *testing.T) {
	tests := []struct{ name, samples, want string }{
		{"none", `[]`, `null`},
		{"object", `[{"a":1,"b":"x"},{"a":2.5}]`, `{"properties":{"a":{"type":"number"},"b":{"type":"string"}},"required":["a"],"type":"object"}`},
		{"array", `[[{"id":"a"},{"id":null}]]`, `{"items":{"properties":{"id":{"type":["null","string"]}},"required":["id"],"type":"object"},"type":"array"}`},
		{"formats", `[{"d":"2024-01-31","u":"https://example.com/x"},{"d":"2024-02-01","u":"no"}]`,
			`{"properties":{"d":{"format":"date","type":"string"},"u":{"type":"string"}},"required":["d","u"],"type":"object"}`},
		{"mixed", `[1,"x",true]`, `{"type":["boolean","integer","string"]}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if d := cmp.Diff(test.want, Infer(mustDecode(t, test.samples).([]any))); d != "" {
				t.Error(d)
			}
		})
	}
}

// What was inferred from samples must let the samples pass.
func TestInferredSchemaFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		samples := rapid.SliceOfN(anyJSON(3), 1, 5).Draw(t, "samples")
		raw := Infer(samples)
		s, warnings, err := Compile(raw)
		if err != nil || len(warnings) > 0 {
			t.Fatalf("%s: %v %v", raw, warnings, err)
		}
		for _, v := range samples {
			if p := s.Validate(v); len(p) > 0 {
				t.Fatalf("%s does not fit %s: %v", datasets.EncodeJSON(v), raw, p)
			}
		}
	})
}

func anyJSON(level int) *rapid.Generator[any] {
	kinds := []*rapid.Generator[any]{
		rapid.Just[any](nil),
		rapid.Bool().AsAny(),
		rapid.IntRange(-5, 5).AsAny(),
		rapid.Float64Range(-5, 5).AsAny(),
		rapid.SampledFrom([]any{"", "x", "2024-01-31", "2024-01-31T10:00:00Z", "a@b.org"}),
	}
	if level > 0 {
		kinds = append(kinds,
			rapid.Map(rapid.SliceOfN(anyJSON(level-1), 0, 3), func(l []any) any { return append([]any{}, l...) }),
			rapid.Map(rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "c/d"}), anyJSON(level-1), 0, 3), func(m map[string]any) any { return m }))
	}
	return rapid.OneOf(kinds...)
}
