package schema

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// repair rewrites a foreign schema so that the library can compile it, and
// notes what it changed.
type repair struct {
	root     any    // the schema as it came
	id       string // its identifier, if it has one
	warnings []string
	dropped  map[string]bool
}

func (r *repair) warn(pointer, format string, args ...any) {
	if pointer == "" {
		pointer = "schema"
	}
	text := pointer + ": " + fmt.Sprintf(format, args...)
	if !r.dropped[text] && len(r.warnings) < 100 {
		r.dropped[text] = true
		r.warnings = append(r.warnings, text)
	}
}

// Keywords by what they hold.
var (
	holdsSchema = map[string]bool{"additionalItems": true, "additionalProperties": true, "contains": true, "contentSchema": true, "else": true,
		"if": true, "items": true, "not": true, "propertyNames": true, "then": true, "unevaluatedItems": true, "unevaluatedProperties": true}
	holdsList = map[string]bool{"allOf": true, "anyOf": true, "oneOf": true, "prefixItems": true, "items": true}
	holdsMap  = map[string]bool{"$defs": true, "definitions": true, "dependentSchemas": true, "patternProperties": true, "properties": true, "dependencies": true}
)

var knownDrafts = regexp.MustCompile(`^https?://json-schema\.org/(draft-0[4-7]|draft/2019-09|draft/2020-12)/schema#?$`)

// schema repairs one schema and everything below it; it returns a copy.
func (r *repair) schema(v any, at string) any {
	object, ok := v.(map[string]any)
	if !ok {
		return v
	}
	out := make(map[string]any, len(object))
	for _, k := range sortedKeys(object) {
		out[k] = r.keyword(k, object[k], at+"/"+datasets.EscapeSegment(k))
	}
	r.draft(out, at)
	r.bounds(out, "minimum", "exclusiveMinimum", at)
	r.bounds(out, "maximum", "exclusiveMaximum", at)
	r.types(out, at)
	r.pattern(out, at)
	r.reference(out, at)
	return out
}

func (r *repair) keyword(key string, v any, at string) any {
	switch v := v.(type) {
	case map[string]any:
		if holdsMap[key] {
			out := make(map[string]any, len(v))
			for _, k := range sortedKeys(v) {
				if key == "patternProperties" && !compiles(k) {
					r.warn(at, "pattern %q does not compile: dropped", k)
					continue
				}
				out[k] = r.schema(v[k], at+"/"+datasets.EscapeSegment(k))
			}
			return out
		}
		if holdsSchema[key] {
			return r.schema(v, at)
		}
	case []any:
		if holdsList[key] {
			out := make([]any, len(v))
			for i, e := range v {
				out[i] = r.schema(e, at+"/"+strconv.Itoa(i))
			}
			return out
		}
	}
	return v
}

// draft drops a dialect that would have to be fetched.
func (r *repair) draft(object map[string]any, at string) {
	v, ok := object["$schema"]
	if !ok {
		return
	}
	if s, ok := v.(string); !ok || !knownDrafts.MatchString(s) || at != "" {
		delete(object, "$schema")
		if !ok || !knownDrafts.MatchString(s) {
			r.warn(at+"/$schema", "unknown dialect %.80v: read as 2020-12", v)
		}
	}
}

// bounds turns draft 4's `exclusiveMinimum: true` into today's form.
func (r *repair) bounds(object map[string]any, limit, exclusive, at string) {
	flag, ok := object[exclusive].(bool)
	if !ok {
		return
	}
	r.warn(at+"/"+exclusive, "is a boolean as in draft 4: read as a bound")
	delete(object, exclusive)
	if n, ok := object[limit]; ok && flag {
		object[exclusive] = n
		delete(object, limit)
	}
}

var jsonTypes = map[string]bool{"null": true, "boolean": true, "object": true, "array": true, "number": true, "string": true, "integer": true}

// types maps the type names of other languages, and drops the unknown.
func (r *repair) types(object map[string]any, at string) {
	name, ok := object["type"].(string)
	if !ok || jsonTypes[name] {
		return
	}
	if t := foreignTypes[strings.ToLower(name)]; t != "" {
		object["type"] = t
		r.warn(at+"/type", "%q read as %q", name, t)
		return
	}
	delete(object, "type")
	r.warn(at+"/type", "%.40q is no JSON type: dropped", name)
}

var foreignTypes = map[string]string{"int": "integer", "long": "integer", "float": "number", "double": "number", "decimal": "number",
	"str": "string", "text": "string", "bool": "boolean", "dict": "object", "map": "object", "list": "array", "none": "null"}

func (r *repair) pattern(object map[string]any, at string) {
	p, ok := object["pattern"].(string)
	if !ok || compiles(p) {
		return
	}
	delete(object, "pattern")
	r.warn(at+"/pattern", "%.80q does not compile: dropped", p)
}

func compiles(pattern string) bool {
	_, err := regexp.Compile(pattern)
	return err == nil
}

// reference drops a reference that leaves the schema, and the identifiers that
// would turn a local one into a remote one.
func (r *repair) reference(object map[string]any, at string) {
	for _, key := range []string{"$id", "id"} {
		if _, ok := object[key].(string); ok {
			delete(object, key)
		}
	}
	for _, key := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
		v, ok := object[key]
		if !ok {
			continue
		}
		s, ok := v.(string)
		if ok && r.id != "" && strings.HasPrefix(s, r.id+"#") {
			s = s[len(r.id):]
			object[key] = s
		}
		switch {
		case !ok || !strings.HasPrefix(s, "#"):
			delete(object, key)
			r.warn(at+"/"+key, "refers to %.80v, outside the schema: not followed", v)
		case strings.HasPrefix(s, "#/") && !strings.Contains(s, "%"):
			if _, err := datasets.ResolveOne(r.root, s[1:]); err != nil {
				delete(object, key)
				r.warn(at+"/"+key, "refers to %.80s, which is not there: not followed", s)
			}
		}
	}
}
