package fuzz

import (
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// scale is a pair of ends: words for much and words for little. On a scale of
// time neither end is the larger one.
type scale struct{ much, little, time string }

var scales = []scale{
	{"largest biggest greatest most highest tallest maximum", "smallest tiniest littlest least fewest lowest shortest minimum", ""},
	{"longest", "shortest", ""}, {"deepest", "shallowest", ""}, {"widest broadest", "narrowest", ""},
	{"heaviest", "lightest", ""}, {"farthest furthest", "nearest closest", ""}, {"hottest warmest", "coldest coolest", ""},
	{"wettest", "driest", ""}, {"densest", "", ""}, {"richest fattiest", "poorest leanest", ""}, {"strongest", "weakest", ""},
	{"fastest quickest", "slowest", ""}, {"dearest priciest costliest", "cheapest", ""}, {"busiest loudest", "quietest", ""},
	{"brightest", "faintest darkest", ""}, {"thickest", "thinnest", ""}, {"hardest", "softest", ""}, {"top", "bottom", ""}, {"best", "worst", ""},
	{"oldest earliest first", "newest latest youngest last", "time"},
}

// direction is 1 for the large end of any scale, -1 for the small end;
// opposites are the words of the other end of the same scale.
var (
	direction = map[string]int{}
	opposites = map[string][]string{}
)

func init() {
	for _, s := range scales {
		much, little := strings.Fields(s.much), strings.Fields(s.little)
		for _, w := range much {
			opposites[w] = append(opposites[w], little...)
			direction[w] = 1
		}
		for _, w := range little {
			opposites[w] = append(opposites[w], much...)
			direction[w] = -1
		}
		if s.time != "" {
			for _, w := range append(much, little...) {
				direction[w] = 0
			}
		}
	}
}

// notSuperlative are words in -est that are none.
var notSuperlative = map[string]bool{}

func init() {
	for _, w := range strings.Fields("forest interest request honest modest harvest suggest invest protest digest contest arrest tempest budapest everest conquest midwest southwest northwest earnest manifest ingest dishonest reforest bequest infest") {
		notSuperlative[w] = true
	}
}

// superlatives are the superlatives of a text, in order, each time they occur;
// "at least" and "at most" are none.
func superlatives(text string) []string {
	var found []string
	previous := ""
	eachWord(text, func(w string) {
		_, known := opposites[w]
		if (known || len(w) >= 6 && strings.HasSuffix(w, "est") && !notSuperlative[w]) && !(previous == "at" && (w == "least" || w == "most")) {
			found = append(found, w)
		}
		previous = w
	})
	return found
}

// orderState says how the superlatives of a text state a rule that picks the
// largest or smallest, given those of the instruction: as there (kept), in
// other words (normalised), turned round (altered), or not at all.
func orderState(n *needed, known, found []string) state {
	if len(found) <= min(n.nth, max(len(known)-1, 0)) {
		return lost
	}
	s := normalised
	for _, w := range found {
		switch {
		case contains(known, w):
			s = kept
		case turned(w, known, n.order):
			return altered
		}
	}
	return s
}

// turned says that a superlative that the instruction lacks is the opposite of
// one that it has.
func turned(w string, known []string, order string) bool {
	for _, o := range opposites[w] {
		if contains(known, o) {
			return true
		}
	}
	d := direction[w]
	if d == 0 {
		return false
	}
	same, other := false, false
	for _, k := range known {
		same = same || direction[k] == d
		other = other || direction[k] == -d
	}
	if len(known) == 0 {
		return (d > 0) != (order == datasets.PickLargest)
	}
	return other && !same
}

// eachWord calls f with every run of ASCII letters, in lower case.
func eachWord(text string, f func(string)) {
	for i := 0; i < len(text); {
		if !asciiLetter(text[i]) {
			i++
			continue
		}
		j := i
		for j < len(text) && asciiLetter(text[j]) {
			j++
		}
		f(strings.ToLower(text[i:j]))
		i = j
	}
}

func asciiLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
