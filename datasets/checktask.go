package datasets

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// CheckTask finds what is wrong with a task by itself: paths that do not
// resolve in the reference outputs, values that are not those of the reference
// run, steps that use later steps, names that are used twice or do not exist.
// The errors come in the order of the columns.
func CheckTask(t *Task) []FieldError {
	c := taskCheck{task: t}
	c.head()
	c.chain()
	c.outline()
	c.variants()
	c.claims()
	c.reference()
	c.judgements()
	return c.errs
}

// taskCheck gathers the errors of one task.
type taskCheck struct {
	task    *Task
	outputs []any // output documents of the reference by step; nil where there is none
	has     []bool
	errs    []FieldError
}

func (c *taskCheck) fail(field, format string, args ...any) {
	c.errs = append(c.errs, FieldError{field, fmt.Sprintf(format, args...)})
}

func (c *taskCheck) head() {
	t := c.task
	if t.ID == "" {
		c.fail("id", "is empty")
	}
	var required, servers []string
	for i := range t.Chain {
		if id := t.Chain[i].ID(); !slices.Contains(required, id) {
			required = append(required, id)
		}
		if s := t.Chain[i].Server; !slices.Contains(servers, s) {
			servers = append(servers, s)
		}
	}
	slices.Sort(servers)
	if !slices.Equal(t.Servers, servers) {
		c.fail("servers", "is %q, but the chain uses %q", t.Servers, servers)
	}
	if !slices.Equal(t.RequiredTools, required) {
		c.fail("required_tools", "is %q, but the chain uses %q", t.RequiredTools, required)
	}
	for i, tool := range t.RequiredTools {
		if len(t.ExposedTools) > 0 && !slices.Contains(t.ExposedTools, tool) {
			c.fail(fmt.Sprintf("required_tools[%d]", i), "%s is not among the exposed tools", tool)
		}
	}
	c.outputs, c.has = make([]any, len(t.Chain)), make([]bool, len(t.Chain))
	for _, r := range t.Reference {
		if i := int(r.Step) - 1; i >= 0 && i < len(t.Chain) {
			if v, err := DecodeJSON(r.Output); err == nil {
				c.outputs[i], c.has[i] = v, true
			}
		}
	}
}

func (c *taskCheck) chain() {
	if len(c.task.Chain) == 0 {
		c.fail("chain", "has no steps")
	}
	for i := range c.task.Chain {
		step := &c.task.Chain[i]
		paths := map[string]bool{}
		for j := range step.Arguments {
			a := &step.Arguments[j]
			field := fmt.Sprintf("chain[%d].arguments[%d]", i, j)
			if !strings.HasPrefix(a.Path, "/") {
				c.fail(field+".path", "%q is no JSON Pointer to a parameter", a.Path)
			}
			if paths[a.Path] {
				c.fail(field+".path", "%s is set twice", a.Path)
			}
			paths[a.Path] = true
			c.argument(field, i, a)
		}
	}
}

// argument checks that an argument's source gives its value.
func (c *taskCheck) argument(field string, step int, a *Argument) {
	if a.Source != SourceStep {
		if a.Step != 0 {
			c.fail(field+".step", "is %d, but the source is %s", a.Step, a.Source)
		}
		return
	}
	if a.Step < 1 || int(a.Step) > len(c.task.Chain) {
		c.fail(field+".step", "step %d does not exist", a.Step)
		return
	}
	if int(a.Step) > step {
		c.fail(field+".step", "step %d is not earlier than step %d", a.Step, step+1)
		return
	}
	if a.Pick == "" {
		c.fail(field+".pick", "no rule says which value is picked")
		return
	}
	if !c.has[a.Step-1] {
		if c.task.Proof == ProofExecuted {
			c.fail(field+".step", "step %d has no reference output", a.Step)
		}
		return
	}
	got, err := a.Resolve(c.outputs[:step])
	if err != nil {
		c.fail(field+".from", "%v in the output of step %d", err, a.Step)
		return
	}
	if want, err := CanonicalJSON(a.Value); err == nil && EncodeJSON(got) != want {
		c.fail(field+".value", "is %s, but step %d %s gives %s", shorten(want, 60), a.Step, a.From, shorten(EncodeJSON(got), 60))
	}
}

func (c *taskCheck) outline() {
	ids := map[string]bool{}
	for _, claim := range c.task.Claims {
		ids[claim.ID] = true
	}
	for i, p := range c.task.Outline {
		field := fmt.Sprintf("outline[%d]", i)
		if p.Step < 0 || int(p.Step) > len(c.task.Chain) {
			c.fail(field+".step", "step %d does not exist", p.Step)
		}
		for j, id := range p.Claims {
			if !ids[id] {
				c.fail(fmt.Sprintf("%s.claims[%d]", field, j), "claim %s does not exist", id)
			}
		}
	}
}

func (c *taskCheck) variants() {
	accepted := map[string]bool{}
	for i, v := range c.task.Variants {
		field := fmt.Sprintf("variants[%d]", i)
		if v.Text == "" && v.Status == StatusAccepted {
			c.fail(field+".text", "is empty")
		}
		if v.Status == StatusAccepted && accepted[v.Level] {
			c.fail(field+".level", "%s has two accepted variants", v.Level)
		}
		accepted[v.Level] = accepted[v.Level] || v.Status == StatusAccepted
	}
}

func (c *taskCheck) reference() {
	t := c.task
	if t.Proof == ProofExecuted && len(t.Reference) != len(t.Chain) {
		c.fail("reference", "has %d calls for %d steps", len(t.Reference), len(t.Chain))
	}
	seen := map[int32]bool{}
	for i, r := range t.Reference {
		field := fmt.Sprintf("reference[%d]", i)
		if r.Step < 1 || int(r.Step) > len(t.Chain) {
			c.fail(field+".step", "step %d does not exist", r.Step)
			continue
		}
		if seen[r.Step] {
			c.fail(field+".step", "step %d is there twice", r.Step)
		}
		seen[r.Step] = true
		step := &t.Chain[r.Step-1]
		if got := r.Server + "/" + r.Tool; got != step.ID() {
			c.fail(field+".tool", "is %s, but step %d is %s", got, r.Step, step.ID())
			continue
		}
		c.sent(field+".arguments", &r, step)
	}
}

// sent checks that a reference call was made with the chain's arguments.
func (c *taskCheck) sent(field string, r *Executed, step *Step) {
	want := map[string]any{}
	for _, a := range step.Arguments {
		v, err := DecodeJSON(a.Value)
		if err == nil {
			err = SetPointer(want, a.Path, v)
		}
		if err != nil {
			return // reported where the argument is
		}
	}
	if got, err := CanonicalJSON(r.Arguments); err == nil && got != EncodeJSON(want) {
		c.fail(field, "is %s, but the chain says %s", shorten(got, 80), shorten(EncodeJSON(want), 80))
	}
}

func (c *taskCheck) judgements() {
	for i, s := range c.task.Scores {
		if math.IsNaN(s.Value) || s.Value < 1 || s.Value > 10 {
			c.fail(fmt.Sprintf("scores[%d].value", i), "%v is not between 1 and 10", s.Value)
		}
	}
}
