package datasets

import (
	"encoding/json"
	"regexp"
	"sort"
	"strings"
)

// Document is the JSON document that paths into an answer refer to:
//
//   - structured content, if the tool gave any;
//   - else the text, if it is a JSON object or array, or JSON lines (an array);
//   - else an object made from the text: "text" holds all of it, "value" the
//     number when the text is nothing but a number, and "fields" what the text
//     says by regular means: `key: value` lines, and clauses with exactly one
//     number or date ("mean low 7.8 C" gives {"mean_low": 7.8}).
//
// It is a pure function of the result, so that a pointer means the same for
// everyone who reads the dataset.
func Document(r ToolResult) any {
	if r.Structured != "" && r.Structured != "null" {
		if v, err := DecodeJSON(r.Structured); err == nil {
			return v
		}
	}
	text := strings.TrimSpace(r.Text)
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		if v, err := DecodeJSON(text); err == nil {
			return v
		}
		if v, ok := jsonLines(text); ok {
			return v
		}
	}
	return textDocument(text)
}

func jsonLines(text string) ([]any, bool) {
	var out []any
	for _, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		v, err := DecodeJSON(line)
		if err != nil {
			return nil, false
		}
		out = append(out, v)
	}
	return out, len(out) > 0
}

const (
	numberPattern = `[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?`
	datePattern   = `\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[-+]\d{2}:?\d{2})?)?`
)

var (
	wholeNumber = regexp.MustCompile(`^` + numberPattern + `$`)
	keyValue    = regexp.MustCompile(`^[-*\s]*\**([\p{L}][\p{L}\p{N} _/()-]{0,60}?)\**\s*[:=]\s*\**\s*(\S.*?)\**$`)
	oneValue    = regexp.MustCompile(`(?:` + datePattern + `|` + numberPattern + `)`)
	clauseEnd   = regexp.MustCompile(`(?:[.;]\s+|,\s+|\n|\.$)`)
	notWord     = regexp.MustCompile(`[^\p{L}\p{N}]+`)
)

// maxFields bounds what is read out of a text, whatever a server sends.
const maxFields = 200

func textDocument(text string) map[string]any {
	doc := map[string]any{"text": text}
	if wholeNumber.MatchString(text) {
		doc["value"] = number(text)
		return doc
	}
	fields := map[string]any{}
	for _, line := range strings.Split(text, "\n") {
		if len(fields) >= maxFields {
			break
		}
		if m := keyValue.FindStringSubmatch(strings.TrimSpace(line)); m != nil && !strings.Contains(m[2], ": ") && !clock(m) {
			addField(fields, m[1], scalar(m[2]))
			continue
		}
		for _, clause := range clauseEnd.Split(line, -1) {
			clauseField(fields, clause)
		}
	}
	if len(fields) > 0 {
		doc["fields"] = fields
	}
	return doc
}

// clock says that what looks like key and value is a time of day in a sentence.
func clock(keyValue []string) bool {
	key, value := keyValue[1], keyValue[2]
	return digit(key[len(key)-1]) && digit(value[0])
}

// clauseField reads a clause with exactly one number or date. Its label is
// what stands before the value, or after it when nothing does.
func clauseField(fields map[string]any, clause string) {
	at := oneValue.FindAllStringIndex(clause, 2)
	if len(at) != 1 || len(fields) >= maxFields {
		return
	}
	start, end := at[0][0], at[0][1]
	if start > 0 && isWordByte(clause[start-1]) || end < len(clause) && clause[end] == '-' {
		return
	}
	label := clause[:start]
	if Slug(label) == "" {
		label = clause[end:]
	}
	addField(fields, label, scalar(clause[start:end]))
}

func isWordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

func addField(fields map[string]any, label string, value any) {
	key := Slug(label)
	if key == "" || len(key) > 60 {
		return
	}
	if _, taken := fields[key]; !taken {
		fields[key] = value
	}
}

// Slug turns a label into a field name: lower case, words joined by "_",
// articles and forms of "to be" at its ends left out.
func Slug(label string) string {
	words := strings.Fields(strings.ToLower(notWord.ReplaceAllString(label, " ")))
	for len(words) > 0 && fillers[words[0]] {
		words = words[1:]
	}
	for len(words) > 0 && fillers[words[len(words)-1]] {
		words = words[:len(words)-1]
	}
	return strings.Join(words, "_")
}

var fillers = map[string]bool{"the": true, "a": true, "an": true, "is": true, "are": true, "was": true, "of": true, "and": true, "with": true, "it": true, "has": true, "at": true}

func scalar(s string) any {
	s = strings.TrimSpace(s)
	if wholeNumber.MatchString(s) {
		return number(s)
	}
	return s
}

func number(s string) json.Number {
	n := strings.TrimPrefix(strings.ReplaceAll(s, ",", ""), "+")
	neg := strings.HasPrefix(n, "-")
	n = strings.TrimLeft(strings.TrimPrefix(n, "-"), "0")
	if n == "" || n[0] == '.' {
		n = "0" + n
	}
	if neg {
		n = "-" + n
	}
	return json.Number(n)
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
