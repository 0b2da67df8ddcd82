package discover

import (
	"fmt"
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

// accepts says how well the slot's type takes a value of the field's: 0 not at all.
func (s *slot) accepts(f *field) float64 {
	p := &s.param
	if len(p.Types) == 0 || f.jsonType == "" {
		return 0.9
	}
	switch {
	case p.Is(f.jsonType):
		return dateFit(s, f)
	case p.Is("array") && strings.Contains(f.path, "*") && p.Items != nil && p.Items.Is(f.jsonType):
		return 0.9
	case f.jsonType == "number" && p.Is("integer"):
		return 0
	case f.jsonType == "integer" && p.Is("string") && (slices.Contains(f.words, "id") || slices.Contains(f.words, "code")):
		return 0.8
	}
	return 0
}

// dateFit lowers a match between a date and what is no date.
func dateFit(s *slot, f *field) float64 {
	wantsDate := strings.HasPrefix(s.param.Format, "date") || slices.Contains(s.words, "date")
	isDate := strings.HasPrefix(f.format, "date") || slices.Contains(f.words, "date")
	if f.jsonType == "string" && wantsDate != isDate {
		return 0.4
	}
	return 1
}

// match says how far a field's name, place and unit suggest that its values fit
// a slot (0 to 1, types included), and why.
func match(f *field, s *slot) (float64, string) {
	fit := s.accepts(f)
	if fit == 0 || f.jsonType == "boolean" {
		return 0, ""
	}
	score, why := matchNames(f, s)
	if f.server != s.server && !carries(f, s) {
		score *= 0.5
	}
	for _, other := range []func(*field, *slot) (float64, string){matchUnits, matchDates, matchMoney, matchPlaces, matchNumbers} {
		if o, text := other(f, s); o > score {
			score, why = o, text
		}
	}
	return score * fit, why
}

// carries says whether names that agree mean the same on two servers: the name
// of something that the whole world knows, such as a country or a colour, or
// the two tools are about the same thing. "category" and "topic" mean something
// else on every server, and an id is known only where it was given.
func carries(f *field, s *slot) bool {
	if anyOf(f.words, universal) && !slices.Contains(f.words, "id") {
		return true
	}
	about := slices.Concat(s.words, s.context)
	for _, w := range slices.Concat(f.entity, f.words) {
		if telling(w) && slices.Contains(about, w) && !local[w] && (slices.Contains(f.entity, w) || universal[w]) {
			return true
		}
	}
	return false
}

// telling says whether a word says what a value is.
func telling(w string) bool { return !generic[w] && !qualifiers[w] }

var (
	universal = wordSet("lat lon country currency date timestamp color hex url email ip city town timezone zone language html json xml markdown " +
		"postcode phone domain hostname isbn symbol element state region place capital airport address coordinate country author temperature")
	local = wordSet("category topic tag prefix suffix pattern target source component token variant usage version line branch property decimal " +
		"class option setting config item node entity relation resource template scope role level state status method action task request tool")
)

func matchNames(f *field, s *slot) (float64, string) {
	key, name := strings.Join(f.words, " "), strings.Join(s.words, " ")
	if key == "" || len(s.words) == 0 {
		return 0, ""
	}
	entity := common(f.entity, s.words)
	switch {
	case sameWords(f.words, s.words) && slices.ContainsFunc(f.words, telling):
		return 0.9, fmt.Sprintf("both are called %q", name)
	case entity != "" && covered(s.words, f.words, f.entity) && subset(f.words, s.words) && !subset(s.words, f.words):
		return 0.95, fmt.Sprintf("%q is the %s of a %s", name, key, entity)
	case len(s.core) > 0 && sameWords(f.words, s.core) && !allGeneric(f.words):
		return 0.8, fmt.Sprintf("%q asks for a %s", name, key)
	case entity != "" && identifies(f.words) && covered(s.core, f.entity, nil) && (subset(f.words, s.words) || covered(without(f.words, identifying), f.entity, []string{"-"}) || allIdentifying(f.words)):
		if slices.Contains(f.words, "id") {
			return 0.55, fmt.Sprintf("%q may be told by the %s of a %s", name, key, entity)
		}
		return 0.8, fmt.Sprintf("%q can be told by the %s of a %s", name, key, entity)
	case sameWords(without(f.words, identifying), s.core) && len(s.core) > 0 && !allGeneric(s.core):
		return 0.8, fmt.Sprintf("%q can be told by a %s", name, key)
	case sameWords(without(s.words, identifying), f.words) && !allGeneric(f.words) && !slices.Contains(s.words, "id"):
		return 0.7, fmt.Sprintf("%q is told by a %s", name, key)
	case allGeneric(s.words) && identifies(f.words) && covered(s.words, f.words, nil) && common(without(f.words, identifying), s.context) != "":
		return 0.85, fmt.Sprintf("%q of a tool on %s", name, common(f.words, s.context))
	case len(f.words) == 1 && !generic[f.words[0]] && len(s.words) == 1 && s.words[0] == "name" && slices.Contains(s.context, f.words[0]):
		return 0.75, fmt.Sprintf("%q of a tool on a %s", name, key)
	case sameWords(f.words, s.words) && identifies(f.words):
		if e := common(f.entity, s.context); e != "" {
			return 0.75, fmt.Sprintf("both are the %s of a %s", name, e)
		}
		return 0.15, "equal but common names"
	}
	return matchLoosely(f, s, key, name)
}

func matchLoosely(f *field, s *slot, key, name string) (float64, string) {
	switch {
	case identifies(f.words) && !slices.Contains(s.words, "query") && (len(s.core) == 0 || allGeneric(s.core)) && saidOf(s, f.entity) != "":
		return 0.55, fmt.Sprintf("the description of %q speaks of a %s", name, saidOf(s, f.entity))
	case len(s.core) == 0 && len(f.words) == 1 && telling(f.words[0]) && s.said[f.words[0]]:
		return 0.55, fmt.Sprintf("the description of %q speaks of a %s", name, key)
	case len(s.core)-len(f.words) == 1 && subset(f.words, s.core) && !allGeneric(f.words) && !slices.ContainsFunc(s.words, func(w string) bool { return bounding[w] }):
		return 0.6, fmt.Sprintf("%q names a %s", name, key)
	case subset(s.core, f.words) && len(s.core) > 0 && !allGeneric(s.core) && len(f.words)-len(s.core) == 1:
		return 0.5, fmt.Sprintf("%q is a kind of %q", key, name)
	case identifies(f.words) && s.words[0] == "query" && len(s.words) == 1:
		return 0.2, "a name to search for"
	}
	return 0, ""
}

// matchUnits joins a measured number with a parameter whose unit is named by a
// sibling, as a converter has it.
func matchUnits(f *field, s *slot) (float64, string) {
	if f.unit == "" || !slices.Contains(s.units, f.unit) || f.jsonType != "number" && f.jsonType != "integer" {
		return 0, ""
	}
	return 0.65, fmt.Sprintf("a number in %s, which %s can name", f.unit, s.unitBy)
}

// matchDates joins a date with a parameter that asks for one.
func matchDates(f *field, s *slot) (float64, string) {
	if !f.isDate() || !s.wantsDate() {
		return 0, ""
	}
	return 0.6, "a date for a date"
}

func (f *field) isDate() bool {
	return f.jsonType == "string" && (f.format == "date" || f.format == "" && slices.Contains(f.words, "date"))
}

func (s *slot) wantsDate() bool {
	return s.param.Is("string") && len(s.param.Enum) == 0 && (s.param.Format == "date" || s.param.Format == "" && (slices.Contains(s.words, "date") || s.said["yyyy"]))
}

// matchMoney joins a sum of money with a parameter for one. A part of a sum,
// such as the interest, goes only into a converter of currencies: what else is
// asked about a sum is asked about a whole one.
func matchMoney(f *field, s *slot) (float64, string) {
	asks := anyOf(s.words, sumsAsked) && (!slices.Contains(s.words, "amount") || s.currencyBy || anyOf(sortedKeys(s.said), moneySaid))
	if !s.numeric() || !asks || f.jsonType != "number" || !anyOf(f.words, sums) {
		return 0, ""
	}
	if s.currencyBy {
		return 0.65, "a sum of money for a converter of currencies"
	}
	if !anyOf(f.words, wholeSums) || s.said["bill"] && !anyOf(f.words, bills) {
		return 0.3, "a sum of money for a sum of money"
	}
	return 0.6, "a sum of money for a sum of money"
}

// siblingCurrency says whether another parameter names the currency that a
// number is in.
func siblingCurrency(s *slot, all []*slot) bool {
	return s.numeric() && slices.ContainsFunc(all, func(o *slot) bool {
		return o != s && o.param.Is("string") && (o.said["currency"] || slices.Contains(o.words, "currency")) && slices.ContainsFunc(o.words, func(w string) bool { return w == "from" || w == "source" || w == "base" })
	})
}

// matchPlaces joins the name of a place with a parameter for one: of a town
// where the parameter asks for one, of any place where it asks for a place.
func matchPlaces(f *field, s *slot) (float64, string) {
	town := s.said["city"] || s.said["town"] || slices.Contains(s.words, "city") || slices.Contains(s.words, "town")
	asks := anyOf(s.words, placesAsked) || (len(s.core) == 0 || allGeneric(s.core)) && town
	kinds := placeKinds
	if town {
		kinds = townKinds
	}
	gives := len(f.words) > 0 && placeNames[f.words[len(f.words)-1]] || len(f.words) == 1 && f.words[0] == "name" && anyOf(f.entity, kinds)
	if f.jsonType != "string" || !asks || !gives || len(without(f.words, identifying)) > 2 {
		return 0, ""
	}
	return 0.6, "the name of a place for a place"
}

var (
	sums        = wordSet("payment paid balance interest amount cost price share fee salary income revenue repaid bill principal")
	sumsAsked   = wordSet("amount principal price cost budget deposit payment")
	moneySaid   = wordSet("money currency dollar usd eur price bill payment loan saving sum balance salary")
	placesAsked = wordSet("city town place location")
	placeNames  = wordSet("city town birthplace capital hometown")
	wholeSums   = wordSet("amount balance cost price salary income revenue bill principal budget")
	bills       = wordSet("amount cost price bill fee")
	townKinds   = wordSet("city town place location")
	placeKinds  = wordSet("city town place location park campground museum hotel airport venue")
)

func anyOf(w []string, set map[string]bool) bool {
	return slices.ContainsFunc(w, func(s string) bool { return set[s] })
}

// matchNumbers joins a measured number, or a list of them, with a parameter of
// plain arithmetic, which takes any.
func matchNumbers(f *field, s *slot) (float64, string) {
	if !s.plain || !f.measured() {
		return 0, ""
	}
	if s.param.Is("array") {
		if strings.Contains(f.path, "*") && !identifies(f.words) {
			return 0.6, fmt.Sprintf("a list of %s for a list of numbers", strings.Join(f.words, " "))
		}
		return 0, ""
	}
	if strings.Contains(f.path, "*") {
		return 0, ""
	}
	return 0.45, "a measured number for arithmetic"
}

// measured says whether a number is one that people reckon with: it has a unit,
// a fraction, or a name that says how much or how many.
func (f *field) measured() bool {
	if f.jsonType != "number" && f.jsonType != "integer" || identifies(f.words) || slices.ContainsFunc(f.words, func(w string) bool { return unmeasured[w] }) {
		return false
	}
	return f.jsonType == "number" || f.unit != "" || slices.ContainsFunc(f.words, func(w string) bool { return quantities[w] })
}

var quantities = wordSet("population area height length width depth weight mass price cost amount distance elevation temperature speed volume " +
	"duration revenue sale score balance payment income budget energy site")

var unmeasured = wordSet("lat lon page limit offset index year month day version status postcode phone calling timestamp port rank next total rate percent")

// plainNumbers marks the numeric parameters of a tool that knows nothing but
// numbers: each that it requires is a number or a list of them, and one at
// least has a name that says nothing.
func plainNumbers(all []*slot) {
	for _, s := range all {
		if s.param.Required && (!s.numeric() && !s.numberList() || len(s.units) > 0) {
			return
		}
	}
	for _, s := range all {
		s.plain = s.param.Required && !slices.ContainsFunc(s.words, func(w string) bool { return !operands[w] })
	}
}

func (s *slot) numberList() bool {
	p := &s.param
	return p.Is("array") && len(p.Types) == 1 && p.Items != nil && p.Items.Is("number") && len(p.Items.Types) > 0
}

var operands = wordSet("a b x y n value number old new data sample left right first second numerator denominator operand minuend subtrahend dividend divisor")

func saidOf(s *slot, entity []string) string {
	for _, w := range entity {
		if s.said[w] && telling(w) {
			return w
		}
	}
	return ""
}

func identifies(w []string) bool {
	return slices.ContainsFunc(w, func(s string) bool { return identifying[s] })
}

func allIdentifying(w []string) bool { return len(without(w, identifying)) == 0 }

func allGeneric(w []string) bool {
	return !slices.ContainsFunc(w, func(s string) bool { return !generic[s] })
}

// common is the first word of a that is in b and not generic, or generic but shared
// when nothing else is.
func common(a, b []string) string {
	shared := ""
	for _, w := range a {
		if slices.Contains(b, w) {
			if !generic[w] {
				return w
			}
			if shared == "" {
				shared = w
			}
		}
	}
	return shared
}

func covered(w, a, b []string) bool {
	for _, s := range w {
		if !slices.Contains(a, s) && !slices.Contains(b, s) {
			return false
		}
	}
	return len(w) > 0
}

func subset(a, b []string) bool { return covered(a, b, nil) }

func sameWords(a, b []string) bool { return subset(a, b) && subset(b, a) }

func without(w []string, drop map[string]bool) []string {
	var out []string
	for _, s := range w {
		if !drop[s] {
			out = append(out, s)
		}
	}
	return out
}

func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}
