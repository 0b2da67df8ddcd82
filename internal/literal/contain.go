package literal

import (
	"math"
	"strconv"
	"strings"
	"unicode"
)

// Match says how a text states a value.
type Match string

// Ways in which a text states a value, from best to worst.
const (
	Kept       Match = "kept"       // as it is
	Normalised Match = "normalised" // in another form of the same value
	Lost       Match = "lost"       // not at all
)

// Text is a text prepared for many questions.
type Text struct {
	Raw    string
	folded string    // Fold(Raw) between spaces
	plain  string    // words only, between spaces
	values []Literal // Values(Raw)
}

// Parse prepares a text.
func Parse(text string) *Text {
	return &Text{
		Raw:    text,
		folded: " " + Fold(text) + " ",
		plain:  " " + Words(text) + " ",
		values: Values(text),
	}
}

// Values are the literals of [Values] of the text; the caller must not change them.
func (t *Text) Values() []Literal { return t.values }

// Contains says how a text states a decoded JSON value (numbers may be
// json.Number, float64 or int). Every element of an array or object must be
// stated; the worst counts. A boolean is stated by the word only, and null is
// never stated.
func Contains(text string, value any) Match { return Parse(text).Contains(value) }

// Contains is the package's Contains on a prepared text.
func (t *Text) Contains(value any) Match { return t.Has(Prepare(value)) }

// Has is Contains with a prepared value.
func (t *Text) Has(q *Query) Match {
	switch {
	case q.never:
		return Lost
	case q.all != nil:
		worst := Kept
		for _, e := range q.all {
			worst = worse(worst, t.Has(e))
		}
		return worst
	case q.isNumber:
		return t.ContainsNumber(q.number, "")
	}
	return t.containsString(q)
}

func worse(a, b Match) Match {
	if a == Lost || b == Lost {
		return Lost
	}
	if a == Normalised || b == Normalised {
		return Normalised
	}
	return Kept
}

// ContainsNumber says how the text states a number. With a unit, quantities in
// other units count when they convert to it. Without one, a quantity counts in
// any unit of its dimension, and so do months, and the parts of a date.
func (t *Text) ContainsNumber(f float64, unit string) Match {
	best := Lost
	for i := range t.values {
		switch m := t.values[i].states(f, unit); m {
		case Kept:
			return Kept
		case Normalised:
			best = m
		}
	}
	return best
}

// states says how one literal states a number.
func (l *Literal) states(f float64, unit string) Match {
	switch l.Kind {
	case Number, Ordinal, Quantity, Money:
		if near(l.Value, f) && (unit == "" || l.Unit == "" || SameUnit(l.Unit, unit)) {
			return l.spelling(f)
		}
		if l.Alt.Valid && near(l.Alt.Value, f) {
			return Normalised
		}
		if l.converts(f, unit) {
			return Normalised
		}
	case Date, DateTime, Month:
		w := l.When
		if unit == "" && (f == float64(w.Month) || w.Day > 0 && f == float64(w.Day) || w.Year > 0 && f == float64(w.Year)) {
			return Normalised
		}
	case Time:
		if unit == "" && l.When.Clock%3600 == 0 && f == float64(l.When.Clock/3600) {
			return Normalised
		}
	case Code:
		if l.Norm == strconv.FormatFloat(f, 'f', -1, 64) {
			return Kept
		}
	}
	return Lost
}

func (l *Literal) spelling(f float64) Match {
	if !l.Spelled && l.Step <= 1 && l.Digits == strconv.FormatFloat(math.Abs(f), 'f', -1, 64) && !strings.ContainsAny(l.Text, ",'’") && !grouped(l.Text) {
		return Kept
	}
	return Normalised
}

// grouped says that white space stands between two digits.
func grouped(s string) bool {
	prev := false
	for i := 0; i < len(s); {
		if n := space(s, i); n > 0 {
			if prev && i+n < len(s) && isDigit(s[i+n]) {
				return true
			}
			prev = false
			i += n
			continue
		}
		prev = isDigit(s[i])
		i++
	}
	return false
}

// converts says that the quantity is f in the unit, or in any of its dimension.
func (l *Literal) converts(f float64, unit string) bool {
	if l.Unit == "" || isCurrency(l.Unit) {
		return false
	}
	if unit != "" {
		v, ok := Convert(l.Value, l.Unit, unit)
		return ok && alike(v, f)
	}
	from := units[l.Unit]
	for symbol, u := range units {
		if u.dim == from.dim && symbol != l.Unit {
			if alike((l.Value*from.factor+from.offset-u.offset)/u.factor, f) {
				return true
			}
		}
	}
	return from.dim == "ratio" && alike(l.Value*from.factor, f)
}

// near says that two numbers are the same but for the noise of reading them.
func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-14*math.Max(math.Abs(a), math.Abs(b))
}

// alike says that two numbers are the same but for the noise of a conversion.
func alike(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b))
}

func (t *Text) containsString(q *Query) Match {
	if q.blank {
		return Kept
	}
	if m := t.containsWord(q); m != Lost || q.word {
		return m
	}
	if m := t.containsValue(q); m != Lost {
		return m
	}
	if q.unit != "" && t.mentionsUnit(q.unit) {
		return Normalised
	}
	return Lost
}

// containsWord looks for the string between word boundaries: as it is, in
// another case or spacing, or with other punctuation.
func (t *Text) containsWord(q *Query) Match {
	if at := strings.Index(t.Raw, q.raw); at >= 0 && boundary(t.Raw, at+len(q.raw)) && !joined(before(t.Raw, at)) {
		return Kept
	}
	if bounded(t.folded, q.folded) {
		return Normalised
	}
	if q.plain != "" && strings.Contains(t.plain, q.plain) {
		return Normalised
	}
	return Lost
}

func joined(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// bounded says that a folded text holds s as whole words.
func bounded(text, s string) bool {
	if s == "" {
		return false
	}
	for from := 0; ; {
		at := strings.Index(text[from:], s)
		if at < 0 {
			return false
		}
		at += from
		if !joined(before(text, at)) && boundary(text, at+len(s)) {
			return true
		}
		from = at + len(s)
	}
}

// containsValue compares a string that is one literal (a date, a time, a
// quantity, a month) with the literals of the text.
func (t *Text) containsValue(q *Query) Match {
	if q.own == nil {
		return Lost
	}
	if q.own.Kind == Number {
		return t.ContainsNumber(q.own.Value, "")
	}
	for i := range t.values {
		if Equal(*q.own, t.values[i]) {
			return Normalised
		}
	}
	if q.own.Kind == DateTime && t.states(*q.own) {
		return Normalised
	}
	return Lost
}

// states says that the day and the time of a datetime are both in the text.
func (t *Text) states(l Literal) bool {
	day, clock := l, l
	day.Kind, day.When.Clock = Date, -1
	clock.Kind, clock.When = Time, When{Clock: l.When.Clock}
	var d, c bool
	for i := range t.values {
		d = d || t.values[i].Kind == Date && Equal(day, t.values[i])
		c = c || t.values[i].Kind == Time && Equal(clock, t.values[i])
	}
	return d && (c || l.When.Clock == 0)
}

// mentionsUnit says that the text names a unit, with or without a number.
func (t *Text) mentionsUnit(symbol string) bool {
	for i := range t.values {
		if t.values[i].Unit != "" && SameUnit(t.values[i].Unit, symbol) {
			return true
		}
	}
	names := namesOf(symbol)
	for _, s := range names.symbols {
		if len(s) > 1 && strings.Contains(t.Raw, s) && bounded(t.Raw, s) || !isLetter(s[0]) && strings.Contains(t.Raw, s) && s != "°" {
			return true
		}
	}
	for _, w := range names.words {
		if bounded(t.folded, w) {
			return true
		}
	}
	return false
}
