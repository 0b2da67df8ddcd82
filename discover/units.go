package discover

import "strings"

// unitNames maps how units are written to one spelling for each.
var unitNames = func() map[string]string {
	m := map[string]string{}
	for _, line := range strings.Split(unitTable, "\n") {
		names := strings.Fields(line)
		for _, n := range names {
			m[strings.ReplaceAll(n, "~", " ")] = names[0]
		}
	}
	return m
}()

const unitTable = `c celsius degc °c centigrade
f fahrenheit degf °f
k kelvin
km kilometre kilometer kilometres kilometers
m metre meter metres meters
cm centimetre centimeter centimetres centimeters
mm millimetre millimeter millimetres millimeters
mi mile miles
ft foot feet
in inch inches
kg kilogram kilograms
g gram grams
mg milligram milligrams
lb pound pounds lbs
oz ounce ounces
l litre liter litres liters
ml millilitre milliliter millilitres milliliters
km2 sq~km km²
ha hectare hectares
acre acres
h hour hours
min minute minutes
s second seconds
kcal kilocalorie kilocalories
kj kilojoule kilojoules
kmh km/h kph
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
