package discover

import "strings"

// unitNames maps how units are written to one spelling for each, unitKinds that
// spelling to what is measured.
var unitNames, unitKinds = func() (names, kinds map[string]string) {
	names, kinds = map[string]string{}, map[string]string{}
	kind := ""
	for _, line := range strings.Split(unitTable, "\n") {
		list := strings.Fields(line)
		if strings.HasSuffix(list[0], ":") {
			kind, list = list[0], list[1:]
		}
		for _, n := range list {
			names[strings.ReplaceAll(n, "~", " ")] = list[0]
		}
		kinds[list[0]] = kind
	}
	return names, kinds
}()

const unitTable = `temperature: c celsius degc °c centigrade
f fahrenheit degf °f
k kelvin
length: km kilometre kilometer kilometres kilometers
m metre meter metres meters
cm centimetre centimeter centimetres centimeters
mm millimetre millimeter millimetres millimeters
mi mile miles
ft foot feet
in inch inches
yd yard yards
nmi nautical~mile nautical~miles
mass: kg kilogram kilograms
g gram grams
mg milligram milligrams
lb pound pounds lbs
oz ounce ounces
volume: l litre liter litres liters
ml millilitre milliliter millilitres milliliters
gal gallon gallons
cup cups
area: km2 sq~km km²
m2 sq~m m²
mi2 sq~mi sqmi
ha hectare hectares
acre acres
time: h hour hours
min minute minutes
s second seconds
energy: kcal kilocalorie kilocalories
kj kilojoule kilojoules
speed: kmh km/h kph km_h
mph`

// unitOf is the unit that a field's last word names: mean_low_c is in C.
func unitOf(w []string) string {
	if len(w) == 0 {
		return ""
	}
	last := w[len(w)-1]
	if u := unitNames[last]; u != "" && (len(w) > 1 || len(last) > 1) {
		return u
	}
	return ""
}
