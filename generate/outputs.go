package generate

import (
	"encoding/json"

	"github.com/taskwright/taskwright/datasets"
)

// scalarPaths lists the paths of scalars, and of short lists of scalars, in
// objects up to three levels deep.
func scalarPaths(doc any) []string {
	var out []string
	var walk func(prefix string, v any, depth int)
	walk = func(prefix string, v any, depth int) {
		switch v := v.(type) {
		case map[string]any:
			if depth >= 3 || len(out) > 60 {
				return
			}
			for _, key := range sortedKeys(v) {
				walk(prefix+"/"+datasets.EscapeSegment(key), v[key], depth+1)
			}
		case []any:
			if len(v) >= 2 && len(v) <= maxSet && scalars(v) {
				out = append(out, prefix+"/*")
			}
		case string, json.Number:
			if prefix != "" {
				out = append(out, prefix)
			}
		}
	}
	walk("", doc, 0)
	return out
}

func scalars(list []any) bool {
	for _, e := range list {
		switch e.(type) {
		case string, json.Number:
		default:
			return false
		}
	}
	return true
}

// listPaths lists the paths of arrays of objects in the first two levels.
func listPaths(doc any) []string {
	var out []string
	if list, ok := doc.([]any); ok && objects(list) {
		return []string{""}
	}
	top, _ := doc.(map[string]any)
	for _, key := range sortedKeys(top) {
		switch v := top[key].(type) {
		case []any:
			if objects(v) {
				out = append(out, "/"+datasets.EscapeSegment(key))
			}
		case map[string]any:
			for _, inner := range sortedKeys(v) {
				if list, ok := v[inner].([]any); ok && objects(list) {
					out = append(out, "/"+datasets.EscapeSegment(key)+"/"+datasets.EscapeSegment(inner))
				}
			}
		}
	}
	return out
}

func objects(list []any) bool {
	for _, e := range list {
		if _, ok := e.(map[string]any); !ok {
			return false
		}
	}
	return len(list) > 0
}
