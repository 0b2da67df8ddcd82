package evaluate

import (
	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/claim"
)

// Claims scores answers against claims and words claims with given values.
// It must be safe for concurrent use.
type Claims interface {
	// Score judges the answer to a task: one verdict for each claim, in order.
	Score(task *datasets.Task, answer string) []Verdict
	// Answer states claims with values (values[i] is that of claims[i]) in
	// place of the expected ones.
	Answer(claims []datasets.Claim, values []any) string
}

// Verdict is the outcome of one claim, and why.
type Verdict struct {
	Outcome string // fulfilled, partially_fulfilled, not_fulfilled or unscored
	Detail  string
}

// Exact scores claims by rules, without a model. It is the default.
type Exact struct{}

// Score scores all claims of the task by exact rules, with what the answer
// could confuse in view.
func (Exact) Score(task *datasets.Task, answer string) []Verdict {
	verdicts := make([]Verdict, len(task.Claims))
	for i, r := range claim.ScoreTask(task, answer) {
		verdicts[i] = Verdict{r.Outcome, r.Detail}
	}
	return verdicts
}

// Answer words the claims as sentences.
func (Exact) Answer(claims []datasets.Claim, values []any) string {
	return claim.Answer(claims, values)
}

func (o *Options) claims() Claims {
	if o.Claims == nil {
		return Exact{}
	}
	return o.Claims
}
