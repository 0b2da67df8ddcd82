package evaluate

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/taskwright/taskwright/datasets"
)

// dependencies counts the edges of the chain (a step's argument that an earlier
// step feeds), and those that the agent honoured: it called the consuming tool,
// and each value that it sent there had come out of a successful call of an
// earlier round. Whichever tool delivered the value counts, since a task may
// have more than one way; a value that nothing delivered was invented. A call
// stands for at most one step.
func dependencies(task *datasets.Task, t *datasets.Trajectory) (met, edges int, missing string) {
	p := provenance{t: t, docs: make([]any, len(t.Calls)), read: make([]bool, len(t.Calls))}
	used := make([]bool, len(t.Calls))
	var lost []string
	for i := range task.Chain {
		fed := fedArguments(&task.Chain[i])
		if len(fed) == 0 {
			continue
		}
		edges += len(fed)
		n, unmet := p.bestCall(&task.Chain[i], fed, used)
		met += n
		for _, path := range unmet {
			lost = append(lost, fmt.Sprintf("step %d %s%s", i+1, task.Chain[i].ID(), path))
		}
	}
	return met, edges, strings.Join(lost, "; ")
}

func fedArguments(step *datasets.Step) []string {
	var paths []string
	for _, a := range step.Arguments {
		if a.Source == datasets.SourceStep {
			paths = append(paths, a.Path)
		}
	}
	return paths
}

// provenance answers where the values of a trajectory came from. Documents are
// decoded only when the plain text does not settle it.
type provenance struct {
	t    *datasets.Trajectory
	docs []any
	read []bool
}

// bestCall takes the unused call to the step's tool that honours most of the
// arguments, the first of equals, and returns their number and the others.
func (p *provenance) bestCall(step *datasets.Step, paths []string, used []bool) (met int, unmet []string) {
	best := -1
	unmet = paths
	for i := range p.t.Calls {
		a := &p.t.Calls[i]
		if used[i] || a.Server != step.Server || a.Tool != step.Tool {
			continue
		}
		if lost := p.unmet(a, paths); best < 0 || len(lost) < len(unmet) {
			best, unmet = i, lost
		}
		if len(unmet) == 0 {
			break
		}
	}
	if best >= 0 {
		used[best] = true
	}
	return len(paths) - len(unmet), unmet
}

// unmet lists the arguments of a call whose values no earlier round delivered.
func (p *provenance) unmet(a *datasets.Action, paths []string) []string {
	var lost []string
	args, err := datasets.DecodeJSON(a.Arguments)
	if err != nil {
		return paths
	}
	for _, path := range paths {
		v, err := datasets.ResolveOne(args, path)
		if err != nil || !p.delivered(v, a.Round) {
			lost = append(lost, path)
		}
	}
	return lost
}

// delivered says whether every scalar of a value stands in an output of a
// round before the given one.
func (p *provenance) delivered(v any, round int32) bool {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if !p.delivered(e, round) {
				return false
			}
		}
		return len(v) > 0
	case map[string]any:
		for _, e := range v {
			if !p.delivered(e, round) {
				return false
			}
		}
		return len(v) > 0
	}
	return p.inText(v, round) || p.inDocument(v, round)
}

func (p *provenance) inText(v any, round int32) bool {
	needle, escaped := needles(v)
	for i := range p.t.Calls {
		a := &p.t.Calls[i]
		if a.Round >= round || a.Result.IsError {
			continue
		}
		if hasWord(a.Result.Text, needle) || hasWord(a.Result.Structured, escaped) || escaped != needle && hasWord(a.Result.Text, escaped) {
			return true
		}
	}
	return false
}

// needles is a scalar as it stands in plain text and within JSON.
func needles(v any) (plain, escaped string) {
	if s, ok := v.(string); ok {
		return s, strings.Trim(datasets.EncodeJSON(s), `"`)
	}
	s := datasets.EncodeJSON(v)
	return s, s
}

// hasWord says whether a text holds word with no letter, digit or decimal part
// running on at either end.
func hasWord(text, word string) bool {
	if word == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		start := from + i
		end := start + len(word)
		if edge(text[:start], word, false) && edge(text[end:], word, true) {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[start:])
		from = start + size
	}
}

// edge says whether word ends where rest begins (after), or begins where rest
// ends.
func edge(rest, word string, after bool) bool {
	var out, in rune
	if after {
		out, _ = utf8.DecodeRuneInString(rest)
		in, _ = utf8.DecodeLastRuneInString(word)
		if unicode.IsDigit(in) && len(rest) > 1 && rest[0] == '.' && rest[1] >= '0' && rest[1] <= '9' {
			return false
		}
	} else {
		out, _ = utf8.DecodeLastRuneInString(rest)
		in, _ = utf8.DecodeRuneInString(word)
		if unicode.IsDigit(in) && (out == '.' || out == '-') {
			return false
		}
	}
	if rest == "" {
		return true
	}
	return !wordRune(in) || !wordRune(out)
}

func wordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// inDocument looks for a number that is written differently (5.0 for 5), or a
// text that only decoding shows.
func (p *provenance) inDocument(v any, round int32) bool {
	for i := range p.t.Calls {
		a := &p.t.Calls[i]
		if a.Round >= round || a.Result.IsError {
			continue
		}
		if !p.read[i] {
			p.docs[i], p.read[i] = datasets.Document(a.Result), true
		}
		if holds(p.docs[i], v) {
			return true
		}
	}
	return false
}

func holds(doc, v any) bool {
	switch d := doc.(type) {
	case map[string]any:
		for _, e := range d {
			if holds(e, v) {
				return true
			}
		}
		return false
	case []any:
		for _, e := range d {
			if holds(e, v) {
				return true
			}
		}
		return false
	case json.Number:
		x, ok := datasets.Float(d)
		y, number := datasets.Float(v)
		return ok && number && x == y
	}
	return doc == v
}
