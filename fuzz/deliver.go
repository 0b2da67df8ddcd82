package fuzz

import (
	"encoding/json"
	"sort"
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/literal"
)

// deliveredValue is a value that a tool delivers and the text must not.
type deliveredValue struct {
	text   string
	number float64
	isText bool
	query  *literal.Query
}

// values collects what tools deliver: the expected values of claims and the
// arguments that come from steps, unless the text must state the same value.
func (l *leaks) values(task *datasets.Task, said map[string]bool) {
	var all []string
	for s := range said {
		all = append(all, s)
	}
	sort.Strings(all)
	stated := literal.Parse(strings.Join(all, "\n"))
	seen := map[string]bool{}
	add := func(raw string) {
		v, err := datasets.DecodeJSON(raw)
		if err != nil {
			return
		}
		for _, leaf := range leaves(v) {
			d, ok := delivered(leaf)
			if !ok || seen[d.text] || stated.Contains(leaf) == literal.Kept || stated.Contains(leaf) == literal.Normalised {
				continue
			}
			seen[d.text] = true
			l.delivered = append(l.delivered, d)
		}
	}
	for i := range task.Claims {
		add(task.Claims[i].Expected)
	}
	for i := range task.Chain {
		for _, a := range task.Chain[i].Arguments {
			if a.Source == datasets.SourceStep {
				add(a.Value)
			}
		}
	}
}

func leaves(v any) []any {
	switch v := v.(type) {
	case []any:
		var out []any
		for _, e := range v {
			out = append(out, leaves(e)...)
		}
		return out
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		var out []any
		for _, k := range keys {
			out = append(out, leaves(v[k])...)
		}
		return out
	}
	return []any{v}
}

func delivered(leaf any) (deliveredValue, bool) {
	switch v := leaf.(type) {
	case string:
		s := strings.TrimSpace(v)
		return deliveredValue{text: s, isText: true, query: literal.Prepare(s)}, len(s) > 1
	case json.Number:
		f, err := v.Float64()
		return deliveredValue{text: v.String(), number: f}, err == nil
	}
	return deliveredValue{}, false
}

// statedTexts are the constants of a task as texts, and how they are said.
func statedTexts(task *datasets.Task) map[string]bool {
	said := map[string]bool{}
	add := func(raw string) {
		if v, err := datasets.DecodeJSON(raw); err == nil {
			for _, leaf := range leaves(v) {
				if s := strings.TrimSpace(leafText(leaf)); s != "" {
					said[s] = true
				}
			}
		}
	}
	for i := range task.Chain {
		for _, a := range task.Chain[i].Arguments {
			if a.Source == datasets.SourceConstant {
				add(a.Value)
				if a.Said != "" {
					said[a.Said] = true
				}
			}
			if a.Pick == datasets.PickEqual {
				add(a.Equal)
			}
		}
	}
	return said
}

// in says that the text states the value. Numbers must be numbers there; a
// short string must stand as it is.
func (d *deliveredValue) in(parsed *literal.Text) bool {
	numbers := parsed.Values()
	if d.isText {
		m := parsed.Has(d.query)
		if len(d.text) < 4 {
			return m == literal.Kept && strings.ToLower(d.text) != d.text
		}
		return m != literal.Lost
	}
	for i := range numbers {
		if numeric(numbers[i]) && !numbers[i].Spelled && numbers[i].Value == d.number {
			return true
		}
	}
	return false
}
