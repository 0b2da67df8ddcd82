package fuzz

import (
	"math/rand/v2"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// pieces are the parts of an instruction by role.
type pieces struct {
	reason string
	short  string // the reason in brief
	givens []string
	deeds  []datasets.Part
	asks   []datasets.Part
}

func cut(outline []datasets.Part) pieces {
	var p pieces
	for _, part := range outline {
		switch part.Role {
		case datasets.RoleReason:
			if p.reason == "" {
				p.reason, p.short = strings.TrimRight(part.Text, ". "), strings.TrimRight(part.Brief, ". ")
			}
		case datasets.RoleGiven:
			p.givens = append(p.givens, strings.TrimRight(part.Text, ". "))
		case datasets.RoleDeed:
			p.deeds = append(p.deeds, part)
		case datasets.RoleAsk:
			p.asks = append(p.asks, part)
		}
	}
	return p
}

// compose writes one text of a level. The order of the asks stays: a later one
// may refer to an earlier one.
func compose(rng *rand.Rand, level string, p pieces) string {
	b := loadBank()
	var parts []string
	switch level {
	case datasets.LevelHeavy:
		parts = heavy(rng, &b.Heavy, p)
	case datasets.LevelMedium:
		parts = message(rng, &b.Medium, p, 2)
	default:
		parts = message(rng, &b.Light, p, 3)
	}
	return joinParts(parts)
}

func joinParts(parts []string) string {
	var kept []string
	for _, s := range parts {
		if s = tidy(s); s != "" {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, " ")
}

// message is the light and the medium form: the reason, the asks in groups of
// up to most, a closing word.
func message(rng *rand.Rand, ph *phrases, p pieces, most int) []string {
	parts := append([]string{opening(rng, ph, p.circumstances(rng, p.reason))}, todo(rng, ph, p.deeds, full)...)
	for i := 0; i < len(p.asks); {
		n := min(1+rng.IntN(most), len(p.asks)-i)
		if crowded(p.asks[i : i+n]) {
			n = 1
		}
		parts = append(parts, group(rng, ph, p.asks[i:i+n], i > 0))
		i += n
	}
	return append(parts, choose(rng, ph.Closers))
}

// todo asks for what is to be done, in up to two sentences.
func todo(rng *rand.Rand, ph *phrases, deeds []datasets.Part, form func(*datasets.Part) string) []string {
	var parts []string
	for len(deeds) > 0 {
		n := min(len(deeds), 2+rng.IntN(2))
		var texts []string
		for i := range deeds[:n] {
			texts = append(texts, strings.TrimRight(form(&deeds[i]), ". "))
		}
		s := strings.ReplaceAll(choose(rng, ph.Deeds), "{deeds}", list(texts))
		parts = append(parts, strings.ReplaceAll(s, "{Deeds}", capitalize(list(texts))))
		deeds = deeds[n:]
	}
	return parts
}

func full(p *datasets.Part) string { return p.Text }

func terse(p *datasets.Part) string {
	if p.Brief != "" {
		return p.Brief
	}
	return p.Text
}

// crowded says that asks are too long, or hold lists of their own, to stand in
// one sentence.
func crowded(asks []datasets.Part) bool {
	n, lists := 0, false
	for _, a := range asks {
		n += len(a.Text)
		lists = lists || strings.Contains(a.Text, ",")
	}
	return len(asks) > 1 && (n > 220 || lists)
}

// circumstances joins the reason and the givens.
func (p *pieces) circumstances(rng *rand.Rand, reason string) string {
	if rng.IntN(4) > 0 {
		reason = contract(reason)
	}
	for _, g := range p.givens {
		switch {
		case reason == "":
			reason = g
		case isSentence(g):
			reason += ", and " + soften(g)
		default:
			reason += ", " + g
		}
	}
	return reason
}

func opening(rng *rand.Rand, ph *phrases, reason string) string {
	if reason == "" {
		return ""
	}
	s := choose(rng, ph.Openers)
	s = strings.ReplaceAll(s, "{reason}", soften(reason))
	return strings.ReplaceAll(s, "{Reason}", capitalize(reason))
}

// group asks for some things in one sentence.
func group(rng *rand.Rand, ph *phrases, asks []datasets.Part, later bool) string {
	var texts, questions []string
	nouns := true
	for _, a := range asks {
		texts = append(texts, a.Text)
		questions = append(questions, question(rng, a.Text, a.Question))
		nouns = nouns && !isClause(a.Text)
	}
	direct, lead := ph.Questions, ph.Leads
	if later {
		direct, lead = ph.MoreAsk, ph.More
	}
	switch {
	case rng.IntN(2) == 0:
		return fill(choose(rng, direct), list(questions))
	case nouns && !later && rng.IntN(2) == 0:
		return fill(choose(rng, ph.Nouns), list(texts))
	}
	pattern := choose(rng, lead)
	for try := 0; nouns && needsClause(pattern) && try < 20; try++ {
		pattern = choose(rng, lead)
	}
	if nouns && needsClause(pattern) {
		return fill(choose(rng, direct), list(questions))
	}
	return fill(pattern, list(texts))
}

// needsClause says that a noun phrase would sound wrong in a pattern: "I'm
// wondering the distance".
func needsClause(pattern string) bool {
	for _, w := range []string{"wondering {", "wonder {", "no idea {", "Any idea {", "curious {", "sure {"} {
		if strings.Contains(pattern, w) {
			return true
		}
	}
	return false
}

func fill(pattern, asks string) string {
	pattern = strings.ReplaceAll(pattern, "{asks}", asks)
	return strings.ReplaceAll(pattern, "{Asks}", capitalize(asks))
}

// heavy is the terse form.
func heavy(rng *rand.Rand, ph *phrases, p pieces) []string {
	reason := p.short
	if reason == "" {
		reason = p.reason
	}
	opener := opening(rng, ph, p.circumstances(rng, contract(reason)))
	if opener == "" && len(p.givens) > 0 {
		opener = capitalize(strings.Join(p.givens, ", ")) + "."
	}
	parts := append([]string{opener}, todo(rng, ph, p.deeds, terse)...)
	var items []string
	for _, a := range p.asks {
		items = append(items, brief(a.Text, a.Brief))
	}
	if rng.IntN(3) == 0 {
		for _, it := range items {
			parts = append(parts, capitalize(it)+"?")
		}
		return append(parts, choose(rng, ph.Closers))
	}
	for i := 0; i < len(items); {
		n := min(2+rng.IntN(2), len(items)-i)
		patterns := ph.Leads
		if i > 0 {
			patterns = ph.More
		}
		parts = append(parts, fill(choose(rng, patterns), list(items[i:i+n])))
		i += n
	}
	return append(parts, choose(rng, ph.Closers))
}
