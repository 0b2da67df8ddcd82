package discover

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/taskwright/taskwright/internal/schema"
)

// candidate is a value that may be tried for a parameter.
type candidate struct {
	value any
	group string // values of one group came in one object
	from  string // place in the bank, "" if none
	unit  string // of a bank value, where a sibling names units
}

// maxCandidates bounds the values considered for one parameter.
const maxCandidates = 40

// candidates lists the values for a slot, those to be tried first in front:
// seeds, hints of error messages, what the schema and the description name,
// what tools returned, and at last fixed defaults. Known bad values are left out.
func (p *prober) candidates(w *work, s *slot) []candidate {
	var stated []candidate
	add := func(to *[]candidate, c candidate) {
		if len(*to) < maxCandidates && !w.bad[s.param.Path+"="+encode(c.value)] && !slices.ContainsFunc(*to, func(o candidate) bool { return encode(o.value) == encode(c.value) }) {
			*to = append(*to, c)
		}
	}
	plain := func(to *[]candidate, list []any) {
		for _, v := range list {
			add(to, candidate{value: v})
		}
	}
	plain(&stated, p.seeds(w, s))
	if s.param.Const != nil {
		plain(&stated, []any{s.param.Const})
	}
	plain(&stated, w.hints[s.param.Path])
	if order(w.tool.Name) != 1 {
		for _, v := range w.told[s.param.Name] {
			if fitsParam(&s.param, v) {
				add(&stated, candidate{value: v})
			}
		}
	}
	for _, v := range statedValues(s.param) {
		if fitsParam(&s.param, v) {
			add(&stated, candidate{value: v})
		}
	}
	if slices.Contains(s.words, "path") && slices.Contains(s.context, "file") && !slices.Contains(s.context, "directory") {
		plain(&stated, []any{"/workspace/notes.txt"})
	}
	strong, weak := p.banked(w, s)
	var out []candidate
	if len(stated) == 0 && len(s.param.Types) > 0 && s.param.Is("object") {
		plain(&out, []any{p.object(w, s.param.Properties)})
	}
	for _, c := range interleave(stated, strong) {
		add(&out, c)
	}
	if s.param.Is("array") && s.param.Items != nil {
		plain(&out, p.arrays(w, s))
	}
	if len(strong) == 0 || !identifies(s.words) {
		plain(&out, s.fallbacks())
	}
	for _, c := range weak {
		add(&out, c)
	}
	if len(out) == 0 && s.param.Is("array") {
		plain(&out, []any{[]any{}})
	}
	return out
}

// statedValues are what schema and description give as values.
func statedValues(p schema.Param) []any {
	out := append([]any{}, p.Examples...)
	if p.Default != nil {
		out = append(out, p.Default)
	}
	said := described(p)
	if len(p.Enum) == 0 {
		out = append(out, said...)
	}
	for _, v := range p.Enum {
		if v != nil {
			out = append(out, v)
		}
	}
	return out
}

// interleave takes from both lists in turn, so that neither starves.
func interleave(a, b []candidate) []candidate {
	var out []candidate
	for i := 0; i < max(len(a), len(b)); i++ {
		if i < len(a) {
			out = append(out, a[i])
		}
		if i < len(b) {
			out = append(out, b[i])
		}
	}
	return out
}

func (p *prober) seeds(w *work, s *slot) []any {
	id, name := w.tool.ID(), s.param.Name
	var out []any
	for _, key := range []string{id + "/" + name, w.tool.Server + "/" + name, name} {
		out = append(out, p.options.Seeds[key]...)
	}
	for i, v := range out {
		out[i] = decoded(v)
	}
	return out
}

// decoded brings a Go value into the form of decoded JSON.
func decoded(v any) any {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	var out any
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	if d.Decode(&out) != nil {
		return nil
	}
	return out
}

// Bounds on what the bank offers for one slot.
const (
	placesPerSlot  = 10
	strongMatch    = looseMatch
	looseMatch     = 0.4
	weakMatch      = 0.2
	valuesPerPlace = 4
)

// banked are the values that tools returned in places that fit the slot. Places
// take turns, so that each is tried before any is tried twice; those of other
// tools go first.
func (p *prober) banked(w *work, s *slot) (strong, weak []candidate) {
	var lists [][]candidate
	var isStrong []bool
	for n, b := range p.banks(w) {
		for _, m := range b.matching(s, weakMatch) {
			if len(lists) >= placesPerSlot {
				break
			}
			if n > 0 && b.tools[b.places[m.place].tool].Server == w.tool.Server {
				continue // of another session: it may be gone
			}
			if w.luck[s.param.Path+" from "+placeKey(b.places[m.place].tool, b.places[m.place].path)] < 0 {
				continue // its values failed so far
			}
			if list := offered(b.places[m.place], s); len(list) > 0 {
				lists = append(lists, list)
				isStrong = append(isStrong, m.score >= strongMatch)
			}
		}
	}
	for i := range valuesPerPlace {
		for n, list := range lists {
			if i >= len(list) {
				continue
			}
			if isStrong[n] {
				strong = append(strong, list[i])
			} else {
				weak = append(weak, list[i])
			}
		}
	}
	return strong, weak
}

// offered are the values of a place in the form that the slot takes.
func offered(pl *place, s *slot) []candidate {
	var out []candidate
	unit, from := "", placeKey(pl.tool, pl.path)
	if slices.Contains(s.units, pl.unit) {
		unit = pl.unit
	}
	if s.param.Is("array") && !s.param.Is(pl.jsonType) {
		if len(pl.series) >= 2 {
			out = append(out, candidate{value: pl.series, from: from})
		} else if jsonTypeOf(first(pl.values)) == "string" {
			for _, k := range pl.values {
				out = append(out, candidate{value: []any{k.value}, from: from})
			}
		}
		return out
	}
	for _, k := range pl.values {
		v := k.value
		if n, ok := v.(json.Number); ok && !s.param.Is(jsonTypeOf(v)) && s.param.Is("string") {
			v = string(n)
		}
		if fitsParam(&s.param, v) {
			out = append(out, candidate{v, k.group, from, unit})
		}
	}
	return out
}

func first(list []known) any {
	if len(list) == 0 {
		return nil
	}
	return list[0].value
}

// arrays are lists made of values for the elements.
func (p *prober) arrays(w *work, s *slot) []any {
	items := *s.param.Items
	if items.Is("number") && len(items.Types) > 0 && !items.Is("string") {
		return []any{numbers("2", "4", "4", "5", "7"), numbers("10", "20", "30"), numbers("1.5", "2.5")}
	}
	var elements []any
	if items.Is("object") && len(items.Properties) > 0 {
		elements = []any{p.object(w, items.Properties)}
	} else {
		if items.Description == "" {
			items.Description = s.param.Description
		}
		items.Name = s.param.Name
		elements = append(statedValues(items), fallbacks(items)...)
	}
	if len(elements) == 0 {
		return []any{[]any{}}
	}
	out := []any{elements[:1:1]}
	if len(elements) > 1 {
		out = append(out, elements[:2:2], elements[1:2:2])
	}
	return out
}

// object fills the required members; without any, those that have a stated value.
func (p *prober) object(w *work, members []schema.Param) map[string]any {
	out := map[string]any{}
	for _, m := range members {
		if !m.Required {
			continue
		}
		s := &slot{tool: w.index, param: m, words: words(m.Name), core: words(m.Name), context: nouns(w.tool)}
		if list := p.candidates(w, s); len(list) > 0 {
			out[m.Name] = list[0].value
		}
	}
	return out
}

// numberValue is a float as decoded JSON.
func numberValue(f float64) json.Number {
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return json.Number(strconv.FormatInt(int64(f), 10))
	}
	return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
}
