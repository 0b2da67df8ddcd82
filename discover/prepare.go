package discover

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/schema"
)

// Prepare completes what a listing (live or saved) gave: effect, warnings,
// digests, counts and, where the author does not say it, a first guess whether a
// server keeps state. Schemas that
// cannot be used are replaced by an empty one with a warning, so that the tool
// is kept. Of two tools of one name on one server the first is kept.
//
// A tool's digest is over what the server declares, so that it means drift of
// the declaration; what probing observes does not change it.
func Prepare(servers []datasets.Server, tools []datasets.Tool) ([]datasets.Server, []datasets.Tool) {
	servers = slices.Clone(servers)
	kept := make([]datasets.Tool, 0, len(tools))
	seen := map[string]bool{}
	repeated := map[string][]string{}
	for _, t := range tools {
		if seen[t.ID()] {
			repeated[t.Server] = append(repeated[t.Server], t.Name)
			continue
		}
		seen[t.ID()] = true
		prepareTool(&t)
		kept = append(kept, t)
	}
	byServer := map[string][]*datasets.Tool{}
	for i := range kept {
		byServer[kept[i].Server] = append(byServer[kept[i].Server], &kept[i])
	}
	for i := range servers {
		s := &servers[i]
		s.Warnings = slices.Clone(s.Warnings)
		for _, name := range repeated[s.Name] {
			s.Warnings = append(s.Warnings, fmt.Sprintf("tool %s is listed more than once: the first is kept", name))
		}
		prepareServer(s, byServer[s.Name])
	}
	return servers, kept
}

func prepareServer(s *datasets.Server, tools []*datasets.Tool) {
	s.Tools = int32(len(tools))
	parts := []string{"server", s.Name, s.Version}
	state := datasets.StateNone
	disbelieve(s, tools)
	for _, t := range tools {
		parts = append(parts, t.Digest)
		if writes(t) {
			state = datasets.StateSession
		}
	}
	if s.State == "" {
		s.State = state
	}
	s.Digest = datasets.Digest(parts...)
}

// writes says whether a tool is taken to change something.
func writes(t *datasets.Tool) bool {
	return t.Effect == datasets.EffectWrite || t.Effect == datasets.EffectUnknown && changes(t.Name)
}

// disbelieve takes the effect of tools as unknown where the author says that
// the server keeps state and every tool is marked read-only: one is wrong.
func disbelieve(s *datasets.Server, tools []*datasets.Tool) {
	if s.State != datasets.StateSession || slices.ContainsFunc(tools, func(t *datasets.Tool) bool { return t.Effect != datasets.EffectRead }) {
		return
	}
	for _, t := range tools {
		t.Effect = datasets.EffectUnknown
		t.Digest = toolDigest(t)
		t.Warnings = append(t.Warnings, "marked read-only like all tools of a server that keeps state: effect unknown")
	}
}

func prepareTool(t *datasets.Tool) {
	t.Warnings = slices.Clone(t.Warnings)
	warn := func(format string, args ...any) { t.Warnings = append(t.Warnings, fmt.Sprintf(format, args...)) }
	t.InputSchema = usable(t.InputSchema, `{"type":"object"}`, "input schema", warn)
	if t.OutputSchema == "" || t.OutputSchema == "null" {
		t.OutputSchema, t.OutputSchemaSource = "null", datasets.SchemaNone
	} else {
		t.OutputSchema = usable(t.OutputSchema, "null", "output schema", warn)
		t.OutputSchemaSource = datasets.SchemaDeclared
		if t.OutputSchema == "null" {
			t.OutputSchemaSource = datasets.SchemaNone
		}
	}
	if t.Annotations = orNull(t.Annotations); t.Annotations == "null" && t.Effect != "" {
		// A listing that knows the effect by other means keeps it.
	} else {
		t.Effect = effect(t.Annotations, warn)
	}
	if t.Description == "" {
		warn("no description")
	}
	t.Health = datasets.Health{Status: datasets.HealthUntested, Detail: t.Health.Detail, NoInput: len(schema.Params(t.InputSchema)) == 0}
	t.Samples = nil
	sort.Strings(t.Warnings)
	t.Warnings = slices.Compact(t.Warnings)
	t.Digest = toolDigest(t)
}

func toolDigest(t *datasets.Tool) string {
	return datasets.Digest("tool", t.Server, t.Name, t.Title, t.Description, t.InputSchema, t.OutputSchema, t.OutputSchemaSource, t.Annotations, t.Effect)
}

func orNull(raw string) string {
	if c, err := datasets.CanonicalJSON(raw); err == nil {
		return c
	}
	return "null"
}

// usable is the schema in canonical form, or what stands for it.
func usable(raw, instead, what string, warn func(string, ...any)) string {
	if raw == "" || raw == "null" {
		if what == "input schema" {
			warn("no input schema: taken as no parameters")
		}
		return instead
	}
	_, warnings, err := schema.Compile(raw)
	if err != nil {
		warn("%s: %v", what, err)
		return instead
	}
	for _, w := range warnings {
		warn("%s: %s", what, w)
	}
	v, err := datasets.DecodeJSON(raw)
	if err != nil {
		warn("%s: %v", what, err)
		return instead
	}
	object, ok := v.(map[string]any)
	if !ok && what == "input schema" {
		warn("%s is %.20s, not an object: taken as no parameters", what, raw)
		return instead
	}
	if ok && what == "input schema" && object["type"] == nil {
		warn("input schema has no type: taken as an object")
		object["type"] = "object"
	}
	return datasets.EncodeJSON(v)
}

// effect reads MCP annotations. Hints that contradict each other count as the
// more dangerous.
func effect(annotations string, warn func(string, ...any)) string {
	var hints struct {
		ReadOnly    *bool `json:"readOnlyHint"`
		Destructive *bool `json:"destructiveHint"`
	}
	if json.Unmarshal([]byte(annotations), &hints) != nil {
		warn("annotations are not readable: effect unknown")
		return datasets.EffectUnknown
	}
	destructive := hints.Destructive != nil && *hints.Destructive
	switch {
	case hints.ReadOnly != nil && *hints.ReadOnly && destructive:
		warn("marked both read-only and destructive: taken as destructive")
		return datasets.EffectWrite
	case hints.ReadOnly != nil && *hints.ReadOnly:
		return datasets.EffectRead
	case hints.ReadOnly != nil, destructive:
		return datasets.EffectWrite
	}
	return datasets.EffectUnknown
}
