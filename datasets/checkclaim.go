package datasets

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

func (c *taskCheck) claims() {
	ids := map[string]bool{}
	for i := range c.task.Claims {
		claim := &c.task.Claims[i]
		field := fmt.Sprintf("claims[%d]", i)
		switch {
		case claim.ID == "":
			c.fail(field+".id", "is empty")
		case ids[claim.ID]:
			c.fail(field+".id", "%s is used twice", claim.ID)
		}
		ids[claim.ID] = true
		if math.IsNaN(claim.Tolerance) || claim.Tolerance < 0 || math.IsInf(claim.Tolerance, 0) {
			c.fail(field+".tolerance", "%v is no tolerance", claim.Tolerance)
		}
		c.evidence(field, claim)
	}
}

// evidence checks a claim against the output that proves it.
func (c *taskCheck) evidence(field string, claim *Claim) {
	if claim.Kind == ClaimStatement && claim.Pointer == "" && claim.Step == 0 {
		return // a statement may rest on the whole of the reference
	}
	if claim.Step < 1 || int(claim.Step) > len(c.task.Chain) {
		c.fail(field+".step", "step %d does not exist", claim.Step)
		return
	}
	if !c.has[claim.Step-1] {
		if c.task.Proof == ProofExecuted {
			c.fail(field+".step", "step %d has no reference output", claim.Step)
		}
		return
	}
	err := CheckClaim(claim, c.outputs[claim.Step-1])
	var bad *FieldError
	if errors.As(err, &bad) {
		c.fail(field+"."+bad.Field, "%s", bad.Message)
	}
}

// CheckClaim says whether a claim's pointer resolves in the output document of
// its step, and whether what is there is what the claim expects: the value
// itself, for a set the same members, for an order the same sequence. The error
// is a *[FieldError] for the claim's pointer or expected field.
func CheckClaim(claim *Claim, output any) error {
	found, err := Resolve(output, claim.Pointer)
	if err != nil {
		return &FieldError{"pointer", fmt.Sprintf("%v in the output of step %d", err, claim.Step)}
	}
	want, err := DecodeJSON(claim.Expected)
	if err != nil {
		return nil // reported as invalid JSON
	}
	if claim.Kind == ClaimSet || claim.Kind == ClaimOrder {
		return checkMembers(claim, found, want)
	}
	if len(found) > 1 {
		return &FieldError{"pointer", fmt.Sprintf("%s leads to %d values", claim.Pointer, len(found))}
	}
	if claim.Kind == ClaimStatement && want == nil {
		return nil
	}
	if got := EncodeJSON(found[0].Value); got != EncodeJSON(want) {
		return mismatch(claim, got, EncodeJSON(want))
	}
	return nil
}

func checkMembers(claim *Claim, found []Match, want any) error {
	expected, ok := want.([]any)
	if !ok {
		return &FieldError{"expected", "a " + claim.Kind + " needs an array"}
	}
	var got []string
	for _, m := range found {
		if elements, ok := m.Value.([]any); ok && len(found) == 1 {
			for _, e := range elements {
				got = append(got, EncodeJSON(e))
			}
			break
		}
		got = append(got, EncodeJSON(m.Value))
	}
	var wanted []string
	for _, e := range expected {
		wanted = append(wanted, EncodeJSON(e))
	}
	if claim.Kind == ClaimSet {
		slices.Sort(got)
		slices.Sort(wanted)
		got, wanted = slices.Compact(got), slices.Compact(wanted)
	}
	if !slices.Equal(got, wanted) {
		return mismatch(claim, fmt.Sprint(got), fmt.Sprint(wanted))
	}
	return nil
}

func mismatch(claim *Claim, got, want string) error {
	return &FieldError{"expected", fmt.Sprintf("is %s, but step %d %s holds %s", shorten(want, 80), claim.Step, claim.Pointer, shorten(got, 80))}
}
