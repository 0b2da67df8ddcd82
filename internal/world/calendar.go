package world

import (
	"fmt"
	"time"
)

var calendarServer = server{
	title:        "Calendar",
	instructions: "Weekdays, spans between dates, ages and public holidays, in the Gregorian calendar.",
	tools:        calendarTools,
}

// field is a property of a declared output schema.
type field struct {
	name, kind, description string
}

// outputSchema declares an object with these required properties.
func outputSchema(fields ...field) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, f := range fields {
		properties[f.name] = map[string]any{"type": f.kind, "description": f.description}
		required = append(required, f.name)
	}
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

func calendarTools() []tool {
	from, to := dateParam("from", "First date"), dateParam("to", "Second date")
	return []tool{
		{
			name: "weekday", title: "Day of the week",
			description: "The day of the week, the day of the year and the ISO week of a date.",
			params:      []param{dateParam("date", "Date")},
			output: outputSchema(field{"date", "string", "The date"}, field{"weekday", "string", "Day of the week in English"},
				field{"day_of_year", "integer", "1 to 366"}, field{"iso_week", "integer", "ISO 8601 week, 1 to 53"}),
			run: weekday,
		},
		{
			name: "days_between", title: "Days between two dates",
			description: "Number of days from one date to another (negative if the second is earlier), and whole weeks in it.",
			params:      []param{from, to},
			output:      outputSchema(field{"days", "integer", "Days from the first to the second date"}, field{"weeks", "integer", "Whole weeks in it"}),
			run:         daysBetween,
		},
		{
			name: "add_days", title: "Date some days later",
			description: "The date a number of days after (negative: before) a date, and its day of the week.",
			params: []param{dateParam("date", "Date"),
				{name: "days", kind: integer, description: "Days to add, e.g. 100", min: at(-40000), max: at(40000), examples: []any{100, 45}}},
			output: outputSchema(field{"date", "string", "The resulting date"}, field{"weekday", "string", "Day of the week in English"}),
			run:    addDays,
		},
		{
			name: "age", title: "Age on a date",
			description: "Full years and days between a date (of birth, of foundation) and a later date.",
			params:      []param{dateParam("born", "Date of birth or foundation"), dateParam("on", "Date on which the age is wanted")},
			output:      outputSchema(field{"years", "integer", "Full years"}, field{"days", "integer", "Days in all"}),
			run:         ageOn,
		},
		{
			name: "holidays", title: "Public holidays of a year",
			description: "Nationwide public holidays of a country in a year (the main ones, on their own dates, not the days on which a weekend's holiday is observed), in order.",
			params:      []param{holidayCountry(), yearParam()},
			output: map[string]any{"type": "object", "required": []string{"country", "year", "holidays"}, "properties": map[string]any{
				"country":  map[string]any{"type": "string"},
				"year":     map[string]any{"type": "integer"},
				"holidays": map[string]any{"type": "array", "items": outputSchema(field{"name", "string", "Name"}, field{"date", "string", "Date"}, field{"weekday", "string", "Day of the week in English"})},
			}},
			run: listHolidays,
		},
		{
			name: "holiday", title: "Date of a moving feast",
			description: "The date in a year of a feast that moves with Easter (Western churches).",
			params: []param{{name: "name", kind: str, description: "Name of the feast", enum: []string{"Shrove Tuesday", "Ash Wednesday", "Palm Sunday", "Good Friday", "Easter Sunday", "Easter Monday", "Ascension Day", "Pentecost", "Corpus Christi"}},
				yearParam()},
			output: outputSchema(field{"date", "string", "The date"}, field{"day_of_year", "integer", "1 to 366"}),
			run:    movingFeast,
		},
	}
}

func holidayCountry() param {
	return param{name: "country", kind: str, description: `ISO 3166 alpha-2 code, e.g. "US"`, enum: []string{"US", "CA", "GB", "DE", "FR", "IT", "NZ"}}
}

func yearParam() param {
	return param{name: "year", kind: integer, description: "Year, e.g. 2027", min: at(1900), max: at(2199), examples: []any{2026, 2027, 2028}}
}

func weekday(a arguments) (any, error) {
	d := a.date("date")
	_, week := d.ISOWeek()
	return struct {
		Date    string `json:"date"`
		Weekday string `json:"weekday"`
		Day     int    `json:"day_of_year"`
		Week    int    `json:"iso_week"`
	}{day(d), d.Weekday().String(), d.YearDay(), week}, nil
}

// days is the number of days from a to b. Both are at midnight UTC, so the
// count is exact for all dates that a calendar date can hold.
func days(a, b time.Time) int { return int((b.Unix() - a.Unix()) / 86400) }

func daysBetween(a arguments) (any, error) {
	n := days(a.date("from"), a.date("to"))
	return struct {
		Days  int `json:"days"`
		Weeks int `json:"weeks"`
	}{n, n / 7}, nil
}

func addDays(a arguments) (any, error) {
	d := a.date("date").AddDate(0, 0, a.int("days"))
	if d.Year() < 1 || d.Year() > 9999 {
		return nil, fmt.Errorf("the result lies outside the years 1 to 9999")
	}
	return struct {
		Date    string `json:"date"`
		Weekday string `json:"weekday"`
	}{day(d), d.Weekday().String()}, nil
}

func ageOn(a arguments) (any, error) {
	born, on := a.date("born"), a.date("on")
	if on.Before(born) {
		return nil, fmt.Errorf("%s is before %s", day(on), day(born))
	}
	years := on.Year() - born.Year()
	if on.Month() < born.Month() || on.Month() == born.Month() && on.Day() < born.Day() {
		years--
	}
	return struct {
		Years int `json:"years"`
		Days  int `json:"days"`
	}{years, days(born, on)}, nil
}

func listHolidays(a arguments) (any, error) {
	type entry struct {
		Name    string `json:"name"`
		Date    string `json:"date"`
		Weekday string `json:"weekday"`
	}
	found := []entry{}
	for _, h := range holidaysOf(a.text("country"), a.int("year")) {
		found = append(found, entry{h.name, day(h.date), h.date.Weekday().String()})
	}
	return struct {
		Country  string  `json:"country"`
		Year     int     `json:"year"`
		Holidays []entry `json:"holidays"`
	}{a.text("country"), a.int("year"), found}, nil
}

func movingFeast(a arguments) (any, error) {
	offsets := map[string]int{"Shrove Tuesday": -47, "Ash Wednesday": -46, "Palm Sunday": -7, "Good Friday": -2,
		"Easter Sunday": 0, "Easter Monday": 1, "Ascension Day": 39, "Pentecost": 49, "Corpus Christi": 60}
	d := easter(a.int("year")).AddDate(0, 0, offsets[a.text("name")])
	return struct {
		Date string `json:"date"`
		Day  int    `json:"day_of_year"`
	}{day(d), d.YearDay()}, nil
}
