package schema

import (
	"encoding/json"
	"net/url"
	"regexp"
	"sort"
	"strings"
	"time"

	"github.com/taskwright/taskwright/datasets"
)

// Bounds on an inferred schema.
const (
	inferDepth    = 12  // levels that are described
	inferElements = 200 // elements of one array that are looked at
	inferMembers  = 200 // members of one object that are named
)

// Infer is a JSON Schema that all sample documents fit: types, members, which
// of them are always there, array elements, formats of strings. Samples are
// decoded JSON; none gives "null". The schema is canonical JSON.
func Infer(samples []any) string {
	if len(samples) == 0 {
		return "null"
	}
	s := &shape{}
	for _, v := range samples {
		s.add(v, 0)
	}
	return datasets.EncodeJSON(s.schema())
}

// shape is what was seen at one place.
type shape struct {
	seen    int
	types   map[string]bool
	objects int // of seen, how many are objects
	members map[string]*shape
	element *shape
	format  string // of all strings so far
	strings int
}

func (s *shape) add(v any, level int) {
	s.seen++
	if s.types == nil {
		s.types = map[string]bool{}
	}
	switch v := v.(type) {
	case nil:
		s.types["null"] = true
	case bool:
		s.types["boolean"] = true
	case string:
		s.addString(v)
	case json.Number:
		s.addNumber(string(v))
	case float64, int, int64:
		s.addNumber(datasets.EncodeJSON(v))
	case []any:
		s.types["array"] = true
		s.addElements(v, level)
	case map[string]any:
		s.types["object"] = true
		s.addMembers(v, level)
	}
}

func (s *shape) addString(v string) {
	s.types["string"] = true
	f := FormatOf(v)
	if s.strings++; s.strings > 1 && f != s.format {
		f = ""
	}
	s.format = f
}

func (s *shape) addNumber(text string) {
	if strings.ContainsAny(text, ".eE") {
		s.types["number"] = true
	} else {
		s.types["integer"] = true
	}
}

func (s *shape) addElements(list []any, level int) {
	if level >= inferDepth {
		return
	}
	for _, e := range list[:min(len(list), inferElements)] {
		if s.element == nil {
			s.element = &shape{}
		}
		s.element.add(e, level+1)
	}
}

func (s *shape) addMembers(object map[string]any, level int) {
	s.objects++
	if s.members == nil {
		s.members = map[string]*shape{}
	}
	if level >= inferDepth {
		return
	}
	for _, k := range sortedKeys(object) {
		m := s.members[k]
		if m == nil {
			if len(s.members) >= inferMembers {
				continue
			}
			m = &shape{}
			s.members[k] = m
		}
		m.add(object[k], level+1)
	}
}

func (s *shape) schema() map[string]any {
	out := map[string]any{}
	if s.types["integer"] && s.types["number"] {
		delete(s.types, "integer")
	}
	names := make([]any, 0, len(s.types))
	for t := range s.types {
		names = append(names, t)
	}
	sort.Slice(names, func(i, j int) bool { return names[i].(string) < names[j].(string) })
	switch len(names) {
	case 0:
	case 1:
		out["type"] = names[0]
	default:
		out["type"] = names
	}
	if s.format != "" {
		out["format"] = s.format
	}
	if s.element != nil {
		out["items"] = s.element.schema()
	}
	if s.objects > 0 {
		s.object(out)
	}
	return out
}

func (s *shape) object(out map[string]any) {
	properties, required := map[string]any{}, []any{}
	for _, k := range sortedShapes(s.members) {
		properties[k] = s.members[k].schema()
		if s.members[k].seen == s.objects {
			required = append(required, k)
		}
	}
	out["properties"] = properties
	if len(required) > 0 {
		out["required"] = required
	}
}

func sortedShapes(m map[string]*shape) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

var (
	uuidForm  = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)
	emailForm = regexp.MustCompile(`^[^\s@<>]+@[\w-]+(\.[\w-]+)+$`)
)

// FormatOf is the JSON Schema format that a string has, "" if none of the
// common ones.
func FormatOf(s string) string {
	if len(s) < 6 || len(s) > 2048 {
		return ""
	}
	if _, err := time.Parse(time.DateOnly, s); err == nil {
		return "date"
	}
	if _, err := time.Parse(time.RFC3339, s); err == nil {
		return "date-time"
	}
	if uuidForm.MatchString(s) {
		return "uuid"
	}
	if emailForm.MatchString(s) {
		return "email"
	}
	if u, err := url.Parse(s); err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
		return "uri"
	}
	return ""
}
