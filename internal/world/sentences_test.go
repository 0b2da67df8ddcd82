package world

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/taskwright/taskwright/datasets"
)

var update = flag.Bool("update", false, "rewrite testdata/sentences.txt")

// teller composes the noun phrases of one chain. It is the reference for what
// the keys of the phrasebook mean.
type teller struct {
	book  phrasebook
	steps []tellerStep
}

type tellerStep struct {
	tool      string
	arguments map[string]json.RawMessage
}

// ask is the noun phrase of a value that the answer to a step must contain.
func (s *teller) ask(step int, path string) string {
	tool := s.book.Tools[s.steps[step].tool]
	v := tool.Values[path]
	text := v.NP
	if c := s.steps[step].arguments[tool.Transform]; v.Constant != "" && !isLink(c) {
		return s.fill(step, v.Constant, "")
	}
	return strings.TrimSpace(s.fill(step, text, "") + " " + s.fill(step, v.Suffix, ""))
}

// fill replaces {it} and the parameters of a text.
func (s *teller) fill(step int, text, item string) string {
	tool := s.book.Tools[s.steps[step].tool]
	return placeholder.ReplaceAllStringFunc(text, func(m string) string {
		name := strings.Trim(m, "{}")
		if name == "it" && item != "" {
			return item
		}
		if name == "it" {
			name = tool.Subject
		}
		return s.words(step, name)
	})
}

// words are the words for an argument: of a constant, or of what feeds it.
func (s *teller) words(step int, param string) string {
	raw := s.steps[step].arguments[param]
	if isLink(raw) {
		var l link
		if err := json.Unmarshal(raw, &l); err != nil {
			return err.Error()
		}
		return s.passed(l)
	}
	constant := strings.Trim(string(raw), `"`)
	if said := s.book.Say[param][constant]; said != "" {
		return said
	}
	return constant
}

// passed is the noun phrase of a value that is passed on.
func (s *teller) passed(l link) string {
	step := int(l.Step) - 1
	tool := s.book.Tools[s.steps[step].tool]
	v := tool.Values[l.From]
	if l.Pick == datasets.PickAll {
		return s.fill(step, v.All, "")
	}
	field, inList := strings.CutPrefix(l.From, tool.List+"/*/")
	if tool.List == "" || !inList {
		return s.unpicked(step, l.From, v)
	}
	item := s.item(step, tool, l)
	for _, text := range []string{v.FedAs, v.Item, v.NP} {
		if text != "" && !slices.Contains(tool.Keys, field) {
			return s.fill(step, text, item)
		}
	}
	return item
}

func (s *teller) unpicked(step int, path string, v phrasedValue) string {
	if v.FedAs != "" {
		return s.fill(step, v.FedAs, "")
	}
	return s.ask(step, path)
}

// item is "the largest national park in Utah".
func (s *teller) item(step int, tool phrasedTool, l link) string {
	order := tool.Order[strings.TrimPrefix(l.By, tool.List+"/*/")]
	parts := []string{"the", order[l.Pick], tool.Noun, order["by"], s.fill(step, tool.Scope, "")}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " ")
}

func isLink(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '{' }

// TestSentences holds the English of every value that the chains could ask
// for against a file that people read: run with -update and look at it.
func TestSentences(t *testing.T) {
	var chains []chain
	readJSON(t, "chains.json", &chains)
	var out strings.Builder
	for _, c := range chains {
		out.WriteString(c.Title + "\n")
		s := teller{book: readPhrasebook(t)}
		for _, step := range c.Steps {
			s.steps = append(s.steps, tellerStep{step.Tool, step.Arguments})
		}
		for i := range s.steps {
			out.WriteString(s.asks(i))
		}
	}
	if *update {
		if err := os.WriteFile("testdata/sentences.txt", []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/sentences.txt")
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("the sentences changed: run with -update and read testdata/sentences.txt\n%s", out.String())
	}
	if strings.ContainsAny(out.String(), "{}") {
		t.Error("a placeholder was left in a sentence")
	}
}

// asks lists the noun phrases of a step, except those about single items of a
// list.
func (s *teller) asks(step int) string {
	tool := s.book.Tools[s.steps[step].tool]
	var asks []string
	if tool.Does != "" {
		asks = append(asks, "  * "+s.fill(step, tool.Does, "")+"\n")
	}
	for path, v := range tool.Values {
		about := strings.Contains(v.NP, "{it}") && tool.Subject == ""
		if v.Kind != "key" && v.NP != "" && !about {
			asks = append(asks, "  - "+s.ask(step, path)+"\n")
		}
	}
	slices.Sort(asks)
	return strings.Join(asks, "")
}
