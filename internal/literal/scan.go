package literal

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// scanner walks a text once, from token start to token start.
type scanner struct {
	text          string
	quotes, names bool
	out           []Literal
}

func (s *scanner) run() []Literal {
	for i := 0; i < len(s.text); {
		if lit, ok := s.at(i); ok && lit.End > i {
			lit.Start, lit.Text = i, s.text[i:lit.End]
			s.out = append(s.out, lit)
			i = lit.End
			continue
		}
		i = s.skip(i)
	}
	return s.out
}

// at reads the literal that starts at i, if there is one.
func (s *scanner) at(i int) (Literal, bool) {
	c := s.text[i]
	switch {
	case isSpace(c):
		return Literal{}, false
	case isDigit(c):
		return s.numeric(i)
	case isLetter(c):
		return s.word(i)
	case c == '+' || c == '-' || c == '.' || c == '$':
		return s.numeric(i)
	case c == '#' || c == '/' || c == '~' || c == '@':
		return s.symbolCode(i)
	case c >= utf8.RuneSelf:
		if s.quotes && strings.HasPrefix(s.text[i:], "“") || strings.HasPrefix(s.text[i:], "‘") {
			if lit, ok := s.quoted(i); ok && s.quotes {
				return lit, true
			}
		}
		if lit, ok := s.numeric(i); ok {
			return lit, true
		}
		return s.word(i)
	case s.quotes && (c == '"' || c == '\'' || c == '`'):
		return s.quoted(i)
	}
	return Literal{}, false
}

// skip moves past the word at i, or past one rune.
func (s *scanner) skip(i int) int {
	if end := wordEnd(s.text, i); end > i {
		return end
	}
	_, n := utf8.DecodeRuneInString(s.text[i:])
	return i + n
}

// wordEnd is the end of the run of letters, digits and "_" that starts at i.
func wordEnd(text string, i int) int {
	for i < len(text) {
		c := text[i]
		if isDigit(c) || isLetter(c) || c == '_' {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			break
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) {
			break
		}
		i += n
	}
	return i
}

// letters is the end of the run of letters that starts at i.
func letters(text string, i int) int {
	for i < len(text) {
		c := text[i]
		if isLetter(c) {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			break
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsLetter(r) {
			break
		}
		i += n
	}
	return i
}

// digits is the end of the run of ASCII digits that starts at i.
func digits(text string, i int) int {
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	return i
}

// space is the width of one white-space character at i that is no line break,
// thin and no-break spaces included, or 0.
func space(text string, i int) int {
	if i >= len(text) {
		return 0
	}
	if text[i] == ' ' || text[i] == '\t' {
		return 1
	}
	for _, sp := range [...]string{"\u00a0", "\u2009", "\u202f", "\u2007"} {
		if strings.HasPrefix(text[i:], sp) {
			return len(sp)
		}
	}
	return 0
}

// boundary says that no word goes on at i.
func boundary(text string, i int) bool {
	return i >= len(text) || wordEnd(text, i) == i
}

// before is the rune that ends at i, or a space at the start of the text.
func before(text string, i int) rune {
	if i <= 0 {
		return ' '
	}
	r, _ := utf8.DecodeLastRuneInString(text[:i])
	return r
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isUpper(c byte) bool  { return c >= 'A' && c <= 'Z' }
func isSpace(c byte) bool  { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
