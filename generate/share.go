package generate

import (
	"regexp"
	"strings"
)

// share says once what neighbouring phrases end with: "the mean of the
// revenues of all customers" and "the total of the revenues of all customers"
// become "the mean and the total of the revenues of all customers".
func share(phrases []string) []string {
	var out []string
	for i := 0; i < len(phrases); {
		end := ending(phrases[i : i+min(2, len(phrases)-i)])
		if end == "" {
			out = append(out, phrases[i])
			i++
			continue
		}
		var heads []string
		for ; i < len(phrases) && len(heads) < 3 && strings.HasSuffix(phrases[i], end) && isHead(strings.TrimSuffix(phrases[i], end)); i++ {
			heads = append(heads, strings.TrimSuffix(phrases[i], end))
		}
		out = append(out, enumerate(heads)+end)
	}
	return out
}

// ending is the longest common end of two phrases that starts with " of " and
// that leaves a short head of each, "" if there is none.
func ending(phrases []string) string {
	if len(phrases) < 2 {
		return ""
	}
	for at := 0; ; {
		next := strings.Index(phrases[0][at:], " of ")
		if next < 0 {
			return ""
		}
		at += next
		end := phrases[0][at:]
		if strings.Count(end, " ") > 3 && strings.HasSuffix(phrases[1], end) && isHead(phrases[0][:at]) && isHead(strings.TrimSuffix(phrases[1], end)) {
			return end
		}
		at++
	}
}

// isHead says that the start of a phrase can stand without its end: it is short
// and does not lead into another phrase.
func isHead(s string) bool {
	words := strings.Fields(brackets.ReplaceAllString(s, ""))
	if len(words) < 2 || len(words) > 6 || words[0] != "the" && len(words) > 2 || words[0] == "which" || strings.ContainsAny(s, ",;") {
		return false
	}
	for _, w := range words {
		switch w {
		case "from", "to", "between", "on", "per", "at", "by", "and":
			return false
		}
	}
	return true
}

var brackets = regexp.MustCompile(`\([^)]*\)`)
