package world

// Parameters that several tools take.

func latParam() param {
	return param{name: "lat", kind: num, description: "Latitude in decimal degrees, north positive, e.g. 37.3", min: at(-90), max: at(90), examples: []any{37.3}}
}

func lonParam() param {
	return param{name: "lon", kind: num, description: "Longitude in decimal degrees, east positive, e.g. -113.05", min: at(-180), max: at(180), examples: []any{-113.05}}
}

func dateParam(name, description string) param {
	return param{name: name, kind: str, description: description + " as YYYY-MM-DD, e.g. 2026-07-04", format: "date", examples: []any{"2026-07-04", "2027-01-15"}}
}

// idParam is an id that another tool of the server returns.
func idParam(name, what, finder string) param {
	return param{name: name, kind: str, description: "Id of the " + what + ", as returned by " + finder}
}

// choices are the distinct values of a field, in order of first appearance.
func choices[T any](all []T, field func(T) string) []string {
	var out []string
	seen := map[string]bool{}
	for _, e := range all {
		if v := field(e); !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}
