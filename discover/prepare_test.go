package discover

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/taskwright/taskwright/datasets"
)

func TestPrepareEffect(t *testing.T) {
	for annotations, want := range map[string]string{
		`{"readOnlyHint":true}`:                        datasets.EffectRead,
		`{"readOnlyHint":false}`:                       datasets.EffectWrite,
		`{"destructiveHint":true}`:                     datasets.EffectWrite,
		`{"readOnlyHint":true,"destructiveHint":true}`: datasets.EffectWrite,
		`{"title":"x"}`:                                datasets.EffectUnknown,
		`null`:                                         datasets.EffectUnknown,
		``:                                             datasets.EffectUnknown,
		`{"readOnlyHint":"yes"}`:                       datasets.EffectUnknown,
		`{"readOnlyHint":true,"destructiveHint":false}`: datasets.EffectRead,
	} {
		_, tools := Prepare(nil, []datasets.Tool{{Server: "s", Name: "t", Annotations: annotations}})
		if tools[0].Effect != want {
			t.Errorf("%s: %s, want %s", annotations, tools[0].Effect, want)
		}
	}
}

func TestPrepareState(t *testing.T) {
	for name, want := range map[string]string{
		"hash": datasets.StateNone, "get_time": datasets.StateNone, "createEntities": datasets.StateSession,
		"mark_task_done": datasets.StateSession, "settings": datasets.StateNone, "git_commit": datasets.StateSession,
	} {
		servers, _ := Prepare([]datasets.Server{{Name: "s"}}, []datasets.Tool{{Server: "s", Name: name}})
		if servers[0].State != want {
			t.Errorf("%s: state %s, want %s", name, servers[0].State, want)
		}
	}
}

func TestPrepareKeepsEveryTool(t *testing.T) {
	tests := []struct{ schema, want, warning string }{
		{``, `{"type":"object"}`, "no input schema"},
		{`{"$schema":"http://json-schema.org/draft-07/schema#"}`, `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}`, "has no type"},
		{`true`, `{"type":"object"}`, "not an object"},
		{`{"type":`, `{"type":"object"}`, "not JSON"},
		{`{"type":"object","properties":{"a":{"pattern":"(?!x)"}}}`, `{"properties":{"a":{"pattern":"(?!x)"}},"type":"object"}`, "does not compile"},
	}
	for _, test := range tests {
		_, tools := Prepare(nil, []datasets.Tool{{Server: "s", Name: "t", Description: "d", InputSchema: test.schema}})
		if d := cmp.Diff(test.want, tools[0].InputSchema); d != "" {
			t.Error(d)
		}
		if !strings.Contains(strings.Join(tools[0].Warnings, "\n"), test.warning) {
			t.Errorf("%s: warnings %q, want one with %q", test.schema, tools[0].Warnings, test.warning)
		}
	}
}

func TestPrepareDigest(t *testing.T) {
	digest := func(change func(*datasets.Tool)) string {
		tool := datasets.Tool{Server: "s", Name: "t", InputSchema: `{"type":"object"}`}
		change(&tool)
		_, tools := Prepare(nil, []datasets.Tool{tool})
		return tools[0].Digest
	}
	base := digest(func(*datasets.Tool) {})
	if digest(func(t *datasets.Tool) { t.InputSchema = `{ "type": "object" }` }) != base {
		t.Error("white space changed the digest")
	}
	for name, change := range map[string]func(*datasets.Tool){
		"description": func(t *datasets.Tool) { t.Description = "x" },
		"schema":      func(t *datasets.Tool) { t.InputSchema = `{"type":"object","required":["a"]}` },
		"output":      func(t *datasets.Tool) { t.OutputSchema = `{"type":"object"}` },
		"annotations": func(t *datasets.Tool) { t.Annotations = `{"readOnlyHint":true}` },
	} {
		if digest(change) == base {
			t.Errorf("%s did not change the digest", name)
		}
	}
}

func TestPrepareRepeatedTool(t *testing.T) {
	tool := datasets.Tool{Server: "s", Name: "t"}
	servers, tools := Prepare([]datasets.Server{{Name: "s"}}, []datasets.Tool{tool, tool})
	if len(tools) != 1 || servers[0].Tools != 1 || len(servers[0].Warnings) != 1 {
		t.Errorf("%d tools, server %+v", len(tools), servers[0])
	}
}
