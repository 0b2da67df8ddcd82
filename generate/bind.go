package generate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/schema"
)

// bind makes the arguments of the tool that edge e leads to: the edge's own,
// what belongs to the same element (the longitude beside the latitude), values
// of other steps where edges lead from them, and constants of a proven call.
// It returns nil where the result would not make sense.
func (g *growth) bind(e, from int) ([]datasets.Argument, []int) {
	edge := &g.edges[e]
	tool := g.byID[edge.ToServer+"/"+edge.ToTool]
	first := g.take(edge, from)
	if first == nil {
		return nil, nil
	}
	args, used := []datasets.Argument{*first}, []int{e}
	bound := map[string]bool{edge.ToParam: true}
	for _, p := range g.params[tool.ID()] {
		if bound[p.Path] || strings.Count(p.Path, "/") != 1 {
			continue
		}
		if a, i := g.companion(tool, p, first); a != nil && !slices.ContainsFunc(args, func(b datasets.Argument) bool { return b.Step == a.Step && b.From == a.From }) {
			args, used = append(args, *a), append(used, i)
			bound[p.Path] = true
		}
	}
	rest := g.restOf(tool, first, bound)
	if rest == nil {
		return nil, nil
	}
	args = append(args, rest...)
	if !g.unitsAgree(tool, first, args) {
		return nil, nil
	}
	g.inferUnit(tool, first, args)
	g.inSchemaOrder(tool, args)
	return args, used
}

// take makes the argument of an edge that leaves step number from.
func (g *growth) take(edge *datasets.Edge, from int) *datasets.Argument {
	a := &datasets.Argument{
		Path: edge.ToParam, Source: datasets.SourceStep, Step: int32(from), From: edge.FromPath, Pick: datasets.PickOnly,
	}
	list, rest, star := strings.Cut(edge.FromPath, "/*")
	switch {
	case !star:
	case g.takesArray(edge) && !strings.Contains(rest, "*"):
		matches, err := datasets.Resolve(g.draft.at(from).doc, edge.FromPath)
		if err != nil || len(matches) < 3 {
			return nil
		}
		a.Pick = datasets.PickAll
	case strings.Contains(rest, "*"):
		return nil
	default:
		p := g.choose(from, list)
		if p == nil {
			return nil
		}
		a.Pick, a.By, a.Equal = p.rule, p.by, p.equal
	}
	v, err := a.Resolve(g.draft.documents())
	if err != nil || v == nil || v == "" || echoes(g.draft.at(from), v) || g.draft.states(v) || !g.unitWanted(edge, a) {
		return nil
	}
	return a
}

// echoes says that a step only gave back what it was sent: a value that needs
// no step.
func echoes(s *step, v any) bool {
	raw := datasets.EncodeJSON(v)
	return slices.ContainsFunc(s.args, func(a datasets.Argument) bool { return a.Value == raw })
}

func (g *growth) takesArray(edge *datasets.Edge) bool {
	for _, p := range g.params[edge.ToServer+"/"+edge.ToTool] {
		if p.Path == edge.ToParam {
			return slices.Contains(p.Types, "array")
		}
	}
	return false
}

// companion binds another parameter of the same tool from a step of the draft.
// Values of the element that the first came from are preferred, and the only
// ones for coordinates and handles; another step is used for required
// parameters only, so that a join has a reason.
func (g *growth) companion(tool *datasets.Tool, p schema.Param, first *datasets.Argument) (*datasets.Argument, int) {
	from := int(first.Step)
	bound := latitude(p.Path) || longitude(p.Path) || g.handle(tool, p.Name)
	for _, e := range g.edgesInto(tool, p.Path) {
		edge := &g.edges[e]
		for n := len(g.draft.steps); n >= 1; n-- {
			s := g.draft.at(n)
			if s.tool.Server != edge.FromServer || s.tool.Name != edge.FromTool {
				continue
			}
			same := n == from && (p.Required || bound) && container(edge.FromPath) == container(first.From)
			other := n != from && !bound && !g.linear && p.Required && edge.Kind != datasets.EdgeSchema && g.rng.IntN(2) == 0
			if same || other {
				if a := g.take(edge, n); a != nil && (same || g.comparable(first, a)) {
					return a, e
				}
			}
		}
	}
	return nil, 0
}

// container is the path of the object that holds the value at a path.
func container(path string) string { return path[:max(0, strings.LastIndex(path, "/"))] }

// restOf fills the parameters that are not bound with constants of one proven
// call. A handle that nothing delivers makes the call impossible to ask for.
func (g *growth) restOf(tool *datasets.Tool, first *datasets.Argument, bound map[string]bool) []datasets.Argument {
	samples := slices.Clone(g.samples[tool.ID()])
	g.rng.Shuffle(len(samples), func(i, j int) { samples[i], samples[j] = samples[j], samples[i] })
	slices.SortStableFunc(samples, func(a, b map[string]any) int {
		return cmp.Compare(g.naturalness(tool, b), g.naturalness(tool, a))
	})
	unit := g.unitOf(first)
	for _, sample := range samples {
		if unit != "" && !g.setUnit(tool, sample, unit) {
			continue
		}
		ok := true
		for _, name := range g.requiredOf(tool) {
			path := "/" + datasets.EscapeSegment(name)
			v, given := sample[name]
			if !bound[path] && (!given || !g.sayable(tool, name, v) || g.handle(tool, name)) {
				ok = false
			}
		}
		if ok {
			rest := g.constants(tool, sample, bound)
			if rest == nil {
				rest = []datasets.Argument{}
			}
			return rest
		}
	}
	return nil
}

// inSchemaOrder sorts arguments as the schema lists its parameters.
func (g *growth) inSchemaOrder(tool *datasets.Tool, args []datasets.Argument) {
	order := map[string]int{}
	for i, p := range g.params[tool.ID()] {
		order[p.Path] = i
	}
	slices.SortStableFunc(args, func(a, b datasets.Argument) int { return order[a.Path] - order[b.Path] })
}
