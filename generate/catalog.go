package generate

import (
	"cmp"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/schema"
)

// catalog is what can be sampled from: the tools that were proved to work, the
// edges between them, and how often each was used so far.
type catalog struct {
	byID     map[string]*datasets.Tool
	ids      []string // of the tools that can be called, sorted
	params   map[string][]schema.Param
	samples  map[string][]map[string]any
	edges    []datasets.Edge
	out      map[string][]int // edges by the id of the tool that they leave
	into     map[string][]int // edges by "server/tool" + parameter that they enter
	book     *Phrasebook
	toolUses map[string]int
	edgeUses map[int]int
}

func newCatalog(tools []datasets.Tool, edges []datasets.Edge, book *Phrasebook) *catalog {
	c := &catalog{
		book: book,
		byID: map[string]*datasets.Tool{}, params: map[string][]schema.Param{}, samples: map[string][]map[string]any{},
		edges: edges, out: map[string][]int{}, into: map[string][]int{}, toolUses: map[string]int{}, edgeUses: map[int]int{},
	}
	for i := range tools {
		t := &tools[i]
		if t.Health.Status != datasets.HealthOK || t.Health.Volatile || book.excludes(t.ID()) || changes(t) && book.tool(t.ID()).Does == "" {
			continue
		}
		id := t.ID()
		c.byID[id] = t
		c.ids = append(c.ids, id)
		c.params[id] = schema.Params(t.InputSchema)
		for _, s := range t.Samples {
			if object := decodeObject(s.Arguments); object != nil && c.timeless(t, object) {
				c.samples[id] = append(c.samples[id], object)
			}
		}
	}
	slices.Sort(c.ids)
	for i, e := range edges {
		from, to := e.FromServer+"/"+e.FromTool, e.ToServer+"/"+e.ToTool
		if c.byID[from] == nil || c.byID[to] == nil || !book.tool(from).says(e.FromPath) || slices.Contains(book.tool(to).Stated, strings.TrimPrefix(e.ToParam, "/")) {
			continue
		}
		c.out[from] = append(c.out[from], i)
		c.into[to+e.ToParam] = append(c.into[to+e.ToParam], i)
	}
	return c
}

// changes says that a tool is there to change something. Nobody asks what such
// a call returned; it gets into a task only by a deed of the phrasebook.
func changes(t *datasets.Tool) bool {
	switch t.Effect {
	case datasets.EffectWrite:
		return true
	case datasets.EffectRead:
		return false
	}
	for _, w := range splitWords(t.Name) {
		switch w {
		case "create", "add", "delete", "remove", "update", "write", "edit", "move", "rename", "append", "insert", "set", "clear", "cancel", "approve", "mark", "open", "trigger", "toggle", "start", "stop", "run", "execute", "install":
			return true
		}
	}
	return false
}

// timeless says that a call does not depend on the day on which it is made: a
// tool that falls back to the present time must be told a time.
func (c *catalog) timeless(t *datasets.Tool, sample map[string]any) bool {
	present := presentTime.MatchString(t.Description)
	var timed, given bool
	for _, p := range c.params[t.ID()] {
		present = present || presentTime.MatchString(p.Description)
		words := splitWords(p.Name)
		if len(words) == 0 {
			continue
		}
		switch words[len(words)-1] {
		case "date", "time", "datetime", "timestamp", "day", "now":
			timed = true
			_, has := sample[p.Name]
			given = given || has
		}
	}
	return !present || timed && given
}

var presentTime = regexp.MustCompile(`(?i)\b(current (date|time|month|year|day|timestamp)|now|today)\b`)

func (c *catalog) requiredOf(t *datasets.Tool) []string {
	var out []string
	for _, p := range c.params[t.ID()] {
		if p.Required && strings.Count(p.Path, "/") == 1 {
			out = append(out, p.Name)
		}
	}
	return out
}

// handle says that a parameter takes a reference that people do not use: an
// id that another tool delivers.
func (c *catalog) handle(tool *datasets.Tool, param string) bool {
	if slices.Contains(c.book.tool(tool.ID()).Fed, param) {
		return true
	}
	if !idWord(param) {
		return false
	}
	return len(c.into[tool.ID()+"/"+datasets.EscapeSegment(param)]) > 0
}

func idWord(name string) bool {
	words := splitWords(name)
	if len(words) == 0 {
		return false
	}
	switch words[len(words)-1] {
	case "id", "ids", "uuid", "guid", "key", "hash", "token", "cursor", "sha":
		return true
	}
	return false
}

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

// chooseRoot prefers tools that were used less and that a person could ask for
// with plain words.
func (c *catalog) chooseRoot(rng *rand.Rand, d *draft) *datasets.Tool {
	weights := make([]float64, len(c.ids))
	for i, id := range c.ids {
		t := c.byID[id]
		if d.uses(id) || len(c.samples[id]) == 0 {
			continue
		}
		w := 1 / float64(1+c.toolUses[id]*c.toolUses[id])
		for _, p := range c.requiredOf(t) {
			if c.handle(t, p) {
				w = 0
			}
		}
		if len(c.out[id]) == 0 {
			w /= 4
		}
		weights[i] = w * c.fits(t, d)
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
		if slices.Contains(required, name) && (!speakable(v) || c.handle(t, name)) {
			return false
		}
	}
	return true
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
// draft does not use yet, -1 if there is none. Unused edges and edges between
// servers come first.
func (c *catalog) chooseEdge(rng *rand.Rand, d *draft, from int) int {
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
		w /= float64(1 + c.toolUses[to])
		if edge.ToServer != edge.FromServer {
			w *= 2
		}
		weights[i] = w
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

func (c *catalog) count(d *draft) {
	for _, s := range d.steps {
		c.toolUses[s.tool.ID()]++
	}
	for _, e := range d.edges {
		c.edgeUses[e]++
	}
}
