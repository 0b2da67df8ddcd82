package generate

import (
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
	edges    []datasets.Edge  // those of the catalog, then the flows of the phrasebook
	given    int              // number of edges of the catalog
	out      map[string][]int // edges by the id of the tool that they leave
	into     map[string][]int // edges by "server/tool" + parameter that they enter
	book     *Phrasebook
	toolUses map[string]int
	edgeUses map[int]int
	height   map[string]int // tools on the longest way on from a tool, up to maxHeight
	barren   map[string]int // times that a tool returned nothing to ask for
}

func newCatalog(tools []datasets.Tool, edges []datasets.Edge, book *Phrasebook) *catalog {
	c := &catalog{
		book: book,
		byID: map[string]*datasets.Tool{}, params: map[string][]schema.Param{}, samples: map[string][]map[string]any{},
		edges: slices.Clone(edges), given: len(edges), out: map[string][]int{}, into: map[string][]int{}, toolUses: map[string]int{}, edgeUses: map[int]int{}, barren: map[string]int{},
	}
	for i := range tools {
		t := &tools[i]
		if !usable(t, book) {
			continue
		}
		id := t.ID()
		c.byID[id] = t
		c.ids = append(c.ids, id)
		c.params[id] = schema.Params(t.InputSchema)
		for _, raw := range sampleCalls(t, book) {
			if object := decodeObject(raw); object != nil && (booked(t, book) || c.timeless(t, object)) {
				c.samples[id] = append(c.samples[id], object)
			}
		}
	}
	slices.Sort(c.ids)
	for i := range edges {
		if wanted(&edges[i], book) {
			c.connect(i)
		}
	}
	for _, id := range c.ids {
		for _, e := range flows(c.byID[id], book) {
			c.edges = append(c.edges, e)
			c.connect(len(c.edges) - 1)
		}
	}
	c.height = c.heights()
	return c
}

// maxHeight is as far ahead as the choice of a step looks.
const maxHeight = 5

// heights counts, for each tool, the further steps that edges lead to at most.
// A cycle counts as maxHeight.
func (c *catalog) heights() map[string]int {
	height := map[string]int{}
	for range maxHeight {
		next := map[string]int{}
		for _, id := range c.ids {
			for _, e := range c.out[id] {
				if to := c.edges[e].ToServer + "/" + c.edges[e].ToTool; to != id {
					next[id] = max(next[id], 1+height[to])
				}
			}
		}
		height = next
	}
	return height
}

// connect makes an edge known to the tools at its ends, if both can be called.
func (c *catalog) connect(i int) {
	e := &c.edges[i]
	from, to := e.FromServer+"/"+e.FromTool, e.ToServer+"/"+e.ToTool
	if c.byID[from] == nil || c.byID[to] == nil {
		return
	}
	c.out[from] = append(c.out[from], i)
	c.into[to+e.ToParam] = append(c.into[to+e.ToParam], i)
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
	return !relativeTime.MatchString(t.Description) && (!present || timed && given)
}

var relativeTime = regexp.MustCompile(`(?i)\b(relative time|from now|time ago)\b`)

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

func (c *catalog) count(d *draft) {
	for _, s := range d.steps {
		c.toolUses[s.tool.ID()]++
	}
	for _, e := range d.edges {
		c.edgeUses[e]++
	}
}
