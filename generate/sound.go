package generate

import (
	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/literal"
)

// maxPhrase is the length, in bytes, above which a phrase is too tangled to
// be read: too many steps were put into it.
const maxPhrase = 220

// sound says that the text states every constant and gives no claim away, and
// that no single call answers most of it.
func sound(d *draft, w written) bool {
	for _, s := range d.steps {
		for _, a := range s.args {
			if a.Source == datasets.SourceConstant && !stated(w.instruction, &a) {
				return false
			}
		}
	}
	texts := map[string]bool{}
	for _, p := range w.outline {
		if len(p.Text) > maxPhrase || texts[p.Text] {
			return false
		}
		texts[p.Text] = true
	}
	perStep := map[int32]int{}
	for i := range w.claims {
		c := &w.claims[i]
		if givenAway(w.instruction, c) {
			return false
		}
		perStep[c.Step]++
	}
	for n, s := range d.steps {
		if len(d.steps) > 1 && len(sources(s)) == 0 && float64(perStep[int32(n+1)]) >= datasets.PassCoverage*float64(len(w.claims)) {
			return false
		}
	}
	return len(w.claims) > 0
}

func stated(text string, a *datasets.Argument) bool {
	if a.Said != "" && literal.Contains(text, a.Said) != literal.Lost {
		return true
	}
	v, err := datasets.DecodeJSON(a.Value)
	if err != nil {
		return false
	}
	return statedValue(text, v)
}

func statedValue(text string, v any) bool {
	if list, ok := v.([]any); ok {
		for _, e := range list {
			if !statedValue(text, e) {
				return false
			}
		}
		return true
	}
	return literal.Contains(text, v) != literal.Lost
}

func givenAway(text string, c *datasets.Claim) bool {
	v, err := datasets.DecodeJSON(c.Expected)
	if err != nil {
		return true
	}
	if list, ok := v.([]any); ok {
		for _, e := range list {
			if literal.Contains(text, e) == literal.Lost {
				return false
			}
		}
		return true
	}
	return literal.Contains(text, v) != literal.Lost
}
