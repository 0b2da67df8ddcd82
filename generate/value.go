package generate

import (
	"maps"
	"slices"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// kindKey is the kind of a value that stands for a thing.
const kindKey = "key"

// fed is how a value is spoken of that is passed on.
func (a *author) fed(n int, path string, phrase ValuePhrase) string {
	template := phrase.FedAs
	if template == "" {
		template = phrase.NP
	}
	text, used := a.fill(template, n)
	return join(text, a.remaining(n, used))
}

// all is the noun phrase for a field of every element of a list.
func (a *author) all(n int, path string) string {
	s := a.draft.at(n)
	list, _, _ := strings.Cut(path, "/*")
	if all := a.book.tool(s.tool.ID()).Values[path].All; all != "" {
		text, used := a.fill(all, n)
		return join(text, a.remaining(n, used))
	}
	what := label(path)
	if np := a.book.tool(s.tool.ID()).Values[path].NP; np != "" {
		if before, _, ok := strings.Cut(np, " of {it}"); ok && !strings.Contains(before, "{") {
			what = strings.TrimPrefix(before, "the ")
		}
	}
	words := strings.Fields(what)
	if last := words[len(words)-1]; strings.HasSuffix(last, "ed") {
		words = append(words, "values")
	} else {
		words[len(words)-1] = plural(singular(last))
	}
	return join("the", strings.Join(words, " "), "of all", a.nouns(s, list), a.scope(n))
}

// value is the noun phrase for the output of step n at path; p is the element
// that is meant where the path leads through a list.
func (a *author) value(n int, path string, p *picked) string {
	s := a.draft.at(n)
	phrase := a.book.tool(s.tool.ID()).Values[path]
	switch {
	case p != nil && phrase.Item != "":
		return strings.ReplaceAll(phrase.Item, "{it}", a.element(p))
	case phrase.NP != "" && (p == nil || phrase.Kind != datasets.ClaimSet):
		return a.phrased(n, phrase)
	case p != nil && singular(label(path)) == a.noun(s, p.list):
		return a.element(p)
	case p != nil:
		return join("the", label(path), "of", a.element(p))
	}
	return join(genericValue(s.tool, path), a.remaining(n, nil))
}

// phrased fills a noun phrase of the phrasebook.
func (a *author) phrased(n int, phrase ValuePhrase) string {
	if phrase.Constant != "" && a.transformsConstant(n) {
		text, used := a.fill(phrase.Constant, n)
		return join(text, a.remaining(n, used))
	}
	text, used := a.fill(phrase.NP, n)
	suffix, more := a.fill(phrase.Suffix, n)
	maps.Copy(used, more)
	return join(text, suffix, a.remaining(n, used))
}

func (a *author) transformsConstant(n int) bool {
	s := a.draft.at(n)
	transform := a.book.tool(s.tool.ID()).Transform
	return slices.ContainsFunc(s.args, func(arg datasets.Argument) bool {
		return arg.Path == "/"+transform && arg.Source == datasets.SourceConstant
	})
}
