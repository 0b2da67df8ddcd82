package claim

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/literal"
)

// Render is the claim's sentence with a fresh value (decoded JSON) in place of
// the expected one. With the expected value itself it is the claim's text, as
// long as that states the value well enough to be scored.
func Render(c *datasets.Claim, value any) string {
	text := strings.TrimSpace(c.Text)
	expected, err := datasets.DecodeJSON(c.Expected)
	if err != nil {
		return sentence(text + ": " + Say(value))
	}
	if datasets.EncodeJSON(expected) == datasets.EncodeJSON(value) {
		if o, _ := Score(c, text); o == datasets.Fulfilled || o == datasets.Unscored {
			return sentence(text)
		}
	}
	if at, ok := place(c, expected, text); ok {
		return sentence(text[:at.start] + sayAs(c, value, expected, text[at.start:at.end]) + text[at.end:])
	}
	return sentence(text + ": " + Say(value))
}

// Answer is the answer that the claims make with fresh values; values[i] is
// that of claims[i], and a nil value leaves its claim out.
func Answer(claims []datasets.Claim, values []any) string {
	var lines []string
	seen := map[string]bool{}
	for i := range claims {
		if i >= len(values) || values[i] == nil {
			continue
		}
		if s := Render(&claims[i], values[i]); !seen[s] {
			seen[s] = true
			lines = append(lines, s)
		}
	}
	return strings.Join(lines, " ")
}

// ReferenceAnswer is the right answer to a task: its claims as sentences.
func ReferenceAnswer(task *datasets.Task) string {
	values := make([]any, len(task.Claims))
	for i := range task.Claims {
		v, err := datasets.DecodeJSON(task.Claims[i].Expected)
		if err == nil {
			values[i] = v
		}
	}
	return Answer(task.Claims, values)
}

func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") {
		return s
	}
	return s + "."
}

// Say writes a decoded JSON value as words: lists as "a, b and c".
func Say(value any) string {
	switch v := value.(type) {
	case nil:
		return "nothing"
	case string:
		return v
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = Say(e)
		}
		switch n := len(parts); n {
		case 0:
			return "none"
		case 1:
			return parts[0]
		default:
			return strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
		}
	}
	return datasets.EncodeJSON(value)
}

// place finds where the text states the expected value.
func place(c *datasets.Claim, expected any, text string) (span, bool) {
	if f, ok := numberOf(expected); ok {
		return numberPlace(c, f, text)
	}
	a := read(text)
	if a.text != text {
		a = &answer{text: text, lower: lower(text)}
	}
	switch v := expected.(type) {
	case string:
		ms := a.mentions(v)
		if len(ms) == 0 {
			return datePlace(v, text)
		}
		return ms[len(ms)-1], true
	case []any:
		return listPlace(a, v)
	case bool:
		word := strconv.FormatBool(v)
		if ms := a.mentions(word); len(ms) > 0 {
			return ms[len(ms)-1], true
		}
	}
	return span{}, false
}

// numberPlace finds the number in the text that is nearest to f, as far as its
// last digit or the tolerance allows. Of equally near ones the last counts.
func numberPlace(c *datasets.Claim, f float64, text string) (span, bool) {
	best, found, off := span{}, false, math.Inf(1)
	for _, l := range literal.Values(text) {
		switch l.Kind {
		case literal.Number, literal.Quantity, literal.Money:
		default:
			continue
		}
		d := math.Abs(l.Value - f)
		if d > off || d > l.Step/2*1.0001 && !within(c, l.Value, f, &l, "") {
			continue
		}
		best, found, off = numberSpan(l), true, d
	}
	return best, found
}

// numberSpan is the part of a literal that is the number, without its unit.
func numberSpan(l literal.Literal) span {
	start := strings.IndexAny(l.Text, "0123456789")
	if start < 0 {
		return span{l.Start, l.End}
	}
	if start > 0 && l.Value < 0 {
		start--
	}
	end := strings.LastIndexAny(l.Text, "0123456789") + 1
	for _, p := range [...]string{"²", "³", "2", "3"} { // the power of km2 is no digit of the number
		if strings.HasSuffix(l.Text, p) && l.Unit != "" && end == len(l.Text) && strings.ContainsAny(l.Text[start:end], "km") {
			end = start
			for end < len(l.Text) && strings.IndexByte("0123456789., ", l.Text[end]) >= 0 {
				end++
			}
			end = len(strings.TrimRight(l.Text[:end], " "))
			break
		}
	}
	return span{l.Start + start, l.Start + end}
}

func datePlace(v, text string) (span, bool) {
	own := literal.Values(v)
	if len(own) != 1 {
		return span{}, false
	}
	for _, l := range literal.Values(text) {
		if literal.Equal(own[0], l) {
			return span{l.Start, l.End}, true
		}
	}
	return span{}, false
}

// listPlace spans from the first member of a list to its last.
func listPlace(a *answer, list []any) (span, bool) {
	all := span{-1, -1}
	for _, e := range list {
		name := Say(e)
		ms := a.mentions(name)
		if len(ms) == 0 {
			return span{}, false
		}
		last := ms[len(ms)-1]
		if all.start < 0 || last.start < all.start {
			all.start = last.start
		}
		all.end = max(all.end, last.end)
	}
	return all, all.start >= 0
}

// sayAs writes a value in the manner of the old wording: with its decimals
// when the tolerance allows that.
func sayAs(c *datasets.Claim, value, expected any, old string) string {
	f, ok := numberOf(value)
	if !ok {
		return Say(value)
	}
	full := datasets.EncodeJSON(value)
	decimals := 0
	if at := strings.IndexByte(old, '.'); at >= 0 {
		decimals = len(old) - at - 1
	}
	rounded := strconv.FormatFloat(f, 'f', decimals, 64)
	r, _ := strconv.ParseFloat(rounded, 64)
	probe := *c
	probe.Expected = full
	if within(&probe, r, f, &literal.Literal{}, "") {
		return rounded
	}
	if fmt.Sprint(expected) == fmt.Sprint(value) && full == rounded {
		return old
	}
	return full
}
