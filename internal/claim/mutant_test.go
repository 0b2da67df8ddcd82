package claim

import (
	"fmt"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/taskwright/taskwright/datasets"
)

// distance is a claim on a random number of kilometres, within 1 %.
func distance(km float64) datasets.Claim {
	s := strconv.FormatFloat(km, 'f', 1, 64)
	return datasets.Claim{ID: "c", Kind: "value", Text: "The distance is " + s + " km", Expected: s, Unit: "km", Tolerance: 0.01, ToleranceKind: datasets.ToleranceRelative}
}

// TestNumberMutants: a number just outside its tolerance fails, one just
// inside passes, in every format and unit.
func TestNumberMutants(t *testing.T) {
	forms := map[string]float64{"%.3f km": 1, "%.3f kilometres": 1, "%.3f": 1, "%.0f m": 1000, "%.4f miles": 1 / 1.609344, "| km | %.3f |": 1, "{\"km\": %.3f}": 1, "**%.3f km**": 1}
	var names []string
	for f := range forms {
		names = append(names, f)
	}
	names = sorted(map[string]bool{names[0]: true, names[1]: true, names[2]: true, names[3]: true, names[4]: true, names[5]: true, names[6]: true, names[7]: true})
	rapid.Check(t, func(t *rapid.T) {
		km := float64(rapid.IntRange(2000, 99999).Draw(t, "tenths")) / 10
		off := rapid.Float64Range(0, 0.0095).Draw(t, "off") * float64(rapid.SampledFrom([]int{-1, 1}).Draw(t, "sign"))
		form := rapid.SampledFrom(names).Draw(t, "form")
		c := distance(km)
		if o, d := Score(&c, fmt.Sprintf(form, km*(1+off)*forms[form])); o != full {
			t.Fatalf("inside: %s (%s)", o, d)
		}
		far := 0.0105 + rapid.Float64Range(0, 0.5).Draw(t, "far")
		if o, d := Score(&c, fmt.Sprintf(form, km*(1+far)*forms[form])); o != none {
			t.Fatalf("outside: %s (%s)", o, d)
		}
		if o, d := Score(&c, fmt.Sprintf("%.1f miles", km)); o != none {
			t.Fatalf("wrong unit: %s (%s)", o, d)
		}
	})
}

// TestEntityMutants: the right name singled out passes in any order of the
// others, a swapped name and a list of all fail.
func TestEntityMutants(t *testing.T) {
	names := []string{"Glen Mesa", "Zion", "Arches", "Bryce Canyon", "Canyonlands", "Mesa"}
	rapid.Check(t, func(t *rapid.T) {
		order := rapid.Permutation(names).Draw(t, "order")
		right, others := order[0], order[1:]
		c := datasets.Claim{ID: "c", Kind: "entity", Text: "The largest park is " + right, Expected: strconv.Quote(right)}
		score := func(answer string) string {
			return ScoreAll([]datasets.Claim{c}, answer, &Options{Competitors: func(*datasets.Claim) []string { return others }})[0].Outcome
		}
		good := rapid.SampledFrom([]string{"The largest park is %[1]s.", "%[1]s is the biggest, ahead of %[2]s and %[3]s.", "%[2]s and %[3]s are smaller; the largest is %[1]s.", "%[1]s", "It's %[1]s, not %[2]s."}).Draw(t, "good")
		if s := fmt.Sprintf(good, right, others[0], others[1]); score(s) != full {
			t.Fatalf("%q: %s", s, score(s))
		}
		bad := rapid.SampledFrom([]string{"The largest park is %[2]s.", "%[2]s is the largest, ahead of %[1]s.", "%[2]s, %[1]s, %[3]s", "- %[1]s\n- %[2]s\n- %[3]s", "It's not %[1]s.", "", "%[1]s or %[2]s"}).Draw(t, "bad")
		if s := fmt.Sprintf(bad, right, others[0], others[1]); score(s) != none {
			t.Fatalf("%q: %s", s, score(s))
		}
	})
}

func FuzzScore(f *testing.F) {
	for _, c := range table[:20] {
		f.Add(c.answer)
	}
	f.Add("{{{|78|\n- Bullfrog (Lees 54) \xff not Glen Mesa, Zion is")
	f.Fuzz(func(t *testing.T, answer string) {
		for name := range known {
			if r := scored(name, answer); r.Outcome == "" {
				t.Fatalf("%s: no outcome", name)
			}
		}
	})
}
