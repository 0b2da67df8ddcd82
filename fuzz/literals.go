package fuzz

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/literal"
)

// needed is one value that a text must state.
type needed struct {
	name      string // where it is needed, "step 3, /from"
	value     any
	said      string // how the instruction states it, "" if as it is
	order     string // for a rule that picks the largest or smallest
	rule      string // which such rule it is
	nth       int    // its number among them, from 0
	inferable string // the rule by which the value needs no statement, "" if it needs one
	lit       *literal.Literal
}

func (n *needed) String() string {
	switch {
	case n.order != "":
		return "the " + n.order + " one"
	case n.said != "":
		return n.said
	case n.lit != nil:
		return n.lit.Text
	}
	return datasets.EncodeJSON(n.value)
}

// state is how a text states a needed value.
type state string

const (
	kept       state = "kept"
	normalised state = "normalised"
	inferable  state = "inferable"
	lost       state = "lost"
	altered    state = "altered"
)

// needs lists what the texts of a task must state: the constants of its chain
// and what its rules compare with, or, for a task without a chain, the literals
// of its instruction. Each value counts once.
func needs(task *datasets.Task) []needed {
	if len(task.Chain) == 0 {
		return instructionNeeds(task.Instruction)
	}
	var out []needed
	seen := map[string]bool{}
	orders := 0
	add := func(n needed) {
		key := n.String()
		if n.order != "" {
			key, n.nth = n.rule, orders
		}
		if !seen[key] {
			seen[key] = true
			if n.order != "" {
				orders++
			}
			out = append(out, n)
		}
	}
	for i := range task.Chain {
		for j := range task.Chain[i].Arguments {
			argumentNeeds(task, i, j, add)
		}
	}
	return out
}

func argumentNeeds(task *datasets.Task, i, j int, add func(needed)) {
	a := &task.Chain[i].Arguments[j]
	name := fmt.Sprintf("step %d, %s", i+1, a.Path)
	switch {
	case a.Source == datasets.SourceConstant:
		v, err := datasets.DecodeJSON(a.Value)
		if err != nil {
			return
		}
		n := needed{name: name, value: v, said: a.Said}
		n.inferable = inference(task, i, v)
		add(n)
	case a.Source == datasets.SourceInferred:
		if v, err := datasets.DecodeJSON(a.Value); err == nil {
			add(needed{name: name, value: v, inferable: "follows from a delivered value"})
		}
	case a.Source != datasets.SourceStep:
	case a.Pick == datasets.PickEqual:
		if v, err := datasets.DecodeJSON(a.Equal); err == nil {
			add(needed{name: name, value: v})
		}
	case a.Pick == datasets.PickLargest || a.Pick == datasets.PickSmallest:
		add(needed{name: name, order: a.Pick, rule: fmt.Sprintf("%s %d %s", a.Pick, a.Step, a.By)})
	}
}

// inference is the rule by which a constant need not stand in the text:
//
//   - a switch: true, false and null are no values that a person states;
//   - nothing: an empty text or list;
//   - beside the value: a unit or currency that the step before it delivers
//     together with the value that is passed on ("7.8 C" into a conversion from
//     C).
func inference(task *datasets.Task, step int, v any) string {
	switch v := v.(type) {
	case bool, nil:
		return "a switch"
	case []any:
		if len(v) == 0 {
			return "nothing"
		}
	case map[string]any:
		if len(v) == 0 {
			return "nothing"
		}
	case string:
		if strings.TrimSpace(v) == "" {
			return "nothing"
		}
		if _, ok := literal.Unit(v); ok && besideValue(task, step, v) {
			return "delivered beside the value"
		}
	}
	return ""
}

func besideValue(task *datasets.Task, step int, unit string) bool {
	for _, a := range task.Chain[step].Arguments {
		if a.Source != datasets.SourceStep || int(a.Step) > len(task.Reference) || a.Step < 1 {
			continue
		}
		output := literal.Parse(task.Reference[a.Step-1].Output + " " + strings.NewReplacer("_", " ", "/", " ").Replace(a.From))
		if output.Contains(unit) != literal.Lost {
			return true
		}
	}
	return false
}

var listOrdinal = regexp.MustCompile(`(?:^|\n)\s*\(?$|(?i:step|task|part|phase|option|item|question)\s*#?$|\($`)

// instructionNeeds takes every literal of an instruction but names, ordinals,
// numbers in words, and the numbers of steps and list items.
func instructionNeeds(text string) []needed {
	var out []needed
	seen := map[string]bool{}
	for _, l := range literal.Find(text) {
		switch {
		case l.Kind == literal.Name, l.Kind == literal.Ordinal, l.Spelled:
			continue
		case l.Kind == literal.Number && itemNumber(text, &l):
			continue
		}
		if key := string(l.Kind) + l.Norm; !seen[key] {
			seen[key] = true
			out = append(out, needed{name: "instruction", lit: &l})
		}
	}
	return out
}

func itemNumber(text string, l *literal.Literal) bool {
	rest := text[l.End:]
	marker := strings.HasPrefix(rest, ".") && !strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ")") || strings.HasPrefix(rest, ":")
	before := text[max(0, l.Start-12):l.Start]
	return l.Value < 100 && (marker && listOrdinal.MatchString(before) || stepWord.MatchString(before))
}

var stepWord = regexp.MustCompile(`(?i)\b(?:step|task|part|phase)s?\s*#?$`)

// literals judges how a text states each needed value, and lists what it
// states that nobody said.
type verdict struct {
	states   []state // one for each needed value
	invented []string
}

func judgeLiterals(src *spoken, list []needed, t *literal.Text) verdict {
	found := literal.Find(t.Raw)
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
	return v
}

func (n *needed) state(t *literal.Text, found []literal.Literal) state {
	switch {
	case n.lit != nil:
		return n.literalState(t, found)
	}
	if n.said != "" {
		if m := t.Contains(n.said); m != literal.Lost {
			return state(m)
		}
	}
	if m := t.Contains(n.value); m != literal.Lost {
		return state(m)
	}
	if n.inferable != "" {
		return inferable
	}
	return lost
}

func (n *needed) literalState(t *literal.Text, found []literal.Literal) state {
	s := lost
	if n.lit.Kind == literal.Quoted || n.lit.Kind == literal.Code || n.lit.Kind == literal.Zone {
		if m := t.Contains(strings.Trim(n.lit.Text, quoteMarks)); m != literal.Lost {
			return state(m)
		}
	}
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
	ordered  []string // superlatives of the instruction; nil if no rule needs one
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
	return &spoken{literal.Find(source), literal.Parse(source), ordered}
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
