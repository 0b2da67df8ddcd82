package evaluate

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/taskwright/taskwright/datasets"
)

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
