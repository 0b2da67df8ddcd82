package generate

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/taskwright/taskwright/datasets"
)

// splitWords splits an identifier into lower-case words: "parkId", "park_id"
// and "park-id" give [park id]. Digits stay with the letters before them.
func splitWords(identifier string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	runes := []rune(identifier)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]) && unicode.IsUpper(runes[i-1])):
			flush()
		}
		word = append(word, r)
	}
	flush()
	return words
}

// humanize writes an identifier as words: "mean_low" is "mean low".
func humanize(identifier string) string { return strings.Join(splitWords(identifier), " ") }

// singular is the singular of an English noun, by the regular rules.
func singular(word string) string {
	switch {
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		return word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "xes"), strings.HasSuffix(word, "ches"), strings.HasSuffix(word, "shes"):
		return word[:len(word)-2]
	case strings.HasSuffix(word, "ss"), strings.HasSuffix(word, "us"), strings.HasSuffix(word, "is"):
		return word
	case strings.HasSuffix(word, "s") && len(word) > 3:
		return word[:len(word)-1]
	}
	return word
}

// plural is the plural of an English noun, by the regular rules.
func plural(word string) string {
	if word == "" {
		return word
	}
	last := word[len(word)-1]
	switch {
	case last == 'y' && len(word) > 1 && !strings.ContainsRune("aeiou", rune(word[len(word)-2])):
		return word[:len(word)-1] + "ies"
	case last == 's' || last == 'x' || strings.HasSuffix(word, "ch") || strings.HasSuffix(word, "sh"):
		return word + "es"
	}
	return word + "s"
}

// monthName is the English name of month "1" to "12", "" for anything else.
func monthName(number string) string {
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > 12 {
		return ""
	}
	return time.Month(n).String()
}

// plain writes a decoded JSON value as it reads in a sentence.
func plain(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "true"
		}
		return "false"
	case []any:
		items := make([]string, len(v))
		for i, e := range v {
			items[i] = plain(e)
		}
		return enumerate(items)
	case nil:
		return "nothing"
	}
	return datasets.EncodeJSON(v)
}

// enumerate joins phrases: "a, b and c". Phrases that hold commas are joined
// by semicolons.
func enumerate(items []string) string {
	if len(items) == 0 {
		return ""
	}
	if len(items) == 1 {
		return items[0]
	}
	comma, and := ", ", " and "
	for _, s := range items {
		if strings.Contains(s, ", ") {
			comma, and = "; ", "; and "
		}
	}
	last := len(items) - 1
	return strings.Join(items[:last], comma) + and + items[last]
}

// collapse leaves out a phrase of two to six words that follows itself: two
// phrases of a phrasebook may end with the same words.
func collapse(text string) string {
	words := strings.Split(text, " ")
	for n := 6; n >= 2; n-- {
		for i := 0; i+2*n <= len(words); i++ {
			if slices.Equal(words[i:i+n], words[i+n:i+2*n]) {
				words = slices.Delete(words, i, i+n)
				i--
			}
		}
	}
	return strings.Join(words, " ")
}

// capitalize writes the first letter in upper case.
func capitalize(s string) string {
	for i, r := range s {
		return s[:i] + string(unicode.ToUpper(r)) + s[i+len(string(r)):]
	}
	return s
}

// decapitalize writes the first letter in lower case, unless the first word is
// a name or an abbreviation.
func decapitalize(s string) string {
	first, _, _ := strings.Cut(s, " ")
	for i, r := range first {
		if i > 0 && unicode.IsUpper(r) {
			return s
		}
	}
	for i, r := range s {
		return s[:i] + string(unicode.ToLower(r)) + s[i+len(string(r)):]
	}
	return s
}
