package filter

import (
	"fmt"
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/literal"
	"github.com/taskwright/taskwright/internal/schema"
)

// schemaProblem says why the chain does not fit the catalog, "" if it does.
func (f *Filter) schemaProblem(t *datasets.Task) string {
	if len(t.Chain) == 0 {
		return "the task has no chain"
	}
	for i := range t.Chain {
		id := t.Chain[i].ID()
		tool := f.tools[id]
		if tool == nil {
			return fmt.Sprintf("step %d: the catalog has no tool %s", i+1, id)
		}
		if i >= len(t.Reference) {
			return fmt.Sprintf("step %d (%s) was never run", i+1, id)
		}
		arguments, err := datasets.DecodeJSON(t.Reference[i].Arguments)
		if err != nil {
			return fmt.Sprintf("step %d (%s): arguments are not JSON: %v", i+1, id, err)
		}
		compiled, _, err := schema.Compile(tool.InputSchema)
		if err != nil {
			continue // a schema that is none forbids nothing; the catalog warns of it
		}
		if problems := compiled.Validate(arguments); len(problems) > 0 {
			return fmt.Sprintf("step %d (%s): %s: %s", i+1, id, problems[0].Pointer, problems[0].Message)
		}
	}
	return ""
}

// referenceProblem says where the chain or a claim does not follow from the
// recorded outputs, "" if all does.
func referenceProblem(t *datasets.Task) string {
	var outputs []any
	for i := range t.Chain {
		if i >= len(t.Reference) {
			return fmt.Sprintf("step %d was never run", i+1)
		}
		made, err := t.Chain[i].ResolveArguments(outputs)
		if err != nil {
			return fmt.Sprintf("step %d: %v", i+1, err)
		}
		sent, err := datasets.CanonicalJSON(t.Reference[i].Arguments)
		if err != nil || datasets.EncodeJSON(made) != sent {
			return fmt.Sprintf("step %d: the rules of the chain give %s, the run sent %s", i+1, datasets.EncodeJSON(made), t.Reference[i].Arguments)
		}
		output, err := datasets.DecodeJSON(t.Reference[i].Output)
		if err != nil {
			return fmt.Sprintf("step %d: the output is not JSON: %v", i+1, err)
		}
		outputs = append(outputs, output)
	}
	if len(t.Claims) == 0 {
		return "the task has no claims"
	}
	for i := range t.Claims {
		if problem := claimProblem(&t.Claims[i], outputs); problem != "" {
			return fmt.Sprintf("claim %s: %s", t.Claims[i].ID, problem)
		}
	}
	return ""
}

func claimProblem(c *datasets.Claim, outputs []any) string {
	if c.Step < 1 || int(c.Step) > len(outputs) {
		return fmt.Sprintf("step %d does not exist", c.Step)
	}
	matches, err := datasets.Resolve(outputs[c.Step-1], c.Pointer)
	if err != nil {
		return err.Error()
	}
	found := datasets.EncodeJSON(matches[0].Value)
	if c.Kind == datasets.ClaimSet || c.Kind == datasets.ClaimOrder {
		all := make([]any, len(matches))
		for i, m := range matches {
			all[i] = m.Value
		}
		found = datasets.EncodeJSON(all)
	}
	if expected, err := datasets.CanonicalJSON(c.Expected); err != nil || expected != found {
		return fmt.Sprintf("%s holds %s, the claim expects %s", c.Pointer, found, c.Expected)
	}
	return ""
}

// statedProblem says which constant the instruction lacks, or which claim it
// gives away; "" if neither.
func statedProblem(t *datasets.Task) string {
	text := literal.Parse(t.Instruction)
	for i := range t.Chain {
		for _, a := range t.Chain[i].Arguments {
			if a.Source == datasets.SourceConstant && !states(text, a.Value, a.Said) {
				return fmt.Sprintf("the instruction does not state %s = %s of step %d", strings.TrimPrefix(a.Path, "/"), a.Value, i+1)
			}
			if a.Pick == datasets.PickEqual && !states(text, a.Equal, "") {
				return fmt.Sprintf("the instruction does not state %s, by which step %d picks", a.Equal, i+1)
			}
		}
	}
	for _, c := range t.Claims {
		if states(text, c.Expected, "") {
			return fmt.Sprintf("the instruction gives away %s (claim %s)", c.Expected, c.ID)
		}
	}
	return ""
}

func states(text *literal.Text, raw, said string) bool {
	if said != "" && text.Contains(said) != literal.Lost {
		return true
	}
	v, err := datasets.DecodeJSON(raw)
	return err == nil && text.Contains(v) != literal.Lost
}
