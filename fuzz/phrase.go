package fuzz

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/taskwright/taskwright/internal/literal"
)

// capitalize makes the first letter of a text a capital.
func capitalize(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// soften makes the first letter small, unless the word is a name or "I".
func soften(s string) string {
	first, _, _ := strings.Cut(s, " ")
	if len(first) > 5 && strings.HasSuffix(first, "ing") {
		return strings.ToLower(first[:1]) + s[1:]
	}
	switch strings.ToLower(first) {
	case "my", "we", "we're", "our", "someone", "the", "a", "an", "it", "it's", "there", "there's", "this", "which", "what", "how", "who", "where", "when", "planning", "some", "in", "as", "for", "at", "on", "next", "one", "two", "these", "they", "he", "she":
		r, n := utf8.DecodeRuneInString(s)
		return string(unicode.ToLower(r)) + s[n:]
	}
	return s
}

// isSentence says that a given is a sentence and not a phrase.
func isSentence(s string) bool {
	first, _, _ := strings.Cut(s, " ")
	switch first {
	case "I", "I'm", "I've", "My", "We", "We're", "Our", "It", "It's", "The", "There", "This":
		return true
	}
	return strings.Contains(s, " is ") || strings.Contains(s, " are ")
}

// isClause says that an ask is an indirect question, not a noun phrase.
func isClause(s string) bool {
	first, _, _ := strings.Cut(s, " ")
	switch strings.ToLower(first) {
	case "which", "what", "who", "how", "where", "when", "whether", "why", "whose":
		return true
	}
	return false
}

var contractions = strings.NewReplacer("I am ", "I'm ", "We are ", "We're ", "I have to ", "I've got to ", "I would like ", "I'd like ", "I have been ", "I've been ", " I am ", " I'm ", "It is ", "It's ", "I would ", "I'd ", "I will ", "I'll ")

// contract shortens a reason as people do, outside quotation marks.
func contract(s string) string {
	if strings.ContainsAny(s, "\"“`") {
		return s
	}
	return contractions.Replace(s)
}

// list joins items as "a, b and c". Items that have commas or conjunctions of
// their own are set apart by semicolons.
func list(items []string) string {
	sep, last := ", ", " and "
	for _, it := range items {
		if strings.Contains(it, ",") || len(items) > 2 && strings.Contains(it, " and ") {
			sep, last = "; ", "; and "
		}
	}
	if len(items) > 2 && last == " and " {
		last = ", and "
	}
	switch n := len(items); n {
	case 0:
		return ""
	case 1:
		return items[0]
	default:
		return strings.Join(items[:n-1], sep) + last + items[n-1]
	}
}

// be is "what is" or "what are", as the head of a noun phrase wants.
func be(np string) string {
	head := np
	for _, p := range []string{" of ", " in ", " at ", " for ", " from ", " with ", " on ", " that ", " by ", " between "} {
		head, _, _ = strings.Cut(head, p)
	}
	if strings.HasSuffix(head, "s") && !strings.HasSuffix(head, "ss") && !strings.HasSuffix(head, "us") && !strings.HasSuffix(head, "is") {
		return "what are"
	}
	return "what is"
}

// shortUnit is the symbol of a unit, or its name where there is none in use.
func shortUnit(unit string) string {
	symbol, ok := literal.Unit(unit)
	if !ok || symbol == "$" || symbol == "°" {
		return unit
	}
	return symbol
}

// tidy mends spaces and doubled marks at the seams of phrases.
func tidy(s string) string {
	s = unstutter(strings.Join(strings.Fields(s), " "))
	for _, p := range [][2]string{{"..", "."}, {"?.", "?"}, {"?,", "?"}, {"!.", "!"}, {".?", "?"}} {
		for strings.HasSuffix(s, p[0]) {
			s = strings.TrimSuffix(s, p[0]) + p[1]
		}
	}
	return s
}

// unstutter takes out a phrase that follows on itself: "in the catalogue in the
// catalogue".
func unstutter(s string) string {
	for i := 0; i < len(s); i = wordAfter(s, i) {
		if !prepositions[wordAt(s, i)] {
			continue
		}
		for n := 2; n <= 4; n++ {
			phrase := wordsTo(s, i, n)
			if next := i + len(phrase) + 1; next+len(phrase) <= len(s) && s[next:next+len(phrase)] == phrase && !strings.ContainsAny(phrase, "0123456789") {
				return s[:i] + s[next:]
			}
		}
	}
	return s
}
