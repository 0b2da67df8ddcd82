package generate

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

func itoa(n int) string { return strconv.Itoa(n) }

// claims states what a right answer to an ask contains.
func (k *asker) claims(a *ask, next int) []datasets.Claim {
	base := datasets.Claim{Step: int32(a.step), Unit: a.unit, Essential: true, ToleranceKind: datasets.ToleranceExact}
	w := newAuthor(k.book, k.draft)
	values := k.values(a)
	switch {
	case a.set:
		return []datasets.Claim{k.setClaim(a, base, w, values, next)}
	case a.each != "":
		return k.eachClaims(a, base, w, values, next)
	}
	c := base
	c.ID = "c" + itoa(next)
	c.Pointer = values[0].Pointer
	k.fillValue(&c, values[0].Value)
	subject := ""
	if a.which {
		c.Kind = datasets.ClaimEntity
		subject = w.element(a.pick)
	} else {
		subject = w.value(a.step, a.path, a.pick)
	}
	c.Text = capitalize(collapse(subject)) + " is " + spoken(values[0].Value, a)
	return []datasets.Claim{c}
}

func (k *asker) setClaim(a *ask, c datasets.Claim, w *author, values []datasets.Match, next int) datasets.Claim {
	items := make([]any, len(values))
	for i, m := range values {
		items[i] = m.Value
	}
	c.ID, c.Kind, c.Pointer, c.Expected = "c"+itoa(next), datasets.ClaimSet, a.path, datasets.EncodeJSON(items)
	if a.order {
		c.Kind = datasets.ClaimOrder
	}
	c.Text = capitalize(collapse(w.value(a.step, a.path, nil))) + " are " + plain(items)
	return c
}

func (k *asker) eachClaims(a *ask, base datasets.Claim, w *author, values []datasets.Match, next int) []datasets.Claim {
	doc := k.draft.at(a.step).doc
	np := w.value(a.step, a.path, nil)
	before, _, _ := strings.Cut(np, " each ")
	var out []datasets.Claim
	for i, m := range values {
		list, _, _ := strings.Cut(a.path, "/*")
		index := strings.Split(strings.TrimPrefix(m.Pointer, list+"/"), "/")[0]
		subject, err := datasets.ResolveOne(doc, strings.Replace(a.each, "/*", "/"+index, 1))
		if err != nil {
			continue
		}
		c := base
		c.ID, c.Pointer, c.Subject, c.Essential = "c"+itoa(next+i), m.Pointer, plain(subject), i == 0
		k.fillValue(&c, m.Value)
		c.Text = capitalize(join(before, plain(subject), "is", spoken(m.Value, a)))
		out = append(out, c)
	}
	return out
}

// fillValue sets kind, expected value and tolerance.
func (k *asker) fillValue(c *datasets.Claim, v any) {
	c.Kind, c.Expected = datasets.ClaimValue, datasets.EncodeJSON(v)
	n, ok := v.(json.Number)
	if !ok {
		c.Kind = datasets.ClaimEntity
		return
	}
	f, err := n.Float64()
	switch {
	case err != nil || f == math.Trunc(f) && !strings.Contains(n.String(), "."):
	case c.Unit == "C" || c.Unit == "F":
		c.Tolerance, c.ToleranceKind = 0.5, datasets.ToleranceAbsolute
	default:
		c.Tolerance, c.ToleranceKind = 0.01, datasets.ToleranceRelative
	}
}

func spoken(v any, a *ask) string {
	text := plain(v)
	switch _, number := v.(json.Number); {
	case !number:
		return text
	case a.said != "":
		return text + " " + a.said
	case a.unit == "%":
		return text + " %"
	case a.unit != "":
		return text + " " + a.unit
	}
	return text
}
