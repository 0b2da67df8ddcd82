package discover

import (
	"slices"
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/schema"
)

// work is one tool under probe: what was tried and what came of it.
type work struct {
	index  int // in the tools of the probe
	tool   *datasets.Tool
	slots  []*slot // parameters of the first level, required first
	schema *schema.Schema

	tried   map[string]bool  // canonical arguments
	bad     map[string]bool  // "path=value" that made a working call fail
	luck    map[string]int   // "path from place": calls that worked with a value from there, failed ones counted as minus
	hints   map[string][]any // values that error messages named, by path
	forced  map[string]bool  // paths that an error message asked for
	told    map[string][]any // what this session was told, by parameter; nil outside of one
	base    map[string]any   // arguments of a call that worked
	thin    bool             // that call's answer was empty
	records []record
	calls   int
	extra   int // calls that do not count against its budget
	errors  int
	first   string // first error
	lost    int    // calls without an answer
	vary    bool   // volatile
	checked bool   // was repeated
	slow    bool   // its name says that it takes its time: it is called once
}

// retry forgets what failed, but for what error messages taught.
func (w *work) retry() {
	w.tried, w.bad = map[string]bool{}, map[string]bool{}
	for _, s := range w.slots {
		if w.forced[s.param.Path] {
			w.reject(s, s.param.Default)
		}
	}
}

// planned is a call that is about to be made.
type planned struct {
	work      *work
	arguments map[string]any
	canonical string
	changed   string   // path of the one parameter in which it differs from a call that worked
	source    string   // place in the bank that this parameter's value came from
	origins   []string // places in the bank that its values came from
}

func newWork(index int, t *datasets.Tool) *work {
	w := &work{index: index, tool: t, tried: map[string]bool{}, bad: map[string]bool{}, luck: map[string]int{}, hints: map[string][]any{}, forced: map[string]bool{}}
	for _, s := range newSlots(index, t) {
		if strings.Count(s.param.Path, "/") == 1 {
			w.slots = append(w.slots, s)
		}
	}
	w.slow = anyOf(words(t.Name), slowWords)
	if s, _, err := schema.Compile(t.InputSchema); err == nil {
		w.schema = s
	}
	return w
}

func (w *work) required(s *slot) bool { return s.param.Required || w.forced[s.param.Path] }

// plan makes up to n new calls of a tool: first the simplest one, then ones
// that differ from it (or from the first that worked) in one parameter.
func (p *prober) plan(w *work, n int) []planned {
	n = min(n, p.budget(w))
	if w.slow {
		n = min(n, 1-w.calls)
	}
	if n <= 0 || w.lost > 1 {
		return nil
	}
	lists := make([][]candidate, len(w.slots))
	for i, s := range w.slots {
		lists[i] = p.candidates(w, s)
		if w.required(s) && p.waits(w, s) {
			n = min(n, 1)
		}
	}
	var out []planned
	try := func(c planned) bool {
		c.work, c.canonical = w, datasets.EncodeJSON(c.arguments)
		if !w.tried[c.canonical] && w.valid(c.arguments) {
			w.tried[c.canonical] = true
			out = append(out, c)
		}
		return len(out) < n
	}
	start := w.start(lists)
	if !try(start) {
		return out
	}
	for depth := range maxCandidates {
		for _, c := range w.variations(start, lists, depth) {
			if !try(c) {
				return out
			}
		}
	}
	return out
}

// waits says whether a parameter asks for something that another tool gives and
// none has yet: guessing would waste calls.
func (p *prober) waits(w *work, s *slot) bool {
	if !identifies(s.words) || !s.param.Is("string") || len(statedValues(s.param)) > 0 || len(w.hints[s.param.Path]) > 0 || len(p.seeds(w, s)) > 0 {
		return false
	}
	strong, _ := p.banked(w, s)
	return len(strong) == 0
}

// valid holds arguments against the schema. A tool that never worked gets one
// try even so, for its schema may be wrong.
func (w *work) valid(arguments map[string]any) bool {
	return w.schema == nil || len(w.schema.Validate(arguments)) == 0 || w.calls == 0 && len(w.tried) == 0
}

// start is the call that the others vary: the one that worked, else the first
// candidates of the required parameters.
func (w *work) start(lists [][]candidate) planned {
	c := planned{arguments: map[string]any{}}
	if w.base != nil {
		c.arguments = clone(w.base)
		return c
	}
	for i, s := range w.slots {
		if w.required(s) && len(lists[i]) > 0 {
			v := aligned(c, lists[i])
			c.changed, c.source = s.param.Path, v.from
			w.put(&c, i, v, lists)
		}
	}
	if len(c.arguments) != 1 {
		c.changed = ""
	}
	return c
}

// aligned is the first candidate, or the first that came in one object with a
// value that is already chosen.
func aligned(c planned, list []candidate) candidate {
	if list[0].from != "" || len(list) == 1 {
		for _, o := range list {
			if o.group != "" && slices.Contains(c.origins, "group "+o.group) {
				return o
			}
		}
	}
	return list[0]
}

// variations are the calls of one depth: each required parameter with its next
// value, and a few of the optional ones with a first.
func (w *work) variations(start planned, lists [][]candidate, depth int) []planned {
	var out []planned
	var optional []int
	for i, s := range w.slots {
		if !w.required(s) {
			optional = append(optional, i)
			continue
		}
		if at := depth + 1; at < len(lists[i]) {
			out = append(out, w.varied(start, i, lists[i][at], lists))
		}
	}
	perDepth := min(2, len(optional))
	for j := range perDepth {
		n := depth*perDepth + j
		i, at := optional[n%len(optional)], n/len(optional)
		if at < len(lists[i]) {
			out = append(out, w.varied(start, i, lists[i][at], lists))
		}
	}
	return out
}

func (w *work) varied(start planned, i int, v candidate, lists [][]candidate) planned {
	c := planned{arguments: clone(start.arguments)}
	if w.base != nil || len(start.arguments) == 1 {
		c.changed = w.slots[i].param.Path
	}
	c.source = v.from
	w.put(&c, i, v, lists)
	return c
}

// put sets a parameter, and with it those whose values came in the same object,
// and the parameter that names its unit.
func (w *work) put(c *planned, i int, v candidate, lists [][]candidate) {
	c.arguments[w.slots[i].param.Name] = v.value
	c.note(v)
	if v.unit != "" {
		w.putUnit(c, w.slots[i].unitBy, v.unit, lists)
	} else if u := unitOfValue(v.value); u != "" {
		w.alignUnits(c, i, u, lists)
	}
	if v.group == "" {
		return
	}
	for j, s := range w.slots {
		_, set := c.arguments[s.param.Name]
		if j == i || !w.required(s) && !set {
			continue
		}
		for _, o := range lists[j] {
			if o.group == v.group && o.from != v.from {
				c.arguments[s.param.Name] = o.value
				c.note(o)
				c.changed = ""
				break
			}
		}
	}
}

// putUnit names the unit of a number in the sibling that does, and brings the
// parameter for the other unit to one of the same kind.
func (w *work) putUnit(c *planned, path, unit string, lists [][]candidate) {
	for j, s := range w.slots {
		if s.param.Path != path {
			continue
		}
		for _, o := range lists[j] {
			if unitOfValue(o.value) == unit {
				c.arguments[s.param.Name] = o.value
				w.alignUnits(c, j, unit, lists)
				return
			}
		}
	}
}

// alignUnits brings the other parameters that name a unit to the same kind.
func (w *work) alignUnits(c *planned, i int, unit string, lists [][]candidate) {
	for j, s := range w.slots {
		now, set := c.arguments[s.param.Name]
		if j == i || !set || unitOfValue(now) == "" || unitKinds[unitOfValue(now)] == unitKinds[unit] && unitOfValue(now) != unit {
			continue
		}
		for _, o := range lists[j] {
			if u := unitOfValue(o.value); u != "" && u != unit && unitKinds[u] == unitKinds[unit] {
				c.arguments[s.param.Name] = o.value
				c.changed = ""
				break
			}
		}
	}
}

func unitOfValue(v any) string {
	s, _ := v.(string)
	return unitNames[strings.ToLower(s)]
}

func (c *planned) note(v candidate) {
	if v.from != "" {
		c.origins = append(c.origins, v.from)
	}
	if v.group != "" {
		c.origins = append(c.origins, "group "+v.group)
	}
}

func clone(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}
