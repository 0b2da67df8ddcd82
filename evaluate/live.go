package evaluate

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// LiveValue is what a claim says by a new output document of its step.
//
// The claim's pointer was found in the reference run. Where it goes through an
// element that the chain picks by a rule ("the largest by area"), the rule
// picks again; where the claim is about a named element ("Bullfrog"), the
// element of that name is looked up; else the pointer is followed as it is.
// The value of a set or an order is an array.
func LiveValue(task *datasets.Task, c *datasets.Claim, live any) (any, error) {
	path := livePointer(task, c, live)
	matches, err := datasets.Resolve(live, path)
	if err != nil {
		return nil, err
	}
	if !strings.Contains(path, "*") && c.Kind != datasets.ClaimSet && c.Kind != datasets.ClaimOrder {
		return matches[0].Value, nil
	}
	if list, ok := matches[0].Value.([]any); ok && len(matches) == 1 {
		return list, nil
	}
	all := make([]any, len(matches))
	for i, m := range matches {
		all[i] = m.Value
	}
	return all, nil
}

func livePointer(task *datasets.Task, c *datasets.Claim, live any) string {
	ref, err := referenceDocument(task, c.Step)
	if err != nil {
		return c.Pointer
	}
	for _, a := range picks(task, c.Step) {
		if p, ok := repick(&a, c.Pointer, ref, live); ok {
			return p
		}
	}
	if p, ok := bySubject(c, ref, live); ok {
		return p
	}
	return c.Pointer
}

func referenceDocument(task *datasets.Task, step int32) (any, error) {
	for _, e := range task.Reference {
		if e.Step == step {
			return datasets.DecodeJSON(e.Output)
		}
	}
	return nil, fmt.Errorf("step %d has no reference output", step)
}

// picks lists the arguments of the chain that pick one element from the output
// of a step. The rule "first" comes last: a pointer that it and another rule
// explain more likely means the other.
func picks(task *datasets.Task, step int32) []datasets.Argument {
	var out, first []datasets.Argument
	for _, s := range task.Chain {
		for _, a := range s.Arguments {
			switch {
			case a.Source != datasets.SourceStep || a.Step != step || a.Pick == datasets.PickAll || !strings.Contains(a.From, "/*"):
			case a.Pick == datasets.PickFirst:
				first = append(first, a)
			default:
				out = append(out, a)
			}
		}
	}
	return append(out, first...)
}

// repick replaces the index in pointer that rule a picked in the reference by
// the one that it picks in the live document.
func repick(a *datasets.Argument, pointer string, ref, live any) (string, bool) {
	list, _, _ := strings.Cut(a.From, "/*")
	i, rest, ok := elementOf(pointer, list)
	if !ok {
		return "", false
	}
	was, err := datasets.PickIndex(ref, a.Pick, list, a.By, a.Equal)
	if err != nil || was != i {
		return "", false
	}
	now, err := datasets.PickIndex(live, a.Pick, list, a.By, a.Equal)
	if err != nil {
		return "", false
	}
	return list + index(now) + rest, true
}

// elementOf splits a pointer into the index that it takes in a list and the
// rest after it.
func elementOf(pointer, list string) (i int, rest string, ok bool) {
	tail, ok := strings.CutPrefix(pointer, list+"/")
	if !ok {
		return 0, "", false
	}
	segment, after, more := strings.Cut(tail, "/")
	i, err := strconv.Atoi(segment)
	if err != nil {
		return 0, "", false
	}
	if more {
		rest = "/" + after
	}
	return i, rest, true
}

// bySubject finds the element that the claim's subject names: the one with the
// same name in the same field as in the reference.
func bySubject(c *datasets.Claim, ref, live any) (string, bool) {
	list, i, rest, ok := lastIndex(c.Pointer)
	if c.Subject == "" || !ok {
		return "", false
	}
	element, err := datasets.ResolveOne(ref, list+index(i))
	if err != nil {
		return "", false
	}
	field, ok := fieldWith(element, c.Subject)
	if !ok {
		return "", false
	}
	matches, err := datasets.Resolve(live, list+"/*")
	if err != nil {
		return "", false
	}
	for _, m := range matches {
		if object, ok := m.Value.(map[string]any); ok && object[field] == any(c.Subject) {
			return m.Pointer + rest, true
		}
	}
	return "", false
}

// lastIndex splits a pointer at its last array index.
func lastIndex(pointer string) (list string, i int, rest string, ok bool) {
	segments := strings.Split(pointer, "/")
	for n := len(segments) - 1; n > 0; n-- {
		if i, err := strconv.Atoi(segments[n]); err == nil && i >= 0 {
			list = strings.Join(segments[:n], "/")
			return list, i, strings.TrimPrefix(pointer, list+index(i)), true
		}
	}
	return "", 0, "", false
}

// fieldWith is the first field, by name, of an object that holds a text.
func fieldWith(element any, text string) (string, bool) {
	object, _ := element.(map[string]any)
	found, ok := "", false
	for k, v := range object {
		if v == any(text) && (!ok || k < found) {
			found, ok = k, true
		}
	}
	return found, ok
}

// index is an array index as the segment of a pointer.
func index(n int) string { return "/" + strconv.Itoa(n) }
