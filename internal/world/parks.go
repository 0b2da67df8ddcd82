package world

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

var parksServer = server{
	title:        "US national parks",
	instructions: "Facts about national parks of the United States and their campgrounds. Find parks by state first; other tools take the park's id.",
	tools:        parksTools,
}

type park struct {
	ID          string  `json:"id"`
	Name        string  `json:"name"`
	State       string  `json:"state"`
	Lat         float64 `json:"lat"`
	Lon         float64 `json:"lon"`
	AreaKm2     float64 `json:"area_km2"`
	Visitors    int     `json:"visitors_2022"`
	established string
	gateway     string
	timezone    string
}

type campground struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Sites int    `json:"sites"`
	park  string
}

var allParks = sync.OnceValue(func() []park {
	return facts("parks.csv", func(r row) park {
		return park{
			ID: opaqueID("np", r.text("name")), Name: r.text("name"), State: r.text("state"),
			Lat: r.number("lat"), Lon: r.number("lon"), AreaKm2: r.number("area_km2"), Visitors: r.int("visitors"),
			established: r.text("established"), gateway: r.text("gateway"), timezone: r.text("timezone"),
		}
	})
})

var allCampgrounds = sync.OnceValue(func() []campground {
	return facts("campgrounds.csv", func(r row) campground {
		return campground{
			ID: opaqueID("cg", r.text("park")+"/"+r.text("name")), Name: r.text("name"), Sites: r.int("sites"), park: r.text("park"),
		}
	})
})

func parksTools() []tool {
	id := idParam("park_id", "park", "find_parks or nearest_parks")
	return []tool{
		{
			name: "find_parks", title: "Find parks by state",
			description: "National parks of one US state with id, coordinates, area in square kilometres and recreation visits in 2022. A park in several states is listed under the one that holds most of it.",
			params: []param{
				{name: "state", kind: str, description: `Two-letter postal code of the state, e.g. "UT"`, enum: parkStates()},
				{name: "min_area_km2", kind: num, description: "Only parks of at least this area in square kilometres", optional: true, min: at(0)},
			},
			run: findParks,
		},
		{
			name: "get_park", title: "Park details",
			description: "One national park: date of the act or proclamation that made it a national park, gateway town and IANA time zone, besides what find_parks says.",
			params:      []param{id},
			run:         getPark,
		},
		{
			name: "list_campgrounds", title: "Campgrounds of a park",
			description: "Campgrounds of one national park with their usual number of sites (the number open varies with the season).",
			params:      []param{id},
			run:         listCampgrounds,
		},
		{
			name: "nearest_parks", title: "Parks near a point",
			description: "The national parks nearest to a point, with their distance from it in kilometres along a great circle, nearest first.",
			params: []param{latParam(), lonParam(),
				{name: "limit", kind: integer, description: "How many parks", optional: true, fallback: 3, min: at(1), max: at(10)}},
			run: nearestParks,
		},
	}
}

func parkStates() []string {
	states := choices(allParks(), func(p park) string { return p.State })
	slices.Sort(states)
	return states
}

func findParks(a arguments) (any, error) {
	found := []park{}
	for _, p := range allParks() {
		if p.State == a.text("state") && p.AreaKm2 >= a.number("min_area_km2") {
			found = append(found, p)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no national park in %s covers %v km2 or more", a.text("state"), a.number("min_area_km2"))
	}
	return struct {
		State string `json:"state"`
		Parks []park `json:"parks"`
	}{a.text("state"), found}, nil
}

func parkByID(id string) (park, error) {
	for _, p := range allParks() {
		if p.ID == strings.ToLower(id) {
			return p, nil
		}
	}
	return park{}, fmt.Errorf("no park with id %q: find_parks lists ids by state", id)
}

func getPark(a arguments) (any, error) {
	p, err := parkByID(a.text("park_id"))
	if err != nil {
		return nil, err
	}
	return struct {
		park
		Established string `json:"established"`
		Gateway     string `json:"gateway_town"`
		Timezone    string `json:"timezone"`
	}{p, p.established, p.gateway, p.timezone}, nil
}

func listCampgrounds(a arguments) (any, error) {
	p, err := parkByID(a.text("park_id"))
	if err != nil {
		return nil, err
	}
	found := []campground{}
	for _, c := range allCampgrounds() {
		if c.park == p.Name {
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no campground on record for %s", p.Name)
	}
	return struct {
		Park        string       `json:"park"`
		Campgrounds []campground `json:"campgrounds"`
	}{p.Name, found}, nil
}

type nearPark struct {
	park
	DistanceKm float64 `json:"distance_km"`
}

func nearestParks(a arguments) (any, error) {
	var near []nearPark
	for _, p := range allParks() {
		near = append(near, nearPark{p, round(distanceKm(a.number("lat"), a.number("lon"), p.Lat, p.Lon), 1)})
	}
	slices.SortStableFunc(near, func(x, y nearPark) int { return compareFloats(x.DistanceKm, y.DistanceKm) })
	return struct {
		Parks []nearPark `json:"parks"`
	}{near[:a.int("limit")]}, nil
}
