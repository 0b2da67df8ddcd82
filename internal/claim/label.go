package claim

import (
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/literal"
)

// label holds the words of one claim on a number, to tell it from the others.
type label struct {
	claim *datasets.Claim
	want  float64
	unit  string
	words map[string]bool
}

// labels collects the claims on numbers that are asked for together.
func labels(claims []datasets.Claim) []label {
	var out []label
	for i := range claims {
		c := &claims[i]
		v, err := datasets.DecodeJSON(c.Expected)
		if err != nil || c.Kind != datasets.ClaimValue || c.Volatile {
			continue
		}
		if f, ok := numberOf(v); ok {
			out = append(out, label{c, f, claimUnit(c, f), topicOf(c, f)})
		}
	}
	return out
}

// topicOf are the words and numbers of a claim's text but for its value.
func topicOf(c *datasets.Claim, want float64) map[string]bool {
	text := c.Text
	if at, ok := numberPlace(c, want, text); ok {
		text = text[:at.start] + " " + text[at.end:]
	}
	return tokens(text)
}

// tokens are the content words of a text and its numbers.
func tokens(text string) map[string]bool {
	set := words(text)
	for i := 0; i < len(text); {
		if text[i] < '0' || text[i] > '9' {
			i++
			continue
		}
		j := i
		for j < len(text) && (text[j] >= '0' && text[j] <= '9' || text[j] == '.' && j+1 < len(text) && text[j+1] >= '0' && text[j+1] <= '9') {
			j++
		}
		set[text[i:j]] = true
		i = j
	}
	return set
}

// mistaken says that a number that fits a claim is said of another one: it
// stands with words that only the other claim has, and not with any that only
// this one has. "The mean low is 21.4" says nothing of the mean high.
func (a *answer) mistaken(c *datasets.Claim, l *literal.Literal) bool {
	own := a.labelOf(c)
	if own == nil {
		return false
	}
	for i := range a.labels {
		o := &a.labels[i]
		if o.claim == own.claim || !comparable(own.unit, o.unit) {
			continue
		}
		mine, theirs := without(own.words, o.words), without(o.words, own.words)
		if got, ok := reading(l, o.unit, o.want, o.claim); ok && within(o.claim, got, o.want, l, o.unit) {
			foreign := l.Unit != "" && !literal.SameUnit(l.Unit, own.unit) && literal.SameUnit(l.Unit, o.unit)
			here := around(a.sentences, l.Start)
			if foreign && a.shares(here, l, mine) == 0 && (len(mine) > 0 || a.shares(here, l, theirs) > 0) {
				return true // the other's number in the other's unit, converted
			}
			continue
		}
		if a.saidOf(mine, theirs, l) {
			return true
		}
	}
	return false
}

func (a *answer) labelOf(c *datasets.Claim) *label {
	for i := range a.labels {
		if a.labels[i].claim.ID == c.ID && a.labels[i].claim.Text == c.Text {
			return &a.labels[i]
		}
	}
	return nil
}

func comparable(a, b string) bool {
	return a == b || literal.SameUnit(a, b) || literal.Dimension(a) != "" && literal.Dimension(a) == literal.Dimension(b)
}

func without(set, other map[string]bool) map[string]bool {
	rest := map[string]bool{}
	for w := range set {
		if !other[w] {
			rest[w] = true
		}
	}
	return rest
}

// saidOf says that the words around a number are those of the other claim.
func (a *answer) saidOf(own, other map[string]bool, l *literal.Literal) bool {
	if len(other) == 0 || len(own) == 0 {
		return false
	}
	clause, sentence := around(a.clauses, l.Start), around(a.sentences, l.Start)
	mine, theirs := a.shares(clause, l, own), a.shares(clause, l, other)
	if mine > 0 || theirs == 0 {
		mine, theirs = max(mine, a.shares(sentence, l, own)), a.shares(sentence, l, other)
		return mine == 0 && theirs > 0
	}
	if a.shares(sentence, l, own) == 0 {
		return true
	}
	return !a.listed(sentence, l, own, other)
}

// shares counts the words of a set in a part of the answer, the number itself
// left out.
func (a *answer) shares(s span, l *literal.Literal, set map[string]bool) int {
	text := a.text[s.start:min(max(l.Start, s.start), s.end)] + " " + a.text[max(min(l.End, s.end), s.start):s.end]
	n := 0
	for w := range tokens(text) {
		if set[w] {
			n++
		}
	}
	return n
}

// listed says that labels and numbers are listed apart ("high and low are 21.4
// and 7.8") and the number has the place of its own label.
func (a *answer) listed(s span, l *literal.Literal, own, other map[string]bool) bool {
	first, rank := -1, 0
	for i := range a.values {
		v := &a.values[i]
		if v.Start < s.start || v.End > s.end || v.Kind != literal.Number && v.Kind != literal.Quantity {
			continue
		}
		if first < 0 {
			first = v.Start
		}
		if v.Start < l.Start {
			rank++
		}
	}
	if first < 0 {
		return false
	}
	mine, theirs := firstWord(a.lower[s.start:first], own), firstWord(a.lower[s.start:first], other)
	return mine >= 0 && theirs >= 0 && (mine < theirs) == (rank == 0)
}

func firstWord(text string, set map[string]bool) int {
	first := -1
	for w := range set {
		if at := strings.Index(text, w); at >= 0 && (first < 0 || at < first) {
			first = at
		}
	}
	return first
}
