// Package schema reads, checks and infers JSON Schemas. It is the one place
// that touches the validator library, so that every foreign schema meets the
// same rules:
//
//   - no reference leaves the schema: nothing is opened, nothing is fetched;
//   - what the library cannot compile (a pattern with a lookahead, a keyword of
//     an old draft, a misplaced value) is dropped with a warning, so that no
//     tool is lost for a flaw in its schema;
//   - sizes, depths and the work of one validation are bounded;
//   - problems come sorted.
//
// [Compile] and [Schema.Validate] check values, [Params] and [Leaves] list what
// a schema describes, [Infer] makes a schema from sample documents.
package schema

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/taskwright/taskwright/datasets"
)

// Bounds on what is taken from a server.
const (
	MaxBytes = 4 << 20 // of one schema
	maxDepth = 100     // nesting of a schema as JSON
	minSteps = 10_000  // schema applications of one validation …
	perValue = 100     // … and as many more for each value in the document
	maxValue = 200     // nesting of a value that is validated
	maxFound = 50      // problems of one validation
	maxCache = 4096    // compiled schemas kept
)

// Schema is a compiled JSON Schema. Its methods may be called concurrently;
// validations with one schema run one after the other.
type Schema struct {
	compiled *jsonschema.Schema // nil: everything passes

	mu     sync.Mutex // held for the whole of a validation; guards the budget
	budget *budget
}

// Problem is one way in which a value breaks its schema.
type Problem struct {
	Pointer string // JSON Pointer to the value, "" for the whole
	Message string
}

func (p Problem) String() string {
	if p.Pointer == "" {
		return p.Message
	}
	return p.Pointer + ": " + p.Message
}

// Validate checks a decoded JSON value. The problems are sorted by pointer and
// message; none means that the value fits. A value that is too deep, or whose
// check would take too long, is a problem of its own.
func (s *Schema) Validate(value any) []Problem {
	if s.compiled == nil {
		return nil
	}
	if depth(value, maxValue) > maxValue {
		return []Problem{{"", fmt.Sprintf("nested more than %d deep", maxValue)}}
	}
	err := s.run(value)
	if err == nil {
		return nil
	}
	found, ok := err.(*jsonschema.ValidationError)
	if !ok {
		return []Problem{{"", "not checked: " + oneLine(strings.TrimPrefix(err.Error(), "jsonschema: "))}}
	}
	return problems(found)
}

// run is one validation. The library panics on what it cannot handle.
func (s *Schema) run(value any) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	s.budget.left = minSteps + perValue*count(value)
	return s.compiled.Validate(value)
}

// budget counts the schema applications of one validation: a schema whose
// alternatives double at each level would otherwise run for ever.
type budget struct{ left int }

// Compile attaches the budget to every schema object.
func (b *budget) Compile(jsonschema.CompilerContext, map[string]any) (jsonschema.ExtSchema, error) {
	return b, nil
}

// Validate takes one step from the budget.
func (b *budget) Validate(jsonschema.ValidationContext, any) error {
	if b.left--; b.left < 0 {
		panic("the schema needs too many steps")
	}
	return nil
}

// problems flattens the library's tree of errors.
func problems(root *jsonschema.ValidationError) []Problem {
	seen := map[Problem]bool{}
	var out []Problem
	var walk func(e *jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		if len(e.Causes) > 0 && !isAlternative(e) {
			for _, c := range e.Causes {
				walk(c)
			}
			return
		}
		p := Problem{e.InstanceLocation, message(e)}
		if !seen[p] {
			seen[p] = true
			out = append(out, p)
		}
	}
	walk(root)
	sort.Slice(out, func(i, j int) bool {
		if out[i].Pointer != out[j].Pointer {
			return out[i].Pointer < out[j].Pointer
		}
		return out[i].Message < out[j].Message
	})
	return out[:min(len(out), maxFound)]
}

func isAlternative(e *jsonschema.ValidationError) bool {
	return strings.HasSuffix(e.KeywordLocation, "/anyOf") || strings.HasSuffix(e.KeywordLocation, "/oneOf")
}

func message(e *jsonschema.ValidationError) string {
	if isAlternative(e) && len(e.Causes) > 0 {
		var first []string
		for _, c := range e.Causes {
			for len(c.Causes) > 0 && !isAlternative(c) {
				c = c.Causes[0]
			}
			first = append(first, message(c))
		}
		sort.Strings(first)
		return oneLine(fmt.Sprintf("fits none of %d alternatives: %s", len(first), strings.Join(first, "; ")))
	}
	m := e.Message
	// The library lists unexpected properties in map order.
	if list, ok := strings.CutPrefix(m, "additionalProperties "); ok {
		if list, ok = strings.CutSuffix(list, " not allowed"); ok {
			names := strings.Split(list, ", ")
			sort.Strings(names)
			m = "unexpected properties: " + strings.Join(names, ", ")
		}
	}
	return oneLine(m)
}

// oneLine makes a foreign message fit for a log line.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 400 {
		s = string(r[:400]) + "…"
	}
	return s
}

// depth is the nesting of a decoded JSON value; it stops counting beyond limit.
func depth(v any, limit int) int {
	if limit < 0 {
		return 1
	}
	deepest := 0
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			deepest = max(deepest, depth(e, limit-1))
		}
	case []any:
		for _, e := range v {
			deepest = max(deepest, depth(e, limit-1))
		}
	default:
		return 0
	}
	return deepest + 1
}

// count is the number of values in a decoded JSON value.
func count(v any) int {
	n := 1
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			n += count(e)
		}
	case []any:
		for _, e := range v {
			n += count(e)
		}
	}
	return n
}

// decode reads a schema as bounded JSON.
func decode(raw string) (any, error) {
	if len(raw) > MaxBytes {
		return nil, fmt.Errorf("schema of %d bytes: more than %d", len(raw), MaxBytes)
	}
	v, err := datasets.DecodeJSON(raw)
	if err != nil {
		return nil, fmt.Errorf("schema is not JSON: %w", err)
	}
	if depth(v, maxDepth) > maxDepth {
		return nil, fmt.Errorf("schema is nested more than %d deep", maxDepth)
	}
	switch v.(type) {
	case map[string]any, bool:
		return v, nil
	}
	return nil, fmt.Errorf("schema is neither an object nor a boolean: %.40s", strings.TrimSpace(raw))
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

func float(v any) *float64 {
	n, ok := v.(json.Number)
	if !ok {
		return nil
	}
	f, err := n.Float64()
	if err != nil {
		return nil
	}
	return &f
}
