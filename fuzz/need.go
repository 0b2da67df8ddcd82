package fuzz

import (
	"fmt"
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
	queries   []*literal.Query // what to look for, best first
}

// prepare makes the queries of a needed value.
func (n *needed) prepare() {
	switch {
	case n.order != "":
		return
	case n.lit != nil:
		if n.lit.Kind == literal.Quoted || n.lit.Kind == literal.Code || n.lit.Kind == literal.Zone {
			n.queries = append(n.queries, literal.Prepare(strings.Trim(n.lit.Text, quoteMarks)))
		}
		return
	case n.said != "":
		n.queries = append(n.queries, literal.Prepare(n.said))
	}
	n.queries = append(n.queries, literal.Prepare(n.value))
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
		list := instructionNeeds(task.Instruction)
		for i := range list {
			list[i].prepare()
		}
		return list
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
			n.prepare()
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
