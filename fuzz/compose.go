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
	b, v := loadBank(), newVoice(rng, level)
	switch level {
	case datasets.LevelHeavy:
		return joinParts(v.heavy(&b.Heavy, p))
	case datasets.LevelMedium:
		return joinParts(v.message(&b.Medium, p, 2))
	}
	return joinParts(v.message(&b.Light, p, 3))
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

// message is the light and the medium form: the reason, the deeds, the asks in
// groups of up to most, a closing word.
func (v *voice) message(ph *phrases, p pieces, most int) []string {
	parts := append([]string{v.opening(ph, v.circumstances(p, p.reason))}, v.todo(ph, p.deeds, full)...)
	for i := 0; i < len(p.asks); {
		n := min(1+v.rng.IntN(most), len(p.asks)-i)
		for n > 1 && crowded(p.asks[i:i+n]) {
			n--
		}
		parts = append(parts, v.group(ph, p.asks[i:i+n], i > 0))
		i += n
	}
	return append(parts, v.choose(ph.Closers))
}

// todo asks for what is to be done, in sentences of up to three deeds.
func (v *voice) todo(ph *phrases, deeds []datasets.Part, form func(*datasets.Part) string) []string {
	var parts []string
	for len(deeds) > 0 {
		n := min(len(deeds), 2+v.rng.IntN(2))
		var texts []string
		for i := range deeds[:n] {
			texts = append(texts, strings.TrimRight(form(&deeds[i]), ". "))
		}
		parts = append(parts, fill(v.choose(ph.Deeds), "deeds", list(texts)))
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
		lists = lists || strings.Contains(a.Text, ",") || strings.Contains(a.Text, " and ")
	}
	return len(asks) > 1 && (n > 180 || lists)
}

// circumstances joins the reason and the givens.
func (v *voice) circumstances(p pieces, reason string) string {
	if v.level == datasets.LevelHeavy || v.rng.IntN(4) > 0 {
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

func (v *voice) opening(ph *phrases, reason string) string {
	if reason == "" {
		return ""
	}
	s := strings.ReplaceAll(v.choose(ph.Openers), "{reason}", soften(reason))
	return strings.ReplaceAll(s, "{Reason}", capitalize(reason))
}

// group asks for some things in one sentence.
func (v *voice) group(ph *phrases, asks []datasets.Part, later bool) string {
	nouns := true
	for i := range asks {
		nouns = nouns && !isClause(asks[i].Text)
	}
	direct, lead := ph.Questions, ph.Leads
	if later {
		direct, lead = ph.MoreAsk, ph.More
	}
	switch {
	case v.rng.IntN(5) < 3:
		return fill(v.choose(direct), "asks", list(v.say(asks, v.question)))
	case nouns && !later && v.rng.IntN(2) == 0:
		return fill(v.choose(ph.Nouns), "asks", list(v.say(asks, full)))
	}
	pattern := v.choose(lead)
	for try := 0; nouns && needsClause(pattern) && try < 20; try++ {
		pattern = v.choose(lead)
	}
	if nouns && needsClause(pattern) {
		return fill(v.choose(direct), "asks", list(v.say(asks, v.question)))
	}
	return fill(pattern, "asks", list(v.say(asks, full)))
}

// say puts asks into one form, each aware of what came before.
func (v *voice) say(asks []datasets.Part, form func(*datasets.Part) string) []string {
	var said []string
	for i := range asks {
		said = append(said, v.refer(form(&asks[i])))
	}
	return said
}

// needsClause says that a noun phrase would sound wrong in a pattern: "I'm
// wondering the distance".
func needsClause(pattern string) bool {
	for _, w := range [...]string{"wondering {", "wonder {", "no idea {", "Any idea {", "curious {", "sure {"} {
		if strings.Contains(pattern, w) {
			return true
		}
	}
	return false
}

// fill puts a text in the place of {name}, or capitalised in that of {Name}.
func fill(pattern, name, text string) string {
	pattern = strings.ReplaceAll(pattern, "{"+name+"}", text)
	return strings.ReplaceAll(pattern, "{"+capitalize(name)+"}", capitalize(text))
}

// heavy is the terse form: what a busy person types.
func (v *voice) heavy(ph *phrases, p pieces) []string {
	reason := p.short
	if reason == "" {
		reason = p.reason
	}
	opener := v.opening(ph, v.circumstances(p, reason))
	if opener == "" && len(p.givens) > 0 {
		opener = capitalize(strings.Join(p.givens, ", ")) + "."
	}
	parts := append([]string{opener}, v.todo(ph, p.deeds, terse)...)
	fragments := v.rng.IntN(3) == 0
	for i := 0; i < len(p.asks); {
		n := min(2+v.rng.IntN(2), len(p.asks)-i)
		for n > 1 && (fragments || crowded(p.asks[i:i+n])) {
			n--
		}
		patterns := ph.Leads
		if i > 0 {
			patterns = ph.More
		}
		parts = append(parts, v.fragment(patterns, p.asks[i:i+n], fragments))
		i += n
	}
	return append(parts, v.choose(ph.Closers))
}

// fragment asks for some things without a whole sentence.
func (v *voice) fragment(patterns []string, asks []datasets.Part, plain bool) string {
	items := v.say(asks, v.brief)
	pattern := v.choose(patterns)
	for try := 0; try < 20 && questioning(items) && !strings.HasPrefix(pattern, "{Asks}?"); try++ {
		pattern = v.choose(patterns)
	}
	if plain || questioning(items) {
		pattern = "{Asks}?"
	}
	if strings.Contains(pattern, "{the asks}") {
		for i := range items {
			items[i] = withArticle(items[i], &asks[i])
		}
		return fill(pattern, "the asks", list(items))
	}
	return fill(pattern, "asks", list(items))
}

// questioning says that an item is worded as a question.
func questioning(items []string) bool {
	for _, it := range items {
		if isClause(it) {
			return true
		}
	}
	return false
}
