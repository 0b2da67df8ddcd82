package world

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"sync"
)

var elementsServer = server{
	title:        "Chemical elements",
	instructions: "Chemical elements and the molar mass of compounds.",
	bare:         true,
	strictErrors: true,
	tools:        elementsTools,
}

type element struct {
	Symbol   string   `json:"symbol"`
	Name     string   `json:"name"`
	Number   int      `json:"atomic_number"`
	Mass     float64  `json:"atomic_mass"`
	Density  float64  `json:"density_g_cm3"`
	Melting  *float64 `json:"melting_point_c,omitempty"` // nil: sublimes, or never freezes, at normal pressure
	category string
}

var allElements = sync.OnceValue(func() []element {
	return facts("elements.csv", func(r row) element {
		e := element{Symbol: r.text("symbol"), Name: r.text("name"), Number: r.int("number"), Mass: r.number("mass"),
			Density: r.number("density"), category: r.text("category")}
		if r.text("melting") != "" {
			e.Melting = at(r.number("melting"))
		}
		return e
	})
})

func elementsTools() []tool {
	return []tool{
		{
			name: "list_elements", title: "Elements of a category",
			description: "Common elements of one category with symbol, atomic number, abridged atomic mass, density in g/cm3 at room conditions and melting point in degrees Celsius.",
			params:      []param{{name: "category", kind: str, description: `Category, e.g. "noble gas"`, enum: choices(allElements(), func(e element) string { return e.category })}},
			run:         listElements,
		},
		{
			name: "get_element", title: "Element by symbol",
			description: "One element by its symbol.",
			params:      []param{{name: "symbol", kind: str, description: `Symbol, e.g. "Fe"`, enum: choices(allElements(), func(e element) string { return e.Symbol })}},
			run:         getElement,
		},
		{
			name: "molar_mass", title: "Molar mass of a compound",
			description: "Molar mass in g/mol of a compound given by a plain formula without brackets, from abridged atomic masses.",
			params:      []param{{name: "formula", kind: str, description: `Formula, e.g. "C6H12O6"`, pattern: `^([A-Z][a-z]?[0-9]{0,3})+$`, examples: []any{"C6H12O6", "H2O", "NaCl"}}},
			run:         molarMass,
		},
	}
}

func listElements(a arguments) (any, error) {
	found := []element{}
	for _, e := range allElements() {
		if e.category == a.text("category") {
			found = append(found, e)
		}
	}
	return struct {
		Elements []element `json:"elements"`
	}{found}, nil
}

func elementBySymbol(symbol string) (element, error) {
	all := allElements()
	i := slices.IndexFunc(all, func(e element) bool { return e.Symbol == symbol })
	if i < 0 {
		return element{}, fmt.Errorf("no element %q on record", symbol)
	}
	return all[i], nil
}

func getElement(a arguments) (any, error) {
	e, err := elementBySymbol(a.text("symbol"))
	if err != nil {
		return nil, err
	}
	return struct {
		element
		Category string `json:"category"`
	}{e, e.category}, nil
}

var formulaPart = regexp.MustCompile(`([A-Z][a-z]?)([0-9]*)`)

func molarMass(a arguments) (any, error) {
	total := 0.0
	for _, m := range formulaPart.FindAllStringSubmatch(a.text("formula"), -1) {
		e, err := elementBySymbol(m[1])
		if err != nil {
			return nil, err
		}
		n := 1
		if m[2] != "" {
			n, _ = strconv.Atoi(m[2])
		}
		total += e.Mass * float64(n)
	}
	return struct {
		Formula string  `json:"formula"`
		Mass    float64 `json:"molar_mass_g_mol"`
	}{a.text("formula"), round(total, 3)}, nil
}
