package fuzz

import "github.com/taskwright/taskwright/datasets"

func constant(path, value, said string) datasets.Argument {
	return datasets.Argument{Path: path, Source: datasets.SourceConstant, Value: value, Said: said}
}

func from(path, value string, step int32, at, pick, by string) datasets.Argument {
	return datasets.Argument{Path: path, Source: datasets.SourceStep, Value: value, Step: step, From: at, Pick: pick, By: by}
}

func step(server, tool string, args ...datasets.Argument) datasets.Step {
	return datasets.Step{Server: server, Tool: tool, Arguments: args}
}

func reason(text, brief string) datasets.Part {
	return datasets.Part{Role: datasets.RoleReason, Text: text, Brief: brief}
}

func ask(n int32, text, question, brief string, claims ...string) datasets.Part {
	return datasets.Part{Role: datasets.RoleAsk, Step: n, Text: text, Question: question, Brief: brief, Claims: claims}
}

func deed(n int32, text, brief string) datasets.Part {
	return datasets.Part{Role: datasets.RoleDeed, Step: n, Text: text, Question: text, Brief: brief}
}

func value(id, text string, n int32, pointer, expected string) datasets.Claim {
	return datasets.Claim{ID: id, Text: text, Kind: datasets.ClaimValue, Step: n, Pointer: pointer, Expected: expected, ToleranceKind: datasets.ToleranceExact}
}

func entity(id, text string, n int32, pointer, expected string) datasets.Claim {
	c := value(id, text, n, pointer, expected)
	c.Kind = datasets.ClaimEntity
	return c
}

func set(id, text string, n int32, pointer, expected string) datasets.Claim {
	c := value(id, text, n, pointer, expected)
	c.Kind = datasets.ClaimSet
	return c
}

func output(n int32, doc string) datasets.Executed { return datasets.Executed{Step: n, Output: doc} }

// samples are tasks of every pattern, with text outputs, codes and dates.
func samples() []*datasets.Task {
	return []*datasets.Task{lakes(), ferry(), library(), breakfast(), parcel(), workshop(), square(), holiday()}
}

// lakes is hybrid: the deepest lake feeds a town list, a distance and a climate.
func lakes() *datasets.Task {
	return &datasets.Task{
		ID: "lakes-1", Pattern: datasets.PatternHybrid,
		Servers:       []string{"lakes", "places", "climate", "units"},
		RequiredTools: []string{"lakes/find_lakes", "lakes/list_towns", "places/distance", "climate/month", "units/convert"},
		Instruction:   "I am planning a swimming holiday in June and live in Zurich. Please find out which lake in Carinthia is the deepest by depth and the towns of that lake. I also need the straight-line distance from Zurich to that lake in kilometres and its mean June high in degrees Fahrenheit.",
		Chain: []datasets.Step{
			step("lakes", "find_lakes", constant("/region", `"AT-2"`, "Carinthia")),
			step("lakes", "list_towns", from("/lake_id", `"mill"`, 1, "/lakes/*/id", datasets.PickLargest, "/lakes/*/depth_m")),
			step("places", "distance", constant("/from", `"Zurich"`, ""), from("/to_lat", "46.79", 1, "/lakes/*/lat", datasets.PickLargest, "/lakes/*/depth_m")),
			step("climate", "month", from("/lat", "46.79", 1, "/lakes/*/lat", datasets.PickLargest, "/lakes/*/depth_m"), constant("/month", "6", "June")),
			step("units", "convert", from("/value", "23.1", 4, "/fields/mean_high", datasets.PickOnly, ""), constant("/from", `"C"`, ""), constant("/to", `"F"`, "degrees Fahrenheit")),
		},
		Reference: []datasets.Executed{
			output(1, `{"lakes":[{"id":"woer","name":"Lake Lindwurm","depth_m":85,"lat":46.6},{"id":"mill","name":"Lake Millrun","depth_m":141,"lat":46.79}]}`),
			output(2, `{"towns":[{"name":"Seeboden"},{"name":"Dobriach"}]}`),
			output(3, `{"km":371.8}`),
			output(4, `{"text":"Mean high 23.1 C, mean low 12.4 C","fields":{"mean_high":"23.1 C"}}`),
			output(5, `{"value":73.58}`),
		},
		Outline: []datasets.Part{
			reason("I am planning a swimming holiday in June and live in Zurich", "Swimming holiday in June, I live in Zurich"),
			ask(1, "which lake in Carinthia is the deepest by depth", "which lake in Carinthia is the deepest by depth", "deepest lake in Carinthia by depth", "c1"),
			ask(2, "the towns on the shore of that lake", "what are the towns on the shore of that lake", "the towns on its shore", "c2"),
			ask(3, "the straight-line distance from Zurich to that lake in kilometres", "", "straight-line distance from Zurich to it in kilometres", "c3"),
			ask(5, "the average June high there in degrees Fahrenheit", "what is the average June high there in degrees Fahrenheit", "average June high there in degrees Fahrenheit", "c4"),
		},
		Claims: []datasets.Claim{
			entity("c1", "The deepest lake in Carinthia by depth is Lake Millrun", 1, "/lakes/1/name", `"Lake Millrun"`),
			set("c2", "The towns on its shore are Seeboden and Dobriach", 2, "/towns/*/name", `["Seeboden","Dobriach"]`),
			value("c3", "The straight-line distance from Zurich is 371.8 km", 3, "/km", "371.8"),
			value("c4", "The average June high is 73.6 °F", 5, "/value", "73.58"),
		},
	}
}

// ferry is linear: a search for a line feeds its timetable.
func ferry() *datasets.Task {
	return &datasets.Task{
		ID: "ferry-1", Pattern: datasets.PatternLinear,
		Servers:       []string{"ferries"},
		RequiredTools: []string{"ferries/searchLines", "ferries/getTimetable"},
		Instruction:   "My sister and I are visiting friends on an island. Tell me the departure time of the last ferry from Kiel to Langeland on 3 October 2025 and its arrival pier.",
		Chain: []datasets.Step{
			step("ferries", "searchLines", constant("/from", `"Kiel"`, ""), constant("/to", `"Langeland"`, "")),
			step("ferries", "getTimetable", from("/lineId", `"KL-7"`, 1, "/lines/*/lineId", datasets.PickFirst, ""), constant("/date", `"2025-10-03"`, "")),
		},
		Reference: []datasets.Executed{
			output(1, `{"lines":[{"lineId":"KL-7"}]}`),
			output(2, `{"last":"19:45","pier":"Pier C"}`),
		},
		Outline: []datasets.Part{
			reason("My sister and I are visiting friends on an island", "Visiting friends on an island"),
			ask(2, "the departure time of the last ferry from Kiel to Langeland on 3 October 2025", "when does the last ferry from Kiel to Langeland leave on 3 October 2025", "last ferry Kiel to Langeland on 2025-10-03", "c1"),
			ask(2, "the pier where it arrives", "at which pier does it arrive", "arrival pier", "c2"),
		},
		Claims: []datasets.Claim{
			value("c1", "The last ferry leaves at 19:45", 2, "/last", `"19:45"`),
			entity("c2", "It arrives at Pier C", 2, "/pier", `"Pier C"`),
		},
	}
}

// library is parallel: two independent look-ups.
func library() *datasets.Task {
	return &datasets.Task{
		ID: "library-1", Pattern: datasets.PatternParallel,
		Servers:       []string{"books", "Open Shelf"},
		RequiredTools: []string{"books/find_book", "Open Shelf/count_copies"},
		Instruction:   "I am putting together a reading list. I would like to know the year in which \"The Salt Road\" was published and how many copies of the edition with ISBN 978-0-306-40615-7 are on the shelf.",
		Chain: []datasets.Step{
			step("books", "find_book", constant("/title", `"The Salt Road"`, "")),
			step("Open Shelf", "count_copies", constant("/isbn", `"978-0-306-40615-7"`, "")),
		},
		Reference: []datasets.Executed{output(1, `{"year":1987,"title":"The Salt Road"}`), output(2, `{"copies":4}`)},
		Outline: []datasets.Part{
			reason("I am putting together a reading list", "Putting together a reading list"),
			ask(1, "the year in which \"The Salt Road\" was published", "in which year was \"The Salt Road\" published", "year of \"The Salt Road\"", "c1"),
			ask(2, "the number of copies on the shelf of the edition with ISBN 978-0-306-40615-7", "how many copies of the edition with ISBN 978-0-306-40615-7 are on the shelf", "copies of ISBN 978-0-306-40615-7 on the shelf", "c2"),
		},
		Claims: []datasets.Claim{
			value("c1", "The Salt Road was published in 1987", 1, "/year", "1987"),
			value("c2", "There are 4 copies on the shelf", 2, "/copies", "4"),
		},
	}
}

// breakfast is linear with text outputs, amounts and units.
func breakfast() *datasets.Task {
	return &datasets.Task{
		ID: "breakfast-1", Pattern: datasets.PatternLinear,
		Servers:       []string{"foods", "arithmetic"},
		RequiredTools: []string{"foods/nutrients", "arithmetic/multiply"},
		Instruction:   "I am keeping an eye on what I eat. Please work out the energy of rolled oats in kilocalories for 100 g and for a bowl of 5,000 mg.",
		Chain: []datasets.Step{
			step("foods", "nutrients", constant("/food", `"rolled oats"`, ""), constant("/grams", "100", "100 g"), constant("/verbose", "true", "")),
			step("arithmetic", "multiply", from("/a", "379", 1, "/fields/energy", datasets.PickOnly, ""), constant("/b_mg", "5000", "5,000 mg")),
		},
		Reference: []datasets.Executed{output(1, `{"text":"Energy: 379 kcal","fields":{"energy":"379 kcal"}}`), output(2, `{"value":18.95}`)},
		Outline: []datasets.Part{
			reason("I am keeping an eye on what I eat", "Watching what I eat"),
			ask(1, "the energy in 100 g of rolled oats in kilocalories", "how much energy is in 100 g of rolled oats in kilocalories", "energy of 100 g rolled oats in kilocalories", "c1"),
			ask(2, "the same for a spoonful of 5,000 mg", "how much is it for a spoonful of 5,000 mg", "same for 5 g"),
		},
		Claims: []datasets.Claim{value("c1", "100 g of rolled oats have 379 kcal", 1, "/fields/energy", "379")},
	}
}

// parcel is a single call with a code.
func parcel() *datasets.Task {
	return &datasets.Task{
		ID: "parcel-1", Pattern: datasets.PatternSingle,
		Servers:       []string{"post"},
		RequiredTools: []string{"post/track_parcel"},
		Instruction:   "I am waiting for a parcel. Tell me the current place of the parcel with tracking number ZX-4471-90Q.",
		Chain:         []datasets.Step{step("post", "track_parcel", constant("/tracking_id", `"ZX-4471-90Q"`, ""))},
		Reference:     []datasets.Executed{output(1, `{"place":"Rosenheim"}`)},
		Outline: []datasets.Part{
			reason("I am waiting for a parcel", "Waiting for a parcel"),
			{Role: datasets.RoleGiven, Text: "the tracking number is ZX-4471-90Q", Brief: "tracking number ZX-4471-90Q"},
			ask(1, "the current place of the parcel", "where is the parcel now", "where the parcel is", "c1"),
		},
		Claims: []datasets.Claim{entity("c1", "The parcel is in Rosenheim", 1, "/place", `"Rosenheim"`)},
	}
}

// workshop is hybrid with zones, times and a rule that compares.
func workshop() *datasets.Task {
	equal := from("/room_id", `"r9"`, 1, "/rooms/*/id", datasets.PickEqual, "/rooms/*/name")
	equal.Equal = `"Birch"`
	return &datasets.Task{
		ID: "workshop-1", Pattern: datasets.PatternHybrid,
		Servers:       []string{"rooms", "timezones"},
		RequiredTools: []string{"rooms/list_rooms", "rooms/room_details", "timezones/convert_time"},
		Instruction:   "We are running a workshop with colleagues abroad. Tell me the number of seats in the room Birch, and what 14:30 in Europe/Berlin on 2025-11-12 is in America/Denver.",
		Chain: []datasets.Step{
			step("rooms", "list_rooms"),
			step("rooms", "room_details", equal),
			step("timezones", "convert_time", constant("/time", `"2025-11-12T14:30"`, "14:30 on 12 November 2025"), constant("/from", `"Europe/Berlin"`, ""), constant("/to", `"America/Denver"`, "")),
		},
		Reference: []datasets.Executed{output(1, `{"rooms":[{"id":"r9","name":"Birch"},{"id":"r2","name":"Maple"}]}`), output(2, `{"seats":24}`), output(3, `{"time":"06:30"}`)},
		Outline: []datasets.Part{
			reason("We are running a workshop with colleagues abroad", "Running a workshop with colleagues abroad"),
			ask(2, "the number of seats in the room Birch", "", "seats in room Birch", "c1"),
			ask(3, "what 14:30 on 12 November 2025 in Europe/Berlin is in America/Denver", "what is 14:30 on 12 November 2025 in Europe/Berlin in America/Denver", "14:30 on 12 November 2025, Europe/Berlin, as America/Denver time", "c2"),
		},
		Claims: []datasets.Claim{
			value("c1", "Birch has 24 seats", 2, "/seats", "24"),
			value("c2", "In America/Denver it is 06:30", 3, "/time", `"06:30"`),
		},
	}
}

// square has no reason and plain numbers.
func square() *datasets.Task {
	return &datasets.Task{
		ID: "square-1", Pattern: datasets.PatternLinear,
		Servers:       []string{"statistics"},
		RequiredTools: []string{"statistics/mean", "statistics/power"},
		Instruction:   "Tell me the mean of 12.5, 14 and 20.25 and its square.",
		Chain: []datasets.Step{
			step("statistics", "mean", constant("/values", `[12.5,14,20.25]`, "")),
			step("statistics", "power", from("/base", "15.58", 1, "/mean", datasets.PickOnly, ""), constant("/exponent", "2", "square")),
		},
		Reference: []datasets.Executed{output(1, `{"mean":15.58}`), output(2, `{"value":242.7}`)},
		Outline: []datasets.Part{
			ask(1, "the mean of 12.5, 14 and 20.25", "what is the mean of 12.5, 14 and 20.25", "mean of 12.5, 14, 20.25", "c1"),
			ask(2, "the square of that mean", "what is the square of that mean", "its square", "c2"),
		},
		Claims: []datasets.Claim{
			value("c1", "The mean is 15.58", 1, "/mean", "15.58"),
			value("c2", "Its square is 242.7", 2, "/value", "242.7"),
		},
	}
}

// holiday changes something before it asks; the unit of the number that is
// converted is inferred.
func holiday() *datasets.Task {
	unit := datasets.Argument{Path: "/from_unit", Source: datasets.SourceInferred, Value: `"mi"`}
	return &datasets.Task{
		ID: "holiday-1", Pattern: datasets.PatternLinear,
		Servers:       []string{"trips", "units"},
		RequiredTools: []string{"trips/create_trip", "trips/add_stay", "units/convert"},
		Instruction:   "I am planning the autumn. Please start a trip called “Autumn tour” that begins on 4 July 2026 and add a stay of 3 nights in Moab to it. Tell me the length of the trip in kilometres.",
		Chain: []datasets.Step{
			step("trips", "create_trip", constant("/title", `"Autumn tour"`, ""), constant("/start_date", `"2026-07-04"`, "")),
			step("trips", "add_stay", from("/trip_id", `"t-1"`, 1, "/id", datasets.PickOnly, ""), constant("/place", `"Moab"`, ""), constant("/nights", "3", "")),
			step("units", "convert", from("/value", "612.5", 2, "/miles", datasets.PickOnly, ""), unit, constant("/to", `"km"`, "kilometres")),
		},
		Reference: []datasets.Executed{output(1, `{"id":"t-1"}`), output(2, `{"miles":612.5}`), output(3, `{"value":985.7}`)},
		Outline: []datasets.Part{
			reason("I am planning the autumn", "Planning the autumn"),
			deed(1, "start a trip called “Autumn tour” that begins on 4 July 2026", "start a trip “Autumn tour” on 4 July 2026"),
			deed(2, "add a stay of 3 nights in Moab to it", "add 3 nights in Moab to it"),
			ask(3, "the length of that trip in kilometres", "how long is that trip in kilometres", "its length in kilometres", "c1"),
		},
		Claims: []datasets.Claim{value("c1", "The trip is 985.7 km long", 3, "/value", "985.7")},
	}
}
