package claim

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/literal"
)

func (a *answer) value(c *datasets.Claim, expected any) (outcome, detail string) {
	switch v := expected.(type) {
	case json.Number:
		f, err := v.Float64()
		if err != nil {
			return datasets.Unscored, "the expected number is out of range"
		}
		if len(v) > 15 && !strings.ContainsAny(string(v), ".eE") {
			return a.wording(c, string(v))
		}
		return a.number(c, f)
	case string:
		return a.stringValue(c, v)
	case bool:
		return a.boolean(c, v)
	case []any:
		return a.set(c, v, nil)
	}
	return datasets.Unscored, fmt.Sprintf("a value of type %T is not judged by rules", expected)
}

// number looks for a number within the tolerance.
func (a *answer) number(c *datasets.Claim, want float64) (outcome, detail string) {
	unit := claimUnit(c, want)
	near, wrong, fit := "", "", 0
	for i := range a.values {
		l := &a.values[i]
		got, ok := reading(l, unit, want, c)
		if !ok || a.offset(l) {
			continue
		}
		if !within(c, got, want, l, unit) {
			if near == "" && math.Abs(got-want) <= 0.2*math.Abs(want) {
				near = l.Text
			}
			continue
		}
		if fit++; fit > maxCandidates {
			break
		}
		switch {
		case a.restates(c, l, want):
		case a.negated(span{l.Start, l.End}):
			wrong = "“" + l.Text + "” is denied"
		case !a.about(c, span{l.Start, l.End}):
			wrong = fmt.Sprintf("“%s” does not stand with %s", l.Text, c.Subject)
		case a.mistaken(c, l):
			wrong = "“" + l.Text + "” is said of something else that is asked for"
		case !a.onTopic(c, l, unit):
			wrong = "“" + l.Text + "” stands in another context"
		default:
			return datasets.Fulfilled, "“" + l.Text + "”"
		}
	}
	switch {
	case wrong != "":
		return datasets.NotFulfilled, wrong
	case near != "":
		return datasets.NotFulfilled, "“" + near + "” is outside the tolerance"
	}
	return datasets.NotFulfilled, "no number within the tolerance"
}

// claimUnit is the claim's unit as a canonical symbol; without a known one, the
// unit that the claim's own text states the value in, or "".
func claimUnit(c *datasets.Claim, want float64) string {
	if u, ok := literal.Unit(c.Unit); ok {
		return u
	}
	unit, best := "", math.Inf(1)
	for _, l := range literal.Values(c.Text) {
		if d := math.Abs(l.Value - want); d < best && d <= math.Max(l.Step/2, 1e-9*math.Abs(want)) {
			unit, best = l.Unit, d
		}
	}
	return unit
}

// reading is the literal's number in the claim's unit, if it can be one.
func reading(l *literal.Literal, unit string, want float64, c *datasets.Claim) (float64, bool) {
	switch l.Kind {
	case literal.Number, literal.Quantity, literal.Money, literal.Ordinal:
	case literal.Month, literal.Date, literal.DateTime:
		return calendar(l, unit, want, c)
	default:
		return 0, false
	}
	if l.Alt.Valid && l.Alt.Unit != "" {
		if v, ok := inUnit(l.Alt.Value, l.Alt.Unit, unit); ok && l.Alt.Unit != "K" {
			return v, true
		}
		if v, ok := literal.Convert(l.Alt.Value, l.Alt.Unit, unit); ok {
			return v, true
		}
	}
	return inUnit(l.Value, l.Unit, unit)
}

func inUnit(v float64, from, to string) (float64, bool) {
	switch {
	case from == "" || literal.SameUnit(from, to):
		return v, true
	case to == "" && from == "%":
		return v, true
	case to == "":
		return v, true
	}
	return literal.Convert(v, from, to)
}

// calendar reads a year, or a month whose claim speaks of one, out of a date.
func calendar(l *literal.Literal, unit string, want float64, c *datasets.Claim) (float64, bool) {
	if unit != "" {
		return 0, false
	}
	text := strings.ToLower(c.Text)
	switch {
	case want >= 1000 && l.When.Year > 0:
		return float64(l.When.Year), true
	case strings.Contains(text, "month") && l.When.Month > 0:
		return float64(l.When.Month), true
	case strings.Contains(text, "day") && l.When.Day > 0:
		return float64(l.When.Day), true
	}
	return 0, false
}

// within applies the claim's tolerance. A value said in another unit, or as a
// percentage of a fraction, may also be off by what its last digit hides.
func within(c *datasets.Claim, got, want float64, l *literal.Literal, unit string) bool {
	d := math.Abs(got - want)
	slack := 1e-9 * math.Max(math.Abs(want), math.Abs(got))
	limit := 0.0
	switch c.ToleranceKind {
	case datasets.ToleranceAbsolute:
		limit = c.Tolerance
	case datasets.ToleranceRelative:
		limit = c.Tolerance * math.Abs(want)
	}
	if d <= limit+slack {
		return true
	}
	if l.Unit == "%" && unit == "" && math.Abs(got/100-want) <= limit+1e-9*math.Abs(want)+l.Step/200*0.999 && math.Abs(want) <= 1 {
		return true
	}
	if l.Unit != "" && unit != "" && !literal.SameUnit(l.Unit, unit) && significant(l) >= 3 {
		lo, okLo := literal.Convert(l.Value-l.Step/2, l.Unit, unit)
		hi, okHi := literal.Convert(l.Value+l.Step/2, l.Unit, unit)
		return okLo && okHi && limit == 0 && want >= math.Min(lo, hi) && want <= math.Max(lo, hi)
	}
	return false
}

func significant(l *literal.Literal) int {
	digits := strings.TrimLeft(strings.ReplaceAll(l.Digits, ".", ""), "0")
	return len(digits)
}

// onTopic guards numbers that say little by themselves: a small whole number
// without unit and subject must share a word with its claim, unless it is all
// that its sentence says.
func (a *answer) onTopic(c *datasets.Claim, l *literal.Literal, unit string) bool {
	if c.Subject != "" || unit != "" || math.Abs(l.Value) >= 100 || l.Value != math.Trunc(l.Value) {
		return true
	}
	topic := words(c.Text)
	if len(topic) == 0 {
		return true
	}
	s := around(a.sentences, l.Start)
	here := words(a.text[s.start:s.end])
	if len(here) <= 1 {
		return true
	}
	for w := range topic {
		if here[w] {
			return true
		}
	}
	return a.inHeader(l.Start, topic)
}

// offset says that a number is the hours of "-06:00".
func (a *answer) offset(l *literal.Literal) bool {
	rest := a.text[l.End:]
	return len(rest) > 2 && rest[0] == ':' && rest[1] >= '0' && rest[1] <= '9' && rest[2] >= '0' && rest[2] <= '9'
}

// restates says that a number is one of the question's own: it stands in the
// claim's text beside the expected value, with the same word after it ("4 times
// the mass is 4.03").
func (a *answer) restates(c *datasets.Claim, l *literal.Literal, want float64) bool {
	if l.Value == want {
		return false
	}
	for _, o := range literal.Values(c.Text) {
		if o.Value == l.Value && o.Unit == l.Unit && o.Kind == l.Kind {
			if unit := claimUnit(c, want); l.Unit != "" && unit != "" && !literal.SameUnit(l.Unit, unit) {
				return true // "100 °F in °C": the right number, but not yet converted
			}
			word := nextWord(c.Text, o.End)
			return word != "" && word == nextWord(a.text, l.End)
		}
	}
	return false
}

// nextWord is the word after a place, in lower case, if only spaces and marks
// lie between.
func nextWord(text string, at int) string {
	rest := strings.TrimLeft(text[at:min(len(text), at+40)], " -)")
	end := 0
	for end < len(rest) && letter(rest[end]) {
		end++
	}
	return lower(rest[:end])
}

// inHeader looks for a topic word in the first row of the table around at.
func (a *answer) inHeader(at int, topic map[string]bool) bool {
	cells := a.header(at)
	for _, cell := range cells {
		for w := range words(cell) {
			if topic[w] {
				return true
			}
		}
	}
	return false
}

func (a *answer) stringValue(c *datasets.Claim, want string) (outcome, detail string) {
	if yes, ok := affirmation(want); ok {
		return a.boolean(c, yes)
	}
	own := literal.Values(want)
	if len(own) == 1 && own[0].Start == 0 && own[0].End == len(want) && own[0].Kind != literal.Code && own[0].Kind != literal.Zone {
		if own[0].Kind == literal.Number || own[0].Kind == literal.Quantity || own[0].Kind == literal.Money {
			q := *c
			if q.Unit == "" {
				q.Unit = own[0].Unit
			}
			return a.number(&q, own[0].Value)
		}
		return a.when(c, own[0])
	}
	return a.wording(c, want)
}

// when looks for a date or time in any format.
func (a *answer) when(c *datasets.Claim, want literal.Literal) (outcome, detail string) {
	wrong := "no such date or time"
	for i := range a.values {
		l := &a.values[i]
		if !a.sameWhen(want, i) {
			continue
		}
		at := span{l.Start, l.End}
		if a.negated(at) || !a.about(c, at) {
			wrong = "“" + l.Text + "” is denied or stands elsewhere"
			continue
		}
		return datasets.Fulfilled, "“" + l.Text + "”"
	}
	return datasets.NotFulfilled, wrong
}

// sameWhen compares with the i-th literal; a day may have any time beside it,
// a day with a time may be split over two neighbours.
func (a *answer) sameWhen(want literal.Literal, i int) bool {
	l := a.values[i]
	switch l.Kind {
	case literal.Date, literal.DateTime, literal.Time, literal.Month:
	default:
		return false
	}
	if literal.Equal(want, l) {
		return true
	}
	if want.Kind == literal.Date && l.Kind == literal.DateTime {
		day := l.When
		day.Clock, day.Zoned, day.Offset = -1, false, 0
		return literal.SameTime(want.When, day)
	}
	if want.Kind != literal.DateTime || l.Kind != literal.Date {
		return false
	}
	day, clock := want.When, literal.When{Clock: want.When.Clock}
	day.Clock = -1
	if !literal.SameTime(day, l.When) {
		return false
	}
	for _, j := range [...]int{i - 1, i + 1} {
		if j >= 0 && j < len(a.values) && a.values[j].Kind == literal.Time && literal.SameTime(clock, literal.When{Clock: a.values[j].When.Clock}) {
			return true
		}
	}
	return false
}

// wording looks for a string as whole words, then without punctuation.
func (a *answer) wording(c *datasets.Claim, want string) (outcome, detail string) {
	found := a.mentions(want)
	if len([]rune(strings.TrimSpace(want))) <= 2 {
		found = a.asWritten(found, strings.TrimSpace(want))
	}
	wrong := "not in the answer"
	for _, m := range found {
		switch {
		case a.negated(m):
			wrong = "denied"
		case !a.about(c, m):
			wrong = "does not stand with " + c.Subject
		default:
			return datasets.Fulfilled, "“" + a.text[m.start:m.end] + "”"
		}
	}
	if w := literal.Words(want); len(found) == 0 && len(w) > 3 && c.Subject == "" &&
		strings.Contains(" "+literal.Words(a.text)+" ", " "+w+" ") {
		return datasets.Fulfilled, "in other punctuation"
	}
	return datasets.NotFulfilled, wrong
}

func (a *answer) asWritten(found []span, want string) []span {
	var same []span
	for _, m := range found {
		if a.text[m.start:m.end] == want {
			same = append(same, m)
		}
	}
	return same
}

func clip(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 80 {
		s = strings.ToValidUTF8(s[:80], "") + "…"
	}
	return s
}
