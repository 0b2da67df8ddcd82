package discover

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// returned is where a value was returned.
type returned struct {
	tool    int
	path    string
	pointer string
}

// observed are the edges along which a value was seen to flow: one tool
// returned it, and another accepted it as an argument in a call that worked.
// What a tool was itself sent does not count as returned by it.
func (c *catalog) observed() []found {
	sources := c.sources()
	var out []found
	for _, s := range c.slots {
		best := map[edgeKey]found{}
		for _, r := range c.runs[s.tool] {
			v, err := datasets.ResolveOne(r.arguments, s.param.Path)
			if err != nil {
				continue
			}
			for _, f := range c.flows(s, v, sources) {
				if old, ok := best[f.edgeKey]; !ok || f.score > old.score {
					best[f.edgeKey] = f
				}
			}
		}
		list := make([]found, 0, len(best))
		for _, f := range best {
			list = append(list, f)
		}
		out = append(out, keep(list, observedPer, observedPerTool)...)
	}
	return out
}

// sources index what the samples returned, by encoded value.
func (c *catalog) sources() map[string][]returned {
	out := map[string][]returned{}
	seen := map[string]bool{}
	for tool, runs := range c.runs {
		for _, r := range runs {
			for _, l := range r.leaves {
				e := encode(l.value)
				key := placeKey(tool, l.path) + "=" + e
				if r.sent[e] || seen[key] || jsonTypeOf(l.value) == "boolean" || len(e) > 2*maxText {
					continue
				}
				seen[key] = true
				out[e] = append(out[e], returned{tool, l.path, l.pointer})
			}
		}
	}
	return out
}

// flows are the edges that one accepted argument shows.
func (c *catalog) flows(s *slot, v any, sources map[string][]returned) []found {
	if list, ok := v.([]any); ok {
		return c.listFlows(s, list, sources)
	}
	if _, isObject := v.(map[string]any); isObject {
		return nil
	}
	var out []found
	from := sources[encode(v)]
	if n, ok := v.(string); ok && len(from) == 0 && isNumber(n) {
		from = sources[n]
	}
	stated := contains(statedValues(s.param), v)
	tools := map[int]bool{}
	for _, r := range from {
		tools[r.tool] = true
	}
	for _, r := range from {
		if r.tool == s.tool {
			continue
		}
		score, why := c.suggested(r, s)
		if score < looseMatch && c.tools[r.tool].Server != c.tools[s.tool].Server {
			continue // a search takes anything: across servers that says nothing
		}
		if !plausible(score, v, stated, len(tools)) {
			continue
		}
		out = append(out, c.seen(r, s, encode(v), score, why))
	}
	return out
}

// plausible says whether an equal value is more than chance: with names that
// agree any value will do; without, it must be distinct, not one that the
// parameter's own description names, and not one that many tools return.
func plausible(score float64, v any, stated bool, tools int) bool {
	if score >= staticAtLeast {
		return !stated || score >= 0.7
	}
	return score >= weakMatch && isDistinct(v) && !stated && tools <= 8
}

func (c *catalog) suggested(r returned, s *slot) (float64, string) {
	f := c.byPath[placeKey(r.tool, r.path)]
	if f == nil {
		return 0, ""
	}
	score, why := match(f, s)
	if weak(f, score) {
		return 0, ""
	}
	return score, why
}

func (c *catalog) seen(r returned, s *slot, value string, score float64, why string) found {
	text := fmt.Sprintf("%s returned at %s, accepted as %s", cut(value, 80), r.pointer, s.param.Path)
	if why != "" {
		text += "; " + why
	}
	return found{edgeKey{r.tool, s.tool, r.path, s.param.Path}, datasets.EdgeObserved, round(0.7 + 0.3*score), text}
}

// listFlows are the edges that an accepted list shows: its elements, two or
// more, are those of one list that a tool returned.
func (c *catalog) listFlows(s *slot, list []any, sources map[string][]returned) []found {
	at := map[edgeKey][]returned{}
	for _, v := range list {
		for _, r := range sources[encode(v)] {
			if r.tool != s.tool && strings.Contains(r.path, "*") {
				k := edgeKey{r.tool, s.tool, r.path, s.param.Path}
				at[k] = append(at[k], r)
			}
		}
	}
	var out []found
	for k, places := range at {
		distinct := slices.ContainsFunc(list, isDistinct)
		score, why := c.suggested(places[0], s)
		if len(places) >= len(distinctValues(list)) && (len(list) >= 3 || score >= staticAtLeast) && (distinct || score >= staticAtLeast) && score > 0 {
			f := c.seen(places[0], s, encode(list), score, why)
			f.edgeKey = k
			out = append(out, f)
		}
	}
	return out
}

func distinctValues(list []any) map[string]bool {
	out := map[string]bool{}
	for _, v := range list {
		out[encode(v)] = true
	}
	return out
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

var unitAfter = regexp.MustCompile(`^\s?([A-Za-z°]+(?:/[a-z]+)?\d?)\b`)

// unitInText is the unit that stands behind a number of a text answer:
// "mean low 7.8 C" gives C for /fields/mean_low.
func (c *catalog) unitInText(tool int, path string) string {
	if !strings.HasPrefix(path, "/fields/") {
		return ""
	}
	for _, r := range c.runs[tool] {
		for _, l := range r.leaves {
			if l.path == path && r.text != "" {
				return unitBehind(r.text, l.value)
			}
		}
	}
	return ""
}

func unitBehind(text string, v any) string {
	number := encode(v)
	_, rest, ok := strings.Cut(text, number)
	if !ok || number == "" {
		return ""
	}
	if m := unitAfter.FindStringSubmatch(rest); m != nil {
		return unitNames[strings.ToLower(m[1])]
	}
	return ""
}
