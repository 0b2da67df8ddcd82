package literal

import (
	"math"
	"strings"
	"unicode/utf8"
)

// unit is one unit of a dimension: base = value*factor + offset.
type unit struct {
	dim            string
	factor, offset float64
}

// units by canonical symbol. Months and years are their own dimension: they
// have no fixed length in days.
var units = map[string]unit{
	"mm": {"length", 1e-3, 0}, "cm": {"length", 1e-2, 0}, "dm": {"length", 1e-1, 0}, "m": {"length", 1, 0},
	"km": {"length", 1e3, 0}, "in": {"length", 0.0254, 0}, "ft": {"length", 0.3048, 0}, "yd": {"length", 0.9144, 0},
	"mi": {"length", 1609.344, 0}, "nmi": {"length", 1852, 0}, "µm": {"length", 1e-6, 0}, "nm": {"length", 1e-9, 0},
	"au": {"length", 149597870700, 0}, "ly": {"length", 9460730472580800, 0},
	"mm²": {"area", 1e-6, 0}, "cm²": {"area", 1e-4, 0}, "m²": {"area", 1, 0}, "km²": {"area", 1e6, 0}, "ha": {"area", 1e4, 0},
	"acre": {"area", 4046.8564224, 0}, "mi²": {"area", 2589988.110336, 0}, "ft²": {"area", 0.09290304, 0},
	"yd²": {"area", 0.83612736, 0}, "in²": {"area", 0.00064516, 0},
	"µg": {"mass", 1e-9, 0}, "mg": {"mass", 1e-6, 0}, "g": {"mass", 1e-3, 0}, "kg": {"mass", 1, 0}, "t": {"mass", 1e3, 0},
	"lb": {"mass", 0.45359237, 0}, "oz": {"mass", 0.028349523125, 0}, "st": {"mass", 6.35029318, 0},
	"°C": {"temperature", 1, 273.15}, "°F": {"temperature", 5.0 / 9, 273.15 - 32*5.0/9}, "K": {"temperature", 1, 0},
	"m/s": {"speed", 1, 0}, "km/h": {"speed", 1 / 3.6, 0}, "mph": {"speed", 0.44704, 0}, "kn": {"speed", 1852.0 / 3600, 0}, "ft/s": {"speed", 0.3048, 0},
	"ml": {"volume", 1e-6, 0}, "cl": {"volume", 1e-5, 0}, "dl": {"volume", 1e-4, 0}, "l": {"volume", 1e-3, 0},
	"m³": {"volume", 1, 0}, "cm³": {"volume", 1e-6, 0}, "km³": {"volume", 1e9, 0}, "ft³": {"volume", 0.028316846592, 0},
	"gal": {"volume", 0.003785411784, 0}, "qt": {"volume", 0.000946352946, 0}, "pint": {"volume", 0.000473176473, 0},
	"cup": {"volume", 0.0002365882365, 0}, "fl oz": {"volume", 2.95735295625e-5, 0}, "tbsp": {"volume", 1.478676478125e-5, 0}, "tsp": {"volume", 4.92892159375e-6, 0},
	"ms": {"time", 1e-3, 0}, "µs": {"time", 1e-6, 0}, "ns": {"time", 1e-9, 0}, "s": {"time", 1, 0}, "min": {"time", 60, 0}, "h": {"time", 3600, 0}, "day": {"time", 86400, 0}, "week": {"time", 604800, 0},
	"month": {"calendar", 1, 0}, "year": {"calendar", 12, 0}, "decade": {"calendar", 120, 0}, "century": {"calendar", 1200, 0},
	"J": {"energy", 1, 0}, "kJ": {"energy", 1e3, 0}, "MJ": {"energy", 1e6, 0}, "GJ": {"energy", 1e9, 0}, "cal": {"energy", 4.184, 0}, "kcal": {"energy", 4184, 0},
	"Wh": {"energy", 3600, 0}, "kWh": {"energy", 3.6e6, 0}, "MWh": {"energy", 3.6e9, 0}, "GWh": {"energy", 3.6e12, 0}, "BTU": {"energy", 1055.05585262, 0}, "eV": {"energy", 1.602176634e-19, 0},
	"W": {"power", 1, 0}, "kW": {"power", 1e3, 0}, "MW": {"power", 1e6, 0}, "GW": {"power", 1e9, 0}, "hp": {"power", 745.69987158227, 0},
	"bit": {"data", 0.125, 0}, "byte": {"data", 1, 0}, "kB": {"data", 1e3, 0}, "MB": {"data", 1e6, 0}, "GB": {"data", 1e9, 0}, "TB": {"data", 1e12, 0}, "PB": {"data", 1e15, 0},
	"KiB": {"data", 1 << 10, 0}, "MiB": {"data", 1 << 20, 0}, "GiB": {"data", 1 << 30, 0}, "TiB": {"data", 1 << 40, 0},
	"Mbit": {"data", 125e3, 0}, "Gbit": {"data", 125e6, 0}, "Mbps": {"rate", 1e6, 0}, "kbps": {"rate", 1e3, 0}, "Gbps": {"rate", 1e9, 0},
	"Pa": {"pressure", 1, 0}, "hPa": {"pressure", 100, 0}, "kPa": {"pressure", 1e3, 0}, "MPa": {"pressure", 1e6, 0}, "bar": {"pressure", 1e5, 0}, "mbar": {"pressure", 100, 0}, "psi": {"pressure", 6894.757293168, 0}, "atm": {"pressure", 101325, 0}, "mmHg": {"pressure", 133.322387415, 0},
	"Hz": {"frequency", 1, 0}, "kHz": {"frequency", 1e3, 0}, "MHz": {"frequency", 1e6, 0}, "GHz": {"frequency", 1e9, 0},
	"°": {"angle", math.Pi / 180, 0}, "rad": {"angle", 1, 0},
	"N": {"force", 1, 0}, "kN": {"force", 1e3, 0}, "V": {"voltage", 1, 0}, "mV": {"voltage", 1e-3, 0}, "A": {"current", 1, 0}, "mA": {"current", 1e-3, 0}, "Ω": {"resistance", 1, 0},
	"mg/dL": {"mass density", 1e-2, 0}, "g/dL": {"mass density", 10, 0}, "g/L": {"mass density", 1, 0}, "mmol/L": {"concentration", 1, 0},
	"%": {"ratio", 1e-2, 0}, "‰": {"ratio", 1e-3, 0}, "ppm": {"ratio", 1e-6, 0},
}

// Unit is the canonical symbol of a unit or currency as people write it:
// "kilometres", "KM", "km" are "km", "fahrenheit" is "°F", "euros" is "EUR".
func Unit(name string) (symbol string, known bool) {
	if c, ok := wholeUnit(strings.TrimSpace(name)); ok {
		return c, true
	}
	return "", false
}

// Convert changes a value from one unit to another of the same dimension; the
// units are given in any form that [Unit] knows. It reports whether it could.
func Convert(value float64, from, to string) (float64, bool) {
	f, okF := Unit(from)
	t, okT := Unit(to)
	if !okF || !okT {
		return 0, false
	}
	if f == t {
		return value, true
	}
	a, okA := units[f]
	b, okB := units[t]
	if !okA || !okB || a.dim != b.dim {
		return 0, false
	}
	return (value*a.factor + a.offset - b.offset) / b.factor, true
}

// Dimension names what a unit measures: "length", "temperature", "money" …;
// "" for a unit that is not known.
func Dimension(name string) string {
	u, ok := Unit(name)
	if !ok {
		return ""
	}
	if isCurrency(u) {
		return "money"
	}
	return units[u].dim
}

// SameUnit says that two canonical symbols can mean the same: "$" any dollar,
// "¥" yen or yuan, "°" any degree of temperature.
func SameUnit(a, b string) bool {
	if a == b {
		return true
	}
	return vague(a, b) || vague(b, a)
}

func vague(a, b string) bool {
	switch a {
	case "$":
		return dollars[b]
	case "¥":
		return b == "JPY" || b == "CNY"
	case "°":
		return b == "°C" || b == "°F"
	}
	return false
}

// unitAt reads the unit at i: its symbol, the symbol of a second reading or "",
// and its width in bytes, 0 if there is none.
func unitAt(text string, i int) (symbol, alt string, n int) {
	first := unitToken(text, i)
	if first == i {
		return "", "", 0
	}
	if two := nextWord(text, first); two > first && multiWord[strings.ToLower(text[i:first])] {
		three := nextWord(text, two)
		for _, end := range [...]int{three, two} {
			if u, ok := wholeUnit(strings.Join(strings.Fields(text[i:end]), " ")); ok && end > first && boundary(text, end) {
				return u, "", end - i
			}
		}
	}
	hyphened := i
	if first < len(text) && text[first] == '-' {
		hyphened = letters(text, first+1)
	}
	for _, end := range [...]int{hyphened, first, letters(text, i), degreeSign(text, i)} {
		if end > i && (boundary(text, end) || end == degreeSign(text, i)) {
			if u, ok := wholeUnit(text[i:end]); ok {
				return u, secondReading[strings.ToLower(text[i:end])], end - i
			}
		}
	}
	return "", "", 0
}

// degreeSign is the end of a degree sign at i that the letter of a coordinate
// follows at once, or i.
func degreeSign(text string, i int) int {
	end := i + len("°")
	if strings.HasPrefix(text[i:], "°") && end < len(text) && strings.IndexByte("NSEW", text[end]) >= 0 && boundary(text, end+1) {
		return end
	}
	return i
}

var secondReading = map[string]string{"pounds": "GBP", "pound": "GBP"}

// unitToken is the end of the token at i that could be a unit: letters, signs,
// "/" and powers.
func unitToken(text string, i int) int {
	j := i
	for j < len(text) {
		r, n := utf8.DecodeRuneInString(text[j:])
		switch {
		case n == 1 && isLetter(byte(r)), strings.ContainsRune("°²³µμ%‰$€£¥₹₩₽₺Ωº℃℉", r):
		case j > i && (r == '/' || r == '^' || r == '2' || r == '3'):
		default:
			return trimUnit(text, i, j)
		}
		j += n
		if r == '%' || r == '‰' || j-i > 24 {
			return j
		}
	}
	return trimUnit(text, i, j)
}

func trimUnit(text string, i, j int) int {
	for j > i && (text[j-1] == '/' || text[j-1] == '^') {
		j--
	}
	return j
}

// nextWord is the end of the word after one space at i, or i.
func nextWord(text string, i int) int {
	gap := space(text, i)
	if gap == 0 || i+gap >= len(text) {
		return i
	}
	if end := unitToken(text, i+gap); end > i+gap {
		return end
	}
	return i
}
