// Package claim scores the claims of a task against an answer by exact rules,
// without a model, and writes claims as sentences.
//
// An answer is prose, Markdown, a table or JSON. The rules, by kind of claim:
//
//   - value: a number of the answer lies within the tolerance, in the claim's
//     unit or converted to it ("244 miles" for 392.6 km); a number in a unit of
//     another kind never counts, one without unit is taken in the claim's unit.
//     With a subject, the number must stand with it: in its clause, sentence,
//     list item, table row or column, JSON object, or below its heading. Dates
//     and times count in any format, strings as whole words, long strings as
//     they are but for case and white space.
//   - entity: the name stands in the answer and is not negated. If competitors
//     (the other values at the same place of the reference outputs) are named
//     too, the answer must single the name out; see the entity file for the
//     rule. A list of everything fails.
//   - set: all members fulfil, some fulfil partially, none fails. A member of
//     the competitors beside the whole set makes it partial.
//   - order: all members in the given order fulfil; the order of most of them,
//     or of those that are there, fulfils partially.
//   - statement, and every volatile claim: unscored; rules can't judge them.
//
// Text around these (injected instructions, flattery, length) changes nothing.
// An answer is read up to [MaxAnswer] bytes.
package claim

import (
	"github.com/taskwright/taskwright/datasets"
)

// MaxAnswer is how many bytes of an answer are read.
const MaxAnswer = 256 << 10

// Result is the outcome of one claim.
type Result struct {
	ID      string
	Outcome string // datasets.Fulfilled, Partially, NotFulfilled or Unscored
	Detail  string // why, in words
}

// Options tells the scorer what an answer could confuse.
type Options struct {
	// Competitors lists the values that are no right answer to the claim but
	// stand at the same place (see [Competitors]). nil means none.
	Competitors func(*datasets.Claim) []string
}

// Score scores one claim against an answer, without competitors. A caller that
// has the task uses [ScoreTask].
func Score(c *datasets.Claim, answer string) (outcome, detail string) {
	r := ScoreAll([]datasets.Claim{*c}, answer, nil)[0]
	return r.Outcome, r.Detail
}

// ScoreTask scores all claims of a task, with the competitors that its
// reference outputs show.
func ScoreTask(task *datasets.Task, answer string) []Result {
	return ScoreAll(task.Claims, answer, &Options{Competitors: func(c *datasets.Claim) []string {
		return Competitors(task, c)
	}})
}

// ScoreAll scores claims against one answer, in the order of the claims. The
// subjects of all claims together say whose number is whose.
func ScoreAll(claims []datasets.Claim, answer string, opts *Options) []Result {
	if opts == nil {
		opts = &Options{}
	}
	a := read(answer)
	a.know(claims)
	results := make([]Result, len(claims))
	for i := range claims {
		results[i] = a.score(&claims[i], opts)
	}
	return results
}

func (a *answer) score(c *datasets.Claim, opts *Options) Result {
	r := Result{ID: c.ID, Outcome: datasets.Unscored}
	if c.Volatile {
		r.Detail = "volatile: the value differs when the call is repeated"
		return r
	}
	expected, err := datasets.DecodeJSON(c.Expected)
	if err != nil {
		r.Detail = "the expected value is no JSON"
		return r
	}
	var rivals []string
	if opts.Competitors != nil {
		rivals = opts.Competitors(c)
	}
	kind := c.Kind
	if _, yesNo := affirmation(expected); yesNo && kind == datasets.ClaimEntity {
		kind = datasets.ClaimValue
	}
	switch kind {
	case datasets.ClaimValue:
		r.Outcome, r.Detail = a.value(c, expected)
	case datasets.ClaimEntity:
		r.Outcome, r.Detail = a.entity(c, expected, rivals)
	case datasets.ClaimSet:
		r.Outcome, r.Detail = a.set(c, expected, rivals)
	case datasets.ClaimOrder:
		r.Outcome, r.Detail = a.order(c, expected)
	default:
		r.Detail = "kind " + c.Kind + " is not judged by rules"
	}
	if a.cut && r.Outcome != datasets.Unscored {
		r.Detail += "; the answer was read in part"
	}
	return r
}

// Weight is what an outcome counts for coverage; ok is false for unscored.
func Weight(outcome string) (weight float64, ok bool) {
	switch outcome {
	case datasets.Fulfilled:
		return 1, true
	case datasets.Partially:
		return 0.5, true
	case datasets.NotFulfilled:
		return 0, true
	}
	return 0, false
}

// Coverage is the mean weight over the scored claims. scored is their number;
// with 0 there is no coverage, and the 0 returned means nothing.
func Coverage(outcomes []string) (coverage float64, scored int) {
	for _, o := range outcomes {
		if w, ok := Weight(o); ok {
			coverage += w
			scored++
		}
	}
	if scored == 0 {
		return 0, 0
	}
	return coverage / float64(scored), scored
}

// Outcomes are the outcomes of results, in order.
func Outcomes(results []Result) []string {
	out := make([]string, len(results))
	for i, r := range results {
		out[i] = r.Outcome
	}
	return out
}

// Passed says that a coverage reaches the threshold; 0 stands for
// [datasets.PassCoverage].
func Passed(coverage, threshold float64) bool {
	if threshold == 0 {
		threshold = datasets.PassCoverage
	}
	return coverage >= threshold-1e-9
}
