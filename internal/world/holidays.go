package world

import (
	"slices"
	"time"
)

// holiday is a public holiday of one year.
type holiday struct {
	name string
	date time.Time
}

// rule says when a holiday falls: on a fixed day of a month, on the nth
// weekday of a month (nth -1: the last), on the weekday before a fixed day
// (nth 0), or some days after Easter Sunday (month 0).
type rule struct {
	name    string
	month   time.Month
	day     int // day of the month, or days after Easter
	weekday time.Weekday
	nth     int
	kind    ruleKind
	since   int // first year, 0 for always
}

type ruleKind int

const (
	fixed       ruleKind = iota // month and day
	nthWeekday                  // nth weekday of month
	weekdayUpTo                 // last weekday on or before month and day
	afterEaster                 // day days after Easter Sunday
)

var holidayRules = map[string][]rule{
	"US": {
		on("New Year's Day", 1, 1), nth("Martin Luther King Jr. Day", 1, time.Monday, 3).from(1986),
		nth("Washington's Birthday", 2, time.Monday, 3).from(1971), nth("Memorial Day", 5, time.Monday, -1).from(1971),
		on("Juneteenth", 6, 19).from(2021), on("Independence Day", 7, 4), nth("Labor Day", 9, time.Monday, 1),
		nth("Columbus Day", 10, time.Monday, 2).from(1971), on("Veterans Day", 11, 11).from(1978), nth("Thanksgiving Day", 11, time.Thursday, 4).from(1942),
		on("Christmas Day", 12, 25),
	},
	"CA": {
		on("New Year's Day", 1, 1), easterPlus("Good Friday", -2), upTo("Victoria Day", 5, 24, time.Monday).from(1952),
		on("Canada Day", 7, 1), nth("Labour Day", 9, time.Monday, 1), nth("Thanksgiving", 10, time.Monday, 2).from(1957), on("Christmas Day", 12, 25),
	},
	"GB": {
		on("New Year's Day", 1, 1).from(1974), easterPlus("Good Friday", -2), nth("Early May bank holiday", 5, time.Monday, 1).from(1996),
		nth("Spring bank holiday", 5, time.Monday, -1).from(2023), on("Christmas Day", 12, 25), on("Boxing Day", 12, 26),
	},
	"DE": {
		on("New Year's Day", 1, 1), easterPlus("Good Friday", -2), easterPlus("Easter Monday", 1), on("Labour Day", 5, 1).from(1934),
		easterPlus("Ascension Day", 39), easterPlus("Whit Monday", 50), on("German Unity Day", 10, 3).from(1990),
		on("Christmas Day", 12, 25), on("Second Day of Christmas", 12, 26),
	},
	"FR": {
		on("New Year's Day", 1, 1), easterPlus("Easter Monday", 1), on("Labour Day", 5, 1).from(1948), on("Victory Day", 5, 8).from(1982),
		easterPlus("Ascension Day", 39), easterPlus("Whit Monday", 50), on("Bastille Day", 7, 14), on("Assumption Day", 8, 15),
		on("All Saints' Day", 11, 1), on("Armistice Day", 11, 11).from(1922), on("Christmas Day", 12, 25),
	},
	"IT": {
		on("New Year's Day", 1, 1), on("Epiphany", 1, 6).from(1986), easterPlus("Easter Monday", 1), on("Liberation Day", 4, 25).from(1949),
		on("Labour Day", 5, 1).from(1949), on("Republic Day", 6, 2).from(2001), on("Ferragosto", 8, 15), on("All Saints' Day", 11, 1),
		on("Immaculate Conception", 12, 8), on("Christmas Day", 12, 25), on("St Stephen's Day", 12, 26).from(1949),
	},
	"NZ": {
		on("New Year's Day", 1, 1), on("Waitangi Day", 2, 6).from(1974), easterPlus("Good Friday", -2), easterPlus("Easter Monday", 1),
		on("Anzac Day", 4, 25).from(1921), nth("Labour Day", 10, time.Monday, 4).from(1910), on("Christmas Day", 12, 25), on("Boxing Day", 12, 26),
	},
}

func on(name string, month time.Month, day int) rule {
	return rule{name: name, month: month, day: day, kind: fixed}
}

func nth(name string, month time.Month, weekday time.Weekday, n int) rule {
	return rule{name: name, month: month, weekday: weekday, nth: n, kind: nthWeekday}
}

func upTo(name string, month time.Month, day int, weekday time.Weekday) rule {
	return rule{name: name, month: month, day: day, weekday: weekday, kind: weekdayUpTo}
}

func easterPlus(name string, days int) rule { return rule{name: name, day: days, kind: afterEaster} }

// from is the rule with a first year.
func (r rule) from(year int) rule {
	r.since = year
	return r
}

func (r rule) in(year int) time.Time {
	switch r.kind {
	case nthWeekday:
		return nthOf(year, r.month, r.weekday, r.nth)
	case weekdayUpTo:
		d := date(year, r.month, r.day)
		return d.AddDate(0, 0, -(int(d.Weekday()-r.weekday)+7)%7)
	case afterEaster:
		return easter(year).AddDate(0, 0, r.day)
	}
	return date(year, r.month, r.day)
}

func date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// nthOf is the nth weekday of a month; n = -1 is the last.
func nthOf(year int, month time.Month, weekday time.Weekday, n int) time.Time {
	if n < 0 {
		last := date(year, month+1, 0)
		return last.AddDate(0, 0, -(int(last.Weekday()-weekday)+7)%7)
	}
	first := date(year, month, 1)
	return first.AddDate(0, 0, (int(weekday-first.Weekday())+7)%7+7*(n-1))
}

// easter is Easter Sunday of the Western churches, by the anonymous Gregorian
// algorithm (Meeus, Jones, Butcher).
func easter(year int) time.Time {
	a, b, c := year%19, year/100, year%100
	d, e := b/4, b%4
	g := (8*b + 13) / 25
	h := (19*a + b - d - g + 15) % 30
	i, k := c/4, c%4
	l := (32 + 2*e + 2*i - h - k) % 7
	m := (a + 11*h + 19*l) / 433
	month := (h + l - 7*m + 90) / 25
	return date(year, time.Month(month), (h+l-7*m+33*month+19)%32)
}

// holidaysOf lists the holidays of a country in a year, by date.
func holidaysOf(country string, year int) []holiday {
	var out []holiday
	for _, r := range holidayRules[country] {
		if year >= r.since {
			out = append(out, holiday{r.name, r.in(year)})
		}
	}
	slices.SortStableFunc(out, func(a, b holiday) int { return a.date.Compare(b.date) })
	return out
}
