package generate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// Phrasebook tells the grounded author how people speak of what tools take and
// return. Everything in it is optional: what it lacks is derived from schemas
// and descriptions. docs/generate.md shows one.
type Phrasebook struct {
	Reasons    map[string][]string          `yaml:"reasons"`     // by server: why a person wants it, first person, without a final period
	Tools      map[string]*ToolPhrases      `yaml:"tools"`       // by "server/tool"
	NotAskable map[string]string            `yaml:"not_askable"` // by "server/tool", or "server/*" for all: why no task should use it
	Say        map[string]map[string]string `yaml:"say"`         // by parameter name (or "server/tool.parameter"): value to words
}

// ToolPhrases is how to speak of one tool's answers.
type ToolPhrases struct {
	Noun      string                  `yaml:"noun"`       // one item of the list that the tool returns
	Plural    string                  `yaml:"plural"`     // several of them
	List      string                  `yaml:"list"`       // pointer to the list
	Identity  string                  `yaml:"identity"`   // item field that names the item
	Keys      []string                `yaml:"keys"`       // item fields that stand for the item when passed on
	Scope     string                  `yaml:"scope"`      // restriction by arguments, "in {state}"
	Order     map[string]Superlatives `yaml:"order"`      // numeric item fields by which a person would pick
	Named     string                  `yaml:"named"`      // how an item that is picked by its name reads, with {param} and {name}
	Fed       []string                `yaml:"fed"`        // parameters that only an earlier answer can fill
	Stated    []string                `yaml:"stated"`     // parameters that only the text can fill: a person names them
	Calls     []map[string]any        `yaml:"calls"`      // arguments of calls that a person could ask for, in place of those that discovery tried; only flows then feed its parameters
	Flows     map[string][]string     `yaml:"flows"`      // by parameter: the only outputs that may feed it, each "server/tool /path"
	Implied   []string                `yaml:"implied"`    // parameters that follow from what is asked: nobody states them
	Takes     map[string]string       `yaml:"takes"`      // by parameter: the unit that a delivered value must have, "unit" for any, "money" for any currency
	Does      string                  `yaml:"does"`       // for a tool that changes something: an infinitive clause
	Subject   string                  `yaml:"subject"`    // parameter that {it} stands for
	Transform string                  `yaml:"transform"`  // parameter whose value this tool only re-expresses
	UnitParam string                  `yaml:"unit_param"` // parameter that names the unit of the transformed value
	Values    map[string]ValuePhrase  `yaml:"values"`     // by path: what can be asked for
}

// Superlatives are the words for the two ends of an order.
type Superlatives struct {
	Largest  string `yaml:"largest"`
	Smallest string `yaml:"smallest"`
	By       string `yaml:"by"` // "by area", where the word alone leaves it open
}

// ValuePhrase is how to speak of one output.
type ValuePhrase struct {
	NP       string `yaml:"np"`       // noun phrase; {param} and {it} are filled in
	Item     string `yaml:"item"`     // noun phrase for one picked item, {it}, of a list that has a subject
	All      string `yaml:"all"`      // noun phrase for all values, where they feed an array
	FedAs    string `yaml:"fed_as"`   // noun phrase where the value is passed on
	Constant string `yaml:"constant"` // noun phrase where the transformed value is a constant
	Question string `yaml:"question"` // the ask as a question, without its mark
	Suffix   string `yaml:"suffix"`   // appended after the phrase, "in {to}"
	Unit     string `yaml:"unit"`     // unit of the value; {param} is filled in
	Said     string `yaml:"said"`     // the unit in words, "kilometres"
	UnitOf   string `yaml:"unit_of"`  // parameter whose unit the value has
	Kind     string `yaml:"kind"`     // value, entity, set, order, or key for what stands for a thing and is never asked for; by default what the value looks like
	Final    bool   `yaml:"final"`    // asked for, but never passed on
	Each     string `yaml:"each"`     // for a list: the item field that labels each value
}

// ParsePhrasebook reads a phrasebook from YAML. Unknown keys are errors.
func ParsePhrasebook(raw []byte) (*Phrasebook, error) {
	var b Phrasebook
	if err := yaml.UnmarshalWithOptions(raw, &b, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("reading phrasebook: %w", err)
	}
	for id, t := range b.Tools {
		if t == nil {
			return nil, fmt.Errorf("reading phrasebook: tools.%s is empty", id)
		}
	}
	return &b, nil
}

// Merge adds the entries of other, which win where both have one.
func (b *Phrasebook) Merge(other *Phrasebook) *Phrasebook {
	merged := &Phrasebook{Reasons: map[string][]string{}, Tools: map[string]*ToolPhrases{}, NotAskable: map[string]string{}, Say: map[string]map[string]string{}}
	for _, p := range []*Phrasebook{b, other} {
		if p == nil {
			continue
		}
		maps.Copy(merged.Reasons, p.Reasons)
		maps.Copy(merged.Tools, p.Tools)
		maps.Copy(merged.NotAskable, p.NotAskable)
		maps.Copy(merged.Say, p.Say)
	}
	return merged
}

// tool is never nil.
func (b *Phrasebook) tool(id string) *ToolPhrases {
	if b != nil {
		if t := b.Tools[id]; t != nil {
			return t
		}
	}
	return &ToolPhrases{}
}

// say is how a constant reads in a sentence, "" where the book does not know it.
func (b *Phrasebook) say(tool, param, value string) string {
	if b == nil {
		return ""
	}
	if words := b.Say[tool+"."+param][value]; words != "" {
		return words
	}
	return b.Say[param][value]
}

// excludes says that no task should use the tool.
func (b *Phrasebook) excludes(id string) bool {
	if b == nil {
		return false
	}
	server, _, _ := strings.Cut(id, "/")
	_, tool := b.NotAskable[id]
	_, whole := b.NotAskable[server+"/*"]
	return tool || whole
}

// mentions says that a phrase of the tool speaks of the parameter.
func (t *ToolPhrases) mentions(param string) bool {
	hole := "{" + param + "}"
	if strings.Contains(t.Scope+t.Does, hole) {
		return true
	}
	for _, v := range t.Values {
		if strings.Contains(v.NP+v.Suffix+v.Constant, hole) {
			return true
		}
	}
	return false
}

// says that the phrasebook can speak of the output at a path when it is passed on; where it knows
// none of a tool's outputs, all are spoken of generically.
func (t *ToolPhrases) says(path string) bool {
	if len(t.Values) == 0 {
		return true
	}
	if v, ok := t.Values[path]; ok {
		return !v.Final
	}
	field, inList := strings.CutPrefix(path, t.List+"/*/")
	return inList && t.List != "" && slices.Contains(t.Keys, field)
}

func sortedFlows(flows map[string][]string) []string {
	return slices.Sorted(maps.Keys(flows))
}
