package datasets

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const interopDir = "../ci/interop"

// TestInterop has DuckDB, pyarrow and Hugging Face datasets read what this
// package writes. Every row must come back equal, nested lists included.
func TestInterop(t *testing.T) {
	for _, engine := range []struct {
		name   string
		need   string // word in TASKWRIGHT_REQUIRE
		why    string
		find   func() string
		script string
		time   string // type of a time column
	}{
		{"duckdb", "npm", "node with ci/interop/node_modules (npm ci --prefix ci/interop)", findNode, "duckdb.js", "TIMESTAMP WITH TIME ZONE"},
		{"pyarrow", "python", "ci/interop/.venv with pyarrow", findPython, "arrow.py", "timestamp[us, tz=UTC]"},
		{"huggingface", "python", "ci/interop/.venv with datasets", findPython, "huggingface.py", ""},
	} {
		t.Run(engine.name, func(t *testing.T) {
			program := engine.find()
			if program == "" {
				missing(t, engine.need, engine.why)
			}
			d := sampleDir(t, 40)
			got := runInterop(t, program, engine.script, d.Path())
			for table, want := range interopRows(t, d) {
				found, ok := got[table]
				if !ok {
					found = got[table+"-r1"] // the config of a run
				}
				if diff := cmp.Diff(want, found.Rows); diff != "" {
					t.Errorf("%s (-written +read):\n%s", table, diff)
				}
			}
			if engine.time != "" && got[TableTrajectories].Types["started"] != engine.time {
				t.Errorf("trajectories.started is %s, want %s", got[TableTrajectories].Types["started"], engine.time)
			}
		})
	}
}

// TestInteropOfCarriedColumns has other programs read a file that keeps the
// columns of a newer version.
func TestInteropOfCarriedColumns(t *testing.T) {
	d := newerDir(t)
	tasks, err := Collect(d.Tasks())
	must(t, err)
	tasks[0].Claims = append([]Claim{{ID: "c9"}}, tasks[0].Claims...)
	rewrite(t, d, append(tasks, Task{ID: "d"}))
	for _, engine := range []struct {
		need, script string
		find         func() string
	}{{"npm", "duckdb.js", findNode}, {"python", "arrow.py", findPython}} {
		t.Run(engine.script, func(t *testing.T) {
			program := engine.find()
			if program == "" {
				missing(t, engine.need, engine.need)
			}
			writeEmptyTables(t, d)
			rows := runInterop(t, program, engine.script, d.Path())[TableTasks].Rows
			var got []string
			for _, r := range rows {
				row := r.(map[string]any)
				var weights []any
				for _, c := range row["claims"].([]any) {
					weights = append(weights, c.(map[string]any)["weight"])
				}
				raw, err := json.Marshal([]any{row["id"], row["difficulty"], row["maybe"], row["when"], row["tags"], weights})
				must(t, err)
				got = append(got, string(raw))
			}
			want := []string{`["a",0.5,7,1764547200000000,["x","y"],[null,1,2,3]]`, `["b",0.25,null,0,[],null]`, `["c",0.75,null,0,["z"],[9]]`, `["d",null,null,null,null,null]`}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// writeEmptyTables makes the files that the scripts look for.
func writeEmptyTables(t *testing.T, d *Dir) {
	t.Helper()
	tx, err := d.Begin()
	must(t, err)
	must(t, tx.WriteServers(All[Server](nil)))
	must(t, tx.WriteTools(All[Tool](nil)))
	must(t, tx.WriteEdges(All[Edge](nil)))
	must(t, tx.WriteTape(All[Call](nil)))
	must(t, tx.WriteRun(Run{ID: "r1"}, All[Trajectory](nil), All[Score](nil)))
	must(t, tx.Commit(StageLog{}))
}

type interopTable struct {
	Types map[string]string `json:"types"`
	Rows  []any             `json:"rows"`
}

func runInterop(t *testing.T, program, script, dir string) map[string]interopTable {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, filepath.Join(interopDir, script), dir)
	cmd.WaitDelay = time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Env = append(os.Environ(), "HF_HOME="+t.TempDir())
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", script, err, stderr.String())
	}
	var tables map[string]interopTable
	if err := json.Unmarshal(stdout.Bytes(), &tables); err != nil {
		t.Fatal(err)
	}
	return tables
}

// interopRows is what the dataset holds, as decoded JSON.
func interopRows(t *testing.T, d *Dir) map[string][]any {
	t.Helper()
	rows := map[string][]any{}
	for _, l := range tables {
		if l.row == nil {
			continue
		}
		raw, err := d.Head(l.table, 1000)
		must(t, err)
		for _, r := range raw {
			var row any
			must(t, json.Unmarshal(r, &row))
			rows[l.table] = append(rows[l.table], row)
		}
	}
	return rows
}

func findNode() string {
	node, err := exec.LookPath("node")
	if err != nil {
		return ""
	}
	if _, err := os.Stat(filepath.Join(interopDir, "node_modules/@duckdb/node-api")); err != nil {
		return ""
	}
	return node
}

func findPython() string {
	if p := os.Getenv("TASKWRIGHT_PYTHON"); p != "" {
		return p
	}
	python, err := filepath.Abs(filepath.Join(interopDir, ".venv/bin/python"))
	if err != nil {
		return ""
	}
	if _, err := os.Stat(python); err != nil {
		return ""
	}
	return python
}

// missing skips the test, or fails it when the environment says that the
// program must be there.
func missing(t testing.TB, word, what string) {
	t.Helper()
	if slices.Contains(strings.Split(os.Getenv("TASKWRIGHT_REQUIRE"), ","), word) {
		t.Fatalf("%s is required but missing: %s", word, what)
	}
	t.Skipf("needs %s", what)
}
