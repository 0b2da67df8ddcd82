package literal

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Query is a value prepared to be looked for in many texts. It is not changed
// by that, so goroutines may share it.
type Query struct {
	never    bool // null
	all      []*Query
	isNumber bool
	number   float64

	raw, folded, plain string   // a string; plain stands between spaces
	blank, word        bool     // nothing but spaces; only the word itself counts
	own                *Literal // the literal that all of the string is, if it is one
	unit               string   // the unit that the string names
}

// Prepare prepares a decoded JSON value for [Text.Has].
func Prepare(value any) *Query {
	switch v := value.(type) {
	case json.Number:
		if f, err := v.Float64(); err == nil {
			return &Query{isNumber: true, number: f}
		}
		return prepareString(v.String())
	case float64:
		return &Query{isNumber: true, number: v}
	case int:
		return &Query{isNumber: true, number: float64(v)}
	case string:
		return prepareString(v)
	case bool:
		q := prepareString(strconv.FormatBool(v))
		q.word = true
		return q
	case []any:
		q := &Query{all: make([]*Query, 0, len(v))}
		for _, e := range v {
			q.all = append(q.all, Prepare(e))
		}
		return q
	case map[string]any:
		q := &Query{all: make([]*Query, 0, len(v))}
		for _, e := range v {
			q.all = append(q.all, Prepare(e))
		}
		return q
	}
	return &Query{never: true}
}

func prepareString(v string) *Query {
	q := &Query{raw: v, folded: Fold(v), blank: strings.TrimSpace(v) == ""}
	if w := Words(v); w != "" {
		q.plain = " " + w + " "
	}
	if own := Values(v); len(own) == 1 && own[0].Start == 0 && own[0].End == len(v) {
		q.own = &own[0]
	}
	q.unit, _ = Unit(v)
	return q
}
