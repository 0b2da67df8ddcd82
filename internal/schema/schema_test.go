package schema

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/taskwright/taskwright/datasets"
)

func mustDecode(t testing.TB, raw string) any {
	t.Helper()
	v, err := datasets.DecodeJSON(raw)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestValidate(t *testing.T) {
	tests := []struct{ name, schema, value, want string }{
		{"fits", `{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}`, `{"a":1}`, ""},
		{"missing", `{"type":"object","required":["b","a"]}`, `{}`, "missing properties: 'b', 'a'"},
		{"wrong type", `{"properties":{"a":{"type":"integer"}}}`, `{"a":"x"}`, "/a: expected integer, but got string"},
		{"sorted", `{"additionalProperties":false,"properties":{"z":{"type":"string"}}}`, `{"z":1,"b":1,"a":1}`,
			"unexpected properties: 'a', 'b' | /z: expected string, but got number"},
		{"alternatives", `{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"boolean"}]}}}`, `{"a":1}`,
			"/a: fits none of 2 alternatives: expected boolean, but got number; expected string, but got number"},
		{"boolean schema", `false`, `1`, "not allowed"},
		{"local reference", `{"$defs":{"n":{"type":"number"}},"properties":{"a":{"$ref":"#/$defs/n"}}}`, `{"a":"x"}`, "/a: expected number, but got string"},
		{"own identifier", `{"$id":"https://example.com/s","$defs":{"n":{"type":"number"}},"properties":{"a":{"$ref":"https://example.com/s#/$defs/n"}}}`,
			`{"a":"x"}`, "/a: expected number, but got string"},
		{"draft 4 bound", `{"properties":{"a":{"minimum":0,"exclusiveMinimum":true}}}`, `{"a":0}`, "/a: must be > 0 but found 0"},
		{"enum", `{"properties":{"a":{"enum":["x","y"]}}}`, `{"a":"z"}`, `/a: value must be one of "x", "y"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, _, err := Compile(test.schema)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range s.Validate(mustDecode(t, test.value)) {
				got = append(got, p.String())
			}
			if d := cmp.Diff(test.want, strings.Join(got, " | ")); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestCompileRepairs(t *testing.T) {
	tests := []struct{ name, schema, warning string }{
		{"lookahead", `{"properties":{"a":{"type":"string","pattern":"^(?!x)"}}}`, "/properties/a/pattern: "},
		{"pattern property", `{"patternProperties":{"(?=x)":{}}}`, "/patternProperties: pattern"},
		{"external reference", `{"properties":{"a":{"$ref":"file:///etc/hostname"}}}`, "/properties/a/$ref: refers to file:///etc/hostname, outside the schema"},
		{"dead reference", `{"properties":{"a":{"$ref":"#/$defs/none"}}}`, "which is not there"},
		{"relative reference", `{"$ref":"other.json"}`, "/$ref: refers to other.json"},
		{"unknown dialect", `{"$schema":"https://example.com/mine","type":"object"}`, "unknown dialect"},
		{"odd type", `{"properties":{"a":{"type":"str"}}}`, `read as "string"`},
		{"no type", `{"properties":{"a":{"type":"wibble"}}}`, "no JSON type"},
		{"draft 3 required", `{"properties":{"a":{"type":"string","required":true}}}`, "/properties/a/required: dropped"},
		{"properties is a list", `{"properties":["a"]}`, "/properties: dropped"},
		{"empty type list", `{"type":[]}`, "/type: dropped"},
		{"bad member of a list", `{"required":["a",1]}`, "/required: dropped"},
		{"endless reference", `{"$ref":"#"}`, "does not compile"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, warnings, err := Compile(test.schema)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(strings.Join(warnings, "\n"), test.warning) || len(warnings) == 0 {
				t.Errorf("warnings = %q, want one with %q", warnings, test.warning)
			}
			if p := s.Validate(map[string]any{"a": "x"}); len(p) > 0 {
				t.Errorf("a fitting value: %v", p)
			}
		})
	}
}

func TestCompileRefuses(t *testing.T) {
	for name, raw := range map[string]string{
		"not JSON": `{"type":`, "empty": ``, "a list": `[]`, "a string": `"object"`,
		"too deep":  strings.Repeat(`{"not":`, 200) + `{}` + strings.Repeat(`}`, 200),
		"too large": `{"description":"` + strings.Repeat("x", MaxBytes) + `"}`,
	} {
		if _, _, err := Compile(raw); err == nil || len(err.Error()) > 500 {
			t.Errorf("%s: error = %v", name, err)
		}
	}
}

// A schema whose alternatives double at each level must not run for ever.
func TestValidateIsBounded(t *testing.T) {
	var defs []string
	for i := range 40 {
		defs = append(defs, fmt.Sprintf(`"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, i+1, i+1))
	}
	raw := `{"$defs":{` + strings.Join(defs, ",") + `,"d40":{"type":"string"}},"$ref":"#/$defs/d0"}`
	s, _, err := Compile(raw)
	if err != nil {
		t.Fatal(err)
	}
	got := s.Validate(map[string]any{})
	if len(got) != 1 || !strings.Contains(got[0].Message, "too many steps") {
		t.Errorf("problems = %v", got)
	}
	if got := Params(raw); len(got) != 0 {
		t.Errorf("params = %v", got)
	}
}

func TestValidateOddValues(t *testing.T) {
	s, _, err := Compile(`{"type":"object","properties":{"a":{"multipleOf":0.1}}}`)
	if err != nil {
		t.Fatal(err)
	}
	if p := s.Validate(mustDecode(t, `{"a":1e999999999}`)); len(p) == 0 {
		t.Error("a number without measure passed unnoticed")
	}
	if p := s.Validate(struct{}{}); len(p) != 1 {
		t.Errorf("a Go struct: %v", p)
	}
	deep := mustDecode(t, strings.Repeat("[", 900)+strings.Repeat("]", 900))
	if p := s.Validate(deep); len(p) != 1 || !strings.Contains(p[0].Message, "deep") {
		t.Errorf("a deep value: %v", p)
	}
}

// corpus is the folder of real inputs; the test is skipped where it is absent.
func corpus(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("TASKWRIGHT_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	if _, err := os.Stat(dir); err != nil {
		if slices.Contains(strings.Split(os.Getenv("TASKWRIGHT_REQUIRE"), ","), "corpus") {
			t.Fatal("no corpus of real inputs: set TASKWRIGHT_CORPUS")
		}
		t.Skip("no corpus of real inputs: set TASKWRIGHT_CORPUS")
	}
	return dir
}

// TestCorpus holds that no tool of a real catalog is lost for its schema.
func TestCorpus(t *testing.T) {
	dir := corpus(t)
	files, err := filepath.Glob(filepath.Join(dir, "catalogs", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, filepath.Join(dir, "toucan", "catalog_ok.jsonl"))
	schemas, unchecked := 0, 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		documents := []string{string(raw)}
		if strings.HasSuffix(file, ".jsonl") {
			documents = strings.Split(strings.TrimSpace(string(raw)), "\n")
		}
		for _, d := range documents {
			for _, s := range schemasIn(mustDecode(t, d)) {
				schemas++
				_, warnings, err := Compile(s)
				if err != nil {
					t.Errorf("%s: %v", filepath.Base(file), err)
				}
				if strings.Contains(strings.Join(warnings, "\n"), "nothing is checked") {
					unchecked++
					t.Logf("%s: %v", filepath.Base(file), warnings)
				}
				Params(s)
			}
		}
	}
	if schemas < 2000 || unchecked > 0 {
		t.Errorf("%d schemas compiled, %d of them check nothing", schemas, unchecked)
	}
}

func schemasIn(catalog any) []string {
	tools, _ := catalog.(map[string]any)["tools"].([]any)
	var out []string
	for _, tool := range tools {
		for _, key := range []string{"inputSchema", "outputSchema"} {
			if s, ok := tool.(map[string]any)[key]; ok {
				out = append(out, datasets.EncodeJSON(s))
			}
		}
	}
	return out
}

func FuzzCompile(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"type":"integer","exclusiveMinimum":true,"minimum":1}}}`, `{"a":1}`)
	f.Add(`{"$defs":{"a":{"$ref":"#/$defs/a"}},"properties":{"x":{"$ref":"#/$defs/a"}}}`, `{"x":[]}`)
	f.Add(`{"anyOf":[{"type":"null"},{"items":{"$ref":"#"}}]}`, `[[[]]]`)
	f.Add(`{"properties":{"a":{"pattern":"(?!x)","enum":[null]}},"required":[1]}`, `null`)
	f.Fuzz(func(t *testing.T, raw, value string) {
		s, _, err := Compile(raw)
		Params(raw)
		Leaves(raw)
		v, decodeErr := datasets.DecodeJSON(value)
		if err != nil || decodeErr != nil {
			return
		}
		first, second := s.Validate(v), s.Validate(v)
		if d := cmp.Diff(first, second); d != "" {
			t.Errorf("two validations differ: %s", d)
		}
	})
}
