package datasets

// maxJSONDepth bounds nesting, as encoding/json does.
const maxJSONDepth = 10_000

// validJSON says whether a string is one JSON value. It is json.Valid, which
// a fuzz test holds it against, at more than twice the speed: two fifths of the
// time of writing tasks went into checking their JSON.
func validJSON(s string) bool {
	p := jsonParser{s: s}
	p.space()
	if !p.value() {
		return false
	}
	p.space()
	return p.i == len(s)
}

// jsonParser walks over JSON text. Its methods move i behind what they name,
// and say whether that was there.
type jsonParser struct {
	s     string
	i     int
	depth int
}

func (p *jsonParser) space() {
	for p.i < len(p.s) && (p.s[p.i] == ' ' || p.s[p.i] == '\n' || p.s[p.i] == '\t' || p.s[p.i] == '\r') {
		p.i++
	}
}

// next takes c, after white space.
func (p *jsonParser) next(c byte) bool {
	if p.i < len(p.s) && p.s[p.i] != c {
		p.space()
	}
	if p.i >= len(p.s) || p.s[p.i] != c {
		return false
	}
	p.i++
	return true
}

func (p *jsonParser) value() bool {
	if p.i >= len(p.s) {
		return false
	}
	switch p.s[p.i] {
	case '{':
		return p.nested('}', (*jsonParser).member)
	case '[':
		return p.nested(']', (*jsonParser).value)
	case '"':
		return p.text()
	case 't':
		return p.word("true")
	case 'f':
		return p.word("false")
	case 'n':
		return p.word("null")
	}
	return p.number()
}

// nested takes an array or an object, from its opening bracket.
func (p *jsonParser) nested(end byte, element func(*jsonParser) bool) bool {
	p.i++
	if p.depth++; p.depth > maxJSONDepth {
		return false
	}
	if p.next(end) {
		p.depth--
		return true
	}
	for {
		if p.space(); !element(p) {
			return false
		}
		if p.next(end) {
			p.depth--
			return true
		}
		if !p.next(',') {
			return false
		}
	}
}

func (p *jsonParser) member() bool {
	if p.i >= len(p.s) || p.s[p.i] != '"' || !p.text() || !p.next(':') {
		return false
	}
	p.space()
	return p.value()
}

// plain are the bytes of a string that stand for themselves.
var plain = func() (table [256]bool) {
	for c := 0x20; c < 256; c++ {
		table[c] = c != '"' && c != '\\'
	}
	return table
}()

// text takes a string, from its opening quote.
func (p *jsonParser) text() bool {
	s, i := p.s, p.i+1
	for i < len(s) {
		switch c := s[i]; {
		case plain[c]:
			i++
		case c == '"':
			p.i = i + 1
			return true
		case c == '\\':
			n := escape(s[i+1:])
			if n == 0 {
				return false
			}
			i += 1 + n
		default:
			return false
		}
	}
	return false
}

// escape is the length of what follows a backslash, 0 if it is no escape.
func escape(s string) int {
	if s == "" {
		return 0
	}
	switch s[0] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 1
	case 'u':
		if len(s) > 4 && hex4(s[1:5]) {
			return 5
		}
	}
	return 0
}

func hex4(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; !digit(s[i]) && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

func (p *jsonParser) word(w string) bool {
	if len(p.s)-p.i < len(w) || p.s[p.i:p.i+len(w)] != w {
		return false
	}
	p.i += len(w)
	return true
}

func (p *jsonParser) number() bool {
	if p.s[p.i] == '-' {
		p.i++
	}
	if p.i < len(p.s) && p.s[p.i] == '0' {
		p.i++
	} else if !p.digits() {
		return false
	}
	if p.i < len(p.s) && p.s[p.i] == '.' {
		if p.i++; !p.digits() {
			return false
		}
	}
	if p.i < len(p.s) && p.s[p.i]|0x20 == 'e' {
		p.i++
		if p.i < len(p.s) && (p.s[p.i] == '+' || p.s[p.i] == '-') {
			p.i++
		}
		return p.digits()
	}
	return true
}

// digits takes one digit or more.
func (p *jsonParser) digits() bool {
	from := p.i
	for p.i < len(p.s) && digit(p.s[p.i]) {
		p.i++
	}
	return p.i > from
}

func digit(c byte) bool { return '0' <= c && c <= '9' }
