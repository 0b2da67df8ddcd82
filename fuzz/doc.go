// Package fuzz rewrites the instruction of a task as the requests that people
// really make. It has nothing to do with Go's fuzz testing (testing.F).
//
// Each level is one [datasets.Variant]: light is conversational and complete,
// medium is a person's message, heavy is what a busy person types. The texts
// are recombined from the parts of the instruction ([datasets.Part]) with a
// bank of phrases; the seed is the task's id, so the same task always gets the
// same texts.
//
// Whoever wrote a text, two gates judge it:
//
//   - values: every constant that the chain needs is stated, as it is (kept) or
//     in another form (normalised); or it can be inferred by a rule; or it is
//     lost, or altered. Nothing is invented.
//   - leaks: no tool, server or parameter is named, no step is spelled out, and
//     no value is given away that a tool should deliver.
//
// A text that fails is kept with its reasons and status rejected. It is never
// patched: other combinations are tried first, a bounded number of times.
//
// [Vary] makes the variants and finishes the claim list of a task, [Check]
// counts what the gates see in the variants that are there.
package fuzz
