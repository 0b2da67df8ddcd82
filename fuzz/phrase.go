package fuzz

import (
	"math/rand/v2"
	"regexp"
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

// spoken turns "the distance from A to B in km" into questions as people ask
// them. Each keeps all that stands after the noun.
var spokenForms = []struct {
	noun  *regexp.Regexp
	forms []string
}{
	{regexp.MustCompile(`^the straight-line distance from (.+?) to (.+)$`), []string{"how far is it from $1 to $2 in a straight line", "how far is it as the crow flies from $1 to $2"}},
	{regexp.MustCompile(`^the straight-line distance between (.+?) and (.+)$`), []string{"how far apart are $1 and $2 in a straight line", "how far is it as the crow flies between $1 and $2"}},
	{regexp.MustCompile(`^the (?:great-circle )?distance from (.+?) to (.+)$`), []string{"how far is it from $1 to $2"}},
	{regexp.MustCompile(`^the (?:great-circle )?distance between (.+?) and (.+)$`), []string{"how far apart are $1 and $2", "how far is it between $1 and $2"}},
	{regexp.MustCompile(`^the number of ([a-z]+(?: [a-z]+)?) (at|in|on) (.+)$`), []string{"how many $1 are there $2 $3"}},
	{regexp.MustCompile(`^the population of (.+)$`), []string{"how many people live in $1", "how big is the population of $1"}},
	{regexp.MustCompile(`^the (?:elevation|height) of (.+)$`), []string{"how high is $1", "how high up is $1"}},
	{regexp.MustCompile(`^the (?:price|cost) of (.+)$`), []string{"how much is $1", "how much does it cost for $1"}},
	{regexp.MustCompile(`^the area of (.+)$`), []string{"how large an area does $1 cover", "how much ground does $1 cover"}},
	{regexp.MustCompile(`^the length of (.+)$`), []string{"how long is $1"}},
	{regexp.MustCompile(`^the (?:current |local )?time in (.+)$`), []string{"what time is it in $1"}},
	{regexp.MustCompile(`^the author of (.+)$`), []string{"who wrote $1", "who is the author of $1"}},
	{regexp.MustCompile(`^the date of (.+)$`), []string{"on what date is $1", "what is the date of $1"}},
}

// question is an ask as a direct question without its mark.
func question(rng *rand.Rand, text, asked string) string {
	if isClause(text) {
		if asked != "" {
			return asked
		}
		return text
	}
	np, unit := cutUnit(text)
	if unit != "" {
		unit = choose(rng, []string{" in " + unit, ", in " + unit, " (in " + unit + ")"})
	}
	for _, f := range spokenForms {
		if rng.IntN(4) > 0 && f.noun.MatchString(np) {
			return f.noun.ReplaceAllString(np, choose(rng, f.forms)) + unit
		}
	}
	if asked == "" {
		asked = be(np) + " " + text
	}
	if rng.IntN(2) == 0 {
		asked = strings.Replace(asked, "what is ", "what's ", 1)
	}
	return asked
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

// cutUnit takes " in kilometres" off the end of an ask.
func cutUnit(s string) (rest, unit string) {
	at := strings.LastIndex(s, " in ")
	if at < 0 {
		return s, ""
	}
	if _, ok := literal.Unit(s[at+4:]); !ok {
		return s, ""
	}
	return s[:at], s[at+4:]
}

// brief is the shortest form of an ask: the unit in brackets, no article.
func brief(text, short string) string {
	if short == "" {
		short = text
	}
	rest, unit := cutUnit(short)
	for _, p := range []string{"the ", "what is the ", "what are the ", "what is ", "what are "} {
		if r, ok := strings.CutPrefix(rest, p); ok {
			rest = r
			break
		}
	}
	if unit == "" {
		return rest
	}
	return rest + " (" + shortUnit(unit) + ")"
}

// shortUnit is the symbol of a unit, or its name where there is none in use.
func shortUnit(unit string) string {
	symbol, ok := literal.Unit(unit)
	if !ok || symbol == "$" || symbol == "°" {
		return unit
	}
	return symbol
}

var lastWord = regexp.MustCompile(`\s+`)

// tidy mends spaces and doubled marks at the seams of phrases.
func tidy(s string) string {
	s = strings.TrimSpace(lastWord.ReplaceAllString(s, " "))
	for _, p := range [][2]string{{"..", "."}, {"?.", "?"}, {"?,", "?"}, {"!.", "!"}, {".?", "?"}} {
		for strings.HasSuffix(s, p[0]) {
			s = strings.TrimSuffix(s, p[0]) + p[1]
		}
	}
	return s
}
