package claim_test

import (
	"fmt"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/claim"
)

// A distance counts in any unit of length, within its tolerance.
func ExampleScore() {
	c := &datasets.Claim{ID: "c1", Kind: datasets.ClaimValue, Expected: "392.6", Unit: "km", Tolerance: 0.01, ToleranceKind: datasets.ToleranceRelative}
	for _, answer := range []string{"It is about 244 miles away.", "It takes 392.6 minutes.", "I do not know."} {
		outcome, _ := claim.Score(c, answer)
		fmt.Println(outcome)
	}
	// Output:
	// fulfilled
	// not_fulfilled
	// not_fulfilled
}
