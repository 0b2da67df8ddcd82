package discover

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/schema"
)

// Bounds on what one answer adds to the bank.
const (
	maxLeaves   = 2000 // scalars read from one answer
	maxPerPlace = 16   // distinct values kept for one place
	maxText     = 200  // length of a string that may become an argument
)

// leaf is one scalar of an answer.
type leaf struct {
	pointer string // concrete
	path    string // with "*" for array elements
	group   string // pointer of the object that holds it
	value   any
}

// leavesOf lists the scalars of a document in a stable order, up to maxLeaves.
func leavesOf(doc any) []leaf {
	var out []leaf
	var walk func(v any, pointer, path, group string, level int)
	walk = func(v any, pointer, path, group string, level int) {
		if len(out) >= maxLeaves || level > 32 {
			return
		}
		switch v := v.(type) {
		case map[string]any:
			for _, k := range sortedKeys(v) {
				s := "/" + datasets.EscapeSegment(k)
				walk(v[k], pointer+s, path+s, pointer, level+1)
			}
		case []any:
			for i, e := range v {
				walk(e, pointer+"/"+strconv.Itoa(i), path+"/*", group, level+1)
			}
		case nil:
		default:
			out = append(out, leaf{pointer, path, group, v})
		}
	}
	walk(doc, "", "", "", 0)
	return out
}

func jsonTypeOf(v any) string {
	switch v := v.(type) {
	case string:
		return "string"
	case bool:
		return "boolean"
	case json.Number:
		if strings.ContainsAny(string(v), ".eE") {
			return "number"
		}
		return "integer"
	}
	return ""
}

// known is a value that a tool returned.
type known struct {
	value any
	group string // the object that it came in: values of one group belong together
}

// place is one output place with the values seen there.
type place struct {
	*field
	values []known
	series []any // the numbers of a list, from the first answer that had several
	have   map[string]bool
}

// bank holds what tools returned, by place. Places and values keep the order in
// which they were added.
type bank struct {
	tools  []datasets.Tool
	places []*place
	byPath map[string]*place
	index  *fieldIndex
	calls  int
	seed   int64
}

func newBank(tools []datasets.Tool, seed int64) *bank {
	return &bank{tools: tools, seed: seed, byPath: map[string]*place{}, index: newFieldIndex()}
}

// add banks an answer of a tool. Values that the call itself sent, that look
// like the present time, or that are too long to be an argument are left out.
func (b *bank) add(tool int, doc any, sent map[string]bool) {
	b.calls++
	series := map[string][]any{}
	for _, l := range leavesOf(doc) {
		if s, ok := l.value.(string); ok && (len(s) > maxText || strings.TrimSpace(s) == "" || strings.ContainsAny(s, "\n\r")) {
			continue
		}
		if l.path == "/text" && isTextDocument(doc) || sent[encode(l.value)] && jsonTypeOf(l.value) != "boolean" && isDistinct(l.value) {
			continue
		}
		p := b.at(tool, l)
		if t := jsonTypeOf(l.value); t == "number" || t == "integer" {
			if strings.Contains(l.path, "*") {
				series[l.path] = append(series[l.path], l.value)
			}
		}
		if e := encode(l.value); !p.have[e] && len(p.values) < maxPerPlace {
			p.have[e] = true
			p.values = append(p.values, known{l.value, fmt.Sprintf("%d:%s", b.calls, l.group)})
		}
	}
	for path, list := range series {
		if p := b.byPath[placeKey(tool, path)]; p != nil && p.series == nil && len(list) >= 2 {
			p.series = list[:min(len(list), 20)]
		}
	}
}

func placeKey(tool int, path string) string { return strconv.Itoa(tool) + path }

func (b *bank) at(tool int, l leaf) *place {
	key := placeKey(tool, l.path)
	p := b.byPath[key]
	if p == nil {
		format := ""
		if s, ok := l.value.(string); ok {
			format = schema.FormatOf(s)
		}
		p = &place{field: newField(tool, &b.tools[tool], l.path, jsonTypeOf(l.value), format), have: map[string]bool{}}
		b.byPath[key] = p
		b.places = append(b.places, p)
		b.index.add(p.field, len(b.places)-1)
	} else if t := jsonTypeOf(l.value); p.jsonType == "integer" && t == "number" {
		p.jsonType = t
	}
	return p
}

// matching are the places whose values may fit the slot, best first; the seed
// decides among those that fit equally well.
func (b *bank) matching(s *slot, atLeast float64) []scored {
	var out []scored
	for _, i := range b.index.find(s) {
		p := b.places[i]
		if score, _ := match(p.field, s); score >= atLeast {
			out = append(out, scored{i, score, datasets.Digest(strconv.FormatInt(b.seed, 10), placeKey(p.tool, p.path))})
		}
	}
	slices.SortStableFunc(out, func(x, y scored) int { return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.rank, y.rank)) })
	return out
}

// scored is a place with how well it fits a slot.
type scored struct {
	place int
	score float64
	rank  string // among equals
}

func isTextDocument(doc any) bool {
	m, ok := doc.(map[string]any)
	if !ok {
		return false
	}
	_, ok = m["text"].(string)
	return ok && len(m) <= 2
}

func encode(v any) string { return datasets.EncodeJSON(v) }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
