package literal

import (
	"fmt"
	"strings"
	"testing"
)

// show writes literals as "kind:norm" joined by " | ".
func show(lits []Literal) string {
	var parts []string
	for _, l := range lits {
		parts = append(parts, fmt.Sprintf("%s:%s", l.Kind, l.Norm))
	}
	return strings.Join(parts, " | ")
}

func TestFind(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"no literals here.", ""},
		{"5000", "number:5000"},
		{"5,000 and 5 000 and 5\u202f000 and 5\u00a0000", "number:5000 | number:5000 | number:5000 | number:5000"},
		{"1,234,567.89", "number:1234567.89"},
		{"1'234'567", "number:1234567"},
		{"-3.5 or +4 or −7", "number:-3.5 | number:4 | number:-7"},
		{"5-10 people", "number:5 | number:10"},
		{"lists 1,2,3", "number:1 | number:2 | number:3"},
		{"[1,200,30]", "number:1 | number:200 | number:30"},
		{"(37.3,-110.9)", "number:37.3 | number:-110.9"},
		{"about 20k people, 3M views, 1.5 million, 2bn", "number:20000 | number:3000000 | number:1500000 | number:2000000000"},
		{"1.2e-5 and 3 × 10^4", "number:1.2e-05 | number:30000"},
		{"392.6 km", "quantity:392.6 km"},
		{"50km, 50 kilometres, 31 miles", "quantity:50 km | quantity:50 km | quantity:31 mi"},
		{"46 degrees", "quantity:46 °"},
		{"46.0 °F, 7.8 °C, 20 degrees Celsius, 70F, 21.4 C", "quantity:46 °F | quantity:7.8 °C | quantity:20 °C | quantity:70 °F | quantity:21.4 °C"},
		{"5075 km², 5,075 km2, 1,959 square miles, 12 acres", "quantity:5075 km² | quantity:5075 km² | quantity:1959 mi² | quantity:12 acre"},
		{"90 km/h, 55 mph, 10 m/s, 60 miles per hour", "quantity:90 km/h | quantity:55 mph | quantity:10 m/s | quantity:60 mph"},
		{"a 5-day trip, 3-4 days, 2 weeks", "quantity:5 day | number:3 | quantity:4 day | quantity:2 week"},
		{"5 in total, 5 in.", "number:5 | quantity:5 in"},
		{"12.5 %, 12.5%, 12 percent", "quantity:12.5 % | quantity:12.5 % | quantity:12 %"},
		{"$5, $5.50, US$12, €1,200, 30 €, USD 40, 40 EUR, 3 million dollars, $5m", "money:5 $ | money:5.5 $ | money:12 USD | money:1200 EUR | money:30 EUR | money:40 USD | money:40 EUR | money:3000000 $ | money:5000000 $"},
		{"-$5", "money:-5 $"},
		{"392,6 km", "quantity:392.6 km"},
		{"2 GB and 512 MiB and 500 kcal and 3 kWh", "quantity:2 GB | quantity:512 MiB | quantity:500 kcal | quantity:3 kWh"},
		{"2 litres, 500 ml, 1 cup", "quantity:2 l | quantity:500 ml | quantity:1 cup"},
		{"70 kg, 154 pounds, 3 lbs 2 oz", "quantity:70 kg | quantity:154 lb | quantity:3 lb | quantity:2 oz"},
		{"twelve trees, seventy-eight sites, two hundred km", "number:12 | number:78 | quantity:200 km"},
		{"2025-10-03", "date:2025-10-03"},
		{"2025-10-03T14:30:00Z", "datetime:2025-10-03T14:30:00+00:00"},
		{"2025-10-03 14:30", "datetime:2025-10-03T14:30:00"},
		{"2025-10-03T14:30:05.123+02:00", "datetime:2025-10-03T14:30:05+02:00"},
		{"2025/10/03, 10/03/2025, 3.10.2025", "date:2025-10-03 | date:2025-10-03 | date:2025-10-03"},
		{"3 October 2025", "date:2025-10-03"},
		{"October 3rd, 2025", "date:2025-10-03"},
		{"Oct 3", "date:--10-03"},
		{"the 3rd of October", "date:--10-03"},
		{"Oct. 3, 2025 at 2:30 pm", "datetime:2025-10-03T14:30:00"},
		{"October 2025", "month:2025-10"},
		{"in October.", "month:--10"},
		{"I may march in May", "month:--05"},
		{"2025-10", "month:2025-10"},
		{"at 14:30, 2:30 pm, 2pm and 9 a.m.", "time:T14:30:00 | time:T14:30:00 | time:T14:00:00 | time:T09:00:00"},
		{"Europe/Paris or America/New_York, UTC", "zone:europe/paris | zone:america/new_york | zone:utc"},
		{"id a1b2c3, BK-2041, v1.2.3, 10.0.0.1", "code:a1b2c3 | code:bk-2041 | code:v1.2.3 | code:10.0.0.1"},
		{"#1f77b4 and /var/log/x.txt and park_id", "code:#1f77b4 | code:/var/log/x.txt | code:park_id"},
		{"https://example.org/a?b=1, me@example.org", "code:https://example.org/a?b=1 | code:me@example.org"},
		{"978-0-306-40615-7", "code:978-0-306-40615-7"},
		{"9b74c9897bac770ffc029102a200c5de", "code:9b74c9897bac770ffc029102a200c5de"},
		{"the 3rd item", "ordinal:3"},
		{`say "hello there" to 'them' and “you”`, "quoted:hello there | quoted:them | quoted:you"},
		{"it's the dog's dinner", ""},
		{"drive from Salt Lake City to Zion", "name:salt lake city | name:zion"},
		{"5km/day", "quantity:5 km"},
		{"37.3° N, 110.9°W", "quantity:37.3 ° | quantity:-110.9 °"},
		{"273.15 K", "quantity:273.15 K"},
		{"the code 007x", "code:007x"},
		{"x=5, y=-2", "number:5 | number:-2"},
		{"12345678901234567890", "number:12345678901234567890"},
		{"$", ""}, {"-", ""}, {".", ""}, {"°", ""}, {"1.", "number:1"}, {"\xff5\xfe", "number:5"},
	} {
		if got := show(Find(c.text)); got != c.want {
			t.Errorf("Find(%q)\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestContains(t *testing.T) {
	for _, c := range []struct {
		text  string
		value any
		want  Match
	}{
		{"5000 m", 5000, Kept},
		{"5 000 people", 5000, Normalised},
		{"5,000", 5000, Normalised},
		{"5k", 5000, Normalised},
		{"within 50 km", 50000, Normalised},
		{"within 50 km", 50, Kept},
		{"within 51 km", 50, Lost},
		{"in October", 10, Normalised},
		{"in October", "10", Normalised},
		{"on 3 October 2025", "2025-10-03", Normalised},
		{"on October 3rd", "2025-10-03", Normalised},
		{"2025-10-03", "2025-10-03", Kept},
		{"at 2:30 pm", "14:30", Normalised},
		{"on 3 October 2025 at 14:30", "2025-10-03T14:30:00", Normalised},
		{"from salt  lake city", "Salt Lake City", Normalised},
		{"from Salt Lake City", "Salt Lake City", Kept},
		{"salty", "salt", Lost},
		{"in degrees Fahrenheit", "F", Normalised},
		{"in °F", "F", Kept},
		{"in Celsius", "F", Lost},
		{"in kilometres", "km", Normalised},
		{"in euros", "EUR", Normalised},
		{"time in New York", "New_York", Normalised},
		{"5%", 0.05, Normalised},
		{"5%", 5, Kept},
		{"twelve", 12, Normalised},
		{"yes", true, Lost},
		{"true", true, Kept},
		{"a and b", []any{"a", "b"}, Kept},
		{"a", []any{"a", "b"}, Lost},
		{"-110.9", -110.9, Kept},
		{"110.9", -110.9, Lost},
		{"nothing", nil, Lost},
	} {
		if got := Contains(c.text, c.value); got != c.want {
			t.Errorf("Contains(%q, %v) = %s, want %s", c.text, c.value, got, c.want)
		}
	}
}
