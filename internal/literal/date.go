package literal

import (
	"fmt"
	"strconv"
	"strings"
)

var months = map[string]int{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7,
	"august": 8, "september": 9, "october": 10, "november": 11, "december": 12,
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
}

var daysIn = [13]int{0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

// monthInitial marks the letters that months begin with.
var monthInitial = [256]byte{'j': 1, 'f': 1, 'm': 1, 'a': 1, 's': 1, 'o': 1, 'n': 1, 'd': 1}

func validDay(month, day int) bool {
	return month >= 1 && month <= 12 && day >= 1 && day <= daysIn[month]
}

// date reads a date in digits at i: 2025-10-03, 2025/10/03, 2025-10,
// 03/10/2025, 3.10.2025, each with a time after it if there is one.
func (s *scanner) date(i int) (Literal, bool) {
	a := digits(s.text, i)
	if a >= len(s.text) || a-i > 4 || !strings.ContainsRune("-/.", rune(s.text[a])) {
		return Literal{}, false
	}
	b := digits(s.text, a+1)
	if b == a+1 || b-a > 3 {
		return Literal{}, false
	}
	x, y := atoi(s.text[i:a]), atoi(s.text[a+1:b])
	sep := s.text[a]
	if b >= len(s.text) || s.text[b] != sep {
		return s.yearMonth(i, a, b, x, y)
	}
	c := digits(s.text, b+1)
	z := atoi(s.text[b+1 : c])
	if c == b+1 || c < len(s.text) && s.text[c] == sep && c+1 < len(s.text) && isDigit(s.text[c+1]) {
		return Literal{}, false
	}
	w := When{Clock: -1}
	switch {
	case a-i == 4 && c-b <= 3 && sep != '.' && validDay(y, z):
		w.Year, w.Month, w.Day = x, y, z
	case c-b == 5 && sep == '/' && validDay(x, y):
		w.Year, w.Month, w.Day, w.Swappable = z, x, y, validDay(y, x) && x != y
	case c-b == 5 && a-i <= 2 && validDay(y, x):
		w.Year, w.Month, w.Day = z, y, x
	default:
		return Literal{}, false
	}
	return s.dated(w, c)
}

func (s *scanner) yearMonth(i, a, b, year, month int) (Literal, bool) {
	if a-i != 4 || b-a != 3 || s.text[a] != '-' || month < 1 || month > 12 || year < 1000 || !boundary(s.text, b) {
		return Literal{}, false
	}
	return when(Month, When{Year: year, Month: month, Clock: -1}, b), true
}

// dated makes the literal of a day that ends at end, with the time after it.
func (s *scanner) dated(w When, end int) (Literal, bool) {
	at := end
	if at < len(s.text) && (s.text[at] == 'T' || s.text[at] == 't') {
		at++
	} else {
		for _, between := range [...]string{", at ", " at ", ", ", " "} {
			if strings.HasPrefix(s.text[at:], between) {
				at += len(between)
				break
			}
		}
	}
	if at > end && at < len(s.text) && isDigit(s.text[at]) {
		if t, ok := s.clock(at); ok {
			w.Clock, w.Offset, w.Zoned = t.When.Clock, t.When.Offset, t.When.Zoned
			return when(DateTime, w, t.End), true
		}
	}
	if !boundary(s.text, end) {
		return Literal{}, false
	}
	return when(Date, w, end), true
}

func when(kind Kind, w When, end int) Literal {
	return Literal{Kind: kind, When: w, End: end, Norm: w.norm()}
}

// norm is the ISO form, "--" for a missing year.
func (w When) norm() string {
	var b strings.Builder
	if w.Month > 0 {
		if w.Year > 0 {
			fmt.Fprintf(&b, "%04d-%02d", w.Year, w.Month)
		} else {
			fmt.Fprintf(&b, "--%02d", w.Month)
		}
		if w.Day > 0 {
			fmt.Fprintf(&b, "-%02d", w.Day)
		}
	}
	if w.Clock >= 0 {
		fmt.Fprintf(&b, "T%02d:%02d:%02d", w.Clock/3600, w.Clock/60%60, w.Clock%60)
	}
	if w.Zoned {
		fmt.Fprintf(&b, "%+03d:%02d", w.Offset/60, abs(w.Offset)%60)
	}
	return b.String()
}

func abs(n int) int { return max(n, -n) }

// atoi reads at most nine digits; longer runs are 0.
func atoi(s string) int {
	if len(s) > 9 {
		return 0
	}
	n, _ := strconv.Atoi(s)
	return n
}

// clock reads a time of day at i: 14:30, 14:30:05.25Z, 2:30 pm, 2pm.
func (s *scanner) clock(i int) (Literal, bool) {
	a := digits(s.text, i)
	if a == i || a-i > 2 {
		return Literal{}, false
	}
	h, m, sec, end := atoi(s.text[i:a]), 0, 0, a
	colon := false
	if a < len(s.text) && s.text[a] == ':' && digits(s.text, a+1) == a+3 {
		colon, m, end = true, atoi(s.text[a+1:a+3]), a+3
		if end < len(s.text) && s.text[end] == ':' && digits(s.text, end+1) == end+3 {
			sec, end = atoi(s.text[end+1:end+3]), end+3
			if end < len(s.text) && s.text[end] == '.' && digits(s.text, end+1) > end+1 {
				end = digits(s.text, end+1)
			}
		}
	}
	half, n := meridiem(s.text, end)
	if n > 0 && h >= 1 && h <= 12 {
		h, end = h%12+half, end+n
	} else if !colon {
		return Literal{}, false
	}
	if h > 24 || m > 59 || sec > 60 {
		return Literal{}, false
	}
	w := When{Clock: h*3600 + m*60 + sec}
	end = w.offset(s.text, end)
	if !boundary(s.text, end) || strings.HasPrefix(s.text[end:], ":") && end+1 < len(s.text) && isDigit(s.text[end+1]) {
		return Literal{}, false
	}
	return when(Time, w, end), true
}

// meridiem reads am or pm at i: the hours to add and its width.
func meridiem(text string, i int) (half, n int) {
	gap := space(text, i)
	rest := text[min(i+gap, len(text)):]
	rest = strings.ToLower(rest[:min(4, len(rest))])
	for _, f := range [...]string{"a.m.", "p.m.", "am", "pm"} {
		if strings.HasPrefix(rest, f) && boundary(text, i+gap+len(f)) {
			if f[0] == 'p' {
				half = 12
			}
			return half, gap + len(f)
		}
	}
	return 0, 0
}

// offset reads Z, UTC or a numeric offset after a time.
func (w *When) offset(text string, i int) int {
	if i < len(text) && (text[i] == 'Z' || text[i] == 'z') && boundary(text, i+1) {
		w.Zoned = true
		return i + 1
	}
	if i+2 < len(text) && (text[i] == '+' || text[i] == '-') && digits(text, i+1) >= i+3 {
		h, end := atoi(text[i+1:i+3]), i+3
		if strings.HasPrefix(text[end:], ":") {
			end++
		}
		m := 0
		if digits(text, end) == end+2 {
			m, end = atoi(text[end:end+2]), end+2
		} else {
			end = i + 3
		}
		if h <= 14 && m < 60 {
			w.Zoned, w.Offset = true, h*60+m
			if text[i] == '-' {
				w.Offset = -w.Offset
			}
			return end
		}
	}
	for _, z := range [...]string{" UTC", " GMT"} {
		if strings.HasPrefix(text[i:], z) && boundary(text, i+4) {
			w.Zoned = true
			return i + 4
		}
	}
	return i
}

// spokenDay reads "3 October 2025", "3rd of October" from its number on.
func (s *scanner) spokenDay(i int, n parsed) (Literal, bool) {
	if !n.whole || n.grouped || n.currency != "" || n.value < 1 || n.value > 31 || !isDigit(s.text[i]) {
		return Literal{}, false
	}
	end := n.end + ordinalSuffix(s.text, n.end)
	for _, between := range [...]string{" of ", " ", "-"} {
		at := end + len(between)
		if !strings.HasPrefix(s.text[end:], between) {
			continue
		}
		if m, e := monthAt(s.text, at); m > 0 && validDay(m, int(n.value)) && (m != 5 || isUpper(s.text[at])) {
			w := When{Month: m, Day: int(n.value), Clock: -1}
			w.Year, e = yearAt(s.text, e)
			return s.dated(w, e)
		}
	}
	return Literal{}, false
}

// monthAt reads a month name at i, with its abbreviating point.
func monthAt(text string, i int) (month, end int) {
	if i >= len(text) || monthInitial[text[i]|0x20] == 0 {
		return 0, i
	}
	end = letters(text, i)
	if end-i < 3 || end-i > 9 || !boundary(text, end) {
		return 0, i
	}
	m := months[strings.ToLower(text[i:end])]
	if m > 0 && end-i <= 4 && m != 5 && end < len(text) && text[end] == '.' && end+1 < len(text) && text[end+1] == ' ' && abbreviates(text[i:end]) {
		end++
	}
	return m, end
}

func abbreviates(name string) bool {
	name = strings.ToLower(name)
	return name != "june" && name != "july"
}

// yearAt reads a year of four digits after a month or day.
func yearAt(text string, i int) (year, end int) {
	for _, between := range [...]string{", ", " ", "-", " of ", ","} {
		at := i + len(between)
		if strings.HasPrefix(text[i:], between) && digits(text, at) == at+4 && boundary(text, at+4) {
			if y := atoi(text[at : at+4]); y >= 1000 && y <= 2999 {
				return y, at + 4
			}
		}
	}
	return 0, i
}

// month reads "October 3rd, 2025", "Oct 3", "October 2025", "October".
func (s *scanner) month(i int) (Literal, bool) {
	m, end := monthAt(s.text, i)
	if m == 0 {
		return Literal{}, false
	}
	w := When{Month: m, Clock: -1}
	at := end
	if strings.HasPrefix(s.text[at:], " the ") {
		at += 4
	}
	if strings.HasPrefix(s.text[at:], " ") {
		d := digits(s.text, at+1)
		day := atoi(s.text[at+1 : d])
		dEnd := d + ordinalSuffix(s.text, d)
		if d-at <= 3 && validDay(m, day) && boundary(s.text, dEnd) && !isClock(s.text, d) {
			w.Day = day
			w.Year, dEnd = yearAt(s.text, dEnd)
			return s.dated(w, dEnd)
		}
	}
	if y, e := yearAt(s.text, end); y > 0 {
		w.Year = y
		return when(Month, w, e), true
	}
	if !s.plainMonth(i, end, m) {
		return Literal{}, false
	}
	if s.text[end-1] == '.' {
		end--
	}
	return when(Month, w, end), true
}

func isClock(text string, i int) bool {
	return i < len(text) && text[i] == ':'
}

// plainMonth says that a month name without day and year is one: "march" and
// "may" are also verbs, "mar" is a word.
func (s *scanner) plainMonth(i, end, m int) bool {
	word := s.text[i:end]
	if m != 5 && m != 3 && m != 8 && len(word) > 4 {
		return true
	}
	if !isUpper(word[0]) {
		return false
	}
	if m != 5 && m != 3 {
		return true
	}
	if len(word) > 1 && isUpper(word[1]) && m == 3 {
		return true
	}
	from := strings.LastIndexByte(strings.TrimRight(s.text[max(0, i-14):i], " "), ' ')
	prev := strings.ToLower(strings.TrimSpace(s.text[max(0, i-14):i][max(from, 0):]))
	switch strings.Trim(prev, ",;:(") {
	case "in", "of", "by", "until", "till", "since", "early", "late", "mid", "for", "during", "through", "to", "and", "or", "from", "next", "last", "this", "every", "between", "around", "before", "after", "average", "mean", "is", "month":
		return true
	}
	return prev == "" || m == 3 && before(s.text, i) != ' ' || strings.HasPrefix(s.text[end:], "'s") || prev == "mid-"
}
