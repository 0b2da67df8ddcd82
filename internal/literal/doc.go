// Package literal is the one grammar of literals in a text: what numbers,
// quantities, money, dates, times, zones, codes, quoted strings and names a
// text holds, when two of them are equal, and whether a text states a value.
//
// [Find] lists every literal of a text, for the gates that compare two texts.
// [Values] lists the measurable ones (numbers, dates, times, codes), looking
// inside quotation marks too, for whoever reads an answer. [Contains] asks
// whether a text states one JSON value: as it is (kept), in another form
// (normalised: "5 000" for 5000, "50 km" for 50000, "October" for month 10,
// "3 October 2025" for 2025-10-03), or not at all (lost). [Convert] changes
// units.
//
// The package is pure: no clock, no locale, no state. Its functions never
// panic, whatever the text, and take time linear in its length.
package literal

// Kind says what a literal is.
type Kind string

// Kinds of literals.
const (
	Number   Kind = "number"   // a number without unit; Value
	Ordinal  Kind = "ordinal"  // "3rd"; Value
	Quantity Kind = "quantity" // a number with unit, percent included; Value, Unit
	Money    Kind = "money"    // Value, Unit is the ISO code, or "$" or "¥" alone
	Date     Kind = "date"     // a day, with or without year; When
	DateTime Kind = "datetime" // a day with a time; When
	Time     Kind = "time"     // a time of day; When
	Month    Kind = "month"    // a month, with or without year; When
	Zone     Kind = "zone"     // an IANA time zone name, UTC or GMT
	Code     Kind = "code"     // an id, path, hash, address, version, colour
	Quoted   Kind = "quoted"   // a quoted string; Norm is what is inside
	Name     Kind = "name"     // capitalised words inside a sentence
)

// Literal is one literal of a text.
type Literal struct {
	Kind       Kind
	Text       string  // as written
	Start, End int     // byte offsets in the text
	Value      float64 // of Number, Ordinal, Quantity and Money, in Unit, multipliers applied
	Step       float64 // value of one unit of the last digit written: 0.1 for "7.8"
	Unit       string  // canonical symbol ("km", "°C", "%", "USD"), "" if none
	Alt        Reading // second reading of an ambiguous text, if Alt.Valid
	When       When    // of Date, DateTime, Time and Month
	Norm       string  // canonical form: literals of one kind with equal Norm are equal
	Spelled    bool    // the number is written in words
	Digits     string  // the digits as written, without sign, grouping and suffix
}

// Reading is another way to understand a number: "100 K" is 100000, or 100 kelvin.
type Reading struct {
	Valid bool
	Value float64
	Unit  string
}

// When is a day, a time of day, or both; a part that is not stated is 0, or -1
// for Clock.
type When struct {
	Year, Month, Day int
	Clock            int  // seconds since midnight, -1 if no time is stated
	Offset           int  // minutes east of UTC, if Zoned
	Zoned            bool // an offset or Z is stated
	Swappable        bool // 03/10/2025: day and month could change places
}

// Find lists the literals of a text in order; they do not overlap. What stands
// in quotation marks is one literal.
func Find(text string) []Literal {
	s := scanner{text: text, quotes: true, names: true}
	return s.run()
}

// Values lists the literals of a text that can be compared by value: all kinds
// but quoted strings and names. It looks inside quotation marks.
func Values(text string) []Literal {
	s := scanner{text: text}
	return s.run()
}
