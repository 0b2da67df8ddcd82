package generate

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/literal"
	"pgregory.net/rapid"
)

func lakeBook(t testing.TB) *Phrasebook {
	t.Helper()
	b, err := ParsePhrasebook([]byte(lakePhrases))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func lakeTasks(t testing.TB, opts Options) *Result {
	t.Helper()
	servers, tools, edges := lakeCatalog()
	opts.Open = func(context.Context) (Session, error) { return lakeWorld{}, nil }
	r, err := Generate(context.Background(), servers, tools, edges, &opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// check holds what is true of every task that generation may return.
func check(t interface {
	Errorf(string, ...any)
}, task *datasets.Task) {
	var outputs []any
	text := literal.Parse(task.Instruction)
	for i := range task.Chain {
		args, err := task.Chain[i].ResolveArguments(outputs)
		if err != nil {
			t.Errorf("%s: step %d: %v", task.ID, i+1, err)
			return
		}
		if sent := datasets.EncodeJSON(args); sent != task.Reference[i].Arguments {
			t.Errorf("%s: step %d: the rules give %s, the run sent %s", task.ID, i+1, sent, task.Reference[i].Arguments)
		}
		out, err := datasets.DecodeJSON(task.Reference[i].Output)
		if err != nil {
			t.Errorf("%s: step %d: output: %v", task.ID, i+1, err)
		}
		outputs = append(outputs, out)
	}
	for _, c := range task.Claims {
		m, err := datasets.Resolve(outputs[c.Step-1], c.Pointer)
		if err != nil {
			t.Errorf("%s: claim %s: %v", task.ID, c.ID, err)
			continue
		}
		found := datasets.EncodeJSON(m[0].Value)
		if c.Kind == datasets.ClaimSet {
			all := []any{}
			for _, v := range m {
				all = append(all, v.Value)
			}
			found = datasets.EncodeJSON(all)
		}
		if found != c.Expected {
			t.Errorf("%s: claim %s expects %s, the output has %s", task.ID, c.ID, c.Expected, found)
		}
		if c.Kind != datasets.ClaimSet && givenAway(task.Instruction, &c) {
			t.Errorf("%s: the instruction gives %s away: %s", task.ID, c.Expected, task.Instruction)
		}
	}
	for i, s := range task.Chain {
		for _, a := range s.Arguments {
			v, _ := datasets.DecodeJSON(a.Value)
			if a.Source == datasets.SourceConstant && text.Contains(v) == literal.Lost && (a.Said == "" || text.Contains(a.Said) == literal.Lost) {
				t.Errorf("%s: step %d: %s = %s is not stated: %s", task.ID, i+1, a.Path, a.Value, task.Instruction)
			}
		}
	}
}

func TestGenerate(t *testing.T) {
	r := lakeTasks(t, Options{N: 12, Seed: 1, Phrasebook: lakeBook(t)})
	if len(r.Tasks) < 8 {
		t.Fatalf("%d tasks from a catalog that holds more", len(r.Tasks))
	}
	seen := map[string]bool{}
	patterns := map[string]int{}
	for i := range r.Tasks {
		task := &r.Tasks[i]
		check(t, task)
		t.Logf("%s: %s\n    %s", task.Pattern, task.Instruction, task.ReferenceAnswer)
		if seen[task.ID] {
			t.Errorf("task id %s twice", task.ID)
		}
		seen[task.ID] = true
		patterns[task.Pattern]++
		if slices.Contains(task.DistractorServers, task.Servers[0]) {
			t.Errorf("%s: a required server is a distractor", task.ID)
		}
	}
	if patterns[datasets.PatternHybrid] == 0 || patterns[datasets.PatternLinear] == 0 {
		t.Errorf("patterns %v: want linear and hybrid", patterns)
	}
}

func TestGenerateIsDeterministic(t *testing.T) {
	one, err := json.Marshal(lakeTasks(t, Options{N: 10, Seed: 7}).Tasks)
	if err != nil {
		t.Fatal(err)
	}
	two, err := json.Marshal(lakeTasks(t, Options{N: 10, Seed: 7}).Tasks)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(one), string(two)); diff != "" {
		t.Errorf("the same seed gives different tasks:\n%s", diff)
	}
	other, err := json.Marshal(lakeTasks(t, Options{N: 10, Seed: 8}).Tasks)
	if err != nil {
		t.Fatal(err)
	}
	if string(one) == string(other) {
		t.Error("another seed gives the same tasks")
	}
}

func TestGenerateWithoutPhrasebook(t *testing.T) {
	r := lakeTasks(t, Options{N: 10, Seed: 3})
	if len(r.Tasks) < 5 {
		t.Fatalf("%d tasks", len(r.Tasks))
	}
	for i := range r.Tasks {
		check(t, &r.Tasks[i])
		t.Log(r.Tasks[i].Instruction)
	}
}

func TestGenerateAnySeed(t *testing.T) {
	book := lakeBook(t)
	rapid.Check(t, func(rt *rapid.T) {
		opts := Options{N: 4, Seed: rapid.Int64().Draw(rt, "seed")}
		if rapid.Bool().Draw(rt, "phrasebook") {
			opts.Phrasebook = book
		}
		r := lakeTasks(t, opts)
		for i := range r.Tasks {
			check(rt, &r.Tasks[i])
		}
	})
}

func TestGenerateEmptyCatalog(t *testing.T) {
	r, err := Generate(context.Background(), nil, nil, nil, &Options{Open: func(context.Context) (Session, error) { return lakeWorld{}, nil }})
	if err != nil || len(r.Tasks) != 0 {
		t.Errorf("tasks %d, error %v; want none", len(r.Tasks), err)
	}
}

func TestSinglePattern(t *testing.T) {
	r := lakeTasks(t, Options{N: 2, Seed: 1, Patterns: []string{datasets.PatternSingle}, Phrasebook: lakeBook(t)})
	for _, task := range r.Tasks {
		if task.Pattern != datasets.PatternSingle || len(task.Chain) != 1 || task.Depth != 1 {
			t.Errorf("pattern %s with %d steps", task.Pattern, len(task.Chain))
		}
	}
	if len(r.Tasks) == 0 {
		t.Error("no task")
	}
}

func TestPhrasebookRefusesUnknownKeys(t *testing.T) {
	_, err := ParsePhrasebook([]byte("tools:\n  a/b: {nuon: park}\n"))
	if err == nil || !strings.Contains(err.Error(), "nuon") {
		t.Errorf("error %v, want one that names the key", err)
	}
}
