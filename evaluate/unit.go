package evaluate

import (
	"fmt"
	"strconv"

	"github.com/taskwright/taskwright/datasets"
)

// UnitKey is the key of one attempt of one agent at one task: the digest of
// everything that can change its trajectory or its scores, and of nothing else.
// more adds what only the caller knows: the model and its settings, prompt
// digests, limits, the digests of the exposed tools.
func UnitKey(task *datasets.Task, agent, level string, attempt int, offline bool, more ...string) string {
	parts := []string{
		"evaluate 1", agent, level, strconv.Itoa(attempt), strconv.FormatBool(offline),
		task.ID, task.Instruction, task.Pattern,
		fmt.Sprintf("%q", task.ExposedTools), fmt.Sprintf("%q", task.RequiredTools),
		fmt.Sprintf("%+v", task.Chain), fmt.Sprintf("%+v", task.Claims),
	}
	for _, v := range task.Variants {
		parts = append(parts, v.Level, v.Status, v.Text)
	}
	parts = append(parts, strconv.Itoa(len(task.Variants)))
	for _, e := range task.Reference {
		parts = append(parts, e.Output)
	}
	return datasets.Digest(append(parts, more...)...)
}

// more is what of the options changes the result of a unit.
func (o *Options) more(task *datasets.Task) []string {
	list := []string{o.Model, o.Limits.String(), strconv.FormatFloat(o.pass(), 'g', -1, 64)}
	for _, id := range task.ExposedTools {
		t := o.tool(id)
		list = append(list, t.Digest)
	}
	return list
}
