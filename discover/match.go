package discover

import (
	"fmt"
	"slices"
	"strings"
)

// accepts says how well the slot's type takes a value of the field's: 0 not at all.
func (s *slot) accepts(f *field) float64 {
	p := &s.param
	if len(p.Types) == 0 || f.jsonType == "" {
		return 0.9
	}
	switch {
	case p.Is(f.jsonType):
		return dateFit(s, f)
	case p.Is("array") && strings.Contains(f.path, "*") && p.Items != nil && p.Items.Is(f.jsonType):
		return 0.9
	case f.jsonType == "number" && p.Is("integer"):
		return 0
	case f.jsonType == "integer" && p.Is("string") && (slices.Contains(f.words, "id") || slices.Contains(f.words, "code")):
		return 0.8
	}
	return 0
}

// dateFit lowers a match between a date and what is no date.
func dateFit(s *slot, f *field) float64 {
	wantsDate := strings.HasPrefix(s.param.Format, "date") || slices.Contains(s.words, "date")
	isDate := strings.HasPrefix(f.format, "date") || slices.Contains(f.words, "date")
	if f.jsonType == "string" && wantsDate != isDate {
		return 0.4
	}
	return 1
}

// match says how far a field's name, place and unit suggest that its values fit
// a slot (0 to 1, types included), and why.
func match(f *field, s *slot) (float64, string) {
	fit := s.accepts(f)
	if fit == 0 || f.jsonType == "boolean" {
		return 0, ""
	}
	score, why := matchNames(f, s)
	if f.server != s.server && !carries(f, s) {
		score *= 0.5
	}
	for _, other := range []func(*field, *slot) (float64, string){matchUnits, matchDates, matchMoney, matchPlaces, matchNumbers} {
		if o, text := other(f, s); o > score {
			score, why = o, text
		}
	}
	return score * fit, why
}

// carries says whether names that agree mean the same on two servers: the name
// of something that the whole world knows, such as a country or a colour, or
// the two tools are about the same thing. "category" and "topic" mean something
// else on every server, and an id is known only where it was given.
func carries(f *field, s *slot) bool {
	id := slices.Contains(f.words, "id")
	if anyOf(f.words, universal) && !id {
		return true
	}
	about := slices.Concat(s.words, s.context)
	for _, w := range slices.Concat(f.entity, f.words) {
		if telling(w) && slices.Contains(about, w) && !local[w] && (slices.Contains(f.entity, w) || universal[w] && !id) {
			return true
		}
	}
	return false
}

// telling says whether a word says what a value is.
func telling(w string) bool { return !generic[w] && !qualifiers[w] }

var (
	universal = wordSet("lat lon country currency date timestamp color hex url email ip city town timezone zone language html json xml markdown " +
		"postcode phone domain hostname isbn symbol element state region place capital airport address coordinate country author temperature")
	local = wordSet("category topic tag prefix suffix pattern target source component token variant usage version line branch property decimal " +
		"class option setting config item node entity relation resource template scope role level state status method action task request tool")
)

func matchNames(f *field, s *slot) (float64, string) {
	key, name := strings.Join(f.words, " "), strings.Join(s.words, " ")
	if key == "" || len(s.words) == 0 {
		return 0, ""
	}
	entity := common(f.entity, s.words)
	switch {
	case sameWords(f.words, s.words) && slices.ContainsFunc(f.words, telling):
		return 0.9, fmt.Sprintf("both are called %q", name)
	case entity != "" && covered(s.words, f.words, f.entity) && subset(f.words, s.words) && !subset(s.words, f.words):
		return 0.95, fmt.Sprintf("%q is the %s of a %s", name, key, entity)
	case len(s.core) > 0 && sameWords(f.words, s.core) && !allGeneric(f.words):
		return 0.8, fmt.Sprintf("%q asks for a %s", name, key)
	case entity != "" && identifies(f.words) && covered(s.core, f.entity, nil) && (subset(f.words, s.words) || covered(without(f.words, identifying), f.entity, []string{"-"}) || allIdentifying(f.words)):
		if slices.Contains(f.words, "id") {
			return 0.55, fmt.Sprintf("%q may be told by the %s of a %s", name, key, entity)
		}
		return 0.8, fmt.Sprintf("%q can be told by the %s of a %s", name, key, entity)
	case sameWords(without(f.words, identifying), s.core) && len(s.core) > 0 && !allGeneric(s.core):
		return 0.8, fmt.Sprintf("%q can be told by a %s", name, key)
	case sameWords(without(s.words, identifying), f.words) && !allGeneric(f.words) && !slices.Contains(s.words, "id"):
		return 0.7, fmt.Sprintf("%q is told by a %s", name, key)
	case allGeneric(s.words) && identifies(f.words) && covered(s.words, f.words, nil) && common(without(f.words, identifying), s.context) != "":
		return 0.85, fmt.Sprintf("%q of a tool on %s", name, common(f.words, s.context))
	case len(f.words) == 1 && !generic[f.words[0]] && len(s.words) == 1 && s.words[0] == "name" && slices.Contains(s.context, f.words[0]):
		return 0.75, fmt.Sprintf("%q of a tool on a %s", name, key)
	case sameWords(f.words, s.words) && identifies(f.words):
		if e := common(f.entity, s.context); e != "" {
			return 0.75, fmt.Sprintf("both are the %s of a %s", name, e)
		}
		return 0.15, "equal but common names"
	}
	return matchLoosely(f, s, key, name)
}

func matchLoosely(f *field, s *slot, key, name string) (float64, string) {
	switch {
	case identifies(f.words) && !slices.Contains(s.words, "query") && (len(s.core) == 0 || allGeneric(s.core)) && saidOf(s, f.entity) != "":
		return 0.55, fmt.Sprintf("the description of %q speaks of a %s", name, saidOf(s, f.entity))
	case len(s.core) == 0 && len(f.words) == 1 && telling(f.words[0]) && s.said[f.words[0]]:
		return 0.55, fmt.Sprintf("the description of %q speaks of a %s", name, key)
	case len(s.core)-len(f.words) == 1 && subset(f.words, s.core) && !allGeneric(f.words) && !slices.ContainsFunc(s.words, func(w string) bool { return bounding[w] }):
		return 0.6, fmt.Sprintf("%q names a %s", name, key)
	case subset(s.core, f.words) && len(s.core) > 0 && !allGeneric(s.core) && len(f.words)-len(s.core) == 1:
		return 0.5, fmt.Sprintf("%q is a kind of %q", key, name)
	case identifies(f.words) && s.words[0] == "query" && len(s.words) == 1:
		return 0.2, "a name to search for"
	}
	return 0, ""
}

func saidOf(s *slot, entity []string) string {
	for _, w := range entity {
		if s.said[w] && telling(w) {
			return w
		}
	}
	return ""
}

func identifies(w []string) bool {
	return slices.ContainsFunc(w, func(s string) bool { return identifying[s] })
}

func allIdentifying(w []string) bool { return len(without(w, identifying)) == 0 }

func allGeneric(w []string) bool {
	return !slices.ContainsFunc(w, func(s string) bool { return !generic[s] })
}

// common is the first word of a that is in b and not generic, or generic but shared
// when nothing else is.
func common(a, b []string) string {
	shared := ""
	for _, w := range a {
		if slices.Contains(b, w) {
			if !generic[w] {
				return w
			}
			if shared == "" {
				shared = w
			}
		}
	}
	return shared
}

func covered(w, a, b []string) bool {
	for _, s := range w {
		if !slices.Contains(a, s) && !slices.Contains(b, s) {
			return false
		}
	}
	return len(w) > 0
}

func subset(a, b []string) bool { return covered(a, b, nil) }

func sameWords(a, b []string) bool { return subset(a, b) && subset(b, a) }

func without(w []string, drop map[string]bool) []string {
	var out []string
	for _, s := range w {
		if !drop[s] {
			out = append(out, s)
		}
	}
	return out
}

func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}
