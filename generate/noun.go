package generate

import (
	"regexp"
	"slices"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// author puts the values of a draft into words. It remembers which elements it
// has introduced, so that a second mention can be short ("that park"). Every
// argument of a step is mentioned wherever the step's outputs are: by the
// phrasebook's template, or appended to it.
type author struct {
	book      *Phrasebook
	draft     *draft
	mentioned map[*picked]bool
}

func newAuthor(book *Phrasebook, d *draft) *author {
	return &author{book: book, draft: d, mentioned: map[*picked]bool{}}
}

var placeholder = regexp.MustCompile(`\{([A-Za-z0-9_.\-]+)\}`)

// tidy mends what comes of a phrase within a phrase.
var tidy = strings.NewReplacer("the the ", "the ", `"“`, "“", `”"`, "”")

// fill replaces the placeholders of a template by the arguments of step n and
// reports which arguments it mentioned. A placeholder for an argument that was
// not sent disappears with the word before it.
func (a *author) fill(template string, n int) (string, map[string]bool) {
	s := a.draft.at(n)
	used := map[string]bool{}
	for {
		at := placeholder.FindStringSubmatchIndex(template)
		if at == nil {
			return tidy.Replace(strings.TrimSpace(template)), used
		}
		name := template[at[2]:at[3]]
		before, after := template[:at[0]], template[at[1]:]
		text, paths := a.placeholder(s, n, name)
		if text == "" {
			template = dropPreposition(before) + after
			continue
		}
		for _, path := range paths {
			used[path] = true
		}
		template = before + strings.NewReplacer("{", "(", "}", ")").Replace(text) + after
	}
}

// dropPreposition cuts the space, and a preposition, at the end of a text.
func dropPreposition(text string) string {
	text = strings.TrimRight(text, " ")
	at := strings.LastIndex(text, " ") + 1
	switch text[at:] {
	case "in", "at", "on", "over", "with", "for", "by", "to", "from", "after", "of", "within", "among", "about":
		return strings.TrimRight(text[:at], " ")
	}
	return text
}

// placeholder is what stands for a placeholder, and the paths of the arguments
// that it mentions.
func (a *author) placeholder(s *step, n int, name string) (text string, paths []string) {
	if name == "it" {
		text, path := a.subject(n)
		return text, []string{path}
	}
	for i := range s.args {
		arg := &s.args[i]
		if arg.Path != "/"+name {
			continue
		}
		if text, second := a.pair(s, arg); text != "" {
			return text, []string{arg.Path, second}
		}
		return a.argument(arg), []string{arg.Path}
	}
	return "", nil
}

// pair joins constants that people say together: a latitude and a longitude, a
// number and its unit. It returns the path of the second, which needs no
// mention of its own.
func (a *author) pair(s *step, arg *datasets.Argument) (text, second string) {
	if arg.Source != datasets.SourceConstant {
		return "", ""
	}
	phrases := a.book.tool(s.tool.ID())
	for i := range s.args {
		other := &s.args[i]
		switch {
		case other == arg || other.Source != datasets.SourceConstant:
		case phrases.Transform != "" && arg.Path == "/"+phrases.Transform && other.Path == "/"+phrases.UnitParam:
			return a.argument(arg) + " " + a.argument(other), other.Path
		case latitude(arg.Path) && longitude(other.Path):
			return "latitude " + a.argument(arg) + " and longitude " + a.argument(other), other.Path
		}
	}
	return "", ""
}

func latitude(path string) bool {
	w := splitWords(path)
	return len(w) > 0 && (w[len(w)-1] == "lat" || w[len(w)-1] == "latitude")
}

func longitude(path string) bool {
	w := splitWords(path)
	return len(w) > 0 && (w[len(w)-1] == "lon" || w[len(w)-1] == "lng" || w[len(w)-1] == "longitude")
}

// everything stands for the paths of all arguments: the element of a list is
// mentioned with the scope of the list.
const everything = "*"

// subject is what a step's outputs are about: the subject parameter of the
// phrasebook, else the element that the chain picks from its list, else the
// first argument.
func (a *author) subject(n int) (text, path string) {
	s := a.draft.at(n)
	phrases := a.book.tool(s.tool.ID())
	if phrases.Subject != "" {
		for i := range s.args {
			if s.args[i].Path == "/"+phrases.Subject {
				return a.argument(&s.args[i]), s.args[i].Path
			}
		}
	}
	for _, p := range a.draft.picks {
		if p.step == n {
			return a.element(p), everything
		}
	}
	if len(s.args) > 0 {
		return a.argument(&s.args[0]), s.args[0].Path
	}
	return "", ""
}

// argument is how the value of an argument is spoken of.
func (a *author) argument(arg *datasets.Argument) string {
	if arg.Source != datasets.SourceStep {
		if arg.Said != "" {
			return arg.Said
		}
		v, err := datasets.DecodeJSON(arg.Value)
		if err != nil {
			return arg.Value
		}
		return constant(v)
	}
	n := int(arg.Step)
	if arg.Pick == datasets.PickAll {
		return a.all(n, arg.From)
	}
	field := arg.From[strings.LastIndex(arg.From, "/")+1:]
	p := a.draft.pickOf(arg)
	phrase := a.book.tool(a.draft.at(n).tool.ID()).Values[arg.From]
	if p == nil && (phrase.Kind == kindKey || phrase.FedAs != "") {
		return a.fed(n, arg.From, phrase)
	}
	if p != nil && a.standsFor(n, field) {
		return a.element(p)
	}
	if p == nil && a.standsFor(n, field) {
		if text, _ := a.subject(n); text != "" {
			return text
		}
	}
	return a.value(n, arg.From, p)
}

// constant writes a constant as it reads in a sentence. Text that could be
// taken for part of the sentence is quoted.
func constant(v any) string {
	s, ok := v.(string)
	if !ok {
		return plain(v)
	}
	words := strings.Fields(s)
	if len(words) > 1 {
		for _, w := range words {
			if strings.ToLower(w[:1]) == w[:1] {
				return "“" + s + "”"
			}
		}
	}
	if strings.ContainsAny(s, ",;()") {
		return "“" + s + "”"
	}
	return s
}

// standsFor says that a field of step n's output is passed on in place of the
// thing that it belongs to: its id, its name, its coordinates.
func (a *author) standsFor(n int, field string) bool {
	if keys := a.book.tool(a.draft.at(n).tool.ID()).Keys; len(keys) > 0 {
		return slices.Contains(keys, field)
	}
	if idWord(field) {
		return true
	}
	switch strings.ToLower(field) {
	case "name", "title", "lat", "latitude", "lon", "lng", "longitude", "code", "slug", "path", "url", "uri", "tagname", "symbol", "label":
		return true
	}
	return false
}

// remaining mentions the arguments of a step that no template did.
func (a *author) remaining(n int, used map[string]bool) string {
	if a.book.tool(a.draft.at(n).tool.ID()).Does != "" {
		return "" // the deed states them
	}
	return a.others(n, used)
}

// others mentions the arguments of a step that are not used.
func (a *author) others(n int, used map[string]bool) string {
	s := a.draft.at(n)
	if used[everything] {
		return ""
	}
	var parts []string
	said := map[string]bool{}
	for i := range s.args {
		arg := &s.args[i]
		if used[arg.Path] {
			said[a.key(arg)] = true
		}
	}
	covered := map[string]bool{}
	for i := range s.args {
		arg := &s.args[i]
		if covered[arg.Path] || used[arg.Path] || said[a.key(arg)] || arg.Source == datasets.SourceDefault || arg.Source == datasets.SourceInferred {
			continue
		}
		said[a.key(arg)] = true
		if text, second := a.pair(s, arg); text != "" && latitude(arg.Path) {
			covered[second] = true
			parts = append(parts, "at "+text)
			continue
		}
		parts = append(parts, genericArgument(arg, a.argument(arg)))
	}
	return strings.Join(parts, " ")
}

// key is the same for arguments that one mention covers: the id and the
// coordinates of one element.
func (a *author) key(arg *datasets.Argument) string {
	if arg.Source != datasets.SourceStep {
		return arg.Path
	}
	field := arg.From[strings.LastIndex(arg.From, "/")+1:]
	if arg.Pick != datasets.PickAll && a.standsFor(int(arg.Step), field) {
		list, _, star := strings.Cut(arg.From, "/*")
		if !star {
			list = ""
		}
		return "element " + itoa(int(arg.Step)) + list
	}
	return arg.Path
}

func join(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, " ")
}
