package fuzz

import (
	"encoding/json"
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
	what  string   // "" for step phrasing
	hints []string // in lower case; a text without any of them can't match
	expr  string
	re    *regexp.Regexp
}

// match is what of the text the pattern matches; low is the text in lower case.
func (p *leakPattern) match(text, low string) string {
	for _, h := range p.hints {
		if !strings.Contains(low, h) {
			continue
		}
		if p.re == nil {
			p.re = regexp.MustCompile(p.expr)
		}
		return p.re.FindString(text)
	}
	return ""
}

// deliveredValue is a value that a tool delivers and the text must not.
type deliveredValue struct {
	text   string
	number float64
	isText bool
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
	l.patterns = append(l.patterns, stepPhrases()...)
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

// name adds the patterns for the name of a tool or server.
func (l *leaks) name(what, name, instruction string) {
	words := split(name)
	if len(words) == 0 {
		return
	}
	hint := words[0]
	for i, w := range words {
		words[i] = regexp.QuoteMeta(w)
	}
	spaced := strings.Join(words, `[ _-]?`) + `s?`
	l.add(what+" "+name, hint, "(?i)`"+spaced+"`|"+`\b`+spaced+`(?: mcp)? `+asTool+`\b|\b`+spaced+`\([^)]|\b(?:call|invoke|calling|invoking|run the|query the) `+spaced+`\b`)
	if len(words) > 1 {
		l.add(what+" "+name, hint, `(?i)\b`+strings.Join(words, "_")+`s?\b`)
		l.add(what+" "+name, hint, `\b`+camel(words, false)+`s?\b|\b`+camel(words, true)+`s?\b`)
		kebab := strings.Join(words, "-")
		if !strings.Contains(strings.ToLower(instruction), kebab) {
			l.add(what+" "+name, hint, `(?i)\b`+kebab+`s?\b`)
		}
	}
	if what == "server" && proper(name) {
		l.add(what+" "+name, hint, `(?:^|[^\w])`+regexp.QuoteMeta(name)+`(?:$|[^\w])`)
	}
	if strings.ContainsAny(name, "_.:/") && len(words) == 1 {
		l.add(what+" "+name, hint, regexp.QuoteMeta(name))
	}
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
	hint := words[0]
	for i, w := range words {
		words[i] = regexp.QuoteMeta(w)
	}
	l.add("parameter "+name, hint, `(?i)\b`+strings.Join(words, "_")+`s?\b`)
	l.add("parameter "+name, hint, `\b`+camel(words, false)+`s?\b`)
	if !stated && keyWord[words[len(words)-1]] {
		l.add("parameter "+name, hint, `(?i)\b`+strings.Join(words, "[ -]")+`s?\b`)
	}
}

// stepPhrases give away that the text is a list of calls.
func stepPhrases() []leakPattern {
	return []leakPattern{
		{hints: []string{"step "}, expr: `(?i)\bstep (?:\d+|one|two|three)\b`},
		{hints: []string{"first", "next", "finally", "then", "after that"}, expr: `(?i)\b(?:first|next|finally|then|after that),? (?:call|use|run|fetch|query|invoke|take|pass|feed|convert the result)\b`},
		{hints: []string{" id", "output", "result", "response"}, expr: `(?i)\b(?:use|using|with|take|pass|feed|from) the (?:returned |resulting |resolved |same )?(?:ids?|identifiers?|outputs?|results?|response)\b`},
		{hints: []string{"the returned", "the resulting"}, expr: `(?i)\bthe (?:returned|resulting) \w+`},
		{hints: []string{"the id"}, expr: `(?i)\bthe ids? (?:you|that|from|of)\b`},
		{hints: []string{"tool call", "function call", "api call"}, expr: `(?i)\b(?:tool|function|api) calls?\b`},
		{hints: []string{"_"}, expr: `(?i)\bcall (?:the )?\w+_\w+`},
		{hints: []string{"invoke"}, expr: `(?i)\binvoke\b`},
		{hints: []string{"endpoint"}, expr: `(?i)\bendpoint\b`},
		{hints: []string{"\n", ". ", ") ", "- ", "* "}, expr: `(?m:^\s*(?:\d+[.)]|[-*])\s+\w)`},
	}
}

// values collects what tools deliver: the expected values of claims and the
// arguments that come from steps, unless the text must state the same value.
func (l *leaks) values(task *datasets.Task, said map[string]bool) {
	var all []string
	for s := range said {
		all = append(all, s)
	}
	sort.Strings(all)
	stated := literal.Parse(strings.Join(all, "\n"))
	seen := map[string]bool{}
	add := func(raw string) {
		v, err := datasets.DecodeJSON(raw)
		if err != nil {
			return
		}
		for _, leaf := range leaves(v) {
			d, ok := delivered(leaf)
			if !ok || seen[d.text] || stated.Contains(leaf) == literal.Kept || stated.Contains(leaf) == literal.Normalised {
				continue
			}
			seen[d.text] = true
			l.delivered = append(l.delivered, d)
		}
	}
	for i := range task.Claims {
		add(task.Claims[i].Expected)
	}
	for i := range task.Chain {
		for _, a := range task.Chain[i].Arguments {
			if a.Source == datasets.SourceStep {
				add(a.Value)
			}
		}
	}
}

func leaves(v any) []any {
	switch v := v.(type) {
	case []any:
		var out []any
		for _, e := range v {
			out = append(out, leaves(e)...)
		}
		return out
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		var out []any
		for _, k := range keys {
			out = append(out, leaves(v[k])...)
		}
		return out
	}
	return []any{v}
}

func delivered(leaf any) (deliveredValue, bool) {
	switch v := leaf.(type) {
	case string:
		s := strings.TrimSpace(v)
		return deliveredValue{text: s, isText: true}, len(s) > 1
	case json.Number:
		f, err := v.Float64()
		return deliveredValue{text: v.String(), number: f}, err == nil
	}
	return deliveredValue{}, false
}

// statedTexts are the constants of a task as texts, and how they are said.
func statedTexts(task *datasets.Task) map[string]bool {
	said := map[string]bool{}
	add := func(raw string) {
		if v, err := datasets.DecodeJSON(raw); err == nil {
			for _, leaf := range leaves(v) {
				if s := strings.TrimSpace(leafText(leaf)); s != "" {
					said[s] = true
				}
			}
		}
	}
	for i := range task.Chain {
		for _, a := range task.Chain[i].Arguments {
			if a.Source == datasets.SourceConstant {
				add(a.Value)
				if a.Said != "" {
					said[a.Said] = true
				}
			}
			if a.Pick == datasets.PickEqual {
				add(a.Equal)
			}
		}
	}
	return said
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
		switch m := p.match(open, low); {
		case m == "":
		case p.what == "":
			add("step phrasing “" + strings.TrimSpace(m) + "”")
		default:
			add(p.what)
		}
	}
	for _, d := range l.delivered {
		if d.in(parsed) {
			add("delivered value " + d.text)
		}
	}
	return out
}

// in says that the text states the value. Numbers must be numbers there; a
// short string must stand as it is.
func (d *deliveredValue) in(parsed *literal.Text) bool {
	numbers := parsed.Values()
	if d.isText {
		m := parsed.Contains(d.text)
		if len(d.text) < 4 {
			return m == literal.Kept && strings.ToLower(d.text) != d.text
		}
		return m != literal.Lost
	}
	for i := range numbers {
		if numeric(numbers[i]) && !numbers[i].Spelled && numbers[i].Value == d.number {
			return true
		}
	}
	return false
}
