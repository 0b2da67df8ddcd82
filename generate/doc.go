// Package generate writes candidate tasks over chains of tools.
//
// A candidate is made from the inside out, execution first:
//
//  1. grow.go takes a tool, calls it with arguments that discovery proved, and
//     follows edges of the tool graph: values that came back become arguments
//     of the next call, by a rule that a person could state ("the largest by
//     area"). Every call really runs; a call that fails is dropped.
//  2. ask.go decides what the person wants to know: outputs that no constant
//     of the text gives away, at least one for each end of the chain. Each
//     becomes claims with a pointer into the outputs.
//  3. The author (noun.go, text.go) turns asks into noun phrases, from a
//     [Phrasebook] where there is one and from schemas and descriptions
//     (generic.go) where there is none, and composes the instruction from them.
//
// The order of candidates, and everything in them, follows from the seed and
// the answers of the tools.
package generate
