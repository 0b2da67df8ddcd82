package discover

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/schema"
)

// Bounds on the edges that are kept, so that a parameter that takes anything
// does not drown the rest.
const (
	staticAtLeast   = 0.5 // score of a static edge
	perParam        = 64  // static edges into one parameter
	perParamAndTool = 4   // of which from one tool
	observedPer     = 64  // observed edges into one parameter
	observedPerTool = 4   // of which from one tool
)

// edgeKey names an edge apart from its kind and score.
type edgeKey struct {
	from, to    int
	path, param string
}

// found is an edge with its ends as indexes.
type found struct {
	edgeKey
	kind     string
	score    float64
	evidence string
}

// Edges lists the edges of a catalog: those seen when values flowed in the
// sample calls of the tools (kind observed), and those that names, types and
// units suggest (kind declared where the output schema is the server's own,
// else schema). answer gives the recorded call of a sample's tape key. An edge
// that was both seen and suggested is listed once, as observed. The order is by
// tool, path, target and parameter.
func Edges(servers []datasets.Server, tools []datasets.Tool, answer func(tapeKey string) (datasets.Call, bool)) []datasets.Edge {
	c := newCatalog(servers, tools, answer)
	best := map[edgeKey]found{}
	for _, list := range [][]found{c.static(), c.observed()} { // the stronger kind last
		for _, f := range list {
			best[f.edgeKey] = f
		}
	}
	out := make([]found, 0, len(best))
	for _, f := range best {
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b found) int { return a.compare(b.edgeKey) })
	edges := make([]datasets.Edge, len(out))
	for i, f := range out {
		edges[i] = c.edge(f)
	}
	return edges
}

func (k edgeKey) compare(o edgeKey) int {
	return cmp.Or(cmp.Compare(k.from, o.from), cmp.Compare(k.path, o.path), cmp.Compare(k.to, o.to), cmp.Compare(k.param, o.param))
}

// catalog is what the search for edges works on.
type catalog struct {
	tools  []datasets.Tool
	fields []*field
	index  *fieldIndex
	slots  []*slot
	byPath map[string]*field // "tool/path"
	runs   [][]run           // sample calls of each tool
	common map[string]int    // tools that have a parameter of these words
	echo   map[int]bool      // fields that only give back what was sent
}

// run is a sample call with its answer.
type run struct {
	arguments map[string]any
	sent      map[string]bool
	leaves    []leaf
	text      string // of a text answer
}

func newCatalog(servers []datasets.Server, tools []datasets.Tool, answer func(string) (datasets.Call, bool)) *catalog {
	c := &catalog{tools: tools, index: newFieldIndex(), byPath: map[string]*field{}, common: map[string]int{}, echo: map[int]bool{}, runs: make([][]run, len(tools))}
	dead := map[string]bool{}
	for _, s := range servers {
		dead[s.Name] = s.Status == datasets.ServerFailed
	}
	session := map[string]bool{}
	for _, s := range servers {
		session[s.Name] = s.State == datasets.StateSession
	}
	for i := range tools {
		if answer != nil && !dead[tools[i].Server] {
			c.runs[i] = samples(&tools[i], answer)
		}
	}
	c.remember(session)
	for i := range tools {
		if dead[tools[i].Server] {
			continue
		}
		c.addFields(i)
		slots := newSlots(i, &tools[i])
		c.slots = append(c.slots, slots...)
		for _, s := range slots {
			c.common[strings.Join(s.words, " ")]++
		}
	}
	return c
}

// remember adds to what a call to a server with state sent all that the sample
// calls of the server sent, ids apart: such a server gives back later what it
// was told.
func (c *catalog) remember(session map[string]bool) {
	told := map[string]map[string]bool{}
	for pass := range 2 {
		for i, runs := range c.runs {
			server := c.tools[i].Server
			if !session[server] {
				continue
			}
			if told[server] == nil {
				told[server] = map[string]bool{}
			}
			for n := range runs {
				if pass == 0 {
					for _, l := range leavesOf(runs[n].arguments) {
						if !identifiesOnly(l.path) {
							told[server][encode(l.value)] = true
						}
					}
				} else {
					for v := range told[server] {
						runs[n].sent[v] = true
					}
				}
			}
		}
	}
}

// identifiesOnly says whether the last name of a path asks for an id.
func identifiesOnly(path string) bool {
	return slices.Contains(words(path[strings.LastIndexByte(strings.TrimRight(path, "/*"), '/')+1:]), "id")
}

// addFields lists a tool's output places: of its schema, and with the units and
// formats that its samples show.
func (c *catalog) addFields(tool int) {
	t := &c.tools[tool]
	for _, p := range schema.Leaves(t.OutputSchema) {
		kind := ""
		if len(p.Types) > 0 {
			kind = p.Types[0]
		}
		if p.Path == "/text" && !strings.Contains(t.OutputSchema, `"title"`) && t.OutputSchemaSource == datasets.SchemaObserved && len(c.runs[tool]) > 0 && c.runs[tool][0].text != "" {
			continue // the whole text is no value
		}
		f := newField(tool, t, p.Path, kind, p.Format)
		if u := c.unitInText(tool, p.Path); f.unit == "" && u != "" {
			f.unit = u
		}
		c.fields = append(c.fields, f)
		c.byPath[placeKey(tool, p.Path)] = f
		if c.echoes(tool, p.Path) {
			c.echo[len(c.fields)-1] = true
		}
		f.constant = c.constant(tool, p.Path)
		c.index.add(f, len(c.fields)-1)
	}
}

// echoes says whether a place held nothing in any sample but what was sent.
func (c *catalog) echoes(tool int, path string) bool {
	seen := false
	for _, r := range c.runs[tool] {
		for _, l := range r.leaves {
			if l.path != path {
				continue
			}
			if !r.sent[encode(l.value)] {
				return false
			}
			seen = true
		}
	}
	return seen
}

// constant says whether a place, outside of lists, held one and the same value
// in the answers to three different calls or more: it says something about the
// tool, such as the date of its data, and nothing about what was asked.
func (c *catalog) constant(tool int, path string) bool {
	if strings.Contains(path, "*") {
		return false
	}
	first, sent := "", map[string]bool{}
	for _, r := range c.runs[tool] {
		for _, l := range r.leaves {
			if l.path != path {
				continue
			}
			e := encode(l.value)
			if first != "" && e != first {
				return false
			}
			first = e
			sent[encode(r.arguments)] = true
		}
	}
	return len(sent) >= 3
}

// weak says whether a match is one of kind only, and the field's value is
// always the same: then it is no flow.
func weak(f *field, score float64) bool { return f.constant && score < 0.75 }

// misfits says whether samples of a field are there and none is among the
// values that the slot allows.
func (c *catalog) misfits(f *field, s *slot) bool {
	if len(s.param.Enum) == 0 || s.param.Is("array") && len(s.param.Types) > 0 {
		return false
	}
	seen := false
	for _, r := range c.runs[f.tool] {
		for _, l := range r.leaves {
			if l.path == f.path {
				if fitsParam(&s.param, l.value) {
					return false
				}
				seen = true
			}
		}
	}
	return seen
}

func samples(t *datasets.Tool, answer func(string) (datasets.Call, bool)) []run {
	var out []run
	for _, s := range t.Samples {
		call, ok := answer(s.TapeKey)
		if !ok {
			continue
		}
		v, err := datasets.DecodeJSON(s.Arguments)
		arguments, isObject := v.(map[string]any)
		if err != nil || !isObject {
			continue
		}
		doc := datasets.Document(call.Result)
		r := run{arguments: arguments, sent: sentValues(arguments), leaves: leavesOf(doc)}
		if isTextDocument(doc) {
			r.text = call.Result.Text
		}
		out = append(out, r)
	}
	return out
}

// static are the edges that names, types and units suggest.
func (c *catalog) static() []found {
	var out []found
	for _, s := range c.slots {
		var list []found
		for _, i := range c.index.find(s) {
			f := c.fields[i]
			if f.tool == s.tool || c.echo[i] || c.misfits(f, s) {
				continue
			}
			score, why := match(f, s)
			score = c.damp(score, s)
			if score < staticAtLeast || weak(f, score) {
				continue
			}
			kind := datasets.EdgeSchema
			if c.tools[f.tool].OutputSchemaSource == datasets.SchemaDeclared {
				kind = datasets.EdgeDeclared
			}
			list = append(list, found{edgeKey{f.tool, s.tool, f.path, s.param.Path}, kind, round(score), why})
		}
		out = append(out, keep(list, perParam, perParamAndTool)...)
	}
	return out
}

// damp lowers the score of parameter names that very many tools have: they say
// little.
func (c *catalog) damp(score float64, s *slot) float64 {
	n, all := float64(c.common[strings.Join(s.words, " ")]), float64(len(c.tools))
	if rare := max(12, all/20); n > rare {
		return score / (1 + 0.25*math.Log2(n/rare))
	}
	return score
}

// keep is the best of a list, at most n, at most perTool from one tool.
func keep(list []found, n, perTool int) []found {
	slices.SortStableFunc(list, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.from, b.from), cmp.Compare(a.path, b.path))
	})
	from := map[int]int{}
	var out []found
	for _, f := range list {
		if from[f.from] < perTool && len(out) < n {
			from[f.from]++
			out = append(out, f)
		}
	}
	return out
}

func round(f float64) float64 { return math.Round(f*1000) / 1000 }

func (c *catalog) edge(f found) datasets.Edge {
	from, to := &c.tools[f.from], &c.tools[f.to]
	return datasets.Edge{FromServer: from.Server, FromTool: from.Name, FromPath: f.path, ToServer: to.Server, ToTool: to.Name, ToParam: f.param,
		Kind: f.kind, Score: f.score, Evidence: f.evidence}
}

// isDistinct says whether a value is unlikely to be the same by chance.
func isDistinct(v any) bool {
	switch v := v.(type) {
	case string:
		return len([]rune(v)) >= 3
	case json.Number:
		digits := strings.Trim(strings.NewReplacer("-", "", ".", "").Replace(string(v)), "0")
		return strings.Contains(string(v), ".") && len(digits) >= 2 || len(digits) >= 4
	}
	return false
}
