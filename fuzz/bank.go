package fuzz

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
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
}

var loadBank = sync.OnceValue(func() *bank {
	b := &bank{}
	if err := yaml.Unmarshal(bankYAML, b); err != nil {
		panic(fmt.Sprintf("fuzz: reading the phrase bank: %v", err))
	}
	return b
})

func choose(rng *rand.Rand, list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[rng.IntN(len(list))]
}
