package literal

import (
	"math"
	"strconv"
	"strings"
	"unicode"
)

// numeric reads what starts with a digit, a sign or a currency sign.
func (s *scanner) numeric(i int) (Literal, bool) {
	if isDigit(s.text[i]) {
		if lit, ok := s.date(i); ok {
			return lit, true
		}
		if lit, ok := s.clock(i); ok {
			return lit, true
		}
		if lit, ok := s.digitCode(i); ok {
			return lit, true
		}
	}
	n, ok := readNumber(s.text, i)
	if !ok {
		return Literal{}, false
	}
	if lit, ok := s.spokenDay(i, n); ok {
		return lit, true
	}
	lit := n.literal(s.text)
	if !boundary(s.text, lit.End) {
		if code, ok := s.code(i); ok && code.End > lit.End {
			return code, true
		}
		lit.End = wordEnd(s.text, lit.End)
		return lit, isDigit(s.text[i])
	}
	return lit, true
}

// parsed is a number read at some place of a text.
type parsed struct {
	value, step float64
	digits      string // without sign and grouping, "." kept
	whole       bool   // no fraction, no exponent
	grouped     bool
	currency    string // stated before the number
	end         int
}

// readNumber reads [sign][currency][sign]digits with grouping, fraction and
// exponent at i.
func readNumber(text string, i int) (parsed, bool) {
	p := parsed{}
	sign, j := readSign(text, i)
	if code, n := currencySign(text, j); n > 0 {
		p.currency = code
		j += n
		j += space(text, j)
		if sign == 1 {
			sign, j = readSign(text, j)
		}
	}
	start := j
	if j >= len(text) || !isDigit(text[j]) && !(text[j] == '.' && j+1 < len(text) && isDigit(text[j+1])) {
		return p, false
	}
	if text[j] == '.' && i == j && !startsNumber(text, i) {
		return p, false
	}
	j, p.grouped = groups(text, j)
	p.digits = ungroup(text[start:j], p.grouped)
	p.whole, p.step = true, 1
	j = p.fraction(text, j)
	j = p.exponent(text, j)
	v, err := strconv.ParseFloat(p.digits, 64)
	if err != nil && math.IsInf(v, 0) {
		return p, false
	}
	p.value = float64(sign) * v
	p.end = j
	return p, true
}

// startsNumber says that a sign or point at i does not follow a word, a digit
// or a closing bracket ("5-10" is no 5 and -10).
func startsNumber(text string, i int) bool {
	r := before(text, i)
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(")]}_%.$€£", r)
}

func readSign(text string, i int) (sign, next int) {
	switch {
	case i >= len(text) || !startsNumber(text, i):
	case text[i] == '-':
		return -1, i + 1
	case text[i] == '+':
		return 1, i + 1
	case strings.HasPrefix(text[i:], "−"):
		return -1, i + len("−")
	}
	return 1, i
}

// maxGroups bounds the groups of three in one number; more are a list.
const maxGroups = 8

// groups reads digits, grouped in threes by one kind of separator if they are.
func groups(text string, i int) (end int, grouped bool) {
	end = digits(text, i)
	if end-i == 0 || end-i > 3 || text[i] == '0' {
		return end, false
	}
	for _, sep := range [...]string{",", "\u00a0", "\u2009", "\u202f", " ", "'", "’"} {
		j, n := end, 0
		for n < maxGroups && strings.HasPrefix(text[j:], sep) && threeDigits(text, j+len(sep)) {
			j, n = j+len(sep)+3, n+1
		}
		// What follows must not make it a list of numbers: "1,200,30".
		if n > 0 && !(strings.HasPrefix(text[j:], sep) && digits(text, j+len(sep)) > j+len(sep)) {
			return j, true
		}
	}
	return end, false
}

func threeDigits(text string, i int) bool { return digits(text, i) == i+3 }

func ungroup(s string, grouped bool) string {
	if !grouped {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

func (p *parsed) fraction(text string, j int) int {
	if j+1 >= len(text) {
		return j
	}
	end := digits(text, j+1)
	n := end - j - 1
	comma := text[j] == ',' && !p.grouped && n > 0 && n != 3 && decimalComma(text, end)
	if n == 0 || text[j] != '.' && !comma {
		return j
	}
	p.digits += "." + text[j+1:end]
	p.whole, p.step = false, math.Pow10(-n)
	return end
}

// decimalComma says that "392,6" is one number: a unit or currency follows at
// end, so that it is no list of two.
func decimalComma(text string, end int) bool {
	j := end + space(text, end)
	_, _, n := unitAt(text, j)
	return n > 0
}

func (p *parsed) exponent(text string, j int) int {
	if j < len(text) && (text[j] == 'e' || text[j] == 'E') {
		k := j + 1
		if k < len(text) && (text[k] == '-' || text[k] == '+') {
			k++
		}
		if end := digits(text, k); end > k && boundary(text, end) {
			return p.scale(text[j+1:end], end, j)
		}
	}
	for _, times := range [...]string{" × 10^", "×10^", " x 10^", "x10^", " * 10^"} {
		if rest, ok := strings.CutPrefix(text[j:], times); ok {
			k := len(text) - len(rest)
			sign, d := k, k
			if d < len(text) && text[d] == '-' {
				d++
			}
			if end := digits(text, d); end > d {
				return p.scale(text[sign:end], end, j)
			}
		}
	}
	return j
}

func (p *parsed) scale(exponent string, end, unscaled int) int {
	n, err := strconv.Atoi(exponent)
	if err != nil || n > 300 || n < -300 {
		return unscaled
	}
	p.digits += "e" + strconv.Itoa(n)
	p.whole, p.step = false, p.step*math.Pow10(n)
	return end
}

// literal adds suffix, multiplier, unit and currency to the number.
func (p *parsed) literal(text string) Literal {
	lit := Literal{Kind: Number, Value: p.value, Step: p.step, Digits: p.digits, End: p.end}
	if p.whole && p.currency == "" {
		if n := ordinalSuffix(text, p.end); n > 0 {
			lit.Kind, lit.End = Ordinal, p.end+n
			lit.Norm = normNumber(lit.Value, "")
			return lit
		}
	}
	lit.multiplier(text, p.currency != "")
	lit.unit(text, p.currency)
	lit.Norm = normNumber(lit.Value, lit.Unit)
	if p.whole && lit.Unit == "" && len(p.digits) > 15 && lit.Text == "" && lit.Step == 1 {
		lit.Norm = strings.TrimLeft(p.digits, "0")
	}
	return lit
}

func ordinalSuffix(text string, i int) int {
	for _, s := range [...]string{"st", "nd", "rd", "th"} {
		if strings.HasPrefix(text[i:], s) && boundary(text, i+2) {
			return 2
		}
	}
	return 0
}

var multipliers = map[string]float64{
	"k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9, "bn": 1e9, "mn": 1e6, "T": 1e12,
	"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12,
}

// multiplier applies a suffix such as k, M or "million".
func (lit *Literal) multiplier(text string, money bool) {
	i := lit.End
	gap := space(text, i)
	end := letters(text, i+gap)
	if end == i+gap || end-i-gap > 8 || !boundary(text, end) {
		return
	}
	word := text[i+gap : end]
	f, ok := multipliers[word]
	if !ok && len(word) > 2 {
		f, ok = multipliers[strings.ToLower(word)]
	}
	if !ok && money && word == "m" && gap == 0 {
		f, ok = 1e6, true
	}
	if !ok || gap > 0 && (word == "M" || word == "B" || word == "T") && !money {
		return
	}
	if word == "K" {
		lit.Alt = Reading{true, lit.Value, "K"}
	}
	if word == "K" && gap > 0 && !money && lit.Step < 1 { // 273.15 K
		return
	}
	lit.Value, lit.Step, lit.End = clean(lit.Value*f), lit.Step*f, end
}

// unit reads the unit or currency after the number.
func (lit *Literal) unit(text, currency string) {
	i := lit.End
	if i < len(text) && text[i] == '-' {
		if u, _, n := unitAt(text, i+1); n > 0 && len(u) > 0 && letters(text, i+1)-i > 3 {
			lit.Kind, lit.Unit, lit.End = Quantity, u, i+1+n
			return
		}
	}
	gap := space(text, i)
	u, alt, n := unitAt(text, i+gap)
	if n > 0 && currency != "" && !isCurrency(u) || n > 0 && gap > 0 && doubtful(text, i+gap, n) {
		n = 0
	}
	if n > 0 {
		lit.Unit, lit.End = u, i+gap+n
		lit.Kind = Quantity
		if alt != "" {
			lit.Alt = Reading{true, lit.Value, alt}
		}
	}
	if lit.Unit == "°" {
		lit.bearing(text)
	}
	if currency != "" && (n == 0 || currency != "$" && currency != "¥") {
		lit.Unit = currency
	}
	if isCurrency(lit.Unit) {
		lit.Kind = Money
	}
}

// bearing reads the letter of a coordinate: "110.9° W" is -110.9.
func (lit *Literal) bearing(text string) {
	i := lit.End + space(text, lit.End)
	if i >= len(text) || strings.IndexByte("NSEW", text[i]) < 0 || !boundary(text, i+1) {
		return
	}
	lit.End = i + 1
	if text[i] == 'S' || text[i] == 'W' {
		lit.Value = -lit.Value
	}
}

// doubtful says that the unit after a space is more likely a word: "5 in total".
func doubtful(text string, i, n int) bool {
	switch text[i : i+n] {
	case "in":
		rest := text[i+n:]
		return rest != "" && !strings.ContainsRune(".,;)", rune(rest[0])) && rest[0] != '\n'
	case "a", "A", "d":
		return true
	}
	return false
}

// clean removes the noise that a multiplication adds to a decimal.
func clean(f float64) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', 15, 64), 64)
	if err != nil {
		return f
	}
	return v
}

func normNumber(v float64, unit string) string {
	n := strconv.FormatFloat(v, 'g', 15, 64)
	if v == 0 {
		n = "0"
	}
	if unit == "" {
		return n
	}
	return n + " " + unit
}

var numberWords = map[string]float64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
	"eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13,
	"fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
	"nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
	"seventy": 70, "eighty": 80, "ninety": 90,
}

// maxNumberWord is the length of "seventeen", the longest of the words.
const maxNumberWord = 9

// lowerWord is strings.ToLower without work for a word that is in lower case.
func lowerWord(w string) string {
	for i := 0; i < len(w); i++ {
		if w[i] < 'a' || w[i] > 'z' {
			return strings.ToLower(w)
		}
	}
	return w
}

// spelled reads a number in words at i: "twelve", "seventy-eight", "two hundred".
func (s *scanner) spelled(i, end int) (Literal, bool) {
	if end-i < 3 || end-i > maxNumberWord {
		return Literal{}, false
	}
	v, ok := numberWords[lowerWord(s.text[i:end])]
	if !ok || !boundary(s.text, end) {
		return Literal{}, false
	}
	if v >= 20 && end < len(s.text) && (s.text[end] == '-' || s.text[end] == ' ') {
		e := letters(s.text, end+1)
		if u, ok := numberWords[strings.ToLower(s.text[end+1:e])]; ok && u > 0 && u < 10 {
			v, end = v+u, e
		}
	}
	lit := Literal{Kind: Number, Value: v, Step: 1, Spelled: true, End: end, Digits: strconv.Itoa(int(v))}
	lit.multiplier(s.text, false)
	lit.unit(s.text, "")
	lit.Norm = normNumber(lit.Value, lit.Unit)
	return lit, true
}
