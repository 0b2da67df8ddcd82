package fuzz

import (
	"regexp"
	"sort"
	"strings"
	"unicode"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/literal"
)

// leaks finds what a text must not say; one goroutine uses it. The rule for names:
//
//   - A name that no one says in plain English (find_parks, findParks,
//     park_id, a server called "Google Maps" or "time-mcp") leaks wherever it
//     stands, in any way of writing it: snake, kebab, camel or Pascal case,
//     singular or plural.
//   - A name that is also English (distance, parks, "find parks") leaks only
//     where it is used as the name of a tool: in code marks, before "tool",
//     "server", "function", "API" and the like, before a bracket, after "call"
//     or "invoke".
//   - A parameter such as park_id leaks as "park id" too, unless the person
//     states that id.
//   - What stands inside a constant that the text must state does not leak.
type leaks struct {
	patterns  []leakPattern
	delivered []deliveredValue
	stated    []string // constants, longest first
}

// leakPattern is compiled when a text first has one of its hints: most texts
// have none of most names.
type leakPattern struct {
	what  string   // "tool find_parks"
	hints []string // in lower case; a text without any of them can't match
	also  []string // another such list, if not empty
	expr  string
	re    *regexp.Regexp
}

// match is what of the text the pattern matches; low is the text in lower case.
func (p *leakPattern) match(text, low string) string {
	if !hasAny(low, p.hints) || len(p.also) > 0 && !hasAny(low, p.also) {
		return ""
	}
	if p.re == nil {
		p.re = regexp.MustCompile(p.expr)
	}
	return p.re.FindString(text)
}

func hasAny(text string, hints []string) bool {
	for _, h := range hints {
		if strings.Contains(text, h) {
			return true
		}
	}
	return false
}

func newLeaks(task *datasets.Task) *leaks {
	l := &leaks{}
	said := statedTexts(task)
	for s := range said {
		if len(s) >= 3 {
			l.stated = append(l.stated, s)
		}
	}
	sort.Slice(l.stated, func(i, j int) bool {
		if len(l.stated[i]) != len(l.stated[j]) {
			return len(l.stated[i]) > len(l.stated[j])
		}
		return l.stated[i] < l.stated[j]
	})
	for _, id := range union(task.RequiredTools, task.ExposedTools) {
		if _, tool, ok := strings.Cut(id, "/"); ok {
			l.name("tool", tool, task.Instruction)
		}
	}
	for _, s := range union(task.Servers, task.DistractorServers) {
		l.name("server", s, task.Instruction)
	}
	l.parameters(task)
	l.values(task, said)
	return l
}

func union(a, b []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, s := range append(append([]string(nil), a...), b...) {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// split cuts an identifier into its words, in lower case.
func split(name string) []string {
	var words []string
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			words = append(words, strings.ToLower(b.String()))
			b.Reset()
		}
	}
	var prev rune
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			prev = r
			continue
		case unicode.IsUpper(r) && unicode.IsLower(prev):
			flush()
		}
		b.WriteRune(r)
		prev = r
	}
	flush()
	return words
}

const asTool = `(?:tools?|servers?|functions?|endpoints?|apis?|mcp|methods?|commands?|plugins?|services?)`

// asToolHints are what a text that uses a word as a tool's name has.
var asToolHints = []string{"`", "tool", "server", "function", "endpoint", "api", "mcp", "method", "command", "plugin", "service", "call", "invok", "run the ", "query the "}

// name adds the patterns for the name of a tool or server.
func (l *leaks) name(what, name, instruction string) {
	plain := split(name)
	if len(plain) == 0 {
		return
	}
	words := quoted(plain)
	what += " " + name
	spaced := strings.Join(words, `[ _-]?`) + `s?`
	ways := []string{strings.Join(plain, ""), strings.Join(plain, "_"), strings.Join(plain, "-"), strings.Join(plain, " ")}
	l.patterns = append(l.patterns,
		leakPattern{what: what, hints: ways, also: asToolHints, expr: "(?i)`" + spaced + "`|" + `\b` + spaced + `(?: mcp)? ` + asTool + `\b|\b(?:call|invoke|calling|invoking|run the|query the) ` + spaced + `\b`},
		leakPattern{what: what, hints: bracketed(ways), expr: `(?i)\b` + spaced + `\([^)]`})
	if len(words) > 1 {
		l.add(what, ways[1], `(?i)\b`+strings.Join(words, "_")+`s?\b`)
		l.add(what, ways[0], `\b`+camel(words, false)+`s?\b|\b`+camel(words, true)+`s?\b`)
		if !strings.Contains(strings.ToLower(instruction), ways[2]) {
			l.add(what, ways[2], `(?i)\b`+strings.Join(words, "-")+`s?\b`)
		}
	}
	if strings.HasPrefix(what, "server ") && proper(name) {
		l.add(what, strings.ToLower(name), `(?:^|[^\w])`+regexp.QuoteMeta(name)+`(?:$|[^\w])`)
	}
	if strings.ContainsAny(name, "_.:/") && len(words) == 1 {
		l.add(what, strings.ToLower(name), regexp.QuoteMeta(name))
	}
}

func quoted(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = regexp.QuoteMeta(w)
	}
	return out
}

func bracketed(ways []string) []string {
	var out []string
	for _, w := range ways {
		out = append(out, w+"(", w+"s(")
	}
	return out
}

func camel(words []string, pascal bool) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 || pascal {
			w = capitalize(w)
		}
		b.WriteString(w)
	}
	return b.String()
}

// proper says that a name is written as no ordinary word is.
func proper(name string) bool {
	for _, r := range name {
		if unicode.IsUpper(r) || r == '_' {
			return true
		}
	}
	return false
}

func (l *leaks) add(what, hint, expr string) {
	l.patterns = append(l.patterns, leakPattern{what: what, hints: []string{hint}, expr: expr})
}

var keyWord = map[string]bool{"id": true, "ids": true, "key": true, "uuid": true, "guid": true, "slug": true, "uri": true}

func (l *leaks) parameters(task *datasets.Task) {
	seen := map[string]bool{}
	for i := range task.Chain {
		for _, a := range task.Chain[i].Arguments {
			for _, name := range strings.Split(strings.Trim(a.Path, "/"), "/") {
				if seen[name+a.Source] {
					continue
				}
				seen[name+a.Source] = true
				l.parameter(name, a.Source == datasets.SourceConstant)
			}
		}
	}
}

func (l *leaks) parameter(name string, stated bool) {
	words := split(name)
	if len(words) < 2 {
		return
	}
	quotedWords := quoted(words)
	l.add("parameter "+name, strings.Join(words, "_"), `(?i)\b`+strings.Join(quotedWords, "_")+`s?\b`)
	l.add("parameter "+name, strings.Join(words, ""), `\b`+camel(quotedWords, false)+`s?\b`)
	if !stated && keyWord[words[len(words)-1]] {
		l.patterns = append(l.patterns, leakPattern{what: "parameter " + name, hints: []string{strings.Join(words, " "), strings.Join(words, "-")}, expr: `(?i)\b` + strings.Join(quotedWords, "[ -]") + `s?\b`})
	}
}

// find lists what the text gives away, in words, without repetition.
func (l *leaks) find(parsed *literal.Text) []string {
	text := parsed.Raw
	open := text
	for _, s := range l.stated {
		open = strings.ReplaceAll(open, s, "·")
	}
	var out []string
	seen := map[string]bool{}
	add := func(s string) {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	low := strings.ToLower(open)
	for i := range l.patterns {
		p := &l.patterns[i]
		if p.match(open, low) != "" {
			add(p.what)
		}
	}
	for _, m := range stepPhrasing(open, low) {
		add("step phrasing “" + strings.TrimSpace(m) + "”")
	}
	for _, d := range l.delivered {
		if d.in(parsed) {
			add("delivered value " + d.text)
		}
	}
	return out
}
