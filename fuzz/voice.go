package fuzz

import (
	"math/rand/v2"
	"strings"
)

// voice writes one text: it picks phrases, no two that begin alike as long as
// there are others, and remembers what it has said.
type voice struct {
	rng   *rand.Rand
	level string
	used  map[string]bool
	told  []string // the asks so far, as they were said
}

func newVoice(rng *rand.Rand, level string) *voice {
	return &voice{rng: rng, level: level, used: map[string]bool{}}
}

func (v *voice) choose(list []string) string {
	if len(list) == 0 {
		return ""
	}
	start := v.rng.IntN(len(list))
	for i := range list {
		if s := list[(start+i)%len(list)]; s == "" || !v.used[s[:min(6, len(s))]] {
			v.used[s[:min(6, len(s))]] = true
			return s
		}
	}
	return list[start]
}

// refer says "that city" for "the most populous city in Brazil" where the text
// has named it before, and nothing else of its kind.
func (v *voice) refer(ask string) string {
	said := ask
	if i, j, head := v.repeated(ask); j > i {
		said = ask[:i] + "that " + head + ask[j:]
	}
	v.told = append(v.told, ask)
	return said
}

// kinds of things that "that …" can stand for.
var kinds = map[string]bool{}

func init() {
	for _, w := range strings.Fields("date loan city town park country state station book author writer novel element food dish campground itinerary trip place capital region lake river mountain island museum airport hotel company product person film song file project repository order") {
		kinds[w] = true
	}
}

// repeated finds the longest phrase of an ask that an earlier one has too: its
// place, and the word for the kind of thing it is.
func (v *voice) repeated(ask string) (from, to int, head string) {
	for i := 0; i < len(ask); i = wordAfter(ask, i) {
		word := wordAt(ask, i)
		if word != "the" && word != "a" && word != "an" {
			continue
		}
		j, kind := v.shared(ask, i)
		if kind != "" && j-i > to-from {
			from, to, head = i, j, kind
		}
	}
	return from, to, head
}

// shared is the end of the phrase at i that was said before, and its kind.
func (v *voice) shared(ask string, i int) (end int, kind string) {
	for _, earlier := range v.told {
		at := wordIndex(earlier, wordsTo(ask, i, 4))
		if at < 0 {
			continue
		}
		n := 0
		for i+n < len(ask) && at+n < len(earlier) && ask[i+n] == earlier[at+n] {
			n++
		}
		kind := kindOf(ask[i : i+n])
		if kind == "" || !ends(ask[i+n:], kind) || !ends(earlier[at+n:], kind) || v.ambiguous(kind, ask[i:i+n]) {
			continue
		}
		return i + n, kind
	}
	return i, ""
}

// kindOf is the noun of a phrase with something after it: "city" of "the most
// populous city in Brazil".
func kindOf(phrase string) string {
	words := strings.Fields(phrase)
	for k, w := range words {
		if kinds[w] && k+1 < len(words) && len(words) >= 4 {
			return w
		}
		if k > 0 && prepositions[w] {
			return ""
		}
	}
	return ""
}

var prepositions = map[string]bool{"of": true, "in": true, "on": true, "at": true, "by": true, "for": true, "from": true, "to": true, "with": true, "among": true, "after": true, "over": true, "nearest": true}

// ends says that a phrase can end before rest.
func ends(rest, kind string) bool {
	if rest == "" || rest[0] != ' ' && strings.IndexByte(",;?.)", rest[0]) >= 0 {
		return true
	}
	switch w := strings.TrimSpace(wordAt(rest, 1)); w {
	case "is", "are", "was", "has", "does", "divided", "minus", "plus":
		return rest[0] == ' '
	case "in":
		return rest[0] == ' ' && kind == "date"
	}
	return false
}

// ambiguous says that another thing of the kind was named.
func (v *voice) ambiguous(kind, phrase string) bool {
	for _, earlier := range v.told {
		if strings.Contains(strings.ReplaceAll(earlier, phrase, ""), kind) {
			return true
		}
	}
	return false
}

func wordAt(s string, i int) string {
	end := strings.IndexByte(s[i:], ' ')
	if end < 0 {
		return s[i:]
	}
	return s[i : i+end]
}

// wordAfter is where the word after the one at i begins.
func wordAfter(s string, i int) int { return i + len(wordAt(s, i)) + 1 }

// wordsTo is the text from i to the end of the n-th word.
func wordsTo(s string, i, n int) string {
	j := i
	for ; n > 0 && j < len(s); n-- {
		j = wordAfter(s, j)
	}
	return s[i:max(i, min(j-1, len(s)))]
}

// wordIndex finds whole words.
func wordIndex(s, words string) int {
	if words == "" {
		return -1
	}
	at := strings.Index(s, words)
	if at > 0 && s[at-1] != ' ' || at >= 0 && at+len(words) < len(s) && strings.IndexByte(" ,;?.)", s[at+len(words)]) < 0 {
		return -1
	}
	return at
}
