package world

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
)

// kind is the JSON type of a parameter.
type kind string

const (
	str     kind = "string"
	num     kind = "number"
	integer kind = "integer"
	list    kind = "array" // of numbers
)

// param declares one parameter of a tool: what its schema says, and what the
// check of a call enforces.
type param struct {
	name        string
	kind        kind
	description string
	optional    bool
	enum        []string
	fallback    any // default of an optional parameter, nil for none
	examples    []any
	format      string // "date", or "" for none
	pattern     string
	min, max    *float64
	above       *float64 // exclusive minimum
	maxItems    int
}

// at is a bound of a numeric parameter.
func at(v float64) *float64 { return &v }

func inputSchema(params []param) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, p := range params {
		properties[p.name] = p.schema()
		if !p.optional {
			required = append(required, p.name)
		}
	}
	s := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

func (p *param) schema() map[string]any {
	s := map[string]any{"type": string(p.kind), "description": p.description}
	p.addTexts(s)
	p.addBounds(s)
	if p.kind == list {
		s["items"] = map[string]any{"type": "number"}
		s["minItems"] = 1
		s["maxItems"] = p.maxItems
	}
	return s
}

func (p *param) addTexts(s map[string]any) {
	if p.enum != nil {
		s["enum"] = p.enum
	}
	if p.format != "" {
		s["format"] = p.format
	}
	if p.pattern != "" {
		s["pattern"] = p.pattern
	}
	if p.fallback != nil {
		s["default"] = p.fallback
	}
	if p.examples != nil {
		s["examples"] = p.examples
	}
}

func (p *param) addBounds(s map[string]any) {
	for key, bound := range map[string]*float64{"minimum": p.min, "maximum": p.max, "exclusiveMinimum": p.above} {
		if bound != nil {
			s[key] = *bound
		}
	}
	if p.kind == str && p.enum == nil {
		s["maxLength"] = maxText
	}
}

// maxText bounds the characters of a text argument.
const maxText = 200

// check holds the given arguments against the parameters and fills in
// defaults. Its errors say which argument is wrong and what would be right.
func check(params []param, given map[string]any) (arguments, error) {
	args := arguments{}
	for _, p := range params {
		v, ok := given[p.name]
		if !ok || v == nil && p.optional {
			if !p.optional {
				return nil, fmt.Errorf("missing argument %q: %s", p.name, p.description)
			}
			if p.fallback != nil {
				args[p.name] = p.fallback
			}
			continue
		}
		checked, err := p.check(v)
		if err != nil {
			return nil, fmt.Errorf("argument %q: %w", p.name, err)
		}
		args[p.name] = checked
	}
	return args, unknownArgument(params, given)
}

func unknownArgument(params []param, given map[string]any) error {
	var known, unknown []string
	for _, p := range params {
		known = append(known, p.name)
	}
	for name := range given {
		if !slices.Contains(known, name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	slices.Sort(unknown)
	return fmt.Errorf("unknown argument %q: this tool takes %s", unknown[0], strings.Join(known, ", "))
}

func (p *param) check(v any) (any, error) {
	switch p.kind {
	case str:
		return p.checkText(v)
	case list:
		return p.checkList(v)
	}
	return p.checkNumber(v)
}

func (p *param) checkText(v any) (any, error) {
	s, ok := v.(string)
	if !ok {
		return nil, fmt.Errorf("want a string, got %s", jsonType(v))
	}
	s = strings.TrimSpace(s)
	if s == "" || len(s) > maxText {
		return nil, fmt.Errorf("want 1 to %d characters", maxText)
	}
	if p.enum != nil && !slices.Contains(p.enum, s) {
		return nil, fmt.Errorf("%q is not one of %s", s, strings.Join(p.enum, ", "))
	}
	if p.pattern != "" && !regexp.MustCompile(p.pattern).MatchString(s) {
		return nil, fmt.Errorf("%q does not look like %v", s, p.examples[0])
	}
	if p.format == "date" {
		if _, err := time.Parse(time.DateOnly, s); err != nil {
			return nil, fmt.Errorf("%q is no date like 2026-07-04", s)
		}
	}
	return s, nil
}

func (p *param) checkNumber(v any) (any, error) {
	f, ok := v.(float64)
	switch {
	case !ok:
		return nil, fmt.Errorf("want a number, got %s", jsonType(v))
	case math.Abs(f) > 1e15:
		return nil, fmt.Errorf("%v is out of range", f)
	case p.kind == integer && f != math.Trunc(f):
		return nil, fmt.Errorf("want a whole number, got %v", f)
	case p.min != nil && f < *p.min:
		return nil, fmt.Errorf("%v is less than %v", f, *p.min)
	case p.max != nil && f > *p.max:
		return nil, fmt.Errorf("%v is more than %v", f, *p.max)
	case p.above != nil && f <= *p.above:
		return nil, fmt.Errorf("%v is not more than %v", f, *p.above)
	}
	return f, nil
}

func (p *param) checkList(v any) (any, error) {
	elements, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("want an array of numbers, got %s", jsonType(v))
	}
	if len(elements) == 0 || len(elements) > p.maxItems {
		return nil, fmt.Errorf("want 1 to %d numbers, got %d", p.maxItems, len(elements))
	}
	one, numbers := param{kind: num}, make([]float64, len(elements))
	for i, e := range elements {
		f, err := one.checkNumber(e)
		if err != nil {
			return nil, fmt.Errorf("number %d: %w", i+1, err)
		}
		numbers[i] = f.(float64)
	}
	return numbers, nil
}

func jsonType(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "a string"
	case float64:
		return "a number"
	case bool:
		return "a boolean"
	case []any:
		return "an array"
	}
	return "an object"
}
