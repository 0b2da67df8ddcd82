package mcpclient

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
)

// maxSchemaDepth bounds the walk through a schema.
const maxSchemaDepth = 64

var schemaTypes = []string{"null", "boolean", "object", "array", "number", "string", "integer"}

// schemaOddities lists what is invalid in a schema by its form alone, sorted
// by where it stands. The schema is kept as it is.
func schemaOddities(schema map[string]any) []string {
	w := &schemaWalk{}
	w.schema("", schema, 0)
	sort.Strings(w.found)
	return w.found
}

type schemaWalk struct{ found []string }

func (w *schemaWalk) odd(at, format string, args ...any) {
	if len(w.found) < maxWarnings {
		w.found = append(w.found, clip(at+"/")+": "+fmt.Sprintf(format, args...))
	}
}

func (w *schemaWalk) schema(at string, v any, depth int) {
	if _, isBool := v.(bool); isBool {
		return
	}
	s, ok := v.(map[string]any)
	if !ok {
		w.odd(at, "is neither an object nor a boolean")
		return
	}
	if depth > maxSchemaDepth {
		w.odd(at, "is nested deeper than %d levels", maxSchemaDepth)
		return
	}
	w.keywords(at, s)
	for _, key := range []string{"items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"} {
		if list, isList := s[key].([]any); isList && key == "items" {
			w.list(at+"/"+key, list, depth)
		} else if sub, ok := s[key]; ok {
			w.schema(at+"/"+key, sub, depth+1)
		}
	}
	for _, key := range []string{"properties", "patternProperties", "$defs", "definitions"} {
		if sub, ok := s[key].(map[string]any); ok {
			for name, p := range sub {
				w.schema(at+"/"+key+"/"+name, p, depth+1)
			}
		} else if s[key] != nil {
			w.odd(at, "%s is not an object", key)
		}
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf", "prefixItems"} {
		if list, ok := s[key].([]any); ok {
			w.list(at+"/"+key, list, depth)
		} else if s[key] != nil {
			w.odd(at, "%s is not a list", key)
		}
	}
}

func (w *schemaWalk) list(at string, list []any, depth int) {
	for i, e := range list {
		w.schema(fmt.Sprintf("%s/%d", at, i), e, depth+1)
	}
}

func (w *schemaWalk) keywords(at string, s map[string]any) {
	for _, key := range []string{"exclusiveMinimum", "exclusiveMaximum", "minimum", "maximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems"} {
		if v, ok := s[key]; ok {
			if _, isNumber := v.(json.Number); !isNumber {
				w.odd(at, "%s is not a number", key)
			}
		}
	}
	for _, key := range []string{"required", "enum"} {
		if v, ok := s[key]; ok {
			if _, isList := v.([]any); !isList {
				w.odd(at, "%s is not a list", key)
			}
		}
	}
	types, isList := s["type"].([]any)
	if t, ok := s["type"]; ok && !isList {
		types = []any{t}
	}
	for _, t := range types {
		if name, _ := t.(string); !slices.Contains(schemaTypes, name) {
			w.odd(at, "unknown type %s", clip(fmt.Sprint(t)))
		}
	}
}
