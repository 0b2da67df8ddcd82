package generate

import (
	"slices"
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/literal"
)

// unitWanted says that a delivered value has the unit that the phrasebook says
// the parameter takes.
func (g *growth) unitWanted(edge *datasets.Edge, a *datasets.Argument) bool {
	wanted := g.book.tool(edge.ToServer + "/" + edge.ToTool).Takes[strings.TrimPrefix(edge.ToParam, "/")]
	if wanted == "" {
		return true
	}
	unit := g.unitOf(a)
	switch wanted {
	case "unit":
		return unit != ""
	case "money":
		return len(unit) == 3 && strings.ToUpper(unit) == unit
	}
	return unit != "" && sameUnit(unit, wanted)
}

// comparable says that two delivered numbers can go into one call: they have
// the same unit, or neither has one and both have the same name.
func (g *growth) comparable(a, b *datasets.Argument) bool {
	v, err := b.Resolve(g.draft.documents())
	if err != nil {
		return false
	}
	if _, number := datasets.Float(v); !number {
		return true
	}
	if unit := g.unitOf(b); unit != "" {
		return unit == g.unitOf(a)
	}
	return g.unitOf(a) == "" && label(a.From) == label(b.From)
}

// unitParam is the parameter that names the unit of a tool's transformed
// value, "" if it has none.
func (g *growth) unitParam(tool *datasets.Tool) string {
	if p := g.book.tool(tool.ID()).UnitParam; p != "" {
		return p
	}
	for _, p := range g.params[tool.ID()] {
		switch strings.ToLower(strings.ReplaceAll(p.Name, "_", "")) {
		case "fromunit", "sourceunit", "unit", "fromcurrency", "currency", "basecurrency":
			return p.Name
		case "from", "source":
			for _, q := range g.params[tool.ID()] {
				if (slices.Contains(q.Types, "number") || slices.Contains(q.Types, "array")) && slices.Contains([]string{"value", "values", "amount", "amounts"}, q.Name) {
					return p.Name
				}
			}
		}
	}
	return ""
}

// unitsAgree refuses a number whose unit is unknown, or another one than the
// tool is told.
func (g *growth) unitsAgree(tool *datasets.Tool, first *datasets.Argument, args []datasets.Argument) bool {
	name := g.unitParam(tool)
	if name == "" || first.Path == "/"+name {
		return true
	}
	v, err := first.Resolve(g.draft.documents())
	if err != nil {
		return false
	}
	if list, ok := v.([]any); ok && len(list) > 0 {
		v = list[0]
	}
	if _, isNumber := datasets.Float(v); !isNumber {
		return true
	}
	unit := g.unitOf(first)
	for _, a := range args {
		if a.Path == "/"+name {
			stated, err := a.Resolve(g.draft.documents())
			s, _ := stated.(string)
			return err == nil && unit != "" && sameUnit(s, unit)
		}
	}
	return false
}

// inferUnit marks the constant that names the unit of a delivered number: no
// person would state it.
func (g *growth) inferUnit(tool *datasets.Tool, first *datasets.Argument, args []datasets.Argument) {
	name := g.unitParam(tool)
	for i := range args {
		if a := &args[i]; name != "" && first.Path != "/"+name && a.Path == "/"+name && a.Source == datasets.SourceConstant {
			a.Source, a.Said = datasets.SourceInferred, ""
		}
	}
}

func (g *growth) setUnit(tool *datasets.Tool, sample map[string]any, unit string) bool {
	name := g.unitParam(tool)
	if name == "" {
		return true
	}
	s, ok := sample[name].(string)
	return ok && sameUnit(s, unit)
}

func sameUnit(a, b string) bool {
	return strings.EqualFold(a, b) || literal.SameUnit(a, b)
}

// unitOf is the unit of the number that an argument takes, "" if unknown: from
// the phrasebook, from the end of the field's name, or from a field beside it.
func (g *growth) unitOf(a *datasets.Argument) string {
	if a.Source != datasets.SourceStep {
		return ""
	}
	return unitAt(g.book, g.draft, int(a.Step), a.From)
}

func unitAt(book *Phrasebook, d *draft, number int, path string) string {
	s := d.at(number)
	phrase := book.tool(s.tool.ID()).Values[path]
	if phrase.Unit != "" {
		return fillArguments(phrase.Unit, s)
	}
	for _, a := range s.args {
		if phrase.UnitOf != "" && a.Path == "/"+phrase.UnitOf && a.Source == datasets.SourceStep {
			return unitAt(book, d, int(a.Step), a.From)
		}
	}
	words := splitWords(path[strings.LastIndex(path, "/")+1:])
	if len(words) > 1 {
		if unit := fieldUnits[words[len(words)-1]]; unit != "" {
			return unit
		}
	}
	return ""
}

// fillArguments replaces {param} by the value that the step sent.
func fillArguments(text string, s *step) string {
	for _, a := range s.args {
		v, err := datasets.DecodeJSON(a.Value)
		if err == nil {
			text = strings.ReplaceAll(text, "{"+a.Path[1:]+"}", plain(v))
		}
	}
	return text
}

// fieldUnits are the units that the last word of a field's name can mean.
var fieldUnits = map[string]string{
	"km": "km", "m": "m", "cm": "cm", "mm": "mm", "mi": "mi", "miles": "mi", "ft": "ft", "feet": "ft",
	"km2": "km2", "sqkm": "km2", "ha": "ha", "kg": "kg", "g": "g", "mg": "mg", "lb": "lb",
	"c": "C", "celsius": "C", "f": "F", "fahrenheit": "F", "usd": "USD", "eur": "EUR", "gbp": "GBP",
	"percent": "%", "pct": "%", "kcal": "kcal", "hours": "h", "minutes": "min", "seconds": "s", "days": "d", "years": "years",
	"deg": "deg", "min": "min", "ms": "ms", "bytes": "B", "kmh": "km/h", "mph": "mph", "l": "l", "ml": "ml",
}
