package fuzz

import (
	"math"
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/literal"
)

// literals judges how a text states each needed value, and lists what it
// states that nobody said.
type verdict struct {
	states   []state // one for each needed value
	invented []string
}

func judgeLiterals(src *spoken, list []needed, t *literal.Text) verdict {
	found := literals(t)
	var v verdict
	strange := src.unsaid(found)
	var ordered []string
	if src.ordered != nil {
		ordered = superlatives(t.Raw)
	}
	for i := range list {
		if list[i].order != "" {
			v.states = append(v.states, orderState(&list[i], src.ordered, ordered))
			continue
		}
		s := list[i].state(t, found)
		if s == lost {
			if at := similar(&list[i], strange); at >= 0 {
				s = altered
				strange = append(strange[:at:at], strange[at+1:]...)
			}
		}
		v.states = append(v.states, s)
	}
	for _, l := range strange {
		v.invented = append(v.invented, l.Text)
	}
	v.invented = append(v.invented, src.unsaidDays(t.Raw)...)
	return v
}

var relativeDay = map[string]bool{"monday": true, "tuesday": true, "wednesday": true, "thursday": true, "friday": true, "saturday": true, "sunday": true, "tomorrow": true, "yesterday": true, "fortnight": true, "weekend": true}

// unsaidDays are the weekdays and relative days of a text that nobody said.
func (src *spoken) unsaidDays(text string) []string {
	var out []string
	eachWord(text, func(w string) {
		if len(w) >= 6 && relativeDay[w] && !src.days[w] {
			out = append(out, w)
		}
	})
	return out
}

// literals are those of a text with its quoted strings. Where there are no
// quotation marks they are the values that the text was parsed for; names,
// which no gate needs, may be missing.
func literals(t *literal.Text) []literal.Literal {
	if strings.ContainsAny(t.Raw, "\"`“‘") || strings.Contains(t.Raw, " '") {
		return literal.Find(t.Raw)
	}
	return t.Values()
}

func (n *needed) state(t *literal.Text, found []literal.Literal) state {
	for _, q := range n.queries {
		if m := t.Has(q); m != literal.Lost {
			return state(m)
		}
	}
	switch {
	case n.lit != nil:
		return n.literalState(found)
	case n.inferable != "":
		return inferable
	}
	return lost
}

func (n *needed) literalState(found []literal.Literal) state {
	s := lost
	for i := range found {
		if !literal.Equal(*n.lit, found[i]) {
			continue
		}
		if found[i].Text == n.lit.Text {
			return kept
		}
		s = normalised
	}
	return s
}

const quoteMarks = "\"'`“”‘’"

// spoken is what a text may say: the instruction and the needed values.
type spoken struct {
	literals []literal.Literal
	parsed   *literal.Text
	days     map[string]bool // weekdays and relative days that it says
	ordered  []string        // superlatives of the instruction; nil if no rule needs one
}

func speak(task *datasets.Task, list []needed) *spoken {
	source := task.Instruction
	var ordered []string
	for i := range list {
		if list[i].order != "" && ordered == nil {
			ordered = append([]string{}, superlatives(task.Instruction)...)
		}
		if list[i].lit == nil && list[i].order == "" {
			source += "\n" + list[i].said + "\n" + leafText(list[i].value)
		}
	}
	days := map[string]bool{}
	eachWord(source, func(w string) {
		if relativeDay[w] {
			days[w] = true
		}
	})
	return &spoken{literal.Find(source), literal.Parse(source), days, ordered}
}

// unsaid are the literals of a text that neither the instruction nor a needed
// value holds.
func (src *spoken) unsaid(found []literal.Literal) []literal.Literal {
	var out []literal.Literal
	for _, l := range found {
		if known(l, out) {
			continue
		}
		if l.Kind == literal.Name || l.Kind == literal.Ordinal || l.Spelled && l.Value <= 12 || known(l, src.literals) {
			continue
		}
		if (l.Kind == literal.Quoted || l.Kind == literal.Code || l.Kind == literal.Zone) && src.parsed.Contains(strings.Trim(l.Text, quoteMarks)) != literal.Lost {
			continue
		}
		if numeric(l) && src.parsed.ContainsNumber(l.Value, "") != literal.Lost {
			continue
		}
		out = append(out, l)
	}
	return out
}

func known(l literal.Literal, said []literal.Literal) bool {
	for i := range said {
		if literal.Equal(l, said[i]) {
			return true
		}
	}
	return false
}

func numeric(l literal.Literal) bool {
	return l.Kind == literal.Number || l.Kind == literal.Quantity || l.Kind == literal.Money
}

// leafText writes the scalars of a value one on a line.
func leafText(v any) string {
	switch v := v.(type) {
	case nil, bool:
		return ""
	case string:
		return v
	case []any:
		var b strings.Builder
		for _, e := range v {
			b.WriteString(leafText(e) + "\n")
		}
		return b.String()
	case map[string]any:
		return datasets.EncodeJSON(v)
	}
	return datasets.EncodeJSON(v)
}

// similar is the index of an unsaid literal that looks like the lost value
// with a change: a number within a quarter of it, another date.
func similar(n *needed, strange []literal.Literal) int {
	var wanted []literal.Literal
	if n.lit != nil {
		wanted = []literal.Literal{*n.lit}
	} else {
		wanted = append(literal.Values(n.said), literal.Values(leafText(n.value))...)
	}
	for _, want := range wanted {
		for i := range strange {
			if resembles(&strange[i], &want) {
				return i
			}
		}
	}
	return -1
}

func resembles(l, want *literal.Literal) bool {
	if numeric(*want) && numeric(*l) {
		v := l.Value
		if c, ok := literal.Convert(v, l.Unit, want.Unit); ok {
			v = c
		}
		return math.Abs(v-want.Value) <= 0.25*math.Abs(want.Value)
	}
	switch l.Kind {
	case literal.Date, literal.DateTime, literal.Time, literal.Month:
		return l.Kind == want.Kind
	}
	return false
}
