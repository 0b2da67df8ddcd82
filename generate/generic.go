package generate

import (
	"regexp"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// Phrases for tools that no phrasebook knows, from names and descriptions.

// label is the last named segment of a path as words, with its unit left out:
// "/parks/*/area_km2" is "area".
func label(path string) string {
	segments := strings.Split(path, "/")
	for i := len(segments) - 1; i >= 0; i-- {
		if s := segments[i]; i > 1 && s != "" && strings.Trim(s, "0123456789") == "" && segments[i-1] != "*" {
			return label(strings.Join(segments[:i], "/")) + " " + s
		}
		if s := segments[i]; s != "" && s != "*" && strings.Trim(s, "0123456789") != "" {
			words := trimCompoundUnit(splitWords(s))
			if last := words[len(words)-1]; len(words) > 1 && fieldUnits[last] != "" && len(last) <= 4 && last != "days" {
				words = words[:len(words)-1]
			}
			return strings.Join(words, " ")
		}
	}
	return "value"
}

// trimCompoundUnit leaves out a unit of two words at the end: "density_g_cm3".
func trimCompoundUnit(words []string) []string {
	n := len(words)
	if n > 2 && fieldUnits[words[n-2]] != "" && (words[n-1] == "cm3" || words[n-1] == "mol" || words[n-1] == "100g" || words[n-1] == "l") {
		return words[:n-2]
	}
	return words
}

// vague labels say nothing of what they hold.
var vague = map[string]bool{"value": true, "result": true, "results": true, "output": true, "text": true, "answer": true, "data": true, "items": true, "item": true, "list": true, "entries": true, "records": true, "values": true, "content": true, "response": true, "fields": true}

var toolVerbs = map[string]bool{"get": true, "list": true, "find": true, "search": true, "fetch": true, "read": true, "show": true, "query": true, "lookup": true, "retrieve": true, "browse": true, "describe": true, "all": true, "by": true, "for": true}

// genericNoun is what an element of a list is called: the singular of the
// list's name, or of what the tool's name says.
func genericNoun(tool *datasets.Tool, list string) string {
	if l := label(list); list != "" && !vague[l] {
		words := strings.Fields(l)
		words[len(words)-1] = singular(words[len(words)-1])
		return strings.Join(words, " ")
	}
	var words []string
	for _, w := range splitWords(tool.Name) {
		if w == "by" {
			break
		}
		if !toolVerbs[w] && w != "mcp" && w != strings.ToLower(tool.Server) {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		return "entry"
	}
	last := len(words) - 1
	words[last] = singular(words[last])
	return strings.Join(words, " ")
}

var (
	sentenceEnd = regexp.MustCompile(`[.:;!?](\s|$)|\n| [-–—] | \(|, including| such as| along with | and optionally | and return |\. |; `)
	markup      = regexp.MustCompile("[*_`#<>\\[\\]]+")
)

// leading verbs of a description after which the rest names what is returned.
var gives = []string{"get the", "gets the", "get", "gets", "returns the", "return the", "returns", "return", "retrieves", "retrieve", "fetches", "fetch", "lists", "list", "shows", "show", "finds", "find", "searches for", "search for", "looks up", "look up", "reads", "read", "provides", "provide", "calculates", "calculate", "computes", "compute", "gives", "give"}

// described splits the first sentence of a tool's description: what the tool
// gives ("the number of days in a month"), or what it does ("convert time
// between time zones"). Both are "" where it has no usable description.
func described(tool *datasets.Tool) (gets, does string) {
	text := strings.TrimSpace(markup.ReplaceAllString(tool.Description, ""))
	if at := sentenceEnd.FindStringIndex(text); at != nil {
		text = text[:at[0]]
	}
	if at := strings.Index(text, ", "); at > 12 && !strings.Contains(text[at+2:], ", ") && strings.Count(text[at:], " ") > 3 {
		text = text[:at] // a second clause, not an enumeration
	}
	text = strings.TrimSpace(withoutList(text))
	if len(text) < 8 || len(text) > 110 || strings.ContainsAny(text, "{}|=") {
		return "", ""
	}
	lower := strings.ToLower(text)
	for _, verb := range gives {
		if strings.HasPrefix(lower, verb+" ") {
			return article(strings.TrimSpace(text[len(verb):])), ""
		}
	}
	first, rest, _ := strings.Cut(lower, " ")
	if doing[strings.TrimSuffix(first, "s")] {
		return "", strings.TrimSuffix(first, "s") + " " + text[len(text)-len(rest):]
	}
	return "", ""
}

// withoutList leaves out an enumeration at the end, with the word that leads
// to it: "a hash of a string using MD5, SHA1 or CRC32". A text that is an
// enumeration itself is no description, and gives "".
func withoutList(text string) string {
	comma := strings.Index(text, ", ")
	if comma < 0 || strings.Count(text, ",") < 2 {
		return text
	}
	for _, lead := range []string{" using ", " with ", " between ", " via ", " from ", " by ", " for "} {
		if at := strings.LastIndex(text[:comma], lead); at > 0 && strings.Contains(text[:at], " ") {
			return text[:at]
		}
	}
	return ""
}

// counts says that a label tells how many there are: "total hits".
func counts(label string) bool {
	switch label {
	case "total", "count", "total count", "total hits", "total results", "total items", "total matches", "num results", "result count":
		return true
	}
	return false
}

// several is a description of many things without its article, "" where it
// speaks of one: "the design tokens for a theme" is "design tokens for a theme".
func several(gets string) string {
	rest, ok := strings.CutPrefix(gets, "the ")
	words := strings.Fields(rest)
	if !ok {
		return ""
	}
	for i, w := range words {
		switch w {
		case "in", "of", "from", "with", "for", "by", "on", "that", "to":
			if i > 0 && strings.HasSuffix(words[i-1], "s") && !strings.HasSuffix(words[i-1], "ss") {
				return rest
			}
			return ""
		}
	}
	if len(words) > 0 && strings.HasSuffix(words[len(words)-1], "s") {
		return rest
	}
	return ""
}

// doing are the verbs with which a description of a deed can be put into
// "when you …".
var doing = map[string]bool{"convert": true, "generate": true, "parse": true, "create": true, "make": true, "hash": true, "encode": true, "decode": true, "format": true, "validate": true, "check": true, "analyze": true, "evaluate": true, "add": true, "build": true, "extract": true, "compare": true, "count": true, "transform": true, "run": true, "test": true, "solve": true, "estimate": true, "plan": true, "render": true, "print": true, "echo": true, "perform": true}

func article(np string) string {
	first, _, _ := strings.Cut(np, " ")
	switch strings.ToLower(first) {
	case "the", "a", "an", "one", "all", "every", "any", "some", "your", "this":
		return decapitalize(np)
	}
	return "the " + decapitalize(np)
}

// genericValue is the noun phrase for an output of a tool, without arguments.
func genericValue(tool *datasets.Tool, path string) string {
	what := label(path)
	gets, does := described(tool)
	noun := genericNoun(tool, "")
	switch {
	case counts(what) && several(gets) != "":
		return "the total number of " + several(gets)
	case counts(what) && noun == "entry":
		return "the total number of results"
	case counts(what) && does == "":
		return "the total number of " + plural(noun)
	case gets != "" && (vague[what] || containsWords(gets, what)):
		return gets
	case gets != "":
		return "the " + what + " in " + gets
	case does != "" && vague[what]:
		return "what comes out when you " + does
	case does != "":
		return "the " + what + " when you " + does
	case vague[what]:
		return "the outcome of " + humanize(tool.Name)
	}
	if what == noun {
		return "the " + what
	}
	return "the " + what + " of the " + noun
}

// containsWords says that most words of a label are in a phrase.
func containsWords(phrase, label string) bool {
	words := strings.Fields(label)
	found := 0
	for _, w := range words {
		if strings.Contains(strings.ToLower(phrase), w) {
			found++
		}
	}
	return found*2 > len(words)
}

// prepositions say how a parameter's value joins a sentence, by the last word
// of its name. %s is the value.
var prepositions = map[string]string{
	"from": "from %s", "source": "from %s", "origin": "from %s", "start": "starting at %s", "begin": "starting at %s", "base": "based on %s",
	"to": "to %s", "target": "to %s", "destination": "to %s", "end": "ending at %s", "until": "until %s",
	"date": "on %s", "day": "on %s", "month": "in %s", "year": "in %s", "time": "at %s", "datetime": "at %s", "timestamp": "at %s",
	"city": "in %s", "country": "in %s", "state": "in %s", "region": "in %s", "place": "in %s", "location": "in %s", "language": "in %s", "lang": "in %s", "currency": "in %s",
	"query": "about %s", "search": "about %s", "q": "about %s", "keyword": "about %s", "term": "about %s", "topic": "about %s", "keywords": "about %s",
	"name": "named %s", "title": "titled %s", "limit": "for at most %s entries", "count": "for %s of them", "max": "for at most %s",
	"expression": "for the expression %s", "input": "for the input %s", "text": "for the text %s", "value": "for %s", "values": "for %s", "number": "for %s", "numbers": "for %s", "amount": "for %s",
	"category": "in the category %s", "type": "of type %s", "kind": "of kind %s", "format": "in the format %s", "algorithm": "using %s", "method": "using %s", "mode": "in %s mode",
	"timezone": "in %s", "zone": "in %s", "unit": "in %s", "path": "at %s", "file": "in %s", "directory": "in %s", "id": "for %s", "component": "for %s", "action": "with the action %s", "color": "for %s", "level": "at level %s",
}

// delivered are the first words of parameters whose preposition tells two
// delivered values apart.
var delivered = map[string]bool{"from": true, "source": true, "origin": true, "to": true, "target": true, "destination": true, "start": true, "end": true}

// genericArgument mentions an argument: by a preposition where the last word
// of its name has one, else by its name.
func genericArgument(arg *datasets.Argument, value string) string {
	words := splitWords(arg.Path)
	if len(words) == 0 {
		return "with " + value
	}
	last := words[len(words)-1]
	if arg.Source == datasets.SourceStep && !delivered[words[0]] {
		return "for " + value
	}
	if len(words) == 2 && (last == "timezone" || last == "zone" || last == "unit" || last == "currency" || last == "language") {
		if form := prepositions[words[0]]; form != "" {
			return strings.ReplaceAll(form, "%s", value)
		}
	}
	if form := prepositions[last]; form != "" && (len(words) == 1 || last == "id" || last == "name" || last == "path") {
		return strings.ReplaceAll(form, "%s", value)
	}
	if len(words) == 1 && len(words[0]) == 1 {
		return "with " + words[0] + " = " + value
	}
	return "with " + strings.Join(words, " ") + " " + value
}
