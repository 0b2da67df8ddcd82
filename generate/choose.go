package generate

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/schema"
)

// weighted picks an index with a chance in proportion to its weight, -1 if all
// weights are 0.
func weighted(rng *rand.Rand, weights []float64) int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	if sum <= 0 {
		return -1
	}
	at := rng.Float64() * sum
	for i, w := range weights {
		if at -= w; at < 0 && w > 0 {
			return i
		}
	}
	return slices.IndexFunc(weights, func(w float64) bool { return w > 0 })
}

// leadsOn weighs a tool by whether so many further steps can follow it.
func (c *catalog) leadsOn(id string, further int) float64 {
	switch h := c.height[id]; {
	case h >= min(further, maxHeight):
		return 1
	case h > 0:
		return 0.3
	}
	return 0.1
}

// chooseRoot prefers tools that were used less, that a person could ask for
// with plain words, and that further steps can follow.
func (c *catalog) chooseRoot(rng *rand.Rand, d *draft, further int) *datasets.Tool {
	weights := make([]float64, len(c.ids))
	for i, id := range c.ids {
		t := c.byID[id]
		if d.uses(id) || len(c.samples[id]) == 0 {
			continue
		}
		w := 1 / float64(1+c.toolUses[id]*c.toolUses[id]+c.barren[id]*c.barren[id])
		for _, p := range c.requiredOf(t) {
			if c.handle(t, p) {
				w = 0
			}
		}
		weights[i] = w * c.fits(t, d) * c.leadsOn(id, further)
	}
	i := weighted(rng, weights)
	if i < 0 {
		return nil
	}
	return c.byID[c.ids[i]]
}

// fits weighs a tool as the start of a chain, or of a further branch of one: a
// branch that shares a constant or a server with the rest makes a better task,
// and a tool that only re-expresses a number, or that wants coordinates, is
// better fed by another.
func (c *catalog) fits(t *datasets.Tool, d *draft) float64 {
	w := 1.0
	for _, p := range c.params[t.ID()] {
		number := slices.Contains(p.Types, "number") || slices.Contains(p.Types, "integer") || slices.Contains(p.Types, "array")
		if p.Required && number && len(c.into[t.ID()+p.Path]) > 0 {
			w *= 0.3
		}
	}
	if len(d.steps) == 0 {
		return w
	}
	for _, s := range c.samples[t.ID()] {
		if d.sharesConstant(s) {
			return w * 10
		}
	}
	for _, s := range d.steps {
		if s.tool.Server == t.Server {
			return w * 3
		}
	}
	return w / 8
}

// chooseSample is the arguments of a proven call that can be put into words.
// Of several it prefers one that shares a value with the draft, so that the
// branches of a task have a theme.
func (c *catalog) chooseSample(rng *rand.Rand, t *datasets.Tool, d *draft) map[string]any {
	var fit []map[string]any
	var weights []float64
	for _, s := range c.samples[t.ID()] {
		if !c.speakableSample(t, s) {
			continue
		}
		natural := c.naturalness(t, s)
		w := 0.02 + natural*natural
		if d.sharesConstant(s) {
			w *= 6
		}
		fit, weights = append(fit, s), append(weights, w)
	}
	i := weighted(rng, weights)
	if i < 0 {
		return nil
	}
	return fit[i]
}

// naturalness is the share of a sample's arguments that the schema itself
// offers, in 0..1: examples read better than what probing came up with.
func (c *catalog) naturalness(t *datasets.Tool, sample map[string]any) float64 {
	if booked(t, c.book) {
		return 1
	}
	n, all := 0, 0
	texts := map[string]bool{}
	for _, p := range c.params[t.ID()] {
		v, given := sample[p.Name]
		if !given || strings.Count(p.Path, "/") != 1 {
			continue
		}
		all++
		if offers(&p, v) {
			n++
		}
		if s, ok := v.(string); ok {
			if texts[s] {
				return 0 // the same twice: from a currency to itself
			}
			texts[s] = true
		}
	}
	if all == 0 {
		return 1
	}
	return float64(n) / float64(all)
}

// offers says that a parameter's schema or description names the value.
func offers(p *schema.Param, v any) bool {
	raw := datasets.EncodeJSON(v)
	for _, o := range slices.Concat(p.Enum, p.Examples, []any{p.Default}) {
		if datasets.EncodeJSON(o) == raw {
			return true
		}
	}
	return len(raw) > 2 && strings.Contains(p.Description, strings.Trim(raw, `"`))
}

func (c *catalog) speakableSample(t *datasets.Tool, sample map[string]any) bool {
	required := c.requiredOf(t)
	for name, v := range sample {
		if slices.Contains(required, name) && (!c.sayable(t, name, v) || c.handle(t, name)) {
			return false
		}
	}
	return true
}

// sayable says that a person could state the value of a parameter.
func (c *catalog) sayable(t *datasets.Tool, param string, v any) bool {
	words := datasets.EncodeJSON(v)
	if s, ok := v.(string); ok {
		words = s
	}
	return speakable(v) || c.book.say(t.ID(), param, words) != ""
}

func (d *draft) sharesConstant(sample map[string]any) bool {
	for _, v := range sample {
		if s, ok := v.(string); !ok || len(s) < 4 {
			continue
		}
		raw := datasets.EncodeJSON(v)
		for _, s := range d.steps {
			for _, a := range s.args {
				if a.Source == datasets.SourceConstant && a.Value == raw {
					return true
				}
			}
		}
	}
	return false
}

var kindWeight = map[string]float64{
	datasets.EdgeVerified: 3, datasets.EdgeObserved: 3, datasets.EdgeDeclared: 1.5, datasets.EdgeSchema: 1, datasets.EdgeProposed: 0.5,
}

// chooseEdge picks an edge that leaves step number from for a tool that the
// draft does not use yet, -1 if there is none. Unused edges, edges between
// servers, and those that further steps can follow come first.
func (c *catalog) chooseEdge(rng *rand.Rand, d *draft, from, further int) int {
	s := d.at(from)
	out := c.out[s.tool.ID()]
	weights := make([]float64, len(out))
	for i, e := range out {
		edge := &c.edges[e]
		to := edge.ToServer + "/" + edge.ToTool
		if d.uses(to) {
			continue
		}
		if _, err := datasets.Resolve(s.doc, edge.FromPath); err != nil {
			continue
		}
		w := kindWeight[edge.Kind] * max(edge.Score, 0.05)
		w /= float64(1 + 2*c.edgeUses[e])
		w /= float64(1 + c.toolUses[to] + c.barren[to])
		if edge.ToServer != edge.FromServer {
			w *= 2
		}
		weights[i] = w * c.leadsOn(to, further)
	}
	i := weighted(rng, weights)
	if i < 0 {
		return -1
	}
	return out[i]
}

// edgesInto lists edges that enter a parameter from tools of the draft, the
// best first.
func (c *catalog) edgesInto(tool *datasets.Tool, path string) []int {
	into := slices.Clone(c.into[tool.ID()+path])
	slices.SortStableFunc(into, func(a, b int) int {
		return cmp.Compare(kindWeight[c.edges[b].Kind]*c.edges[b].Score, kindWeight[c.edges[a].Kind]*c.edges[a].Score)
	})
	return into
}
