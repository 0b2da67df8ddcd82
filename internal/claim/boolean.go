package claim

import (
	"regexp"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// affirmation is the boolean that a value stands for: true, "yes", "no" …
func affirmation(expected any) (yes, ok bool) {
	switch v := expected.(type) {
	case bool:
		return v, true
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "yes", "true":
			return true, true
		case "no", "false":
			return false, true
		}
	}
	return false, false
}

// boolean looks at the sentence that shares most words with the claim: "yes",
// "true" or an affirmative sentence is true, "no", "false" or a negation false.
func (a *answer) boolean(c *datasets.Claim, want bool) (outcome, detail string) {
	topic := words(c.Text)
	for _, w := range [...]string{"true", "false", "yes", "whether"} {
		delete(topic, w)
	}
	best, at := 0, span{}
	for _, s := range a.sentences {
		if asks(a.lower[s.start:s.end]) {
			continue
		}
		n := 0
		for w := range words(a.text[s.start:s.end]) {
			if topic[w] {
				n++
			}
		}
		if n > best {
			best, at = n, s
		}
	}
	if best*2 < len(topic) || best == 0 {
		if t := strings.Trim(a.lower, " .!\n\t"); t == "yes" || t == "true" {
			return verdict(want, t)
		} else if t == "no" || t == "false" {
			return verdict(!want, t)
		}
		return datasets.NotFulfilled, "nothing says so"
	}
	said := !denies(a.lower[at.start:at.end])
	return verdict(said == want, a.text[at.start:at.end])
}

var saysSo = regexp.MustCompile(`(?:\bis|:|=|–|-) *(?:yes|no|true|false)\b`)

// asks says that a sentence is a question or speaks of one ("tell me whether
// …"), and affirms nothing by that.
func asks(sentence string) bool {
	return strings.HasSuffix(strings.TrimSpace(sentence), "?") || strings.Contains(sentence, "whether ") && !saysSo.MatchString(sentence)
}

func verdict(ok bool, said string) (outcome, detail string) {
	if ok {
		return datasets.Fulfilled, "“" + clip(said) + "”"
	}
	return datasets.NotFulfilled, "“" + clip(said) + "” says otherwise"
}

func denies(sentence string) bool {
	for _, w := range strings.FieldsFunc(sentence, func(r rune) bool { return !(r >= 'a' && r <= 'z' || r == '\'') }) {
		switch w {
		case "not", "no", "false", "never", "neither", "without", "cannot":
			return true
		}
		if strings.HasSuffix(w, "n't") {
			return true
		}
	}
	return false
}
