package evaluate

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/taskwright/taskwright/datasets"
)

// UnitKey is the key of one attempt of one agent at one task: the digest of
// everything that can change its trajectory or its scores, and of nothing
// else. Of the task that is the text that the agent gets, the tools, chain,
// claims and reference outputs. more adds what only the caller knows: the
// model and its settings, prompt digests, limits, digests of the exposed tools
// ([RunOptions] does that by itself).
func UnitKey(task *datasets.Task, agent, level string, attempt int, offline bool, more ...string) string {
	text, got, err := Text(task, level)
	reference := make([]string, len(task.Reference))
	for i, e := range task.Reference {
		reference[i] = fmt.Sprintf("%d %s", e.Step, e.Output)
	}
	parts := []string{
		"evaluate 1", agent, got, text, strconv.FormatBool(err == nil), strconv.Itoa(attempt), strconv.FormatBool(offline),
		task.ID, task.Pattern,
		encode(task.ExposedTools), encode(task.RequiredTools), encode(task.Chain), encode(task.Claims), encode(reference),
	}
	return datasets.Digest(append(parts, more...)...)
}

// encode is a row as JSON; rows hold nothing that JSON cannot.
func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("evaluate: encoding a row: " + err.Error())
	}
	return string(b)
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
