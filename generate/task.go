package generate

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// task makes the row of a candidate.
func (g *generator) task(rng *rand.Rand, d *draft, w written) *datasets.Task {
	pattern, depth, width := d.shape()
	t := &datasets.Task{
		Pattern: pattern, Depth: int32(depth), Width: int32(width), CrossServer: d.crossServer(),
		DependencyAnalysis: analysis(d), Instruction: w.instruction, Outline: w.outline, Claims: w.claims, ReferenceAnswer: w.answer,
		Status: datasets.StatusCandidate, Proof: datasets.ProofExecuted, Split: datasets.SplitCandidates,
		Provenance: datasets.Provenance{Author: "grounded", Seed: g.Seed, Version: g.Version, Catalog: g.digest},
	}
	for i, s := range d.steps {
		t.Chain = append(t.Chain, datasets.Step{Server: s.tool.Server, Tool: s.tool.Name, Arguments: s.args})
		t.Reference = append(t.Reference, datasets.Executed{
			Step: int32(i + 1), Server: s.tool.Server, Tool: s.tool.Name,
			Arguments: s.sent, Output: datasets.EncodeJSON(s.doc), TapeKey: s.call.Key,
		})
		if !slices.Contains(t.RequiredTools, s.tool.ID()) {
			t.RequiredTools = append(t.RequiredTools, s.tool.ID())
		}
		if !slices.Contains(t.Servers, s.tool.Server) {
			t.Servers = append(t.Servers, s.tool.Server)
		}
	}
	slices.Sort(t.Servers)
	for i := range t.Claims {
		t.Claims[i].Volatile = d.at(int(t.Claims[i].Step)).call.Volatile
	}
	t.DistractorServers = g.distractors(rng, t.Servers)
	t.ExposedTools = g.exposed(t)
	t.ID = taskID(t, g.Seed)
	return t
}

// taskID is the digest of chain, values and seed, cut to 16 digits.
func taskID(t *datasets.Task, seed int64) string {
	chain, err := json.Marshal(t.Chain)
	if err != nil {
		panic("generate: encoding a chain: " + err.Error())
	}
	var asked []string
	for _, c := range t.Claims {
		asked = append(asked, fmt.Sprint(c.Step, c.Pointer))
	}
	return datasets.Digest("task", string(chain), strings.Join(asked, " "), fmt.Sprint(seed))[:16]
}

// distractors draws servers that the task does not need.
func (g *generator) distractors(rng *rand.Rand, required []string) []string {
	var others []string
	for _, s := range g.servers {
		if s.Status == datasets.ServerOK && !slices.Contains(required, s.Name) {
			others = append(others, s.Name)
		}
	}
	rng.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
	others = others[:min(len(others), g.Distractors)]
	slices.Sort(others)
	return others
}

// exposed lists the tools of the required and the distractor servers.
func (g *generator) exposed(t *datasets.Task) []string {
	var out []string
	for _, id := range g.catalog.ids {
		server := g.catalog.byID[id].Server
		if slices.Contains(t.Servers, server) || slices.Contains(t.DistractorServers, server) {
			out = append(out, id)
		}
	}
	return out
}

// analysis tells a judge in prose what depends on what.
func analysis(d *draft) string {
	var lines []string
	for i, s := range d.steps {
		needs := []string{}
		for j := range s.args {
			if a := &s.args[j]; a.Source == datasets.SourceStep {
				needs = append(needs, fmt.Sprintf("%s from %s of step %d (%s)", strings.TrimPrefix(a.Path, "/"), a.From, a.Step, rule(a)))
			}
		}
		line := fmt.Sprintf("Step %d, %s, ", i+1, s.tool.ID())
		if len(needs) == 0 {
			line += "needs only what the text states."
		} else {
			line += "needs " + enumerate(needs) + "."
		}
		lines = append(lines, line)
	}
	pattern, depth, width := d.shape()
	lines = append(lines, fmt.Sprintf("The pattern is %s: %s at most, %s on the longest path.", pattern, count(width, "call")+" at once", count(depth, "call")))
	return strings.Join(lines, " ")
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %s", n, plural(noun))
}

func rule(a *datasets.Argument) string {
	by := a.By[strings.LastIndex(a.By, "/")+1:]
	switch a.Pick {
	case datasets.PickLargest:
		return "the element with the largest " + by
	case datasets.PickSmallest:
		return "the element with the smallest " + by
	case datasets.PickEqual:
		return "the element whose " + by + " is " + a.Equal
	case datasets.PickFirst:
		return "the first element"
	case datasets.PickAll:
		return "all elements"
	}
	return "the only value"
}
