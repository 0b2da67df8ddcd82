package discover

import "slices"

// maxPostings bounds how many fields one word leads to.
const maxPostings = 2000

// fieldIndex finds the fields that can match a slot at all, so that no pass
// over all pairs of fields and slots is needed. The keys are words that say
// something, units, dates and measured numbers.
type fieldIndex struct {
	postings map[string][]int
}

func newFieldIndex() *fieldIndex { return &fieldIndex{postings: map[string][]int{}} }

const (
	keyUnit   = "unit:"
	keyNumber = "a measured number"
	keyDate   = "a date"
	keyMoney  = "money"
	keyPlace  = "a place"
	keyEntity = "of:"
	keyNamed  = "names something"
)

func (x *fieldIndex) add(f *field, id int) {
	post := func(key string) {
		if list := x.postings[key]; len(list) < maxPostings && (len(list) == 0 || list[len(list)-1] != id) {
			x.postings[key] = append(list, id)
		}
	}
	for _, w := range f.words {
		if !generic[w] {
			post(w)
		}
	}
	if identifies(f.words) || allGeneric(f.words) {
		for _, w := range f.entity {
			post(keyEntity + w)
		}
		if slices.Contains(f.words, "name") {
			post(keyNamed)
		}
	}
	if f.unit != "" {
		post(keyUnit + f.unit)
	}
	if f.measured() {
		post(keyNumber)
	}
	if f.isDate() {
		post(keyDate)
	}
	if anyOf(f.words, sums) {
		post(keyMoney)
	}
	if anyOf(f.words, placeNames) || anyOf(f.entity, placeKinds) {
		post(keyPlace)
	}
}

// find lists the fields worth a look for a slot, ascending.
func (x *fieldIndex) find(s *slot) []int {
	var out []int
	take := func(key string) { out = append(out, x.postings[key]...) }
	for _, w := range s.words {
		if !generic[w] {
			take(w)
		}
		take(keyEntity + w)
	}
	if allGeneric(s.core) {
		for _, w := range s.context {
			take(keyEntity + w)
			take(w)
		}
		for _, w := range sortedKeys(s.said) {
			if !generic[w] {
				take(keyEntity + w)
				if len(s.core) == 0 {
					take(w)
				}
			}
		}
	}
	if s.plain {
		take(keyNumber)
	}
	if anyOf(s.words, sumsAsked) {
		take(keyMoney)
	}
	if anyOf(s.words, placesAsked) || s.said["city"] || s.said["town"] {
		take(keyPlace)
	}
	if s.wantsDate() {
		take(keyDate)
	}
	if len(s.words) == 1 && s.words[0] == "query" {
		take(keyNamed)
	}
	for _, u := range s.units {
		take(keyUnit + u)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
