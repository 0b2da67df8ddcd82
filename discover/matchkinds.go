package discover

import (
	"fmt"
	"slices"
	"strings"
)

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
