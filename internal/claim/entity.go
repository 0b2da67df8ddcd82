package claim

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/literal"
)

// The rule for an entity E with competitors:
//
//  1. E must be named, and not denied ("not E", "E is not the largest").
//  2. If no competitor is named, that is enough.
//  3. Otherwise E must be singled out, in one of three ways:
//     - a cue: the part of a sentence that belongs to E (its clause, up to the
//     next competitor) has the superlative of the claim or a synonym, or, for a
//     claim without superlative, most of the claim's words. "The largest is E,
//     ahead of F" and "F is big, but E is the largest" do; "F is the largest,
//     then E" and "E is the second largest" don't.
//     - the lead: the first sentence that names E or a competitor is prose,
//     names E alone, is short or is followed by few competitors, and is not one
//     of several sentences of the same make ("E has … F has …").
//     - the whole text of the claim, word for word.
//     A name in an enumeration with competitors ("E, F and G", rows, items) is
//     not singled out, whatever its heading says.
//  4. If a competitor gets the claim's superlative too, the answer has not
//     decided, and the claim is not fulfilled.
func (a *answer) entity(c *datasets.Claim, expected any, rivals []string) (outcome, detail string) {
	name := scalarText(expected)
	if name == "" {
		return datasets.Unscored, "the expected entity is no name"
	}
	f := a.field(c, name, rivals)
	if len(f.own) == 0 {
		return datasets.NotFulfilled, name + " is not named"
	}
	if f.own = f.affirmed(f.own); len(f.own) == 0 {
		return datasets.NotFulfilled, name + " is named only to be denied"
	}
	f.places = f.names()
	if f.rivals = f.affirmedMentions(f.rivals); len(f.rivals) == 0 {
		return datasets.Fulfilled, name + " is named"
	}
	for _, r := range f.rivals {
		if f.cued(r.span, f.strict) {
			return datasets.NotFulfilled, "the answer says it of " + r.subject
		}
	}
	for _, m := range f.own {
		if f.cued(m, f.cues) {
			return datasets.Fulfilled, name + " is singled out"
		}
	}
	if strings.Contains(literal.Fold(a.text), strings.TrimSuffix(literal.Fold(c.Text), ".")) && c.Text != "" {
		return datasets.Fulfilled, name + " is stated as in the claim"
	}
	if f.lead() {
		return datasets.Fulfilled, name + " is named first and alone"
	}
	return datasets.NotFulfilled, fmt.Sprintf("%s is named among %d others and not singled out", name, f.distinct())
}

func scalarText(v any) string {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v)
	case json.Number:
		return v.String()
	}
	return ""
}

// field is what the answer says of an entity and its competitors.
type field struct {
	*answer
	own    []span
	rivals []mention
	places []span          // all of both
	total  int             // competitors there are, named or not
	topic  map[string]bool // words of the claim without the entity's
	cues   map[string]bool // superlatives that single the entity out
	strict map[string]bool // superlatives that a competitor must not get
}

func (a *answer) field(c *datasets.Claim, name string, rivals []string) *field {
	f := &field{answer: a, own: append(a.named(name), a.measured(name)...)}
	for _, r := range rivals {
		if strings.EqualFold(strings.TrimSpace(r), name) {
			continue
		}
		f.total++
		for _, m := range a.mentions(r) {
			f.addRival(mention{m, r}, name)
		}
	}
	f.topic = words(c.Text)
	for w := range words(name) {
		delete(f.topic, w)
	}
	f.cues, f.strict = cuesOf(c.Text)
	return f
}

// measured finds a name that is a date, time, number or quantity in other forms.
func (a *answer) measured(name string) []span {
	own := literal.Values(name)
	if len(own) != 1 || own[0].Start != 0 || own[0].End != len(name) || own[0].Kind == literal.Code || own[0].Kind == literal.Zone {
		return nil
	}
	var found []span
	for i := range a.values {
		l := &a.values[i]
		if len(found) < maxMentions && l.Text != name && (literal.Equal(own[0], *l) || a.sameWhen(own[0], i)) {
			found = append(found, span{l.Start, l.End})
		}
	}
	return found
}

// addRival keeps the mention of a competitor unless it lies inside a mention
// of the entity ("Glen" in "Glen Mesa"); a mention of the entity inside it
// ("Mesa" in "Mesa Verde") goes.
func (f *field) addRival(m mention, name string) {
	kept := f.own[:0:0]
	for _, o := range f.own {
		if m.start >= o.start && m.end <= o.end && len(m.subject) <= len(name) {
			return
		}
		if !(o.start >= m.start && o.end <= m.end) {
			kept = append(kept, o)
		}
	}
	f.own = kept
	f.rivals = append(f.rivals, m)
}

func (f *field) affirmed(ms []span) []span {
	var kept []span
	for _, m := range ms {
		if !f.negated(m) {
			kept = append(kept, m)
		}
	}
	return kept
}

func (f *field) affirmedMentions(ms []mention) []mention {
	var kept []mention
	for _, m := range ms {
		if !f.negated(m.span) {
			kept = append(kept, m)
		}
	}
	return kept
}

func (f *field) distinct() int {
	seen := map[string]bool{}
	for _, r := range f.rivals {
		seen[r.subject] = true
	}
	return len(seen)
}

// superlatives in groups of synonyms; the words of a group stand for each
// other, those after "|" only when the entity itself gets them.
var superlatives = []string{
	"largest biggest greatest | most top maximum max wins winner",
	"highest tallest | most top maximum max greatest",
	"longest | most maximum farthest",
	"most | highest greatest largest top maximum max leads",
	"best top | highest leading winner wins",
	"smallest | least lowest minimum min tiniest",
	"lowest least minimum | smallest min fewest",
	"fewest | least lowest smallest minimum",
	"shortest | least minimum quickest",
	"nearest closest | shortest",
	"farthest furthest | longest",
	"cheapest | lowest least",
	"latest newest | recent last",
	"earliest oldest first | top",
	"hottest warmest | highest",
	"coldest coolest | lowest",
	"heaviest | most highest",
	"lightest | least lowest",
	"fastest quickest | shortest highest",
	"slowest | longest lowest",
}

// cuesOf are the superlatives that a claim's text calls for.
func cuesOf(text string) (cues, strict map[string]bool) {
	cues, strict = map[string]bool{}, map[string]bool{}
	said := map[string]bool{}
	for _, w := range strings.FieldsFunc(lower(text), func(r rune) bool { return !(r >= 'a' && r <= 'z') }) {
		said[w] = true
	}
	for _, group := range superlatives {
		firm, loose, _ := strings.Cut(group, "|")
		hit := false
		for _, w := range strings.Fields(firm) {
			hit = hit || said[w]
		}
		if !hit {
			continue
		}
		for _, w := range strings.Fields(firm) {
			cues[w], strict[w] = true, true
		}
		for _, w := range strings.Fields(loose) {
			cues[w] = true
		}
	}
	return cues, strict
}

var notFirst = regexp.MustCompile(`\b(?:second|third|fourth|fifth|next|one of the|among the|2nd|3rd)[ -]+(?:\w+[ -]+)?(?:largest|biggest|greatest|highest|tallest|longest|most|best|smallest|lowest|least|fewest|shortest|nearest|closest|farthest|cheapest|latest|newest|earliest|oldest|heaviest|lightest|fastest|slowest|hottest|coldest|warmest)\b`)

// cued says that the part of the sentence around m that belongs to it has a
// cue. Without superlatives in the claim, most of the claim's words are a cue.
func (f *field) cued(m span, cues map[string]bool) bool {
	before, after, listed := f.part(m)
	if listed && !strings.HasPrefix(strings.TrimLeft(after, " "), "is ") && !strings.HasPrefix(strings.TrimLeft(after, " "), "was ") {
		return hasWord(bracket(after), cues)
	}
	if listed {
		before = ""
	}
	text := notFirst.ReplaceAllString(before+" . "+after, " ")
	if len(f.strict) > 0 {
		return hasWord(text, cues) && !f.negated(m)
	}
	if len(f.topic) == 0 || len(cues) != len(f.cues) || !f.ownMention(m) {
		return false
	}
	here, n := words(text), 0
	for w := range f.topic {
		if here[w] {
			n++
		}
	}
	return n*5 >= len(f.topic)*3
}

func (f *field) ownMention(m span) bool {
	for _, o := range f.own {
		if o == m {
			return true
		}
	}
	return false
}

// bracket is the bracketed remark right after a name: "E (the largest), F".
func bracket(after string) string {
	after = strings.TrimLeft(after, " ")
	if !strings.HasPrefix(after, "(") {
		return ""
	}
	end := strings.IndexByte(after, ')')
	if end < 0 {
		return ""
	}
	return notFirst.ReplaceAllString(after[:end], " ")
}

func hasWord(text string, set map[string]bool) bool {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !(r >= 'a' && r <= 'z' || r == '_') }) {
		if set[w] {
			return true
		}
	}
	return false
}

// part cuts out what a sentence says of the name at m: before it, its clause
// if another name comes earlier in the sentence, else all; after it, up to the
// next name. listed says that only separators and figures lie between m and
// its neighbour, so that it is one of an enumeration.
func (f *field) part(m span) (before, after string, listed bool) {
	s := around(f.sentences, m.start)
	from, to := s.start, s.end
	prev, next := -1, -1
	for _, n := range f.places {
		if n == m || n.start < m.end && m.start < n.end {
			continue
		}
		if n.end <= m.start {
			prev = max(prev, n.end)
		} else if next < 0 || n.start < next {
			next = n.start
		}
	}
	if prev > from {
		clause := around(f.clauses, m.start)
		from = clause.start
		if prev > from {
			from = m.start
		}
	}
	if next >= 0 && next < to {
		to = max(m.end, min(next, around(f.clauses, next).start))
	}
	listed = prev >= 0 && separators(f.lower[prev:m.start]) || next >= 0 && separators(f.lower[m.end:next])
	return f.lower[from:m.start], f.lower[m.end:max(to, m.end)], listed
}

// names are the places of the entity and of its competitors.
func (f *field) names() []span {
	all := append([]span(nil), f.own...)
	for _, r := range f.rivals {
		all = append(all, r.span)
	}
	return all
}

var figures = regexp.MustCompile(`\([^()]{0,60}\)|[-+]?[\d.,]*\d(?:\s*(?:%|°?[a-z²³/]{1,10}))?`)

// separators says that nothing but list punctuation and figures stands there.
func separators(between string) bool {
	if len(between) > 200 {
		return false
	}
	between = figures.ReplaceAllString(between, "")
	for _, w := range strings.FieldsFunc(between, func(r rune) bool { return strings.ContainsRune(" \n\t,;|/&-–—*•:.\"[]{}()+_`", r) }) {
		if w != "and" && w != "or" && w != "then" && w != "the" && w != "also" && w != "plus" {
			return false
		}
	}
	return true
}

// lead says that the first sentence that names anyone names the entity alone.
func (f *field) lead() bool {
	first := f.own[0]
	for _, r := range f.rivals {
		if r.start < first.start {
			return false
		}
	}
	s := around(f.sentences, first.start)
	for _, r := range f.rivals {
		if s.holds(r.start) {
			return false
		}
	}
	text := f.text[s.start:s.end]
	trimmed := strings.TrimLeft(text, " \t")
	if trimmed == "" || strings.ContainsAny(trimmed[:1], "-*+|{[\"#>•}") || strings.Contains(text, "\":") || strings.Contains(text, "|") {
		return false
	}
	if f.parallel(s, first) {
		return false
	}
	return len(strings.Fields(text)) <= 8 || f.distinct() <= max(1, f.total/3)
}

// parallel says that the entity's sentence is one of several that each begin
// with another name, or with the same words before it.
func (f *field) parallel(s, first span) bool {
	opening := strings.TrimSpace(f.lower[s.start:first.start])
	for _, r := range f.rivals {
		other := around(f.sentences, r.start)
		start := strings.TrimLeft(strings.TrimSpace(f.lower[other.start:r.start]), "-*•0123456789.) ")
		if start == opening || opening != "" && start == "" && strings.HasSuffix(opening, ":") {
			return true
		}
	}
	return false
}
