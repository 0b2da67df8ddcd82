package datasets

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCheckTask(t *testing.T) {
	good := sampleTask(0)
	if errs := CheckTask(&good); len(errs) != 0 {
		t.Fatalf("the sample is wrong: %v", errs)
	}
	for _, c := range []struct {
		name  string
		spoil func(*Task)
		want  string
	}{
		{"pointer", func(t *Task) { t.Claims[1].Pointer = "/nowhere" }, `claims[1].pointer: pointer /nowhere does not resolve at "nowhere" in the output of step 2`},
		{"value", func(t *Task) { t.Claims[1].Expected = "55" }, `claims[1].expected: is "55", but step 2 /sites holds "54"`},
		{"set", func(t *Task) { t.Claims[0].Expected = `["Lees"]` }, `claims[0].expected: is "[\"Lees\"]", but step 2 /camps/* holds "[\"Bullfrog\" \"Lees\"]"`},
		{"order", func(t *Task) { t.Claims[0].Kind = ClaimOrder }, "claims[0].expected: is "},
		{"set of no array", func(t *Task) { t.Claims[0].Expected = `"Lees"` }, "claims[0].expected: a set needs an array"},
		{"claim step", func(t *Task) { t.Claims[0].Step = 3 }, "claims[0].step: step 3 does not exist"},
		{"claim id", func(t *Task) { t.Claims[1].ID = "c1" }, "claims[1].id: c1 is used twice"},
		{"tolerance", func(t *Task) { t.Claims[1].Tolerance = math.NaN() }, "claims[1].tolerance: NaN is no tolerance"},
		{"later step", func(t *Task) { t.Chain[1].Arguments[0].Step = 2 }, "chain[1].arguments[0].step: step 2 is not earlier than step 2"},
		{"no step", func(t *Task) { t.Chain[1].Arguments[0].Step = 7 }, "chain[1].arguments[0].step: step 7 does not exist"},
		{"from", func(t *Task) { t.Chain[1].Arguments[0].From = "/parks/*/x" }, "chain[1].arguments[0].from: pointer /parks/1/x does not resolve"},
		{"picked value", func(t *Task) { t.Chain[1].Arguments[0].Pick = PickSmallest }, `chain[1].arguments[0].value: is "\"p2\"", but step 1 /parks/*/id gives "\"p1\""`},
		{"no rule", func(t *Task) { t.Chain[1].Arguments[0].Pick = "" }, "chain[1].arguments[0].pick: no rule"},
		{"path twice", func(t *Task) { t.Chain[0].Arguments = append(t.Chain[0].Arguments, t.Chain[0].Arguments[0]) }, "chain[0].arguments[1].path: /state is set twice"},
		{"part", func(t *Task) { t.Outline[1].Claims = []string{"c1", "c9"} }, "outline[1].claims[1]: claim c9 does not exist"},
		{"reference arguments", func(t *Task) { t.Reference[0].Arguments = `{"state":"NV"}` }, "reference[0].arguments: is "},
		{"reference tool", func(t *Task) { t.Reference[1].Tool = "find" }, "reference[1].tool: is parks/find, but step 2 is parks/camps"},
		{"reference missing", func(t *Task) { t.Reference = t.Reference[:1] }, "reference: has 1 calls for 2 steps"},
		{"tools", func(t *Task) { t.RequiredTools = []string{"parks/find"} }, "required_tools: is "},
		{"exposed", func(t *Task) { t.ExposedTools = []string{"parks/find"} }, "required_tools[1]: parks/camps is not among the exposed tools"},
		{"two variants", func(t *Task) { t.Variants[1] = t.Variants[0] }, "variants[1].level: light has two accepted variants"},
		{"score", func(t *Task) { t.Scores[0].Value = 0 }, "scores[0].value: 0 is not between 1 and 10"},
		{"no chain", func(t *Task) { *t = Task{ID: "x"} }, "chain: has no steps"},
	} {
		t.Run(c.name, func(t *testing.T) {
			task := sampleTask(0)
			c.spoil(&task)
			var got []string
			for _, e := range CheckTask(&task) {
				got = append(got, e.Error())
			}
			if !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, c.want) }) {
				t.Errorf("got %q, want %s", got, c.want)
			}
		})
	}
}

// spoiled writes the sample with some tables replaced.
func spoiled(t *testing.T, write func(tx *Tx)) *Validation {
	t.Helper()
	d := sampleDir(t, 2)
	tx, err := d.Begin()
	must(t, err)
	write(tx)
	must(t, tx.Commit(StageLog{}))
	return d.Validate(0)
}

func TestValidateAcrossRows(t *testing.T) {
	for _, c := range []struct {
		name  string
		write func(tx *Tx) error
		want  string
	}{
		{"edge", func(tx *Tx) error {
			e := sampleEdges()
			e[0].ToTool, e[0].Score, e[0].Kind = "gone", 2, "magic"
			return tx.WriteEdges(All(e))
		}, `catalog/edges.parquet: row 1: kind: "magic" is none of "proposed", "schema", "declared", "observed", "verified"
catalog/edges.parquet: row 1: to_tool: parks/gone is not in the catalog
catalog/edges.parquet: row 1: score: 2 is not between 0 and 1`},
		{"tool", func(tx *Tx) error {
			s := sampleTools()
			s[1].Name, s[1].Server = "find", "parks"
			s[0].Server = "zoo"
			s[0].Name = "tool"
			s = append(s, s[1])
			return tx.WriteTools(All(s[:2]))
		}, "catalog/tools.parquet: row 1: server: zoo is not in the catalog"},
		{"tape", func(tx *Tx) error {
			c := sampleCalls()
			c[0].Key = "k"
			c[1].Arguments = `{ "park":"p2"}`
			return tx.WriteTape(All(append(c, c[1])))
		}, `tape/calls-00000-of-00001.parquet: row 1: key: is not the digest of server, tool, arguments and history
tape/calls-00000-of-00001.parquet: row 2: arguments: is not canonical: "{ \"park\":\"p2\"}"
tape/calls-00000-of-00001.parquet: row 3: key: "` + sampleCalls()[1].Key + `" is used twice`},
		{"task", func(tx *Tx) error {
			return tx.WriteTasks(All([]Task{sampleTask(0), sampleTask(1), sampleTask(0)}))
		}, `tasks/candidates-00000-of-00001.parquet: row 3: id: "` + sampleTask(0).ID + `" is used twice`},
		{"run", func(tx *Tx) error {
			tr, sc := sampleRun(1)
			tr[0].Task, sc[0].Task, sc[1].Run = "nobody", "nobody", "r2"
			return tx.WriteRun(Run{ID: "r1"}, All(tr), All(sc))
		}, `runs/r1/trajectories-00000-of-00001.parquet: row 1: task: "nobody" does not exist
runs/r1/scores-00000-of-00001.parquet: row 1: task: "nobody" does not exist
runs/r1/scores-00000-of-00001.parquet: row 2: run: is "r2", but the folder is "r1"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := spoiled(t, func(tx *Tx) { must(t, c.write(tx)) })
			var got []string
			for _, p := range v.Errors {
				got = append(got, p.String())
			}
			for _, want := range strings.Split(c.want, "\n") {
				if !slices.Contains(got, want) {
					t.Errorf("missing %s\nin %s", want, strings.Join(got, "\n   "))
				}
			}
		})
	}
}

func TestValidateIsBounded(t *testing.T) {
	d := sampleDir(t, 2)
	tx, err := d.Begin()
	must(t, err)
	must(t, tx.WriteTasks(All(make([]Task, 300))))
	must(t, tx.Commit(StageLog{}))
	v := d.Validate(10)
	if len(v.Errors) != 10 || v.Total < 600 || v.Rows != 300+2+2+1+2+2+4 {
		t.Errorf("%d errors kept of %d, %d rows", len(v.Errors), v.Total, v.Rows)
	}
}

func TestValidateTruncatedFile(t *testing.T) {
	d := sampleDir(t, 2)
	path := d.file("catalog/edges.parquet")
	must(t, os.Truncate(path, 50))
	v := mustOpen(t, d.Path()).Validate(0)
	if v.Total < 2 || v.Errors[0].File != "catalog/edges.parquet" || !strings.Contains(v.Errors[0].Message, "has 50 bytes, the manifest says ") {
		t.Errorf("%+v", v.Errors)
	}
	if _, err := mustOpen(t, d.Path()).Info(); err == nil || !strings.Contains(err.Error(), "reading catalog/edges.parquet: ") {
		t.Errorf("info: %v", err)
	}
}

func TestCompare(t *testing.T) {
	a, b := sampleDir(t, 3), sampleDir(t, 3)
	diff, err := Compare(a, b)
	must(t, err)
	if !diff.Empty() || diff.Tasks.Unchanged != 3 {
		t.Errorf("%+v", diff)
	}
	tx, err := b.Begin()
	must(t, err)
	changed := sampleTask(0)
	changed.Status, changed.Claims[1].Tolerance = StatusRejected, 0.5
	must(t, tx.WriteTasks(All([]Task{sampleTask(5), changed, sampleTask(2)})))
	tools := sampleTools()
	tools[0].Description = "New."
	must(t, tx.WriteTools(All(tools)))
	must(t, tx.Commit(StageLog{}))
	if diff, err = Compare(a, b); err != nil {
		t.Fatal(err)
	}
	want := &Diff{
		Tasks: TableDiff{Added: []string{sampleTask(5).ID}, Removed: []string{sampleTask(1).ID}, Changed: []RowChange{{changed.ID, []string{"claims", "status"}}}, Unchanged: 1},
		Tools: TableDiff{Added: []string{}, Removed: []string{}, Changed: []RowChange{{"parks/find", []string{"description"}}}, Unchanged: 1},
	}
	if d := cmp.Diff(want, diff); d != "" {
		t.Error(d)
	}
}
