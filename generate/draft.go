package generate

import (
	"slices"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// draft is a chain while it grows. All its steps have run.
type draft struct {
	steps []*step
	picks []*picked
	edges []int // indexes of the edges that it used
}

// step is an executed step.
type step struct {
	tool *datasets.Tool
	args []datasets.Argument
	sent string // canonical arguments
	doc  any    // output document
	call datasets.Call
}

// picked is the choice of one element of a list in a step's output. Everything
// that the chain takes from that list is taken from this element.
type picked struct {
	step  int // number of the step, from 1
	list  string
	rule  string
	by    string // full path of the deciding field
	equal string // JSON
	index int
}

func (d *draft) at(number int) *step { return d.steps[number-1] }

func (d *draft) documents() []any {
	docs := make([]any, len(d.steps))
	for i, s := range d.steps {
		docs[i] = s.doc
	}
	return docs
}

func (d *draft) uses(id string) bool {
	return slices.ContainsFunc(d.steps, func(s *step) bool { return s.tool.ID() == id })
}

func (d *draft) pick(number int, list string) *picked {
	for _, p := range d.picks {
		if p.step == number && p.list == list {
			return p
		}
	}
	return nil
}

// pickOf is the choice that an argument's value was taken by, nil if its path
// has no choice.
func (d *draft) pickOf(a *datasets.Argument) *picked {
	list, _, star := strings.Cut(a.From, "/*")
	if a.Source != datasets.SourceStep || !star || a.Pick == datasets.PickAll {
		return nil
	}
	return d.pick(int(a.Step), list)
}

// sources lists the numbers of the steps that step s takes values from.
func sources(s *step) []int {
	var out []int
	for _, a := range s.args {
		if a.Source == datasets.SourceStep && !slices.Contains(out, int(a.Step)) {
			out = append(out, int(a.Step))
		}
	}
	slices.Sort(out)
	return out
}

// leaves lists the numbers of the steps that feed no other step.
func (d *draft) leaves() []int {
	fed := map[int]bool{}
	for _, s := range d.steps {
		for _, n := range sources(s) {
			fed[n] = true
		}
	}
	var out []int
	for i := range d.steps {
		if !fed[i+1] {
			out = append(out, i+1)
		}
	}
	return out
}

// shape is the pattern, depth and width of the chain.
func (d *draft) shape() (pattern string, depth, width int) {
	level := make([]int, len(d.steps)+1)
	perLevel := map[int]int{}
	linear, edges := true, 0
	for i, s := range d.steps {
		n := i + 1
		level[n] = 1
		from := sources(s)
		edges += len(from)
		for _, f := range from {
			level[n] = max(level[n], level[f]+1)
		}
		if i > 0 && !slices.Equal(from, []int{i}) {
			linear = false
		}
		depth = max(depth, level[n])
		perLevel[level[n]]++
		width = max(width, perLevel[level[n]])
	}
	switch {
	case len(d.steps) == 1:
		return datasets.PatternSingle, depth, width
	case linear:
		return datasets.PatternLinear, depth, width
	case d.branches() > 1 && edges == len(d.steps)-d.branches() && d.pathsOnly():
		return datasets.PatternParallel, depth, width
	}
	return datasets.PatternHybrid, depth, width
}

// branches counts the parts of the chain that share no value.
func (d *draft) branches() int {
	group := make([]int, len(d.steps)+1)
	for n := range group {
		group[n] = n
	}
	for i, s := range d.steps {
		for _, f := range sources(s) {
			from, to := group[f], group[i+1]
			for n := range group {
				if group[n] == to {
					group[n] = from
				}
			}
		}
	}
	seen := map[int]bool{}
	for _, g := range group[1:] {
		seen[g] = true
	}
	return len(seen)
}

// pathsOnly says that no step feeds two others and none is fed by two.
func (d *draft) pathsOnly() bool {
	fed := map[int]int{}
	for _, s := range d.steps {
		from := sources(s)
		if len(from) > 1 {
			return false
		}
		for _, f := range from {
			fed[f]++
		}
	}
	for _, n := range fed {
		if n > 1 {
			return false
		}
	}
	return true
}

func (d *draft) crossServer() bool {
	for _, s := range d.steps {
		for _, f := range sources(s) {
			if d.at(f).tool.Server != s.tool.Server {
				return true
			}
		}
	}
	return false
}

// signature tells chains with the same tools, flows and constants apart from
// others, whatever order they grew in.
func (d *draft) signature() string {
	parts := []string{}
	for _, s := range d.steps {
		parts = append(parts, s.tool.ID()+s.sent)
	}
	slices.Sort(parts)
	return datasets.Digest(parts...)
}

// states says that a text is a constant of the chain: what leads back to it,
// however far, needs no step.
func (d *draft) states(v any) bool {
	if _, text := v.(string); !text {
		return false
	}
	raw := datasets.EncodeJSON(v)
	for _, s := range d.steps {
		for _, a := range s.args {
			if a.Source == datasets.SourceConstant && a.Value == raw {
				return true
			}
		}
	}
	return false
}
