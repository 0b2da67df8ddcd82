package literal

import (
	"slices"
	"strings"
	"sync"
)

// Names of units as people write them. symbolNames are matched as written,
// wordNames in lower case.
var (
	symbolNames = map[string]string{}
	wordNames   = map[string]string{}
	multiWord   = map[string]bool{"us": true}
)

// spellings lists the words for each unit; the plural in "s" comes by itself.
var spellings = map[string]string{
	"µm": "micrometre micrometer micron", "nm": "nanometre nanometer", "mm": "millimetre millimeter", "cm": "centimetre centimeter", "dm": "decimetre decimeter",
	"m": "metre meter", "km": "kilometre kilometer kms", "in": "inch inches", "ft": "foot feet", "yd": "yard",
	"mi": "mile", "nmi": "nautical_mile nmi", "au": "astronomical_unit", "ly": "light-year light_year lightyear",
	"ha": "hectare", "acre": "acre", "mg": "milligram", "µg": "microgram mcg ug", "g": "gram gramme", "kg": "kilogram kilo kgs kilogramme",
	"t": "tonne metric_ton metric_tonne", "lb": "pound lbs", "oz": "ounce", "st": "stone",
	"°C": "celsius degrees_celsius degree_celsius degrees_c deg_c degc centigrade degrees_centigrade °_c", "°F": "fahrenheit degrees_fahrenheit degree_fahrenheit degrees_f deg_f degf °_f", "K": "kelvin kelvins",
	"°": "degree deg", "rad": "radian",
	"m/s": "m/s mps metres_per_second meters_per_second metre_per_second meter_per_second", "km/h": "km/h kmh kph kmph km/hr kilometres_per_hour kilometers_per_hour km_per_hour",
	"mph": "mph mi/h miles_per_hour mile_per_hour", "kn": "knot kts kt", "ft/s": "ft/s fps feet_per_second",
	"ml": "millilitre milliliter", "cl": "centilitre centiliter", "dl": "decilitre deciliter", "l": "litre liter ltr",
	"m³": "m3 m^3 cubic_metre cubic_meter", "cm³": "cm3 cm^3 cc cubic_centimetre cubic_centimeter", "km³": "km3 km^3 cubic_kilometre cubic_kilometer", "ft³": "ft3 ft^3 cubic_foot cubic_feet cu_ft",
	"gal": "gallon us_gallon", "qt": "quart", "pint": "pint", "cup": "cup", "fl oz": "fl_oz fluid_ounce", "tbsp": "tablespoon tbsp", "tsp": "teaspoon tsp",
	"mm²": "mm2 mm^2 square_millimetre square_millimeter", "cm²": "cm2 cm^2 square_centimetre square_centimeter sq_cm",
	"m²": "m2 m^2 square_metre square_meter sq_m sqm", "km²": "km2 km^2 square_kilometre square_kilometer sq_km sqkm",
	"mi²": "mi2 mi^2 square_mile sq_mi sq_mile sqmi", "ft²": "ft2 ft^2 square_foot square_feet sq_ft sqft", "yd²": "yd2 square_yard", "in²": "in2 square_inch square_inches sq_in",
	"ms": "millisecond msec", "µs": "microsecond us_", "ns": "nanosecond", "s": "second sec", "min": "minute mins", "h": "hour hr hrs", "day": "day", "week": "week wk wks",
	"month": "month", "year": "year yr yrs", "decade": "decade", "century": "century centuries",
	"J": "joule", "kJ": "kilojoule", "MJ": "megajoule", "cal": "calorie", "kcal": "kilocalorie", "Wh": "watt-hour watt_hour", "kWh": "kilowatt-hour kilowatt_hour", "MWh": "megawatt-hour megawatt_hour", "BTU": "btu", "eV": "electronvolt",
	"W": "watt", "kW": "kilowatt", "MW": "megawatt", "GW": "gigawatt", "hp": "horsepower",
	"bit": "bit", "byte": "byte", "kB": "kilobyte kb", "MB": "megabyte mb", "GB": "gigabyte gb", "TB": "terabyte tb", "PB": "petabyte", "KiB": "kibibyte kib", "MiB": "mebibyte mib", "GiB": "gibibyte gib", "TiB": "tebibyte tib",
	"Mbit": "megabit", "Gbit": "gigabit", "Mbps": "mbps mbit/s", "kbps": "kbps", "Gbps": "gbps",
	"Pa": "pascal", "hPa": "hectopascal", "kPa": "kilopascal", "bar": "bar", "mbar": "millibar", "psi": "psi", "atm": "atmosphere",
	"Hz": "hertz", "kHz": "kilohertz", "MHz": "megahertz", "GHz": "gigahertz", "N": "newton", "V": "volt", "A": "ampere amp", "Ω": "ohm",
	"mg/dL": "mg/dl", "g/dL": "g/dl", "g/L": "g/l", "mmol/L": "mmol/l",
	"%": "percent per_cent pct percentage_point",
}

func init() {
	for symbol := range units {
		symbolNames[symbol] = symbol
	}
	for _, p := range [...][2]string{{"℃", "°C"}, {"℉", "°F"}, {"C", "°C"}, {"F", "°F"}, {"ºC", "°C"}, {"ºF", "°F"}, {"º", "°"}, {"μm", "µm"}, {"μg", "µg"}, {"μs", "µs"}, {"L", "l"}, {"mL", "ml"}, {"KB", "kB"}, {"KM", "km"}, {"Km", "km"}, {"KG", "kg"}, {"Kg", "kg"}, {"MI", "mi"}, {"Mi", "mi"}, {"°c", "°C"}, {"°f", "°F"}} {
		symbolNames[p[0]] = p[1]
	}
	for symbol, words := range spellings {
		for _, w := range strings.Fields(words) {
			addWord(strings.ReplaceAll(w, "_", " "), symbol)
		}
	}
	for code, words := range currencyWords {
		for _, w := range strings.Fields(words) {
			addWord(strings.ReplaceAll(w, "_", " "), code)
		}
	}
	delete(wordNames, "us ")
}

func addWord(name, symbol string) {
	wordNames[name] = symbol
	if !strings.HasSuffix(name, "s") && len(name) > 2 {
		wordNames[name+"s"] = symbol
	}
	if first, _, two := strings.Cut(name, " "); two {
		multiWord[first] = true
	}
}

// wholeUnit is the unit that all of name is.
func wholeUnit(name string) (string, bool) {
	if u, ok := symbolNames[name]; ok {
		return u, true
	}
	if code, ok := currencyCode(name); ok {
		return code, true
	}
	u, ok := wordNames[strings.ToLower(name)]
	return u, ok
}

// unitName holds the signs and words for a canonical unit or currency, sorted.
type unitName struct{ symbols, words []string }

var allNames = sync.OnceValue(func() map[string]*unitName {
	names := map[string]*unitName{}
	add := func(symbol string) *unitName {
		if names[symbol] == nil {
			names[symbol] = &unitName{}
		}
		return names[symbol]
	}
	for n, u := range symbolNames {
		add(u).symbols = append(add(u).symbols, n)
	}
	for n, u := range wordNames {
		add(u).words = append(add(u).words, n)
	}
	for _, n := range names {
		slices.Sort(n.symbols)
		slices.Sort(n.words)
	}
	return names
})

// namesOf lists every word and sign for a canonical unit or currency.
func namesOf(symbol string) unitName {
	var names unitName
	if n := allNames()[symbol]; n != nil {
		names = *n
	}
	if isCurrency(symbol) {
		names.symbols = append(names.symbols[:len(names.symbols):len(names.symbols)], symbol)
		for sign, code := range currencySigns {
			if SameUnit(code, symbol) {
				names.symbols = append(names.symbols, sign)
			}
		}
	}
	return names
}
