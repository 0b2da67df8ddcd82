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
	if problems := datasets.CheckTask(t); len(problems) > 0 {
		return problems[0].Error()
	}
	if len(t.Claims) == 0 {
		return "the task has no claims"
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
