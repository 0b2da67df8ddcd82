package world

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
	_ "time/tzdata" // for systems without zone data
)

var timezonesServer = server{
	title:        "Time zones",
	instructions: "Local time in IANA time zones, and daylight by place and date.",
	tools:        timezonesTools,
}

func timezonesTools() []tool {
	return []tool{
		{
			name: "utc_offset", title: "Offset from UTC",
			description: "The offset from UTC of a time zone at noon of a date, its abbreviation and whether daylight saving time applies, as lines of text.",
			params:      []param{zoneParam("timezone"), dateParam("date", "Date")},
			run:         utcOffset,
		},
		{
			name: "difference", title: "Hours between two time zones",
			description: "By how many hours the clock in one time zone is ahead of (negative: behind) the clock in another, at noon UTC of a date. The answer is a bare number.",
			params:      []param{zoneParam("timezone"), zoneParam("other_timezone"), dateParam("date", "Date")},
			run:         zoneDifference,
		},
		{
			name: "convert_time", title: "Local time elsewhere",
			description: "What a local date and time in one time zone is in another.",
			params: []param{
				dateParam("date", "Local date"),
				{name: "time", kind: str, description: "Local time, 24 hours, e.g. 14:30", pattern: `^([01]\d|2[0-3]):[0-5]\d$`, examples: []any{"09:00", "14:30", "20:15"}},
				zoneParam("from_timezone"), zoneParam("to_timezone"),
			},
			run: convertTime,
		},
		{
			name: "daylight", title: "Daylight at a place",
			description: "Length of the day in minutes and UTC times of sunrise, solar noon and sunset at a point on a date, by the sunrise equation (good to a few minutes).",
			params:      []param{latParam(), lonParam(), dateParam("date", "Date")},
			run:         daylight,
		},
		{
			name: "list_zones", title: "Time zones of a country",
			description: "IANA time zones of the cities on record in a country, with their offsets from UTC in hours in mid-January 2026 (summer time in the southern hemisphere, where it is kept).",
			params:      []param{{name: "country", kind: str, description: `ISO 3166 alpha-2 code, e.g. "AU"`, enum: choices(allCities(), func(c city) string { return c.Country })}},
			run:         listZones,
		},
	}
}

func zoneParam(name string) param {
	return param{name: name, kind: str, description: `IANA time zone name, e.g. "America/Denver" or "Europe/Prague"`, examples: []any{"America/Denver", "Europe/Prague", "Asia/Tokyo"}}
}

// zone loads a time zone from the system's zone data, or from the data in the
// program where the system has none.
func zone(name string) (*time.Location, error) {
	z, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		return nil, fmt.Errorf("unknown time zone %q: want an IANA name like Europe/Prague", name)
	}
	return z, nil
}

// offsetHours is the offset from UTC at an instant.
func offsetHours(t time.Time) float64 {
	_, seconds := t.Zone()
	return float64(seconds) / 3600
}

func utcOffset(a arguments) (any, error) {
	z, err := zone(a.text("timezone"))
	if err != nil {
		return nil, err
	}
	d := a.date("date")
	t := time.Date(d.Year(), d.Month(), d.Day(), 12, 0, 0, 0, z)
	saving := "no"
	if t.IsDST() {
		saving = "yes"
	}
	return lines(
		"UTC offset: "+t.Format("-07:00"),
		fmt.Sprintf("Offset hours: %v", offsetHours(t)),
		"Abbreviation: "+t.Format("MST"),
		"Daylight saving: "+saving,
	), nil
}

func zoneDifference(a arguments) (any, error) {
	one, err := zone(a.text("timezone"))
	if err != nil {
		return nil, err
	}
	other, err := zone(a.text("other_timezone"))
	if err != nil {
		return nil, err
	}
	noon := a.date("date").Add(12 * time.Hour)
	hours := round(offsetHours(noon.In(one))-offsetHours(noon.In(other)), 2)
	return text(strconv.FormatFloat(hours, 'f', -1, 64)), nil
}

func convertTime(a arguments) (any, error) {
	from, err := zone(a.text("from_timezone"))
	if err != nil {
		return nil, err
	}
	to, err := zone(a.text("to_timezone"))
	if err != nil {
		return nil, err
	}
	t, err := time.ParseInLocation("2006-01-02 15:04", a.text("date")+" "+a.text("time"), from)
	if err != nil {
		return nil, fmt.Errorf("%s %s is no local time in %s", a.text("date"), a.text("time"), from)
	}
	local := t.In(to)
	return struct {
		Date string `json:"date"`
		Time string `json:"time"`
		UTC  string `json:"utc"`
	}{day(local), local.Format("15:04"), t.UTC().Format("2006-01-02T15:04Z")}, nil
}

func daylight(a arguments) (any, error) {
	s := sunOn(a.date("date"), a.number("lat"), a.number("lon"))
	minutes := round(s.dayMinutes, 0)
	if minutes == 0 || minutes == 1440 {
		return struct {
			DayMinutes float64 `json:"day_length_min"`
		}{minutes}, nil
	}
	return struct {
		DayMinutes float64 `json:"day_length_min"`
		Sunrise    string  `json:"sunrise_utc"`
		Noon       string  `json:"solar_noon_utc"`
		Sunset     string  `json:"sunset_utc"`
	}{minutes, clockTime(s.rise), clockTime(s.noon), clockTime(s.set)}, nil
}

// clockTime writes minutes after midnight as HH:MM, wrapping around the day.
func clockTime(minutes float64) string {
	m := (int(math.Round(minutes))%1440 + 1440) % 1440
	return fmt.Sprintf("%02d:%02d", m/60, m%60)
}

type zoneOffset struct {
	Timezone string  `json:"timezone"`
	Offset   float64 `json:"january_offset_hours"`
}

func listZones(a arguments) (any, error) {
	zones := []zoneOffset{}
	for _, c := range allCities() {
		if c.Country != a.text("country") || slices.ContainsFunc(zones, func(z zoneOffset) bool { return z.Timezone == c.timezone }) {
			continue
		}
		z, err := zone(c.timezone)
		if err != nil {
			return nil, err
		}
		zones = append(zones, zoneOffset{c.timezone, offsetHours(time.Date(2026, 1, 15, 12, 0, 0, 0, z))})
	}
	return struct {
		Zones []zoneOffset `json:"zones"`
	}{zones}, nil
}
