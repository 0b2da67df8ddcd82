package claim

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

func members(expected any) []any {
	list, ok := expected.([]any)
	if !ok {
		return []any{expected}
	}
	return list
}

// set counts the members that the answer has.
func (a *answer) set(c *datasets.Claim, expected any, rivals []string) (outcome, detail string) {
	list := members(expected)
	if len(list) == 0 {
		return datasets.Unscored, "the expected set is empty"
	}
	found, missing := 0, ""
	names := map[string]bool{}
	for _, m := range list {
		names[strings.ToLower(scalarText(m))] = true
		at, ok := a.member(c, m)
		if !ok {
			return datasets.Unscored, "a member of the set is no scalar"
		}
		if at != (span{}) {
			found++
		} else if missing == "" {
			missing = scalarText(m)
		}
	}
	switch {
	case found == 0:
		return datasets.NotFulfilled, fmt.Sprintf("none of %d named", len(list))
	case found < len(list):
		return datasets.Partially, fmt.Sprintf("%d of %d named; %s is missing", found, len(list), missing)
	}
	for _, r := range rivals {
		if names[strings.ToLower(r)] {
			continue
		}
		for _, m := range a.mentions(r) {
			if !a.negated(m) && !a.insideMember(m, list) {
				return datasets.Partially, fmt.Sprintf("all %d named, and %s beside them", len(list), r)
			}
		}
	}
	return datasets.Fulfilled, fmt.Sprintf("all %d named", len(list))
}

// insideMember says that a mention is a part of a longer member's name.
func (a *answer) insideMember(m span, list []any) bool {
	for _, e := range list {
		for _, n := range a.mentions(scalarText(e)) {
			if m.start >= n.start && m.end <= n.end {
				return true
			}
		}
	}
	return false
}

// member is the first place where a member stands undenied; ok is false for a
// member that is no scalar.
func (a *answer) member(c *datasets.Claim, v any) (at span, ok bool) {
	switch v := v.(type) {
	case string:
		for _, m := range a.named(v) {
			if !a.negated(m) {
				return m, true
			}
		}
		return a.written(c, v), true
	case json.Number:
		return a.numberAt(c, v), true
	}
	return span{}, false
}

// written finds a date, time or quantity in another form.
func (a *answer) written(c *datasets.Claim, v string) span {
	q := *c
	q.Subject = ""
	if outcome, _ := a.stringValue(&q, v); outcome != datasets.Fulfilled {
		return span{}
	}
	return span{0, len(a.text)}
}

func (a *answer) numberAt(c *datasets.Claim, v json.Number) span {
	want, err := v.Float64()
	if err != nil {
		return span{}
	}
	unit := claimUnit(c, want)
	for i := range a.values {
		l := &a.values[i]
		if got, ok := reading(l, unit, want, c); ok && within(c, got, want, l, unit) && !a.negated(span{l.Start, l.End}) {
			return span{l.Start, l.End}
		}
	}
	return span{}
}

// order compares the order in which the members are first named.
func (a *answer) order(c *datasets.Claim, expected any) (outcome, detail string) {
	list := members(expected)
	var places []int
	for _, m := range list {
		at, ok := a.member(c, m)
		if !ok {
			return datasets.Unscored, "a member of the order is no scalar"
		}
		if at != (span{}) {
			places = append(places, at.start)
		}
	}
	right := rising(places)
	switch {
	case len(places) == len(list) && right < len(list) && a.orderedSomewhere(list):
		return datasets.Fulfilled, fmt.Sprintf("all %d in order in one sentence", len(list))
	case len(list) == 0:
		return datasets.Unscored, "the expected order is empty"
	case len(places) == len(list) && right == len(list):
		return datasets.Fulfilled, fmt.Sprintf("all %d in order", len(list))
	case right >= 2 && right*2 > len(list):
		return datasets.Partially, fmt.Sprintf("%d of %d in order", right, len(list))
	}
	return datasets.NotFulfilled, fmt.Sprintf("%d of %d named, %d in order", len(places), len(list), right)
}

// orderedSomewhere says that the first sentence that names all members has them
// in order, whatever is said of single ones elsewhere.
func (a *answer) orderedSomewhere(list []any) bool {
	first := make([][]span, len(list))
	for i, m := range list {
		first[i] = a.named(scalarText(m))
	}
	for _, s := range a.sentences {
		var places []int
		for _, ms := range first {
			for _, m := range ms {
				if s.holds(m.start) {
					places = append(places, m.start)
					break
				}
			}
		}
		if len(list) > 1 && len(places) == len(list) {
			return rising(places) == len(list)
		}
	}
	return false
}

// rising is the length of the longest rising subsequence.
func rising(places []int) int {
	best := make([]int, len(places))
	longest := 0
	for i := range places {
		best[i] = 1
		for j := 0; j < i && i < 2000; j++ {
			if places[j] < places[i] && best[j]+1 > best[i] {
				best[i] = best[j] + 1
			}
		}
		longest = max(longest, best[i])
	}
	return longest
}
