package world

import (
	"fmt"
	"maps"
	"slices"
)

var unitsServer = server{
	title:        "Unit conversion",
	instructions: "Conversion between units of length, area, mass, volume, temperature, speed, energy, time and pressure.",
	tools:        unitsTools,
}

// unit is factor times the base unit of its quantity, after adding offset
// (temperatures only).
type unit struct {
	name     string
	quantity string
	factor   float64
	offset   float64
}

var unitTable = map[string]unit{
	"mm": {"millimetre", "length", 0.001, 0}, "cm": {"centimetre", "length", 0.01, 0}, "m": {"metre", "length", 1, 0}, "km": {"kilometre", "length", 1000, 0},
	"in": {"inch", "length", 0.0254, 0}, "ft": {"foot", "length", 0.3048, 0}, "yd": {"yard", "length", 0.9144, 0}, "mi": {"mile", "length", 1609.344, 0}, "nmi": {"nautical mile", "length", 1852, 0},
	"m2": {"square metre", "area", 1, 0}, "km2": {"square kilometre", "area", 1e6, 0}, "ha": {"hectare", "area", 1e4, 0}, "acre": {"acre", "area", 4046.8564224, 0}, "mi2": {"square mile", "area", 2589988.110336, 0},
	"mg": {"milligram", "mass", 1e-6, 0}, "g": {"gram", "mass", 0.001, 0}, "kg": {"kilogram", "mass", 1, 0}, "oz": {"ounce", "mass", 0.028349523125, 0}, "lb": {"pound", "mass", 0.45359237, 0},
	"ml": {"millilitre", "volume", 0.001, 0}, "l": {"litre", "volume", 1, 0}, "gal": {"US gallon", "volume", 3.785411784, 0}, "cup": {"US cup", "volume", 0.2365882365, 0},
	"C": {"degree Celsius", "temperature", 1, 273.15}, "F": {"degree Fahrenheit", "temperature", 5.0 / 9, 459.67}, "K": {"kelvin", "temperature", 1, 0},
	"km/h": {"kilometre per hour", "speed", 1 / 3.6, 0}, "mph": {"mile per hour", "speed", 0.44704, 0}, "m/s": {"metre per second", "speed", 1, 0}, "kn": {"knot", "speed", 1852.0 / 3600, 0},
	"kJ": {"kilojoule", "energy", 1, 0}, "kcal": {"kilocalorie", "energy", 4.184, 0}, "kWh": {"kilowatt hour", "energy", 3600, 0},
	"s": {"second", "time", 1, 0}, "min": {"minute", "time", 60, 0}, "h": {"hour", "time", 3600, 0}, "d": {"day", "time", 86400, 0}, "wk": {"week", "time", 604800, 0},
	"hPa": {"hectopascal", "pressure", 1, 0}, "bar": {"bar", "pressure", 1000, 0}, "psi": {"pound per square inch", "pressure", 68.94757293168, 0},
}

func unitCodes() []string { return slices.Sorted(maps.Keys(unitTable)) }

func unitsTools() []tool {
	from := param{name: "from", kind: str, description: `Unit of the value, e.g. "km"`, enum: unitCodes()}
	to := param{name: "to", kind: str, description: `Unit wanted, of the same quantity, e.g. "mi"`, enum: unitCodes()}
	return []tool{
		{
			name: "convert", title: "Convert a value",
			description: "Converts a value from one unit to another of the same quantity, to six significant digits.",
			params:      []param{{name: "value", kind: num, description: "Value to convert, e.g. 21.5", examples: []any{21.5, 100}}, from, to},
			run:         convertUnit,
		},
		{
			name: "convert_all", title: "Convert a list of values",
			description: "Converts each value of a list from one unit to another of the same quantity, to six significant digits, in the same order.",
			params:      []param{{name: "values", kind: list, description: "Values to convert, e.g. [1, 2.5]", maxItems: 100, examples: []any{[]float64{1, 2.5}}}, from, to},
			run:         convertUnits,
		},
		{
			name: "list_units", title: "Units of a quantity",
			description: "Units that can be converted, with codes and names, for one physical quantity.",
			params:      []param{{name: "quantity", kind: str, description: `Physical quantity, e.g. "length"`, enum: quantities()}},
			run:         listUnits,
		},
	}
}

func quantities() []string {
	set := map[string]bool{}
	for _, u := range unitTable {
		set[u.quantity] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// convert converts a value between two units, or says why that cannot be.
func convert(value float64, from, to string) (float64, error) {
	f, t := unitTable[from], unitTable[to]
	if f.quantity != t.quantity {
		return 0, fmt.Errorf("cannot convert %s (%s) to %s (%s)", from, f.quantity, to, t.quantity)
	}
	return significant((value+f.offset)*f.factor/t.factor-t.offset, 6), nil
}

func convertUnit(a arguments) (any, error) {
	v, err := convert(a.number("value"), a.text("from"), a.text("to"))
	if err != nil {
		return nil, err
	}
	return struct {
		Value float64 `json:"value"`
		Unit  string  `json:"unit"`
	}{v, a.text("to")}, nil
}

func convertUnits(a arguments) (any, error) {
	var out []float64
	for _, v := range a.numbers("values") {
		c, err := convert(v, a.text("from"), a.text("to"))
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return struct {
		Values []float64 `json:"values"`
		Unit   string    `json:"unit"`
	}{out, a.text("to")}, nil
}

func listUnits(a arguments) (any, error) {
	type entry struct {
		Code string `json:"code"`
		Name string `json:"name"`
	}
	var found []entry
	for _, code := range unitCodes() {
		if u := unitTable[code]; u.quantity == a.text("quantity") {
			found = append(found, entry{code, u.name})
		}
	}
	return struct {
		Units []entry `json:"units"`
	}{found}, nil
}
