package evaluate

import (
	"fmt"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// dependencies counts the edges of the chain (a step's argument that an earlier
// step feeds), and those that the agent honoured: it called the consuming tool,
// and each value that it sent there had come out of a successful call of an
// earlier round. Whichever tool delivered the value counts, since a task may
// have more than one way; a value that nothing delivered was invented. A call
// stands for at most one step.
func dependencies(task *datasets.Task, t *datasets.Trajectory) (met, edges int, missing string) {
	p := provenance{t: t, docs: make([]any, len(t.Calls)), read: make([]bool, len(t.Calls))}
	used := make([]bool, len(t.Calls))
	var lost []string
	for i := range task.Chain {
		fed := fedArguments(&task.Chain[i])
		if len(fed) == 0 {
			continue
		}
		edges += len(fed)
		n, unmet := p.bestCall(&task.Chain[i], fed, used)
		met += n
		for _, path := range unmet {
			lost = append(lost, fmt.Sprintf("step %d %s%s", i+1, task.Chain[i].ID(), path))
		}
	}
	return met, edges, strings.Join(lost, "; ")
}

func fedArguments(step *datasets.Step) []string {
	var paths []string
	for _, a := range step.Arguments {
		if a.Source == datasets.SourceStep {
			paths = append(paths, a.Path)
		}
	}
	return paths
}

// provenance answers where the values of a trajectory came from. Documents are
// decoded only when the plain text does not settle it.
type provenance struct {
	t    *datasets.Trajectory
	docs []any
	read []bool
}

// bestCall takes the unused call to the step's tool that honours most of the
// arguments, the first of equals, and returns their number and the others.
func (p *provenance) bestCall(step *datasets.Step, paths []string, used []bool) (met int, unmet []string) {
	best := -1
	unmet = paths
	for i := range p.t.Calls {
		a := &p.t.Calls[i]
		if used[i] || a.Server != step.Server || a.Tool != step.Tool {
			continue
		}
		if lost := p.unmet(a, paths); best < 0 || len(lost) < len(unmet) {
			best, unmet = i, lost
		}
		if len(unmet) == 0 {
			break
		}
	}
	if best >= 0 {
		used[best] = true
	}
	return len(paths) - len(unmet), unmet
}

// unmet lists the arguments of a call whose values no earlier round delivered.
func (p *provenance) unmet(a *datasets.Action, paths []string) []string {
	var lost []string
	args, err := datasets.DecodeJSON(a.Arguments)
	if err != nil {
		return paths
	}
	for _, path := range paths {
		v, err := datasets.ResolveOne(args, path)
		if err != nil || !p.delivered(v, a.Round) {
			lost = append(lost, path)
		}
	}
	return lost
}
