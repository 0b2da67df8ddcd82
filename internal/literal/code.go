package literal

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxToken bounds a code, and with it the time that a hostile text can take.
const maxToken = 512

// token is the end of the run at i that has no white space, bracket, quote,
// comma or bar, its final punctuation left out. It is at most maxToken long.
func token(text string, i int) int {
	j := i
	for j < len(text) && j-i < maxToken {
		c := text[j]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(text[j:])
			if !unicode.IsLetter(r) {
				break
			}
			j += n
			continue
		}
		if isSpace(c) || strings.IndexByte("()[]{}<>\"'`,;|*", c) >= 0 {
			break
		}
		j++
	}
	for j > i && strings.IndexByte(".:!?-/=&+~", text[j-1]) >= 0 {
		j--
	}
	return j
}

// code reads an id, path, hash, address or version: a token that mixes letters
// and digits, or is joined by signs that no word has.
func (s *scanner) code(i int) (Literal, bool) {
	if s.plainWord(i) {
		return Literal{}, false
	}
	end := token(s.text, i)
	if end-i < 2 || !isCode(s.text[i:end]) {
		return Literal{}, false
	}
	return Literal{Kind: Code, End: end, Norm: strings.ToLower(s.text[i:end])}, true
}

// plainWord says that nothing but ASCII letters stands at i before a space: the
// most common case, and no code.
func (s *scanner) plainWord(i int) bool {
	j := i
	for j < len(s.text) && isLetter(s.text[j]) {
		j++
	}
	if j+1 < len(s.text) && strings.IndexByte(".,?!:;", s.text[j]) >= 0 {
		j++
	}
	return j == len(s.text) || isSpace(s.text[j])
}

func isCode(t string) bool {
	var letter, digit, dots, hyphens, joined bool
	parts := 1
	for j := 0; j < len(t); j++ {
		c := t[j]
		switch {
		case isDigit(c):
			digit = true
		case isLetter(c) || c >= utf8.RuneSelf:
			letter = true
		case c == '.':
			parts++
			dots = true
		case c == '-':
			hyphens = true
		case c == '_' || c == '@' || c == '#' || c == '\\':
			joined = true
		case c == ':' && strings.HasPrefix(t[j:], "://"):
			return true
		}
	}
	switch {
	case letter && digit:
		return !wordly(t)
	case joined && letter:
		return len(t) > 2
	case digit && dots && parts > 2:
		return true
	case digit && hyphens:
		return strings.Count(t, "-") >= 2
	}
	return false
}

// wordly says that digits stand beside words rather than in a code:
// "5-star", "km/h", "and/or", "x=5".
func wordly(t string) bool {
	if strings.ContainsAny(t, "=") && !strings.Contains(t, "://") {
		return true
	}
	head, tail, ok := strings.Cut(t, "-")
	if !ok || !allDigits(head) || strings.ContainsAny(tail, "0123456789") {
		return false
	}
	return tail == strings.ToLower(tail) && len(tail) > 2
}

func allDigits(s string) bool {
	return s != "" && digits(s, 0) == len(s)
}

// digitCode reads codes that begin with a digit and would else be read as
// numbers: versions, addresses, phone numbers, ids such as 2-0345-117.
func (s *scanner) digitCode(i int) (Literal, bool) {
	j := digits(s.text, i)
	if j >= len(s.text) || !strings.ContainsRune(".-:", rune(s.text[j])) && !isLetter(s.text[j]) && s.text[j] != '_' {
		return Literal{}, false
	}
	if s.text[j] == '.' || s.text[j] == '-' {
		k := digits(s.text, j+1)
		if k == j+1 && s.text[j] == '.' || k >= len(s.text) || k > j+1 && s.text[k] != s.text[j] && !isLetter(s.text[k]) && s.text[k] != '-' {
			return Literal{}, false
		}
	}
	lit, ok := s.code(i)
	if !ok {
		return Literal{}, false
	}
	p, ok := readNumber(s.text, i)
	if ok && p.literal(s.text).End >= lit.End || ok && startsQuantity(s.text, p) {
		return Literal{}, false
	}
	return lit, true
}

// startsQuantity says that the number at the start of a token has a whole
// unit or suffix after it ("5km/day", "20k").
func startsQuantity(text string, p parsed) bool {
	lit := p.literal(text)
	return lit.End > p.end && boundary(text, lit.End) && !strings.HasPrefix(text[lit.End:], "-") && !strings.HasPrefix(text[lit.End:], ".")
}

// symbolCode reads "#1f77b4", "/var/log", "~/notes.txt", "@handle".
func (s *scanner) symbolCode(i int) (Literal, bool) {
	if r := before(s.text, i); unicode.IsLetter(r) || unicode.IsDigit(r) || r == '<' {
		return Literal{}, false
	}
	end := token(s.text, i)
	if end-i < 3 || s.text[i] == '#' && !boundaryHex(s.text[i+1:end]) && !strings.ContainsAny(s.text[i+1:end], "0123456789") {
		return Literal{}, false
	}
	if s.text[i] == '#' && allDigits(s.text[i+1:end]) && end-i < 4 {
		return Literal{}, false
	}
	if !isLetter(s.text[i+1]) && !isDigit(s.text[i+1]) && s.text[i] != '~' {
		return Literal{}, false
	}
	return Literal{Kind: Code, End: end, Norm: strings.ToLower(s.text[i:end])}, true
}

func boundaryHex(s string) bool {
	if len(s) != 3 && len(s) != 6 && len(s) != 8 {
		return false
	}
	return strings.Trim(strings.ToLower(s), "0123456789abcdef") == ""
}

// quoted reads a quoted string at i. An apostrophe opens one only where no
// word goes on, and must close before the line ends.
func (s *scanner) quoted(i int) (Literal, bool) {
	open, n := utf8.DecodeRuneInString(s.text[i:])
	shut := map[rune]string{'"': `"`, '\'': "'", '`': "`", '“': "”", '‘': "’"}[open]
	if r := before(s.text, i); unicode.IsLetter(r) || unicode.IsDigit(r) || shut == "" {
		return Literal{}, false
	}
	limit := min(len(s.text), i+n+400)
	for j := i + n; j < limit; {
		at := strings.Index(s.text[j:limit], shut)
		if at < 0 || strings.Contains(s.text[j:j+at], "\n") {
			return Literal{}, false
		}
		end := j + at + len(shut)
		if at > 0 && (open != '\'' && open != '‘' || boundary(s.text, end)) {
			inner := s.text[i+n : j+at]
			if strings.TrimSpace(inner) == "" || inner[0] == ' ' {
				return Literal{}, false
			}
			return Literal{Kind: Quoted, End: end, Norm: Fold(inner)}, true
		}
		j = end
	}
	return Literal{}, false
}

var zoneAreas = map[string]bool{"Africa": true, "America": true, "Antarctica": true, "Arctic": true, "Asia": true, "Atlantic": true, "Australia": true, "Europe": true, "Indian": true, "Pacific": true, "Etc": true}

// word reads what starts with a letter: zones, months, numbers in words, money,
// codes and names.
func (s *scanner) word(i int) (Literal, bool) {
	end := wordEnd(s.text, i)
	if end == i {
		return Literal{}, false
	}
	text := s.text[i:end]
	if end < len(s.text) && s.text[end] == '/' && zoneAreas[text] {
		if e := token(s.text, i); e > end+1 && isUpper(s.text[end+1]) {
			return Literal{Kind: Zone, End: e, Norm: strings.ToLower(s.text[i:e])}, true
		}
	}
	if text == "UTC" || text == "GMT" {
		return Literal{Kind: Zone, End: end, Norm: "utc"}, true
	}
	if lit, ok := s.month(i); ok {
		return lit, true
	}
	if lit, ok := s.spelled(i, end); ok {
		return lit, true
	}
	if lit, ok := s.prefixed(i, end); ok {
		return lit, true
	}
	if lit, ok := s.code(i); ok {
		return lit, true
	}
	if s.names && end-i > 1 {
		return s.name(i, end)
	}
	return Literal{}, false
}

// name reads capitalised words. A single one at the start of a sentence is
// taken for a plain word.
func (s *scanner) name(i, end int) (Literal, bool) {
	if !capital(s.text, i) || strings.HasPrefix(s.text[end:], "'") && end-i < 5 {
		return Literal{}, false
	}
	first := sentenceStart(s.text, i)
	if first && plainStart[strings.ToLower(s.text[i:end])] {
		return Literal{}, false
	}
	words := 1
	for end < len(s.text) && s.text[end] == ' ' && capital(s.text, end+1) {
		e := wordEnd(s.text, end+1)
		if months[strings.ToLower(s.text[end+1:e])] > 0 {
			break
		}
		end, words = e, words+1
	}
	if first && words == 1 {
		return Literal{}, false
	}
	return Literal{Kind: Name, End: end, Norm: Fold(s.text[i:end])}, true
}

var plainStart = codeSetLower("the a an i my we our you your it its this that these those please can could would what which who how where when why is are do does if in on at for from with and but or so after before also find give tell show list let get use using based once then next first finally each all any some both i'm compare check search look need want")

func codeSetLower(list string) map[string]bool { return codeSet(list) }

func capital(text string, i int) bool {
	if i >= len(text) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	return unicode.IsUpper(r)
}

func sentenceStart(text string, i int) bool {
	for i > 0 {
		r, n := utf8.DecodeLastRuneInString(text[:i])
		switch {
		case r == ' ' || r == '\t' || strings.ContainsRune("\"'“‘(*-_", r):
			i -= n
		default:
			return strings.ContainsRune(".!?:\n\r•", r)
		}
	}
	return true
}
