package generate

import (
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// element is the noun phrase for a picked element.
func (a *author) element(p *picked) string {
	s := a.draft.at(p.step)
	noun := a.noun(s, p.list)
	if p.rule == datasets.PickEqual {
		a.mentioned[p] = true
		v, _ := datasets.DecodeJSON(p.equal)
		if named := a.book.tool(s.tool.ID()).Named; named != "" {
			text, _ := a.fill(strings.ReplaceAll(named, "{name}", constant(v)), p.step)
			return text
		}
		return constant(v)
	}
	if a.mentioned[p] && !a.ambiguous(p) {
		return "that " + head(noun)
	}
	a.mentioned[p] = true
	scope := a.scope(p.step)
	switch p.rule {
	case datasets.PickLargest, datasets.PickSmallest:
		before, after := a.superlative(p)
		return join("the", before, noun, after, scope)
	}
	if elements(s.doc, p.list) > 1 {
		return join("the first", noun, "listed", scope)
	}
	return join("the", noun, scope)
}

// ambiguous says that another element with the same noun was mentioned.
func (a *author) ambiguous(p *picked) bool {
	mine := head(a.noun(a.draft.at(p.step), p.list))
	for _, q := range a.draft.picks {
		if q != p && a.mentioned[q] && q.rule != datasets.PickEqual && head(a.noun(a.draft.at(q.step), q.list)) == mine {
			return true
		}
	}
	return false
}

// superlative is what stands before and after the noun of a picked element.
func (a *author) superlative(p *picked) (before, after string) {
	s := a.draft.at(p.step)
	field := p.by[strings.LastIndex(p.by, "/")+1:]
	order := a.book.tool(s.tool.ID()).Order[field]
	word, generic := order.Largest, "the highest"
	if p.rule == datasets.PickSmallest {
		word, generic = order.Smallest, "the lowest"
	}
	if word != "" {
		return word, order.By
	}
	return "", "with " + generic + " " + label(p.by)
}

// noun is what one element of a list is called.
func (a *author) noun(s *step, list string) string {
	if phrases := a.book.tool(s.tool.ID()); phrases.Noun != "" && phrases.List == list {
		return phrases.Noun
	}
	return genericNoun(s.tool, list)
}

func (a *author) nouns(s *step, list string) string {
	if phrases := a.book.tool(s.tool.ID()); phrases.Plural != "" && phrases.List == list {
		return phrases.Plural
	}
	return plural(a.noun(s, list))
}

// head is the last word of a noun: "national park" is a "park".
func head(noun string) string { return noun[strings.LastIndex(noun, " ")+1:] }

// scope is the restriction that the arguments of a step put on its list.
func (a *author) scope(n int) string {
	text, used := a.fill(a.book.tool(a.draft.at(n).tool.ID()).Scope, n)
	return join(text, a.remaining(n, used))
}

func elements(doc any, list string) int {
	v, err := datasets.ResolveOne(doc, list)
	if err != nil {
		return 0
	}
	all, _ := v.([]any)
	return len(all)
}
