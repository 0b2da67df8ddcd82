package claim

import (
	"encoding/json"
	"sort"
	"strconv"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// maxCompetitors bounds the competitors of one claim.
const maxCompetitors = 300

// Competitors are the values that stand beside the right one of an entity or
// set claim in the task's reference outputs: at the claim's pointer with every
// index replaced by "*", and in any other output where the expected value is
// one of a list. Constants of the chain are none: an answer may name them. The
// list is sorted and has no value twice.
func Competitors(task *datasets.Task, c *datasets.Claim) []string {
	if c.Kind != datasets.ClaimEntity && c.Kind != datasets.ClaimSet {
		return nil
	}
	expected, err := datasets.DecodeJSON(c.Expected)
	if err != nil {
		return nil
	}
	right := map[string]bool{}
	for _, m := range members(expected) {
		right[scalarText(m)] = true
	}
	found := map[string]bool{}
	for i := range task.Reference {
		document, err := datasets.DecodeJSON(task.Reference[i].Output)
		if err != nil {
			continue
		}
		if task.Reference[i].Step == c.Step && strings.Contains(c.Pointer, "/") {
			collect(document, wildcard(c.Pointer), found)
		}
		for _, path := range listPaths(document, right) {
			collect(document, path, found)
		}
	}
	return listed(found, right, constants(task))
}

// wildcard replaces the indices of a pointer by "*".
func wildcard(pointer string) string {
	segments := strings.Split(pointer, "/")
	for i, s := range segments {
		if _, err := strconv.Atoi(s); err == nil {
			segments[i] = "*"
		}
	}
	return strings.Join(segments, "/")
}

func collect(document any, path string, found map[string]bool) {
	if !strings.Contains(path, "*") {
		return
	}
	matches, err := datasets.Resolve(document, path)
	if err != nil {
		return
	}
	for _, m := range matches {
		if s, ok := m.Value.(string); ok && strings.TrimSpace(s) != "" && len(found) < maxCompetitors {
			found[strings.TrimSpace(s)] = true
		}
	}
}

// listPaths are the paths with "*" at which a right value stands in a list.
func listPaths(document any, right map[string]bool) []string {
	paths := map[string]bool{}
	var walk func(v any, path string, depth int)
	walk = func(v any, path string, depth int) {
		switch v := v.(type) {
		case map[string]any:
			for k, e := range v {
				walk(e, path+"/"+datasets.EscapeSegment(k), depth+1)
			}
		case []any:
			for _, e := range v {
				walk(e, path+"/*", depth+1)
			}
		case string:
			if right[strings.TrimSpace(v)] && strings.Contains(path, "*") {
				paths[path] = true
			}
		}
	}
	walk(document, "", 0)
	return sorted(paths)
}

func constants(task *datasets.Task) map[string]bool {
	said := map[string]bool{}
	for _, s := range task.Chain {
		for _, a := range s.Arguments {
			if a.Source != datasets.SourceConstant {
				continue
			}
			said[strings.ToLower(a.Said)] = true
			if v, err := datasets.DecodeJSON(a.Value); err == nil {
				for _, m := range members(v) {
					said[strings.ToLower(scalarText(m))] = true
				}
			}
		}
	}
	return said
}

func listed(found, right, said map[string]bool) []string {
	for s := range found {
		if right[s] || said[strings.ToLower(s)] {
			delete(found, s)
		}
	}
	if len(found) == 0 {
		return nil
	}
	return sorted(found)
}

func sorted(set map[string]bool) []string {
	list := make([]string, 0, len(set))
	for s := range set {
		list = append(list, s)
	}
	sort.Strings(list)
	return list
}

// numberOf is the number that a decoded value is.
func numberOf(v any) (float64, bool) {
	if n, ok := v.(json.Number); ok {
		f, err := n.Float64()
		return f, err == nil
	}
	return datasets.Float(v)
}
