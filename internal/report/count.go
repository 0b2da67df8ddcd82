package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// Split says what the accepted tasks are like.
type Split struct {
	Patterns    []Count `json:"patterns"`
	Servers     []Count `json:"servers"` // by number of servers
	Depths      []Count `json:"depths"`
	CrossServer int     `json:"cross_server"`
	Splits      []Count `json:"splits"`
	Variants    []Count `json:"variants"` // accepted variants by level
	Dropped     int     `json:"rejected_variants"`
	Claims      int     `json:"claims"`
	ClaimKinds  []Count `json:"claim_kinds"`
	Essential   int     `json:"essential_claims"`
	Volatile    int     `json:"volatile_claims"`
	Deeds       int     `json:"tasks_with_deeds"` // tasks that also have something changed
	Judged      []Count `json:"judged"`           // tasks with a judge's score, by axis; the others are unscored
}

// tally counts names; list sorts them by name.
type tally map[string]int

func (t tally) list() []Count {
	out := make([]Count, 0, len(t))
	for name, n := range t {
		out = append(out, Count{name, n})
	}
	slices.SortFunc(out, func(a, b Count) int { return compareNames(a.Name, b.Name) })
	return out
}

// ranked sorts by count, the largest first.
func (t tally) ranked() []Count {
	out := t.list()
	slices.SortStableFunc(out, func(a, b Count) int { return cmp.Compare(b.N, a.N) })
	return out
}

// compareNames compares numbers as numbers.
func compareNames(a, b string) int {
	x, errX := strconv.Atoi(a)
	y, errY := strconv.Atoi(b)
	if errX == nil && errY == nil {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a, b)
}

func funnel(tasks []datasets.Task) Funnel {
	f := Funnel{Candidates: len(tasks)}
	reasons := tally{}
	for i := range tasks {
		t := &tasks[i]
		switch t.Status {
		case datasets.StatusAccepted:
			f.Accepted++
			if t.Proof == datasets.ProofNone {
				f.Unproved++
			}
		case datasets.StatusRejected:
			f.Rejected++
			for name := range reasonNames(t.Reasons) {
				reasons[name]++
			}
		default:
			f.Undecided++
		}
	}
	f.Reasons = reasons.ranked()
	return f
}

// reasonNames is the set of checks named by reasons of the form "check: detail".
func reasonNames(reasons []string) map[string]bool {
	set := map[string]bool{}
	for _, r := range reasons {
		name, _, _ := strings.Cut(r, ":")
		set[strings.TrimSpace(name)] = true
	}
	if len(set) == 0 {
		set["no reason given"] = true
	}
	return set
}

func split(tasks []datasets.Task) Split {
	var s Split
	patterns, servers, depths, splits := tally{}, tally{}, tally{}, tally{}
	levels, kinds, judged := tally{}, tally{}, tally{}
	for i := range tasks {
		t := &tasks[i]
		if t.Status != datasets.StatusAccepted {
			continue
		}
		patterns[t.Pattern]++
		servers[strconv.Itoa(len(t.Servers))]++
		depths[strconv.Itoa(int(t.Depth))]++
		splits[t.Split]++
		if t.CrossServer {
			s.CrossServer++
		}
		if slices.ContainsFunc(t.Outline, func(p datasets.Part) bool { return p.Role == datasets.RoleDeed }) {
			s.Deeds++
		}
		s.variants(t, levels)
		s.claims(t, kinds)
		axes := map[string]bool{}
		for _, j := range t.Scores {
			axes[j.Axis] = true
		}
		for axis := range axes {
			judged[axis]++
		}
	}
	s.Patterns, s.Servers, s.Depths, s.Splits = patterns.ranked(), servers.list(), depths.list(), splits.list()
	s.Variants, s.ClaimKinds, s.Judged = levels.list(), kinds.ranked(), judged.list()
	return s
}

func (s *Split) variants(t *datasets.Task, levels tally) {
	for _, v := range t.Variants {
		if v.Status == datasets.StatusAccepted {
			levels[v.Level]++
		} else {
			s.Dropped++
		}
	}
}

func (s *Split) claims(t *datasets.Task, kinds tally) {
	for _, c := range t.Claims {
		s.Claims++
		kinds[c.Kind]++
		if c.Essential {
			s.Essential++
		}
		if c.Volatile {
			s.Volatile++
		}
	}
}

// wilson is the 95 % interval of a rate k/n (Wilson score), which stays
// honest for few tasks and for rates of 0 and 1.
func wilson(k, n int) (low, high float64) {
	const z = 1.959964
	p, m := float64(k)/float64(n), float64(n)
	center := p + z*z/(2*m)
	half := z * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	scale := 1 + z*z/m
	return max(0, (center-half)/scale), min(1, (center+half)/scale)
}
