package world

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

var placesServer = server{
	title:        "Cities and countries",
	instructions: "Cities and countries of the world with coordinates, people, elevation, currency and time zone, and distances between points.",
	pageSize:     3,
	tools:        placesTools,
}

type city struct {
	ID         string  `json:"id"`
	Name       string  `json:"name"`
	Country    string  `json:"country"`
	Lat        float64 `json:"lat"`
	Lon        float64 `json:"lon"`
	Population int     `json:"population"`
	ElevationM float64 `json:"elevation_m"`
	timezone   string
}

type country struct {
	Code       string `json:"code"`
	Name       string `json:"name"`
	Capital    string `json:"capital"`
	Currency   string `json:"currency"`
	AreaKm2    int    `json:"area_km2"`
	Population int    `json:"population"`
	region     string
	calling    string
	drivesOn   string
}

var allCities = sync.OnceValue(func() []city {
	return facts("cities.csv", func(r row) city {
		return city{
			ID: opaqueID("ct", r.text("name")+"/"+r.text("country")), Name: r.text("name"), Country: r.text("country"),
			Lat: r.number("lat"), Lon: r.number("lon"), Population: r.int("population"), ElevationM: r.number("elevation_m"),
			timezone: r.text("timezone"),
		}
	})
})

var allCountries = sync.OnceValue(func() []country {
	return facts("countries.csv", func(r row) country {
		return country{
			Code: r.text("code"), Name: r.text("name"), Capital: r.text("capital"), Currency: r.text("currency"),
			AreaKm2: r.int("area_km2"), Population: r.int("population"),
			region: r.text("region"), calling: r.text("calling_code"), drivesOn: r.text("drives_on"),
		}
	})
})

func placesTools() []tool {
	return []tool{
		{
			name: "search", title: "Search cities",
			description: "Large or well-known cities of one country with coordinates, elevation in metres and population as the country counts the city, rounded (latest census or estimate up to 2022).",
			params: []param{
				{name: "country", kind: str, description: `ISO 3166 alpha-2 code of the country, e.g. "JP"`, enum: searchableCountries()},
				{name: "min_population", kind: integer, description: "Only cities with at least this many people", optional: true, min: at(0)},
			},
			run: searchCities,
		},
		{
			name: "get_city", title: "City details",
			description: "One city by its name: country code, coordinates, elevation in metres, population as the country counts the city, rounded, and IANA time zone.",
			params:      []param{cityParam("city", "Name of the city")},
			run:         getCity,
		},
		{
			name: "get_country", title: "Country details",
			description: "One country by its ISO code: name, region, capital, ISO currency code, area in square kilometres, population (2023, rounded), calling code and side of the road.",
			params:      []param{{name: "country", kind: str, description: `ISO 3166 alpha-2 code, e.g. "NO"`, enum: choices(allCountries(), func(c country) string { return c.Code })}},
			run:         getCountry,
		},
		{
			name: "list_countries", title: "Countries of a region",
			description: "Countries of one region that this server knows (not all there are), with capital, currency, area in square kilometres and population (2023, rounded).",
			params:      []param{{name: "region", kind: str, description: `Region of the world, e.g. "South America"`, enum: choices(allCountries(), func(c country) string { return c.region })}},
			run:         listCountries,
		},
		{
			name: "distance", title: "Distance from a city to a point",
			description: "Straight-line (great-circle) distance in kilometres from a city to a point, and the initial compass bearing in degrees.",
			params: []param{cityParam("from", "Name of the city to start from"),
				renamed(latParam(), "to_lat"), renamed(lonParam(), "to_lon")},
			run: distanceFromCity,
		},
		{
			name: "nearest_city", title: "City nearest to a point",
			description: "The city on record that is nearest to a point, with its distance in kilometres and IANA time zone.",
			params:      []param{latParam(), lonParam()},
			run:         nearestCity,
		},
		{
			name: "travel_time", title: "Travel time for a distance",
			description: "Hours that a distance takes at a usual average speed: walking 5 km/h, cycling 18, car 80, train 120, plane 800. Stops and waiting are not counted.",
			params: []param{
				{name: "km", kind: num, description: "Distance in kilometres, e.g. 392.6", above: at(0), max: at(50000), examples: []any{392.6}},
				{name: "mode", kind: str, description: "Means of travel", enum: []string{"walking", "cycling", "car", "train", "plane"}},
			},
			run: travelTime,
		},
	}
}

func renamed(p param, name string) param {
	p.name = name
	return p
}

func cityParam(name, description string) param {
	return param{name: name, kind: str, description: description + `, e.g. "Salt Lake City" or "Prague"`, examples: []any{"Salt Lake City", "Prague", "Kyoto", "Nairobi", "Edinburgh"}}
}

// searchableCountries are those with three cities or more, sorted.
func searchableCountries() []string {
	count := map[string]int{}
	for _, c := range allCities() {
		count[c.Country]++
	}
	var codes []string
	for code, n := range count {
		if n >= 3 {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	return codes
}

func searchCities(a arguments) (any, error) {
	found := []city{}
	for _, c := range allCities() {
		if c.Country == a.text("country") && c.Population >= a.int("min_population") {
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no city on record in %s has %d people or more", a.text("country"), a.int("min_population"))
	}
	return struct {
		Results []city `json:"results"`
	}{found}, nil
}

func cityByName(name string) (city, error) {
	for _, c := range allCities() {
		if strings.EqualFold(c.Name, name) {
			return c, nil
		}
	}
	return city{}, fmt.Errorf("no city named %q on record: search lists the cities of a country", name)
}

type cityDetails struct {
	city
	Timezone string `json:"timezone"`
}

func getCity(a arguments) (any, error) {
	c, err := cityByName(a.text("city"))
	if err != nil {
		return nil, err
	}
	return cityDetails{c, c.timezone}, nil
}

func getCountry(a arguments) (any, error) {
	for _, c := range allCountries() {
		if c.Code == a.text("country") {
			return struct {
				country
				Region   string `json:"region"`
				Calling  string `json:"calling_code"`
				DrivesOn string `json:"drives_on"`
			}{c, c.region, "+" + c.calling, c.drivesOn}, nil
		}
	}
	return nil, fmt.Errorf("no country %q on record", a.text("country"))
}

func listCountries(a arguments) (any, error) {
	found := []country{}
	for _, c := range allCountries() {
		if c.region == a.text("region") {
			found = append(found, c)
		}
	}
	return struct {
		Region    string    `json:"region"`
		Countries []country `json:"countries"`
	}{a.text("region"), found}, nil
}

func distanceFromCity(a arguments) (any, error) {
	c, err := cityByName(a.text("from"))
	if err != nil {
		return nil, err
	}
	lat, lon := a.number("to_lat"), a.number("to_lon")
	return struct {
		Km      float64 `json:"km"`
		Bearing float64 `json:"bearing_deg"`
	}{round(distanceKm(c.Lat, c.Lon, lat, lon), 1), round(bearingDeg(c.Lat, c.Lon, lat, lon), 0)}, nil
}

func nearestCity(a arguments) (any, error) {
	best, bestKm := city{}, -1.0
	for _, c := range allCities() {
		if km := distanceKm(a.number("lat"), a.number("lon"), c.Lat, c.Lon); bestKm < 0 || km < bestKm {
			best, bestKm = c, km
		}
	}
	return struct {
		City       string  `json:"city"`
		Country    string  `json:"country"`
		DistanceKm float64 `json:"distance_km"`
		Timezone   string  `json:"timezone"`
	}{best.Name, best.Country, round(bestKm, 1), best.timezone}, nil
}

func travelTime(a arguments) (any, error) {
	speeds := map[string]float64{"walking": 5, "cycling": 18, "car": 80, "train": 120, "plane": 800}
	speed := speeds[a.text("mode")]
	return lines(
		fmt.Sprintf("Hours: %v", round(a.number("km")/speed, 2)),
		fmt.Sprintf("Speed assumed: %v km/h", speed),
	), nil
}
