package discover

import (
	"slices"
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/schema"
)

// field is a place in a tool's output.
type field struct {
	tool     int
	server   string
	path     string // "*" for array elements
	words    []string
	entity   []string // what the value belongs to: the list that holds it, else the tool's noun
	jsonType string   // string, integer, number, boolean or "" if unknown
	format   string
	unit     string // canonical unit, "" if none is named
	constant bool   // holds the same value whatever is asked
}

// slot is a parameter of a tool.
type slot struct {
	tool       int
	server     string
	param      schema.Param
	words      []string
	core       []string        // words without qualifiers such as from, to, min
	context    []string        // words of the tool's and the server's name
	said       map[string]bool // words of the description
	units      []string        // canonical units that a sibling parameter names
	unitBy     string          // path of that sibling
	currencyBy bool            // a sibling names the currency that the number is in
	plain      bool            // a number of plain arithmetic
}

var (
	generic = wordSet("id name value query text type title limit count number description url code key status data result date time page offset " +
		"format content path index size length amount total x y n input output mode kind note message example day month year")
	identifying = wordSet("id name code key slug title symbol identifier handle sku isbn")
	qualifiers  = wordSet("from to start end origin destination source target base new old first second a b my given " +
		"of the in at by for other another local home current with")
	bounding = wordSet("id min max minimum maximum limit threshold")
	wrappers = wordSet("result data item response output content field record entry value list")
	verbs    = wordSet("get list find query show describe check look fetch read create add insert make update set delete remove cancel compute calculate convert nearest")
)

func newField(tool int, t *datasets.Tool, path, jsonType, format string) *field {
	f := &field{tool: tool, server: t.Server, path: path, jsonType: jsonType, format: format}
	var named []string
	for _, s := range strings.Split(path, "/") {
		if s != "" && s != "*" {
			named = append(named, strings.NewReplacer("~1", "/", "~0", "~").Replace(s))
		}
	}
	if len(named) > 0 {
		f.words = words(named[len(named)-1])
		for i := len(named) - 2; i >= 0 && len(f.entity) == 0; i-- {
			f.entity = without(words(named[i]), wrappers)
		}
	}
	if len(f.entity) == 0 {
		f.entity = returns(t)
	}
	f.unit = unitOf(f.words)
	return f
}

// nouns are the words of a tool's name that are no verbs, and the server's.
func nouns(t *datasets.Tool) []string {
	var out []string
	for _, w := range append(words(t.Name), words(t.Server)...) {
		if !verbs[w] && !qualifiers[w] && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// returns are the words for what a tool gives: the nouns of its name, else of
// its server's.
func returns(t *datasets.Tool) []string {
	if own := nouns(&datasets.Tool{Name: t.Name}); len(own) > 0 {
		return own
	}
	return nouns(t)
}

// newSlots are the parameters of a tool, nested ones included.
func newSlots(tool int, t *datasets.Tool) []*slot {
	var out []*slot
	for _, p := range schema.Params(t.InputSchema) {
		s := &slot{tool: tool, server: t.Server, param: p, words: words(p.Name), context: nouns(t), said: map[string]bool{}}
		for _, w := range s.words {
			if !qualifiers[w] {
				s.core = append(s.core, w)
			}
		}
		for _, w := range words(cut(p.Description, 400)) {
			s.said[w] = true
		}
		out = append(out, s)
	}
	for _, s := range out {
		siblingUnits(s, out)
		s.currencyBy = siblingCurrency(s, out)
	}
	plainNumbers(out)
	return out
}

// siblingUnits finds the parameter that names the unit of a number.
func siblingUnits(s *slot, all []*slot) {
	if !s.numeric() && !s.numberList() {
		return
	}
	for _, o := range all {
		if o == s || !(slices.Contains(o.words, "unit") || slices.Equal(o.words, []string{"from"})) || slices.Contains(o.words, "to") {
			continue
		}
		texts := described(o.param)
		for _, v := range append(append([]any{}, o.param.Enum...), append(o.param.Examples, texts...)...) {
			if name, ok := v.(string); ok {
				if u := unitNames[strings.ToLower(name)]; u != "" && !slices.Contains(s.units, u) {
					s.units = append(s.units, u)
					s.unitBy = o.param.Path
				}
			}
		}
	}
}

func (s *slot) numeric() bool {
	return len(s.param.Types) > 0 && (s.param.Is("integer") || s.param.Is("number")) && !s.param.Is("string")
}
