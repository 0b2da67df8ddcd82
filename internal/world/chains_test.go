package world

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/taskwright/taskwright/datasets"
)

// chain is a chain of calls across servers that a person could want.
type chain struct {
	Title string `json:"title"`
	Steps []struct {
		Tool      string                     `json:"tool"`
		Arguments map[string]json.RawMessage `json:"arguments"` // a constant, or a link
	} `json:"steps"`
}

type link struct {
	Step int32  `json:"step"`
	From string `json:"from"`
	Pick string `json:"pick"`
	By   string `json:"by"`
}

// TestChains runs every chain by its rules and holds that most are four calls
// deep and cross servers.
func TestChains(t *testing.T) {
	var chains []chain
	readJSON(t, "chains.json", &chains)
	deep, crossing := 0, 0
	for _, c := range chains {
		t.Run(c.Title, func(t *testing.T) {
			depth, servers := runChain(t, c)
			if depth >= 4 {
				deep++
			}
			if servers >= 2 {
				crossing++
			}
		})
	}
	if len(chains) < 12 || deep < 6 || crossing != len(chains) {
		t.Errorf("%d chains, %d of depth 4 and more, %d across servers", len(chains), deep, crossing)
	}
}

func runChain(t *testing.T, c chain) (depth, servers int) {
	w := newWorld(t)
	var outputs []any
	var depths []int
	var used []string
	for _, raw := range c.Steps {
		step, stepDepth := datasetStep(t, raw.Tool, raw.Arguments, depths)
		args, err := step.ResolveArguments(outputs)
		if err != nil {
			t.Fatal(err)
		}
		doc := w.document(raw.Tool, args)
		t.Logf("%s %s -> %s", raw.Tool, datasets.EncodeJSON(args), shortened(datasets.EncodeJSON(doc)))
		outputs, depths, used = append(outputs, doc), append(depths, stepDepth), append(used, step.Server)
	}
	slices.Sort(used)
	return slices.Max(depths), len(slices.Compact(used))
}

// datasetStep is the step in the dataset's form, and its depth given the
// depths of the steps before it.
func datasetStep(t *testing.T, id string, arguments map[string]json.RawMessage, depths []int) (datasets.Step, int) {
	t.Helper()
	server, tool, _ := strings.Cut(id, "/")
	step, depth := datasets.Step{Server: server, Tool: tool}, 1
	for name, raw := range arguments {
		a := datasets.Argument{Path: "/" + name, Source: datasets.SourceConstant, Value: string(raw)}
		if raw[0] == '{' {
			var l link
			if err := json.Unmarshal(raw, &l); err != nil {
				t.Fatal(fmt.Errorf("%s, argument %s: %w", id, name, err))
			}
			a = datasets.Argument{Path: "/" + name, Source: datasets.SourceStep, Step: l.Step, From: l.From, Pick: l.Pick, By: l.By}
			depth = max(depth, depths[l.Step-1]+1)
		}
		step.Arguments = append(step.Arguments, a)
	}
	return step, depth
}

func shortened(s string) string {
	if len(s) > 230 {
		return s[:230] + "…"
	}
	return s
}
