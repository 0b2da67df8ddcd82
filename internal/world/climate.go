package world

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

var climateServer = server{
	title:        "Monthly climate",
	instructions: "Approximate long-term monthly means of temperature and precipitation, rounded, at stations in and near US national parks and in large cities. A point is answered by the nearest station.",
	tools:        climateTools,
}

type station struct {
	ID         string  `json:"station_id"`
	Name       string  `json:"name"`
	Lat        float64 `json:"lat"`
	Lon        float64 `json:"lon"`
	ElevationM float64 `json:"elevation_m"`

	high, low, precipitation []float64 // by month
}

var allStations = sync.OnceValue(func() []station {
	return facts("climate.csv", func(r row) station {
		return station{
			ID: opaqueID("st", r.text("name")), Name: r.text("name"), Lat: r.number("lat"), Lon: r.number("lon"), ElevationM: r.number("elevation_m"),
			high: r.numbers("high"), low: r.numbers("low"), precipitation: r.numbers("precipitation"),
		}
	})
})

var monthNames = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}

func climateTools() []tool {
	id := idParam("station_id", "station", "nearest_station")
	return []tool{
		{
			name: "nearest_station", title: "Climate station near a point",
			description: "The climate station nearest to a point, with its id, elevation in metres and distance in kilometres.",
			params:      []param{latParam(), lonParam()},
			run:         nearestStation,
		},
		{
			name: "month", title: "Climate of a month",
			description: "Mean daily high and low in degrees Celsius and precipitation in millimetres of one month at the station nearest to a point, in words. Approximate long-term monthly means, rounded.",
			params: []param{latParam(), lonParam(),
				{name: "month", kind: integer, description: "Month, 1 (January) to 12 (December), e.g. 10", min: at(1), max: at(12), examples: []any{1, 4, 7, 10}}},
			run: climateOfMonth,
		},
		{
			name: "year", title: "Climate month by month",
			description: "All twelve months at one station: mean daily high and low in degrees Celsius and precipitation in millimetres. Approximate long-term monthly means, rounded.",
			params:      []param{id},
			run:         climateOfYear,
		},
		{
			name: "annual", title: "Climate of the year as a whole",
			description: "Annual mean temperature in degrees Celsius, yearly precipitation in millimetres and the range between the warmest and the coldest month at one station, in words.",
			params:      []param{id},
			run:         annualClimate,
		},
	}
}

func stationNear(lat, lon float64) (station, float64) {
	best, bestKm := station{}, -1.0
	for _, s := range allStations() {
		if km := distanceKm(lat, lon, s.Lat, s.Lon); bestKm < 0 || km < bestKm {
			best, bestKm = s, km
		}
	}
	return best, bestKm
}

func stationByID(id string) (station, error) {
	for _, s := range allStations() {
		if s.ID == strings.ToLower(id) {
			return s, nil
		}
	}
	return station{}, fmt.Errorf("no station with id %q: nearest_station gives the id for a point", id)
}

func nearestStation(a arguments) (any, error) {
	s, km := stationNear(a.number("lat"), a.number("lon"))
	return struct {
		station
		DistanceKm float64 `json:"distance_km"`
	}{s, round(km, 1)}, nil
}

func climateOfMonth(a arguments) (any, error) {
	s, km := stationNear(a.number("lat"), a.number("lon"))
	if km > 500 {
		return nil, fmt.Errorf("no station within 500 km of %v, %v: the nearest is %s", a.number("lat"), a.number("lon"), s.Name)
	}
	m := a.int("month") - 1
	return lines(
		fmt.Sprintf("Mean high %.1f C, mean low %.1f C, precipitation %.0f mm.", s.high[m], s.low[m], s.precipitation[m]),
		"Station: "+s.Name,
	), nil
}

type monthClimate struct {
	Month         int     `json:"month"`
	Name          string  `json:"name"`
	HighC         float64 `json:"mean_high_c"`
	LowC          float64 `json:"mean_low_c"`
	Precipitation float64 `json:"precipitation_mm"`
}

func climateOfYear(a arguments) (any, error) {
	s, err := stationByID(a.text("station_id"))
	if err != nil {
		return nil, err
	}
	months := make([]monthClimate, 12)
	for i, name := range monthNames {
		months[i] = monthClimate{i + 1, name, s.high[i], s.low[i], s.precipitation[i]}
	}
	return struct {
		Station string         `json:"station"`
		Months  []monthClimate `json:"months"`
	}{s.Name, months}, nil
}

func annualClimate(a arguments) (any, error) {
	s, err := stationByID(a.text("station_id"))
	if err != nil {
		return nil, err
	}
	means := make([]float64, 12)
	for i := range means {
		means[i] = (s.high[i] + s.low[i]) / 2
	}
	return lines(
		fmt.Sprintf("Annual mean %.1f C, annual precipitation %.0f mm, range between warmest and coldest month %.1f C.",
			sum(means)/12, sum(s.precipitation), slices.Max(means)-slices.Min(means)),
		"Station: "+s.Name,
	), nil
}
