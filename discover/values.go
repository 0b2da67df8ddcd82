package discover

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/taskwright/taskwright/internal/schema"
)

var (
	exampleList = regexp.MustCompile(`(?i)(?:e\.g\.?,?|for example,?|examples?:|such as|like|i\.e\.)\s*:?\s*(.{1,200})`)
	quotedText  = regexp.MustCompile("\"([^\"\n]{1,80})\"|'([^'\n]{1,80})'|`([^`\n]{1,80})`|“([^”\n]{1,80})”")
	bareExample = regexp.MustCompile(`^[(]?([^\s,;()"'` + "`" + `]+)`)
	formSaid    = regexp.MustCompile(`(?i)YYYY[-/]MM[-/]DD(?:[T ]HH:mm(?::ss)?)?|\bHH:mm(?::ss)?\b`)
)

// described are the values that a parameter's description mentions: quoted
// ones, those after "e.g.", and a value in the date form that it states.
func described(p schema.Param) []any {
	text := cut(p.Description, 2000)
	if text == "" {
		return nil
	}
	var out []any
	add := func(s string) {
		s = strings.TrimSpace(s)
		if v, ok := typed(p, s); ok && !contains(out, v) && len(out) < 12 {
			out = append(out, v)
		}
	}
	for _, m := range formSaid.FindAllString(text, 2) {
		add(inForm(m))
	}
	for _, m := range exampleList.FindAllStringSubmatch(text, 4) {
		quoted := quotedText.FindAllStringSubmatch(m[1], 6)
		for _, q := range quoted {
			add(q[1] + q[2] + q[3] + q[4])
		}
		if len(quoted) == 0 {
			for _, part := range regexp.MustCompile(`,\s+|\s+or\s+`).Split(m[1], 4) {
				if b := bareExample.FindStringSubmatch(part); b != nil {
					add(strings.TrimRight(b[1], "."))
				}
			}
		}
	}
	for _, q := range quotedText.FindAllStringSubmatch(text, 8) {
		add(q[1] + q[2] + q[3] + q[4])
	}
	return out
}

// inForm is a fixed moment in a form such as YYYY-MM-DD.
func inForm(form string) string {
	return strings.NewReplacer("YYYY", "2024", "yyyy", "2024", "MM", "06", "DD", "15", "dd", "15", "HH", "10", "hh", "10", "mm", "30", "ss", "00").Replace(form)
}

// typed reads a word of a description as a value of the parameter's type.
func typed(p schema.Param, s string) (any, bool) {
	if s == "" {
		return nil, false
	}
	number := json.Valid([]byte(s)) && (s[0] == '-' || s[0] >= '0' && s[0] <= '9')
	switch {
	case number && (p.Is("number") || p.Is("integer") && !strings.ContainsAny(s, ".eE")) && !p.Is("string"):
		return json.Number(s), true
	case p.Is("string"):
		return s, true
	}
	return nil, false
}

func contains(list []any, v any) bool {
	e := encode(v)
	return slices.ContainsFunc(list, func(o any) bool { return encode(o) == e })
}

// fallbacks are those of the parameter, after what the tool's own name suggests.
func (s *slot) fallbacks() []any {
	var out []any
	for _, w := range s.context {
		for _, v := range toolFallbacks[w] {
			if fitsParam(&s.param, v) && s.param.Required {
				out = append(out, v)
			}
		}
	}
	return append(out, fallbacks(s.param)...)
}

// toolFallbacks are values for tools that work on texts of one form.
var toolFallbacks = map[string][]any{
	"cron": {"0 9 * * 1"}, "luhn": {"4539578763621486"}, "semver": {"1.2.3"}, "uuid": {"123e4567-e89b-42d3-a456-426614174000"},
	"jwt": {"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IlNhbXBsZSJ9.c2lnbmF0dXJl"},
}

// fallbacks are values for a parameter of which nothing else is known. They are
// fixed: a probe of tomorrow makes the calls of today.
func fallbacks(p schema.Param) []any {
	var out []any
	name := words(p.Name)
	for _, k := range namedOrder {
		if slices.Contains(name, k) {
			for _, v := range namedFallbacks[k] {
				if fitsParam(&p, v) && !contains(out, v) {
					out = append(out, v)
				}
			}
		}
	}
	for _, v := range append(formatFallbacks[p.Format], typeFallbacks(p)...) {
		if fitsParam(&p, v) && !contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

func numbers(list ...string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = json.Number(s)
	}
	return out
}

var formatFallbacks = map[string][]any{
	"date": {"2024-06-15", "2023-03-01"}, "date-time": {"2024-06-15T10:30:00Z"}, "time": {"10:30:00Z"}, "email": {"person@example.com"},
	"uri": {"https://example.com/"}, "uuid": {"123e4567-e89b-42d3-a456-426614174000"}, "ipv4": {"192.0.2.1"}, "hostname": {"example.com"},
}

// namedFallbacks are values by what a parameter is called; namedOrder is the
// order in which the names are looked for.
var namedFallbacks = map[string][]any{
	"lat": numbers("40.7128", "48.8566", "35.6762"), "lon": numbers("-74.006", "2.3522", "139.6503"),
	"timezone": {"Europe/London", "Asia/Tokyo", "America/New_York"}, "date": {"2024-06-15", "2023-03-01"}, "time": {"2024-06-15 10:30:00", "10:30"},
	"start": {"2024-06-15"}, "end": {"2024-06-20"}, "year": append(numbers("2024", "2020"), "2024"), "month": append(numbers("6", "10", "1"), "2024-06"),
	"day": numbers("15", "1"), "country": {"US", "FR", "JP"}, "currency": {"USD", "EUR", "JPY"}, "language": {"en"}, "city": {"London", "Paris"},
	"email": {"person@example.com"}, "url": {"https://example.com/"}, "color": {"#3366cc", "red"}, "expression": {"2 + 3 * 4", "sqrt(16)"},
	"formula": {"2 + 3 * 4"}, "ip": {"192.0.2.1"}, "cidr": {"192.0.2.0/24"}, "version": {"1.2.3"}, "regex": {"[a-z]+"}, "pattern": {"*"},
	"json": {`{"a":1}`}, "path": {"/workspace", "."}, "directory": {"/workspace"}, "filename": {"notes.txt"}, "content": {"Hello world"},
	"limit": numbers("5"), "page": numbers("1"), "offset": numbers("0"), "a": numbers("12", "7"), "b": numbers("5", "3"), "base": numbers("10"),
	"title": {"Sample title"}, "name": {"Sample"}, "text": {"Hello world"}, "query": {"a", "data"}, "number": numbers("12", "7"),
}

var namedOrder = []string{"lat", "lon", "timezone", "date", "time", "start", "end", "year", "month", "day", "country", "currency", "language", "city", "email",
	"url", "color", "expression", "formula", "ip", "cidr", "version", "regex", "pattern", "json", "path", "directory", "filename", "content", "limit", "page",
	"offset", "a", "b", "base", "title", "name", "text", "query", "number"}

func typeFallbacks(p schema.Param) []any {
	var out []any
	if p.Is("integer") || p.Is("number") {
		out = append(out, numbers("5", "2", "10", "1", "100", "0")...)
		if p.Minimum != nil {
			out = append(out, numberValue(*p.Minimum), numberValue(*p.Minimum+1))
		}
		if p.Maximum != nil {
			out = append(out, numberValue(*p.Maximum))
		}
	}
	if p.Is("string") {
		out = append(out, "test", "example", "hello world")
	}
	if p.Is("boolean") {
		out = append(out, true, false)
	}
	return out
}

// fitsParam holds a scalar against what the parameter says of itself.
func fitsParam(p *schema.Param, v any) bool {
	if len(p.Enum) > 0 && !contains(p.Enum, v) {
		return false
	}
	switch v := v.(type) {
	case string:
		n := len([]rune(v))
		return p.Is("string") && (p.MinLength == nil || n >= *p.MinLength) && (p.MaxLength == nil || n <= *p.MaxLength)
	case json.Number:
		return fitsNumber(p, v)
	case bool:
		return p.Is("boolean")
	}
	return true
}

func fitsNumber(p *schema.Param, v json.Number) bool {
	f, err := v.Float64()
	if err != nil || !p.Is("integer") || len(p.Types) > 0 && !p.Is("number") && strings.ContainsAny(string(v), ".eE") && f != float64(int64(f)) {
		return false
	}
	if p.Types != nil && !slices.Contains(p.Types, "number") && strings.ContainsAny(string(v), ".eE") {
		return false
	}
	low := p.Minimum == nil || f > *p.Minimum || f == *p.Minimum && !p.Exclusive
	high := p.Maximum == nil || f < *p.Maximum || f == *p.Maximum && !p.Exclusive
	return low && high
}
