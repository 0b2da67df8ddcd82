package datasets

import (
	"encoding/json"
	"fmt"
	"strings"
)

// ResolveArguments makes the arguments of a step from its constants and the
// output documents of the steps before it (outputs[0] is that of step 1). It is
// how the oracle follows a chain: by the rules of the chain, not by the values
// of the reference run.
func (s *Step) ResolveArguments(outputs []any) (map[string]any, error) {
	args := map[string]any{}
	for _, a := range s.Arguments {
		v, err := a.Resolve(outputs)
		if err != nil {
			return nil, fmt.Errorf("%s: argument %s: %w", s.ID(), a.Path, err)
		}
		if err := SetPointer(args, a.Path, v); err != nil {
			return nil, fmt.Errorf("%s: %w", s.ID(), err)
		}
	}
	return args, nil
}

// Resolve is the value of the argument, given the outputs of earlier steps.
func (a *Argument) Resolve(outputs []any) (any, error) {
	if a.Source != SourceStep {
		return DecodeJSON(a.Value)
	}
	if a.Step < 1 || int(a.Step) > len(outputs) {
		return nil, fmt.Errorf("step %d has no output", a.Step)
	}
	return pick(outputs[a.Step-1], a)
}

func pick(doc any, a *Argument) (any, error) {
	if a.Pick == PickAll {
		matches, err := Resolve(doc, a.From)
		if err != nil {
			return nil, err
		}
		all := make([]any, len(matches))
		for i, m := range matches {
			all[i] = m.Value
		}
		return all, nil
	}
	path, err := a.PickedPointer(doc)
	if err != nil {
		return nil, err
	}
	return ResolveOne(doc, path)
}

// PickedPointer is From with its "*" replaced by the index that the rule picks
// in this document.
func (a *Argument) PickedPointer(doc any) (string, error) {
	list, rest, star := strings.Cut(a.From, "/*")
	if !star {
		return a.From, nil
	}
	index, err := PickIndex(doc, a.Pick, list, a.By, a.Equal)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s/%d%s", list, index, rest), nil
}

// PickIndex is the index of the element that a rule picks from the array at
// path list. by is the full path of the deciding field ("/parks/*/area_km2").
// Of equal candidates the first is picked.
func PickIndex(doc any, rule, list, by, equal string) (int, error) {
	v, err := ResolveOne(doc, list)
	if err != nil {
		return 0, err
	}
	elements, ok := v.([]any)
	if !ok || len(elements) == 0 {
		return 0, fmt.Errorf("%s is no array with elements", list)
	}
	if rule == PickFirst {
		return 0, nil
	}
	field, ok := strings.CutPrefix(by, list+"/*")
	if !ok {
		return 0, fmt.Errorf("rule %s: field %s is not in the elements of %s", rule, by, list)
	}
	best, bestAt := 0.0, -1
	for i, e := range elements {
		m, err := Resolve(e, field)
		if err != nil {
			continue
		}
		switch rule {
		case PickEqual:
			if EncodeJSON(m[0].Value) == equal {
				return i, nil
			}
		case PickLargest, PickSmallest:
			f, ok := Float(m[0].Value)
			if ok && (bestAt < 0 || rule == PickLargest && f > best || rule == PickSmallest && f < best) {
				best, bestAt = f, i
			}
		default:
			return 0, fmt.Errorf("unknown rule %q", rule)
		}
	}
	if bestAt < 0 {
		return 0, fmt.Errorf("rule %s: no element of %s decides on %s", rule, list, by)
	}
	return bestAt, nil
}

// Float is the number that a decoded JSON value is, if it is one.
func Float(v any) (float64, bool) {
	switch v := v.(type) {
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	case float64:
		return v, true
	case int:
		return float64(v), true
	}
	return 0, false
}
