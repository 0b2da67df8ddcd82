package generate

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// ask is one thing that the person wants to know.
type ask struct {
	step   int
	path   string  // into the output of the step, "*" for elements
	pick   *picked // the element that is meant, nil for all
	set    bool    // the elements together, in any order
	order  bool    // the elements together, in the order of the output
	each   string  // field that labels each element's value
	unit   string
	said   string
	weight float64
	which  bool // asks which element it is that the chain picks
}

// limits on what one ask may bring along.
const (
	maxSet  = 8
	maxEach = 5
	maxAsks = 5
)

// asker chooses what to ask of a draft.
type asker struct {
	book  *Phrasebook
	draft *draft
	rng   *rand.Rand
}

// choose gives the asks of a draft: which element every choice means, and one
// or two outputs of each step that feeds no other. It returns nil where some
// end of the chain has nothing to ask for.
func (k *asker) choose() []*ask {
	var asks []*ask
	for _, p := range slices.Clone(k.draft.picks) {
		if a := k.which(p); a != nil && p.rule != datasets.PickEqual {
			asks = append(asks, a)
		}
	}
	for _, n := range k.draft.leaves() {
		possible := k.possible(n)
		if len(possible) == 0 {
			return nil
		}
		more := 1
		if len(possible) > 1 && len(asks)+len(k.draft.leaves()) < maxAsks && k.rng.IntN(2) == 0 {
			more = 2
		}
		for range more {
			if a := k.draw(&possible); a != nil {
				asks = append(asks, a)
			}
		}
	}
	slices.SortStableFunc(asks, func(a, b *ask) int { return a.step - b.step })
	if len(asks) > maxAsks+1 || k.repeats(asks) {
		return nil
	}
	return asks
}

// repeats says that two asks have the same answer.
func (k *asker) repeats(asks []*ask) bool {
	seen := map[string]bool{}
	for _, a := range asks {
		var all []string
		for _, m := range k.values(a) {
			all = append(all, datasets.EncodeJSON(m.Value))
		}
		key := strings.Join(all, " ")
		if seen[key] {
			return true
		}
		seen[key] = true
	}
	return false
}

func (k *asker) draw(possible *[]*ask) *ask {
	weights := make([]float64, len(*possible))
	for i, a := range *possible {
		weights[i] = a.weight
	}
	i := weighted(k.rng, weights)
	if i < 0 {
		return nil
	}
	a := (*possible)[i]
	*possible = slices.Delete(*possible, i, i+1)
	if a.pick != nil && a.which && !slices.Contains(k.draft.picks, a.pick) {
		k.draft.picks = append(k.draft.picks, a.pick)
	}
	return a
}

// which asks for the name of a picked element.
func (k *asker) which(p *picked) *ask {
	s := k.draft.at(p.step)
	v, err := datasets.ResolveOne(s.doc, p.list)
	all, ok := v.([]any)
	if err != nil || !ok {
		return nil
	}
	field := identityField(k.book, s, p.list, all)
	if field == "" {
		return nil
	}
	a := &ask{step: p.step, path: p.list + "/*/" + datasets.EscapeSegment(field), pick: p, which: true, weight: 2}
	if !k.worth(a) {
		return nil
	}
	return a
}

// possible lists what can be asked of step n.
func (k *asker) possible(n int) []*ask {
	s := k.draft.at(n)
	var asks []*ask
	if values := k.book.tool(s.tool.ID()).Values; len(values) > 0 {
		for _, path := range sortedPhrases(values) {
			asks = append(asks, k.fromPhrase(n, path, values[path])...)
		}
	} else {
		for _, path := range scalarPaths(s.doc) {
			if !rawText(s.doc, path) {
				asks = append(asks, k.fromPath(n, path))
			}
		}
	}
	if len(k.book.tool(s.tool.ID()).Values) == 0 {
		asks = slices.DeleteFunc(asks, func(a *ask) bool {
			return dull(a.path) || slices.ContainsFunc(k.values(a), func(m datasets.Match) bool { return sentence(m.Value) })
		})
	}
	asks = append(asks, k.fromList(n)...)
	return slices.DeleteFunc(asks, func(a *ask) bool { return !k.worth(a) })
}

func sortedPhrases(values map[string]ValuePhrase) []string {
	paths := make([]string, 0, len(values))
	for p := range values {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	return paths
}

func (k *asker) fromPhrase(n int, path string, phrase ValuePhrase) []*ask {
	s := k.draft.at(n)
	if phrase.Kind == kindKey {
		return nil
	}
	a := &ask{step: n, path: path, unit: unitAt(k.book, k.draft, n, path), said: fillArguments(phrase.Said, s), weight: 3}
	list, rest, star := strings.Cut(path, "/*")
	switch {
	case !star:
		return []*ask{a}
	case k.draft.pick(n, list) != nil && (phrase.Item != "" || phrase.Kind != datasets.ClaimSet && phrase.Kind != datasets.ClaimOrder && phrase.Each == ""):
		a.pick = k.draft.pick(n, list)
	case phrase.Each != "":
		a.each = list + "/*/" + phrase.Each
	case phrase.Kind == datasets.ClaimSet || phrase.Kind == datasets.ClaimOrder:
		a.set, a.order = true, phrase.Kind == datasets.ClaimOrder
	case strings.Contains(rest, "*"):
		return nil
	default:
		return nil
	}
	if field := path[strings.LastIndex(path, "/")+1:]; a.pick != nil && identityOf(k.book, k.draft.at(n), list) == field {
		return nil // asked as "which"
	}
	return []*ask{a}
}

func (k *asker) fromPath(n int, path string) *ask {
	a := &ask{step: n, path: path, weight: 1, unit: unitAt(k.book, k.draft, n, path)}
	if strings.Contains(path, "*") {
		a.set = true
	}
	if vague[label(path)] {
		a.weight = 1.5
	}
	if field := path[strings.LastIndex(path, "/")+1:]; idWord(field) || latitude(field) || longitude(field) {
		a.weight = 0.1
	}
	return a
}

// fromList asks for the one element of a list that a rule singles out.
func (k *asker) fromList(n int) []*ask {
	s := k.draft.at(n)
	var asks []*ask
	phrases := k.book.tool(s.tool.ID())
	for _, list := range listPaths(s.doc) {
		p := k.draft.pick(n, list)
		if p == nil && len(phrases.Values) > 0 && list != phrases.List {
			continue // the phrasebook does not speak of it
		}
		if p == nil {
			if p = pickElement(k.book, k.rng.Float64, s, list); p == nil || p.rule == datasets.PickEqual || p.rule == datasets.PickFirst && elements(s.doc, list) > 1 {
				continue
			}
			p.step = n
			if a := k.which(p); a != nil {
				asks = append(asks, a)
			}
			continue
		}
		if len(phrases.Values) == 0 {
			asks = append(asks, k.fields(n, list, p)...)
		}
	}
	return asks
}

// fields asks for fields of a picked element.
func (k *asker) fields(n int, list string, p *picked) []*ask {
	s := k.draft.at(n)
	element, err := datasets.ResolveOne(s.doc, list)
	all, ok := element.([]any)
	if err != nil || !ok || p.index >= len(all) {
		return nil
	}
	object, ok := all[p.index].(map[string]any)
	if !ok {
		return nil
	}
	var asks []*ask
	for _, key := range sortedKeys(object) {
		path := list + "/*/" + datasets.EscapeSegment(key)
		if path == p.by && p.rule == datasets.PickEqual || idWord(key) || unordered(key) {
			continue
		}
		asks = append(asks, &ask{step: n, path: path, pick: p, weight: 0.7, unit: unitAt(k.book, k.draft, n, path)})
	}
	return asks
}
