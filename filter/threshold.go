package filter

import (
	"fmt"

	"github.com/taskwright/taskwright/datasets"
)

// Thresholds are the least mean scores, from 1 to 10, that a scored task needs.
// The defaults are those of MCP-Bench: solvability 9, utility 5.
type Thresholds struct {
	Solvability float64
	Utility     float64
	AcceptNone  bool // accept tasks whose proof is none, made from catalogs alone
}

// DefaultThresholds are those of MCP-Bench.
var DefaultThresholds = Thresholds{Solvability: 9, Utility: 5}

// Rethreshold decides a filtered task again, from its stored checks and scores.
func Rethreshold(t *datasets.Task, thresholds Thresholds) {
	var kept []datasets.Check
	t.Reasons = nil
	for _, c := range t.Checks {
		if c.Name == CheckThreshold {
			continue
		}
		kept = append(kept, c)
		if !c.Passed {
			t.Reasons = append(t.Reasons, c.Name+": "+c.Detail)
		}
	}
	t.Checks = kept
	thresholds.apply(t)
}

// apply records the threshold check and decides the status.
func (th Thresholds) apply(t *datasets.Task) {
	for _, axis := range []struct {
		name  string
		least float64
	}{{"solvability", th.Solvability}, {"utility", th.Utility}} {
		mean, n := meanScore(t, axis.name)
		switch {
		case n == 0:
			note(t, CheckThreshold, axis.name+" unscored")
		case mean < axis.least:
			record(t, CheckThreshold, fmt.Sprintf("%s %.2f is below %.2f (%d scores)", axis.name, mean, axis.least, n))
		default:
			note(t, CheckThreshold, fmt.Sprintf("%s %.2f of at least %.2f (%d scores)", axis.name, mean, axis.least, n))
		}
	}
	if t.Proof == datasets.ProofNone && !th.AcceptNone {
		record(t, CheckThreshold, "proof none: no tool was called; accepted only on request")
	}
	t.Status = datasets.StatusAccepted
	if len(t.Reasons) > 0 {
		t.Status = datasets.StatusRejected
	}
}

func meanScore(t *datasets.Task, axis string) (mean float64, n int) {
	for _, s := range t.Scores {
		if s.Axis == axis {
			mean += s.Value
			n++
		}
	}
	if n > 0 {
		mean /= float64(n)
	}
	return mean, n
}
