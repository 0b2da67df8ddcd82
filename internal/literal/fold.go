package literal

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fold lower-cases a text, makes every run of white space one space, and every
// typographic quote and dash a plain one.
func Fold(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	gap := false
	for i := 0; i < len(text); {
		if c := text[i]; c > ' ' && c < utf8.RuneSelf {
			i++
			if gap {
				b.WriteByte(' ')
				gap = false
			}
			b.WriteByte(lowerByte(c))
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		switch {
		case unicode.IsSpace(r):
			gap = b.Len() > 0
			continue
		case r == '’' || r == '‘':
			r = '\''
		case r == '“' || r == '”':
			r = '"'
		case r == '–' || r == '—' || r == '−' || r == '‑':
			r = '-'
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// Words is a text in lower case with nothing but its letters and digits, words
// apart by one space, accents left as they are.
func Words(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	gap := false
	for i := 0; i < len(text); {
		if c := text[i]; isLetter(c) || isDigit(c) {
			i++
			if gap {
				b.WriteByte(' ')
				gap = false
			}
			b.WriteByte(lowerByte(c))
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			if r != '\'' && r != '’' {
				gap = b.Len() > 0
			}
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func lowerByte(c byte) byte {
	if isUpper(c) {
		return c + 'a' - 'A'
	}
	return c
}
