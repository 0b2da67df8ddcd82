package datasets

import (
	"fmt"
	"strconv"
	"strings"
)

// Match is one value that a path leads to.
type Match struct {
	Pointer string // the path with every "*" replaced by an index
	Value   any
}

// Resolve follows a path through a document. A path is a JSON Pointer
// (RFC 6901) in which a "*" segment stands for every element of an array, or
// every member of an object in sorted order of its keys. A path without "*"
// that leads nowhere is an error; with "*", elements that lack the rest of the
// path are left out, and no match at all is an error.
func Resolve(document any, path string) ([]Match, error) {
	if path != "" && path[0] != '/' {
		return nil, fmt.Errorf("path %q does not start with /", path)
	}
	matches := []Match{{Value: document}}
	if path == "" {
		return matches, nil
	}
	star := false
	for _, segment := range strings.Split(path[1:], "/") {
		var next []Match
		for _, m := range matches {
			if segment == "*" {
				star = true
				next = append(next, children(m)...)
				continue
			}
			if v, ok := child(m.Value, unescape(segment)); ok {
				next = append(next, Match{m.Pointer + "/" + segment, v})
			} else if !star {
				return nil, fmt.Errorf("pointer %s does not resolve at %q", path, segment)
			}
		}
		matches = next
	}
	if len(matches) == 0 {
		return nil, fmt.Errorf("pointer %s does not resolve: nothing matches", path)
	}
	return matches, nil
}

// ResolveOne follows a path that leads to exactly one value.
func ResolveOne(document any, path string) (any, error) {
	m, err := Resolve(document, path)
	if err != nil {
		return nil, err
	}
	if len(m) > 1 {
		return nil, fmt.Errorf("pointer %s leads to %d values", path, len(m))
	}
	return m[0].Value, nil
}

func children(m Match) []Match {
	var out []Match
	switch v := m.Value.(type) {
	case []any:
		for i, e := range v {
			out = append(out, Match{m.Pointer + "/" + strconv.Itoa(i), e})
		}
	case map[string]any:
		for _, k := range sortedKeys(v) {
			out = append(out, Match{m.Pointer + "/" + EscapeSegment(k), v[k]})
		}
	}
	return out
}

func child(v any, key string) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		e, ok := v[key]
		return e, ok
	case []any:
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 || i >= len(v) || strconv.Itoa(i) != key {
			return nil, false
		}
		return v[i], true
	}
	return nil, false
}

// EscapeSegment writes an object key as one segment of a JSON Pointer.
func EscapeSegment(key string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

func unescape(segment string) string {
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(segment)
}

// SetPointer puts a value into an arguments object, making the objects on the
// way. Arrays on the way must exist, or the segment must name their next index.
// An error leaves the object as it was.
func SetPointer(object map[string]any, path string, value any) error {
	if path == "" || path[0] != '/' {
		return fmt.Errorf("path %q does not start with /", path)
	}
	segments := strings.Split(path[1:], "/")
	_, err := setIn(object, segments, value)
	if err != nil {
		return fmt.Errorf("setting %s: %w", path, err)
	}
	return nil
}

func setIn(container any, segments []string, value any) (any, error) {
	if len(segments) == 0 {
		return value, nil
	}
	key := unescape(segments[0])
	switch c := container.(type) {
	case nil:
		if key == "0" {
			return setIn([]any{}, segments, value)
		}
		return setIn(map[string]any{}, segments, value)
	case map[string]any:
		v, err := setIn(c[key], segments[1:], value)
		if err != nil {
			return nil, err
		}
		c[key] = v
		return c, nil
	case []any:
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 || i > len(c) {
			return nil, fmt.Errorf("%q is no index of an array of %d", key, len(c))
		}
		if i == len(c) {
			c = append(c, nil)
		}
		v, err := setIn(c[i], segments[1:], value)
		if err != nil {
			return nil, err
		}
		c[i] = v
		return c, nil
	}
	return nil, fmt.Errorf("%q is inside a scalar", key)
}
