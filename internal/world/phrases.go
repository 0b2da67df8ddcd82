package world

import (
	_ "embed"
	"slices"
)

//go:embed data/phrases.yaml
var phrases []byte

// Phrases is the phrasebook of the embedded servers in YAML: how a person
// would say what their tools deliver, why they would want it, and how
// constants read in a sentence.
func Phrases() []byte { return slices.Clone(phrases) }
