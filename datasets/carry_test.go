package datasets

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Rows of a newer minor version: the columns of today and some more.
type (
	newerTask struct {
		ID         string          `parquet:"id"`
		Claims     []newerClaim    `parquet:"claims,list"`
		Chain      []newerStep     `parquet:"chain,list"`
		Status     string          `parquet:"status"`
		Split      string          `parquet:"split"`
		Provenance newerProvenance `parquet:"provenance"`
		Difficulty float64         `parquet:"difficulty"`
		Maybe      *int64          `parquet:"maybe,optional"`
		When       int64           `parquet:"when,timestamp(microsecond)"`
		Tags       []string        `parquet:"tags,list"`
		Notes      []newerNote     `parquet:"notes,list"`
	}
	newerClaim struct {
		ID     string   `parquet:"id"`
		Weight float64  `parquet:"weight"`
		Also   []string `parquet:"also,list"`
	}
	newerStep struct {
		Tool      string     `parquet:"tool"`
		Arguments []newerArg `parquet:"arguments,list"`
	}
	newerArg struct {
		Path string `parquet:"path"`
		Why  string `parquet:"why"`
	}
	newerProvenance struct {
		Seed int64  `parquet:"seed"`
		Host string `parquet:"host"`
	}
	newerNote struct {
		Who  string   `parquet:"who"`
		What []string `parquet:"what,list"`
	}
)

func newerTasks() []newerTask {
	n := int64(7)
	return []newerTask{
		{ID: "a", Split: SplitCandidates, Status: StatusCandidate, Difficulty: 0.5, Maybe: &n, When: 1764547200000000, Tags: []string{"x", "y"},
			Notes:      []newerNote{{"ann", []string{"one", "two"}}, {"bob", []string{}}},
			Provenance: newerProvenance{3, "h1"},
			Claims:     []newerClaim{{"c1", 1, []string{"p", "q"}}, {"c2", 2, []string{}}, {"c3", 3, []string{"r"}}},
			Chain:      []newerStep{{"t1", []newerArg{{"/x", "wx"}, {"/y", "wy"}}}, {"t2", []newerArg{}}, {"t3", []newerArg{{"/x", "w3"}}}}},
		{ID: "b", Split: SplitCandidates, Status: StatusCandidate, Difficulty: 0.25, Tags: []string{}, Notes: []newerNote{}, Provenance: newerProvenance{4, "h2"},
			Claims: []newerClaim{}, Chain: []newerStep{}},
		{ID: "c", Split: SplitCandidates, Status: StatusCandidate, Difficulty: 0.75, Tags: []string{"z"}, Notes: []newerNote{}, Provenance: newerProvenance{5, "h3"},
			Claims: []newerClaim{{"c1", 9, []string{"s"}}}, Chain: []newerStep{}},
	}
}

// newerDir is a dataset that a newer minor version wrote.
func newerDir(t *testing.T) *Dir {
	t.Helper()
	d, err := Create(t.TempDir())
	must(t, err)
	t.Cleanup(func() { d.Close() })
	path := "tasks/candidates-00000-of-00001.parquet"
	must(t, os.Mkdir(d.file("tasks"), 0o755))
	f, err := WriteFile(d.file(path), All(newerTasks()), &WriterOptions{Table: TableTasks, Format: "1.9"})
	must(t, err)
	f.Path = path
	must(t, os.WriteFile(d.file("embeddings.bin"), []byte("xyz"), 0o644))
	m := Manifest{Format: "1.9", Canary: Canary, Files: []File{f, {Path: "embeddings.bin", Table: "embeddings", Bytes: 3, SHA256: "3608bca1e44ea6c4d268eb6db02260269892c0b42b86bbf1e77a6fa16c3c9282"}}}
	m.extra = map[string]rawJSON{"signature": rawJSON(`{"by":"ann"}`)}
	raw, err := m.encode()
	must(t, err)
	must(t, os.WriteFile(filepath.Join(d.Path(), ManifestName), raw, 0o644))
	newer, err := Open(d.Path())
	must(t, err)
	t.Cleanup(func() { newer.Close() })
	return newer
}

func TestUnknownColumnsSurviveARewrite(t *testing.T) {
	d := newerDir(t)
	tasks, err := Collect(d.Tasks())
	must(t, err)
	// c before a, b gone, d new; claims of a reordered, one dropped, one added.
	a, c := tasks[0], tasks[2]
	a.Status = StatusAccepted
	a.Claims = []Claim{a.Claims[2], {ID: "c9"}, a.Claims[0]}
	a.Chain[0].Arguments = []Argument{{Path: "/new"}, a.Chain[0].Arguments[1]}
	rewrite(t, d, []Task{c, a, {ID: "d", Split: SplitCandidates}})

	again, err := Open(d.Path())
	must(t, err)
	defer again.Close()
	got, err := Collect(Rows[newerTask](again, TableTasks))
	must(t, err)
	was := newerTasks()
	wantA, wantC := was[0], was[2]
	wantA.Status = StatusAccepted
	wantA.Claims = []newerClaim{was[0].Claims[2], {ID: "c9", Also: []string{}}, was[0].Claims[0]}
	wantA.Chain[0].Arguments = []newerArg{{"/new", ""}, {"/y", "wy"}}
	wantD := newerTask{ID: "d", Split: SplitCandidates, Claims: []newerClaim{}, Chain: []newerStep{}, Tags: []string{}, Notes: []newerNote{}}
	if diff := cmp.Diff([]newerTask{wantC, wantA, wantD}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	known, err := Collect(again.Tasks())
	must(t, err)
	if len(known) != 3 || known[1].Status != StatusAccepted || known[1].Claims[1].ID != "c9" {
		t.Errorf("known columns: %+v", known)
	}
}

func TestUnknownColumnsSurviveTwice(t *testing.T) {
	d := newerDir(t)
	for range 3 {
		tasks, err := Collect(d.Tasks())
		must(t, err)
		rewrite(t, d, tasks)
	}
	got, err := Collect(Rows[newerTask](d, TableTasks))
	must(t, err)
	if diff := cmp.Diff(newerTasks(), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	first := d.Manifest().Table(TableTasks)[0]
	rewrite(t, d, slices.Collect(func(yield func(Task) bool) {
		for task, err := range d.Tasks() {
			must(t, err)
			if !yield(task) {
				return
			}
		}
	}))
	if again := d.Manifest().Table(TableTasks)[0]; again != first {
		t.Errorf("the same rows gave %+v, then %+v", first, again)
	}
}

func rewrite(t *testing.T, d *Dir, tasks []Task) {
	t.Helper()
	tx, err := d.Begin()
	must(t, err)
	must(t, tx.WriteTasks(All(tasks)))
	must(t, tx.Commit(StageLog{Stage: "filter"}))
}

func TestUnknownFilesAndManifestKeysAreKept(t *testing.T) {
	d := newerDir(t)
	rewrite(t, d, []Task{{ID: "only"}})
	again, err := Open(d.Path())
	must(t, err)
	defer again.Close()
	m := again.Manifest()
	if m.Format != "1.9" || string(m.extra["signature"]) == "" {
		t.Errorf("manifest has format %s and extra keys %v", m.Format, m.extra)
	}
	raw, err := os.ReadFile(again.file("embeddings.bin"))
	if err != nil || string(raw) != "xyz" || m.Files[0].Path != "embeddings.bin" {
		t.Errorf("unknown file: %q, %v; manifest %v", raw, err, m.Files)
	}
	info, err := again.Info()
	must(t, err)
	if !slices.Equal(info.Other, []string{"embeddings.bin"}) {
		t.Errorf("info lists %v as other files", info.Other)
	}
}
