package literal

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// styles write a whole number in every way that the grammar reads.
var styles = map[string]func(n int64) string{
	"plain":  func(n int64) string { return strconv.FormatInt(n, 10) },
	"comma":  func(n int64) string { return grouping(n, ",") },
	"space":  func(n int64) string { return grouping(n, " ") },
	"thin":   func(n int64) string { return grouping(n, "\u2009") },
	"narrow": func(n int64) string { return grouping(n, "\u202f") },
	"nbsp":   func(n int64) string { return grouping(n, "\u00a0") },
	"swiss":  func(n int64) string { return grouping(n, "'") },
	"point":  func(n int64) string { return strconv.FormatInt(n, 10) + ".0" },
	"minus":  func(n int64) string { return strings.Replace(strconv.FormatInt(n, 10), "-", "−", 1) },
	"exp":    func(n int64) string { return strconv.FormatFloat(float64(n), 'e', -1, 64) },
}

func grouping(n int64, sep string) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + sep + s[i:]
	}
	return sign + s
}

// TestNumberStyles: a number written in any style, anywhere in a sentence, is
// found with its value.
func TestNumberStyles(t *testing.T) {
	names := []string{"plain", "comma", "space", "thin", "narrow", "nbsp", "swiss", "point", "minus", "exp"}
	frames := []string{"%s", "about %s of them", "(%s)", "it is %s.", "x=%s,", "| %s |", "\"n\": %s}", "%s\nnext", "**%s**", "a: %s; b"}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(-999_999_999_999, 999_999_999_999).Draw(t, "n")
		style := rapid.SampledFrom(names).Draw(t, "style")
		text := fmt.Sprintf(rapid.SampledFrom(frames).Draw(t, "frame"), styles[style](n))
		lits := Values(text)
		if len(lits) != 1 || lits[0].Value != float64(n) {
			t.Fatalf("%s: %q gives %s", style, text, show(lits))
		}
		if Contains(text, float64(n)) == Lost {
			t.Fatalf("%q does not contain %d", text, n)
		}
		if n != 0 && Contains(text, float64(n+1)) != Lost {
			t.Fatalf("%q contains %d", text, n+1)
		}
	})
}

// TestDecimals: decimals with sign, currency, percent and unit.
func TestDecimals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cents := rapid.Int64Range(-1_000_000, 1_000_000).Draw(t, "cents")
		f := float64(cents) / 100
		s := strconv.FormatFloat(f, 'f', 2, 64)
		frame := rapid.SampledFrom([]string{"%s", "%s km", "%s%%", "%s EUR", "USD %s", "%s °C", "%skg", "%s percent"}).Draw(t, "frame")
		lits := Values(fmt.Sprintf(frame, s))
		if len(lits) != 1 || lits[0].Value != f {
			t.Fatalf("%q gives %s", fmt.Sprintf(frame, s), show(lits))
		}
	})
}

// TestConvertInverse: there and back again is the same value, and equal
// quantities are equal literals.
func TestConvertInverse(t *testing.T) {
	var symbols []string
	for s := range units {
		symbols = append(symbols, s)
	}
	symbols = sortStrings(symbols)
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.SampledFrom(symbols).Draw(t, "from")
		to := rapid.SampledFrom(symbols).Draw(t, "to")
		v := rapid.Float64Range(-1e6, 1e6).Draw(t, "value")
		w, ok := Convert(v, from, to)
		if ok != (units[from].dim == units[to].dim) {
			t.Fatalf("Convert(%v, %s, %s): %v", v, from, to, ok)
		}
		if !ok {
			return
		}
		back, _ := Convert(w, to, from)
		scale := math.Max(math.Abs(v), units[from].offset+units[to].offset+1)
		if math.Abs(back-v) > 1e-9*math.Max(scale, math.Abs(w)*units[to].factor/units[from].factor) {
			t.Fatalf("%v %s = %v %s = %v %s", v, from, w, to, back, from)
		}
	})
}

func sortStrings(s []string) []string {
	for i := range s {
		for j := i; j > 0 && s[j] < s[j-1]; j-- {
			s[j], s[j-1] = s[j-1], s[j]
		}
	}
	return s
}

// TestUnitNames: every spelling of a unit is read after a number.
func TestUnitNames(t *testing.T) {
	for symbol := range units {
		names := namesOf(symbol)
		for _, name := range append(slices.Clone(names.symbols), names.words...) {
			lits := Values("exactly 12 " + name + ".")
			if doubtful(name, 0, len(name)) || len(name) == 1 && multipliers[name] != 0 {
				// "in", "B": a word or a multiplier too; the number must be there all the same.
				if len(lits) != 1 || lits[0].Digits != "12" || lits[0].Unit != "" && lits[0].Unit != symbol {
					t.Errorf("12 %s gives %s, want the number", name, show(lits))
				}
				continue
			}
			if len(lits) != 1 || lits[0].Unit != symbol && !lits[0].Alt.Valid {
				t.Errorf("12 %s gives %s, want the unit %s", name, show(lits), symbol)
			}
		}
	}
}

// TestDates: a day in any form is the same day.
func TestDates(t *testing.T) {
	long := []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
	rapid.Check(t, func(t *rapid.T) {
		y := rapid.IntRange(1900, 2100).Draw(t, "y")
		m := rapid.IntRange(1, 12).Draw(t, "m")
		d := rapid.IntRange(1, 28).Draw(t, "d")
		iso := fmt.Sprintf("%04d-%02d-%02d", y, m, d)
		forms := []string{
			iso, fmt.Sprintf("%d %s %d", d, long[m-1], y), fmt.Sprintf("%s %d, %d", long[m-1], d, y),
			fmt.Sprintf("%s %d, %d", long[m-1][:3], d, y), fmt.Sprintf("%04d/%02d/%02d", y, m, d),
			fmt.Sprintf("%d.%d.%d", d, m, y), fmt.Sprintf("%dth of %s %d", d, long[m-1], y), fmt.Sprintf("%02d/%02d/%d", m, d, y),
			fmt.Sprintf("%s %dth %d", strings.ToUpper(long[m-1]), d, y),
		}
		form := rapid.SampledFrom(forms).Draw(t, "form")
		if Contains("It is on "+form+", I think.", iso) == Lost {
			t.Fatalf("%q does not contain %s: %s", form, iso, show(Values("It is on "+form+", I think.")))
		}
		other := fmt.Sprintf("%04d-%02d-%02d", y, m, d%28+1)
		if other != iso && d != m && d%28+1 != m && Contains("It is on "+form+".", other) != Lost {
			t.Fatalf("%q contains %s", form, other)
		}
	})
}

// ordered says that literals lie in the text, in order, without overlap.
func ordered(text string, lits []Literal) error {
	end := 0
	for _, l := range lits {
		if l.Start < end || l.End <= l.Start || l.End > len(text) || text[l.Start:l.End] != l.Text {
			return fmt.Errorf("literal %q at %d..%d after %d", l.Text, l.Start, l.End, end)
		}
		end = l.End
	}
	return nil
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"5 000 km, 3 October 2025 at 2:30 pm", "-$5.2m (€3,000) 12%", "a_b/c#1f77b4 v1.2", "\xff\xe2\x80", "“x” 'y' `z`", "1e999 10^5 .5 5. 1,2,3", "2025-13-45T99:99", "May 5 Mar. 3rd"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, lits := range [][]Literal{Find(text), Values(text)} {
			if err := ordered(text, lits); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
		}
		Contains(text, text)
		Unit(text)
	})
}

const kilobyte = `I live in Salt Lake City and want to camp in October in Utah's largest national park. Work out which park that is by area, list its campgrounds with their number of sites (there should be 78 or so), give the straight-line distance from Salt Lake City in kilometres, about 392.6 km or 244 miles, and tell me the park's average October low in degrees Fahrenheit. I have a budget of $1,250.00, leave on 3 October 2025 at 14:30 Europe/Berlin, and my booking code is BK-2041. The area is 5 075 km², that is 507,500 hectares. `

var benchmarkText = kilobyte + kilobyte

func BenchmarkFind(b *testing.B) {
	b.SetBytes(1024)
	text := benchmarkText[:1024]
	for b.Loop() {
		Find(text)
	}
}

func BenchmarkParseAndContain(b *testing.B) {
	text := benchmarkText[:1024]
	for b.Loop() {
		t := Parse(text)
		t.Contains("Salt Lake City")
		t.Contains(10)
		t.Contains("2025-10-03")
		t.Contains("F")
		t.Contains(50000)
	}
}

// TestHostileTexts: what could make a naive scanner start over again and again.
func TestHostileTexts(t *testing.T) {
	for _, piece := range []string{"a-", "a.", "1,111,", "1 111 ", "1.", "1-", "(", "\"", "' ", "Aa ", "-", "$", "1e", "5 ", "° ", "May ", "\xff", "a_", "2025-", "12:", "\u00a0", "“"} {
		text := strings.Repeat(piece, 40_000/len(piece))
		if err := ordered(text, Find(text)); err != nil {
			t.Errorf("%q: %v", piece, err)
		}
	}
}
