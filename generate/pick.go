package generate

import (
	"slices"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// choose picks one element of a list in the output of step number from, by a
// rule that a person could state, and remembers the choice. It returns nil
// where no rule singles out an element.
func (g *growth) choose(from int, list string) *picked {
	if p := g.draft.pick(from, list); p != nil {
		return p
	}
	s := g.draft.at(from)
	p := pickElement(g.book, g.rng.Float64, s, list)
	if p != nil {
		p.step = from
		g.draft.picks = append(g.draft.picks, p)
	}
	return p
}

func pickElement(book *Phrasebook, random func() float64, s *step, list string) *picked {
	v, err := datasets.ResolveOne(s.doc, list)
	elements, ok := v.([]any)
	if err != nil || !ok || len(elements) == 0 {
		return nil
	}
	if len(elements) == 1 {
		return &picked{list: list, rule: datasets.PickFirst}
	}
	if fields := orderFields(book, s, list, elements); len(fields) > 0 && random() < 0.85 {
		field := fields[int(random()*float64(len(fields)))]
		p := &picked{list: list, rule: datasets.PickLargest, by: list + "/*" + field}
		order := book.tool(s.tool.ID()).Order[strings.TrimPrefix(field, "/")]
		if order.Largest == "" && order.Smallest != "" || order.Smallest != "" && random() < 0.4 {
			p.rule = datasets.PickSmallest
		}
		if p.index, err = datasets.PickIndex(s.doc, p.rule, list, p.by, ""); err == nil && unique(elements, field, p.index) {
			return p
		}
	}
	if p := byIdentity(book, random, s, list, elements); p != nil {
		return p
	}
	return &picked{list: list, rule: datasets.PickFirst}
}

// orderFields are the paths, within an element, of the fields that a person
// would order by: those of the phrasebook, else numbers that are no ids, no
// coordinates and no positions, present in all elements.
func orderFields(book *Phrasebook, s *step, list string, elements []any) []string {
	phrases := book.tool(s.tool.ID())
	var fields []string
	first, ok := elements[0].(map[string]any)
	if !ok {
		return nil
	}
	for _, k := range sortedKeys(first) {
		if phrases.Noun != "" && phrases.List == list {
			if _, known := phrases.Order[k]; !known {
				continue
			}
		} else if unordered(k) {
			continue
		}
		if numericIn(elements, k) {
			fields = append(fields, "/"+datasets.EscapeSegment(k))
		}
	}
	return fields
}

func unordered(name string) bool {
	words := splitWords(name)
	if idWord(name) || len(words) == 0 {
		return true
	}
	switch words[len(words)-1] {
	case "lat", "latitude", "lon", "lng", "longitude", "x", "y", "index", "offset", "line", "column", "page", "position", "rank", "version", "code", "year", "start", "end":
		return true
	}
	return false
}

func numericIn(elements []any, key string) bool {
	for _, e := range elements {
		m, ok := e.(map[string]any)
		if !ok {
			return false
		}
		if _, ok := datasets.Float(m[key]); !ok {
			return false
		}
	}
	return true
}

// unique says that no other element has the same value in the field.
func unique(elements []any, field string, index int) bool {
	value, err := datasets.ResolveOne(elements[index], field)
	if err != nil {
		return false
	}
	for i, e := range elements {
		if v, err := datasets.ResolveOne(e, field); err == nil && i != index && datasets.EncodeJSON(v) == datasets.EncodeJSON(value) {
			return false
		}
	}
	return true
}

// byIdentity picks an element by its name: the person says which one is meant.
func byIdentity(book *Phrasebook, random func() float64, s *step, list string, elements []any) *picked {
	field := identityField(book, s, list, elements)
	if field == "" {
		return nil
	}
	start := int(random() * float64(len(elements)))
	for i := range elements {
		at := (start + i) % len(elements)
		name, err := datasets.ResolveOne(elements[at], "/"+datasets.EscapeSegment(field))
		if text, ok := name.(string); err == nil && ok && speakable(text) && len(text) <= 60 && unique(elements, "/"+datasets.EscapeSegment(field), at) {
			by := list + "/*/" + datasets.EscapeSegment(field)
			return &picked{list: list, rule: datasets.PickEqual, by: by, equal: datasets.EncodeJSON(name), index: at}
		}
	}
	return nil
}

// identityOf is the identity field of the list at a path of a step's output.
func identityOf(book *Phrasebook, s *step, list string) string {
	v, err := datasets.ResolveOne(s.doc, list)
	if err != nil {
		return ""
	}
	elements, _ := v.([]any)
	return identityField(book, s, list, elements)
}

// identityField is the field of an element that names it, "" if none does.
func identityField(book *Phrasebook, s *step, list string, elements []any) string {
	phrases := book.tool(s.tool.ID())
	if phrases.Identity != "" && phrases.List == list {
		return phrases.Identity
	}
	if len(elements) == 0 {
		return ""
	}
	first, ok := elements[0].(map[string]any)
	if !ok {
		return ""
	}
	for _, k := range []string{"name", "title", "label", "displayName", "display_name", "tagName", "componentName", "className", "filename", "path", "symbol", "code", "slug"} {
		if s, ok := first[k].(string); ok && s != "" {
			return k
		}
	}
	return ""
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
