package fuzz

import (
	_ "embed"
	"fmt"
	"sync"

	"github.com/goccy/go-yaml"
)

//go:embed bank.yaml
var bankYAML []byte

// phrases are the building blocks of one level. In all of them {x} stands for
// a part; a capital {X} begins a sentence.
type phrases struct {
	Openers   []string `yaml:"openers"`   // with {reason}
	Deeds     []string `yaml:"deeds"`     // with {deeds}: infinitive clauses
	Leads     []string `yaml:"leads"`     // with {asks}: clauses ("which park is …") and noun phrases
	Nouns     []string `yaml:"nouns"`     // with {asks}: noun phrases only
	Questions []string `yaml:"questions"` // with {asks}: direct questions
	More      []string `yaml:"more"`      // like leads, for what comes after
	MoreAsk   []string `yaml:"more_ask"`  // like questions, for what comes after
	Closers   []string `yaml:"closers"`
}

type bank struct {
	Light  phrases `yaml:"light"`
	Medium phrases `yaml:"medium"`
	Heavy  phrases `yaml:"heavy"`
	Spoken []way   `yaml:"spoken"`
}

// way is how people say what a noun phrase asks for; see bank.yaml.
type way struct {
	NP     string   `yaml:"np"`
	Short  bool     `yaml:"short"`
	Ask    []string `yaml:"ask"`
	Casual []string `yaml:"casual"`
	Brief  []string `yaml:"brief"`
	Unit   []string `yaml:"unit"`
}

var loadBank = sync.OnceValue(func() *bank {
	b := &bank{}
	if err := yaml.Unmarshal(bankYAML, b); err != nil {
		panic(fmt.Sprintf("fuzz: reading the phrase bank: %v", err))
	}
	return b
})
