package world

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestIDsAreUnique(t *testing.T) {
	seen := map[string]string{}
	note := func(id, name string) {
		if other, ok := seen[id]; ok {
			t.Errorf("%s stands for %s and for %s", id, other, name)
		}
		seen[id] = name
	}
	for _, p := range allParks() {
		note(p.ID, p.Name)
	}
	for _, c := range allCampgrounds() {
		note(c.ID, c.park+"/"+c.Name)
	}
	for _, c := range allCities() {
		note(c.ID, c.Name)
	}
	for _, b := range allBooks() {
		note(b.ID, b.Title)
	}
	for _, a := range allAuthors() {
		note(a.ID, a.Name)
	}
	for _, f := range allFoods() {
		note(f.ID, f.Name)
	}
	for _, s := range allStations() {
		note(s.ID, s.Name)
	}
}

// TestReferencesHold holds the facts that name each other against each other.
func TestReferencesHold(t *testing.T) {
	countries := choices(allCountries(), func(c country) string { return c.Code })
	index := map[string]bool{}
	for _, code := range countries {
		index[code] = true
	}
	for _, c := range allCities() {
		if _, err := zone(c.timezone); err != nil || !index[c.Country] {
			t.Errorf("city %s: zone %v, country %s known %v", c.Name, err, c.Country, index[c.Country])
		}
	}
	for _, a := range allAuthors() {
		born, err := time.Parse(time.DateOnly, a.Born)
		died, err2 := time.Parse(time.DateOnly, a.Died)
		if err != nil || err2 != nil || !born.Before(died) {
			t.Errorf("author %s: born %s, died %s", a.Name, a.Born, a.Died)
		}
		if _, err := cityByName(a.Birthplace); err != nil {
			t.Errorf("author %s: %v", a.Name, err)
		}
	}
	for _, b := range allBooks() {
		if w, err := authorNamed(b.Author); err != nil || w.Name != b.Author {
			t.Errorf("book %s: author %q found as %q, %v", b.Title, b.Author, w.Name, err)
		}
	}
	parks := map[string]bool{}
	for _, p := range allParks() {
		parks[p.Name] = true
		if _, err := zone(p.timezone); err != nil {
			t.Errorf("park %s: %v", p.Name, err)
		}
		if _, err := time.Parse(time.DateOnly, p.established); err != nil {
			t.Errorf("park %s: %v", p.Name, err)
		}
	}
	for _, c := range allCampgrounds() {
		if !parks[c.park] {
			t.Errorf("campground %s: no park %s", c.Name, c.park)
		}
	}
}

func TestClimateIsPlausible(t *testing.T) {
	for _, s := range allStations() {
		if len(s.high) != 12 || len(s.low) != 12 || len(s.precipitation) != 12 {
			t.Errorf("%s: %d, %d, %d months", s.Name, len(s.high), len(s.low), len(s.precipitation))
			continue
		}
		for i := range 12 {
			if gap := s.high[i] - s.low[i]; gap < 3 || gap > 25 || s.precipitation[i] < 0 {
				t.Errorf("%s, %s: high %v, low %v, %v mm", s.Name, monthNames[i], s.high[i], s.low[i], s.precipitation[i])
			}
		}
	}
}

func TestDistance(t *testing.T) {
	cases := []struct {
		name                   string
		lat1, lon1, lat2, lon2 float64
		km                     float64
	}{
		{"same point", 10, 20, 10, 20, 0},
		{"quarter of a meridian", 0, 0, 90, 0, 10007.6},
		{"half of the equator", 0, 0, 0, 180, 20015.1},
		{"Paris to London", 48.8566, 2.3522, 51.5074, -0.1278, 343.6},
		{"New York to London", 40.7128, -74.0060, 51.5074, -0.1278, 5570.2},
		{"one degree of longitude at 60 degrees north", 60, 10, 60, 11, 55.6},
		{"across the date line", 0, 179.5, 0, -179.5, 111.2},
	}
	for _, c := range cases {
		if got := distanceKm(c.lat1, c.lon1, c.lat2, c.lon2); math.Abs(got-c.km) > 0.5 {
			t.Errorf("%s: %.1f km, want %.1f", c.name, got, c.km)
		}
	}
	if b := bearingDeg(0, 0, 0, 90); math.Abs(b-90) > 1e-9 {
		t.Errorf("bearing to the east: %v", b)
	}
}

func TestDaylight(t *testing.T) {
	cases := []struct {
		name             string
		lat, lon         float64
		date             time.Time
		minutes, sunrise float64 // UTC, after midnight
	}{
		{"London at midsummer", 51.51, -0.13, date(2026, 6, 21), 16*60 + 38, 3*60 + 43},
		{"London at midwinter", 51.51, -0.13, date(2026, 12, 21), 7*60 + 50, 8*60 + 4},
		{"Denver at midsummer", 39.74, -104.99, date(2026, 6, 21), 14*60 + 59, 11*60 + 32},
		{"equator at equinox", 0, 0, date(2026, 3, 20), 12*60 + 7, 6*60 + 4},
	}
	for _, c := range cases {
		s := sunOn(c.date, c.lat, c.lon)
		if math.Abs(s.dayMinutes-c.minutes) > 4 || math.Abs(s.rise-c.sunrise) > 4 {
			t.Errorf("%s: day of %.0f min, sunrise at minute %.0f; want %.0f and %.0f", c.name, s.dayMinutes, s.rise, c.minutes, c.sunrise)
		}
	}
	if s := sunOn(date(2026, 6, 21), 69.65, 18.96); s.dayMinutes != 1440 {
		t.Errorf("midnight sun in Tromso: %v minutes", s.dayMinutes)
	}
	if s := sunOn(date(2026, 12, 21), 69.65, 18.96); s.dayMinutes != 0 {
		t.Errorf("polar night in Tromso: %v minutes", s.dayMinutes)
	}
}

func TestConvert(t *testing.T) {
	cases := []struct {
		value    float64
		from, to string
		want     float64
	}{
		{7.8, "C", "F", 46.04}, {-40, "C", "F", -40}, {98.6, "F", "C", 37}, {0, "C", "K", 273.15}, {0, "K", "F", -459.67},
		{1, "mi", "km", 1.60934}, {392.6, "km", "mi", 243.95}, {1, "ft", "in", 12}, {595.9, "km2", "mi2", 230.078},
		{1, "acre", "m2", 4046.86}, {1, "lb", "oz", 16}, {1, "gal", "l", 3.78541}, {100, "kcal", "kJ", 418.4},
		{100, "km/h", "mph", 62.1371}, {90, "min", "h", 1.5}, {13793.3, "km2", "acre", 3408399},
	}
	for _, c := range cases {
		got, err := convert(c.value, c.from, c.to)
		if err != nil || math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v %s = %v %s (%v), want %v", c.value, c.from, got, c.to, err, c.want)
		}
	}
}

func TestConvertThereAndBack(t *testing.T) {
	codes := unitCodes()
	rapid.Check(t, func(t *rapid.T) {
		from, to := rapid.SampledFrom(codes).Draw(t, "from"), rapid.SampledFrom(codes).Draw(t, "to")
		v := rapid.Float64Range(1, 1000).Draw(t, "value")
		there, err := convert(v, from, to)
		if (err == nil) != (unitTable[from].quantity == unitTable[to].quantity) {
			t.Fatalf("%s to %s: %v", from, to, err)
		}
		if err != nil {
			return
		}
		back, _ := convert(there, to, from)
		if math.Abs(back-v) > 0.01*math.Max(v, 1) && unitTable[from].quantity != "temperature" {
			t.Fatalf("%v %s = %v %s = %v %s", v, from, there, to, back, from)
		}
	})
}

func TestEaster(t *testing.T) {
	for _, want := range []time.Time{date(1961, 4, 2), date(2000, 4, 23), date(2008, 3, 23), date(2024, 3, 31), date(2026, 4, 5), date(2027, 3, 28), date(2038, 4, 25)} {
		if got := easter(want.Year()); !got.Equal(want) {
			t.Errorf("Easter %d: %s, want %s", want.Year(), day(got), day(want))
		}
	}
}

func TestHolidays(t *testing.T) {
	cases := []struct {
		country, name string
		want          time.Time
	}{
		{"US", "Thanksgiving Day", date(2026, 11, 26)}, {"US", "Memorial Day", date(2027, 5, 31)}, {"US", "Labor Day", date(2026, 9, 7)},
		{"US", "Martin Luther King Jr. Day", date(2027, 1, 18)}, {"CA", "Victoria Day", date(2026, 5, 18)}, {"CA", "Thanksgiving", date(2026, 10, 12)},
		{"GB", "Early May bank holiday", date(2026, 5, 4)}, {"GB", "Spring bank holiday", date(2026, 5, 25)}, {"DE", "Whit Monday", date(2026, 5, 25)},
		{"FR", "Ascension Day", date(2027, 5, 6)}, {"NZ", "Labour Day", date(2026, 10, 26)}, {"IT", "Ferragosto", date(2026, 8, 15)},
	}
	for _, c := range cases {
		found := false
		for _, h := range holidaysOf(c.country, c.want.Year()) {
			if h.name == c.name {
				found = true
				if !h.date.Equal(c.want) {
					t.Errorf("%s %s: %s, want %s", c.country, c.name, day(h.date), day(c.want))
				}
			}
		}
		if !found {
			t.Errorf("%s has no %s in %d", c.country, c.name, c.want.Year())
		}
	}
	for _, h := range holidaysOf("US", 2020) {
		if h.name == "Juneteenth" {
			t.Error("Juneteenth was no federal holiday in 2020")
		}
	}
}

func TestPayment(t *testing.T) {
	cases := []struct {
		principal, percent float64
		months             int
		want               float64
	}{{25000, 4.5, 120, 259.10}, {200000, 6, 360, 1199.10}, {12000, 0, 24, 500}, {10000, 12, 12, 888.49}}
	for _, c := range cases {
		if got := payment(c.principal, c.percent, c.months); math.Abs(got-c.want) > 0.005 {
			t.Errorf("loan of %v at %v %% over %d months: %.2f, want %.2f", c.principal, c.percent, c.months, got, c.want)
		}
	}
}

func TestStatistics(t *testing.T) {
	n := []float64{2, 4, 4, 4, 5, 5, 7, 9}
	for name, pair := range map[string][2]float64{
		"mean": {mean(n), 5}, "deviation": {deviation(n), math.Sqrt(32.0 / 7)}, "median": {percentile(n, 50), 4.5},
		"p75": {percentile(n, 75), 5.5}, "p0": {percentile(n, 0), 2}, "p100": {percentile(n, 100), 9}, "one": {deviation(n[:1]), 0},
		"six digits": {significant(1234.56789, 6), 1234.57}, "large": {significant(12345678.9, 6), 12345679}, "small": {significant(0.000123456789, 6), 0.000123457},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, pair[0], pair[1])
		}
	}
}
