package world

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

var itineraryServer = server{
	title:        "Itineraries",
	instructions: "Keeps travel itineraries for the length of a session: create one, add stops, cancel stops, read it back.",
	tools:        func() []tool { return newItineraries().toolList() },
}

const (
	maxItineraries = 100 // in one session
	maxStops       = 100 // in one itinerary
)

type stop struct {
	ID      string `json:"stop_id"`
	Place   string `json:"place"`
	Arrive  string `json:"arrive"`
	Nights  int    `json:"nights"`
	Weekday string `json:"weekday"`
}

type itinerary struct {
	id    string
	title string
	start time.Time
	stops []stop
	added int // stops ever added, for ids
}

// itineraries is the state of one instance. Its tools may be called
// concurrently.
type itineraries struct {
	mu   sync.Mutex
	byID map[string]*itinerary
	ids  []string // in order of creation
}

func newItineraries() *itineraries { return &itineraries{byID: map[string]*itinerary{}} }

func (s *itineraries) toolList() []tool {
	id := idParam("itinerary_id", "itinerary", "create_itinerary")
	return []tool{
		{
			name: "create_itinerary", title: "New itinerary", effect: adds,
			description: "Starts an empty itinerary and returns its id.",
			params: []param{{name: "title", kind: str, description: `Title, e.g. "Autumn tour"`, examples: []any{"Autumn tour"}},
				dateParam("start_date", "First day")},
			run: s.create,
		},
		{
			name: "add_stop", title: "Add a stop", effect: adds,
			description: "Adds a stop to the end of an itinerary. The arrival is the departure from the stop before it, or the first day; the answer says which day that is.",
			params: []param{id,
				{name: "place", kind: str, description: `Name of the place, e.g. "Moab"`, examples: []any{"Moab", "Prague"}},
				{name: "nights", kind: integer, description: "Nights to stay, e.g. 2", min: at(1), max: at(60), examples: []any{2, 3}}},
			run: s.add,
		},
		{
			name: "cancel_stop", title: "Cancel a stop", effect: destroys,
			description: "Removes a stop from an itinerary; later stops move up in time.",
			params:      []param{id, idParam("stop_id", "stop", "add_stop")},
			run:         s.cancel,
		},
		{
			name: "read_itinerary", title: "Read an itinerary", effect: reads,
			description: "An itinerary with its stops in order, their arrival dates, total nights and the date of return.",
			params:      []param{id},
			run:         s.read,
		},
		{
			name: "list_itineraries", title: "All itineraries", effect: reads,
			description: "Ids and titles of the itineraries of this session, in order of creation.",
			run:         s.list,
		},
	}
}

func (s *itineraries) create(a arguments) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.ids) >= maxItineraries {
		return nil, fmt.Errorf("there are %d itineraries already: no more fit", maxItineraries)
	}
	it := &itinerary{id: fmt.Sprintf("it-%04d", 1001+len(s.ids)), title: a.text("title"), start: a.date("start_date")}
	s.byID[it.id] = it
	s.ids = append(s.ids, it.id)
	return struct {
		ID    string `json:"itinerary_id"`
		Title string `json:"title"`
		Start string `json:"start_date"`
	}{it.id, it.title, day(it.start)}, nil
}

// find needs s.mu to be held.
func (s *itineraries) find(a arguments) (*itinerary, error) {
	it, ok := s.byID[strings.ToLower(a.text("itinerary_id"))]
	if !ok {
		return nil, fmt.Errorf("no itinerary with id %q in this session: create_itinerary makes one", a.text("itinerary_id"))
	}
	return it, nil
}

func (s *itineraries) add(a arguments) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	it, err := s.find(a)
	if err != nil {
		return nil, err
	}
	if len(it.stops) >= maxStops {
		return nil, fmt.Errorf("%s has %d stops already: no more fit", it.id, maxStops)
	}
	it.added++
	it.stops = append(it.stops, stop{ID: fmt.Sprintf("%s-s%d", it.id, it.added), Place: a.text("place"), Nights: a.int("nights")})
	it.schedule()
	return it.stops[len(it.stops)-1], nil
}

// schedule sets the arrival of each stop and returns the day of return.
func (it *itinerary) schedule() time.Time {
	d := it.start
	for i := range it.stops {
		it.stops[i].Arrive, it.stops[i].Weekday = day(d), d.Weekday().String()
		d = d.AddDate(0, 0, it.stops[i].Nights)
	}
	return d
}

func (s *itineraries) cancel(a arguments) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	it, err := s.find(a)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(it.stops, func(e stop) bool { return e.ID == strings.ToLower(a.text("stop_id")) })
	if i < 0 {
		return nil, fmt.Errorf("%s has no stop %q", it.id, a.text("stop_id"))
	}
	gone := it.stops[i]
	it.stops = slices.Delete(it.stops, i, i+1)
	it.schedule()
	return struct {
		Cancelled string `json:"cancelled"`
		Place     string `json:"place"`
		Left      int    `json:"stops_left"`
	}{gone.ID, gone.Place, len(it.stops)}, nil
}

func (s *itineraries) read(a arguments) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	it, err := s.find(a)
	if err != nil {
		return nil, err
	}
	nights := 0
	for _, e := range it.stops {
		nights += e.Nights
	}
	return struct {
		ID     string `json:"itinerary_id"`
		Title  string `json:"title"`
		Start  string `json:"start_date"`
		End    string `json:"end_date"`
		Nights int    `json:"total_nights"`
		Stops  []stop `json:"stops"`
	}{it.id, it.title, day(it.start), day(it.schedule()), nights, append([]stop{}, it.stops...)}, nil
}

func (s *itineraries) list(arguments) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	type entry struct {
		ID    string `json:"itinerary_id"`
		Title string `json:"title"`
	}
	all := []entry{}
	for _, id := range s.ids {
		all = append(all, entry{id, s.byID[id].title})
	}
	return struct {
		Itineraries []entry `json:"itineraries"`
	}{all}, nil
}
