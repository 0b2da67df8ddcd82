package datasets

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
)

// eachField visits every field of every row type, nested ones included.
func eachField(visit func(owner reflect.Type, f reflect.StructField)) {
	seen := map[reflect.Type]bool{}
	var walk func(t reflect.Type)
	walk = func(t reflect.Type) {
		if t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct || seen[t] {
			return
		}
		seen[t] = true
		for i := range t.NumField() {
			visit(t, t.Field(i))
			walk(t.Field(i).Type)
		}
	}
	for _, l := range tables {
		if l.row != nil {
			walk(l.row)
		}
	}
}

// A slice without the list option would be a bare repeated field, which pyarrow
// and Hugging Face read differently; a time.Time reads back as the year 1754
// when it is zero.
func TestRowTags(t *testing.T) {
	eachField(func(owner reflect.Type, f reflect.StructField) {
		name, options, _ := strings.Cut(f.Tag.Get("parquet"), ",")
		if name == "" || name != f.Tag.Get("json") {
			t.Errorf("%s.%s: parquet and json names differ, or there is none", owner.Name(), f.Name)
		}
		if f.Type.Kind() == reflect.Slice && options != "list" {
			t.Errorf("%s.%s: a slice needs the list option", owner.Name(), f.Name)
		}
		if f.Type == reflect.TypeFor[time.Time]() {
			t.Errorf("%s.%s: times are int64 microseconds", owner.Name(), f.Name)
		}
		if strings.Contains(options, "json") {
			t.Errorf("%s.%s: JSON travels in plain string columns", owner.Name(), f.Name)
		}
	})
}

func TestListsHaveThreeLevels(t *testing.T) {
	for _, l := range tables {
		if l.row == nil {
			continue
		}
		for _, path := range schemaFor(l.row).Columns() {
			c, _ := schemaFor(l.row).Lookup(path...)
			lists := 0
			for i, p := range path {
				if p == "list" && i+1 < len(path) && path[i+1] == "element" {
					lists++
				}
			}
			if lists != c.MaxRepetitionLevel {
				t.Errorf("%s: column %v repeats %d times, but has %d lists", l.table, path, c.MaxRepetitionLevel, lists)
			}
		}
	}
}

func TestZeroTimeIs1970(t *testing.T) {
	rows := roundTrip(t, Trajectory{Run: "r", Calls: []Action{{Arguments: "{}"}}, Messages: []Message{}})
	if rows[0].Started != 0 || rows[0].Calls[0].Started != 0 {
		t.Errorf("zero times read back as %d and %d", rows[0].Started, rows[0].Calls[0].Started)
	}
}

func roundTrip[T any](t *testing.T, rows ...T) []T {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.parquet")
	_, err := WriteFile(path, All(rows), nil)
	must(t, err)
	got, err := Collect(Read[T](path))
	must(t, err)
	return got
}

func TestEmptyJSONIsWrittenAsNull(t *testing.T) {
	task := Task{Chain: []Step{{Arguments: []Argument{{Path: "/a"}, {Path: "/b", Value: "1"}}}}, Reviews: []Review{{}}, Claims: []Claim{{}}, Reference: []Executed{{}}}
	got := roundTrip(t, task)[0]
	checks := map[string][2]string{
		"argument value": {got.Chain[0].Arguments[0].Value, "null"}, "equal": {got.Chain[0].Arguments[1].Equal, "null"},
		"kept value": {got.Chain[0].Arguments[1].Value, "1"}, "edits": {got.Reviews[0].Edits, "{}"}, "expected": {got.Claims[0].Expected, "null"},
		"arguments": {got.Reference[0].Arguments, "{}"}, "output": {got.Reference[0].Output, "null"},
	}
	for name, c := range checks {
		if c[0] != c[1] {
			t.Errorf("%s is %q, want %q", name, c[0], c[1])
		}
	}
	if task.Chain[0].Arguments[0].Value != "" || task.Reviews[0].Edits != "" {
		t.Error("the caller's row was changed")
	}
}

func TestBadStringsAreNamed(t *testing.T) {
	for _, c := range []struct {
		name string
		task Task
		want string
	}{
		{"not JSON", Task{Claims: []Claim{{}, {Expected: "{"}}}, `row 2: claims[1].expected: is not valid JSON: "{"`},
		{"not an object", Task{Reference: []Executed{{Arguments: "[1]"}}}, "row 2: reference[0].arguments: is not a JSON object"},
		{"two values", Task{Chain: []Step{{Arguments: []Argument{{Value: "1 2"}}}}}, "row 2: chain[0].arguments[0].value: is not valid JSON"},
		{"not UTF-8", Task{Variants: []Variant{{Checks: []Check{{Detail: "a\xff"}}}}}, "row 2: variants[0].checks[0].detail: is not valid UTF-8"},
		{"not UTF-8 in a list of strings", Task{Servers: []string{"a", "\xff"}}, "row 2: servers[1]: is not valid UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := NewWriter[Task](&bytes.Buffer{}, "tasks/x.parquet", nil)
			must(t, w.Write(Task{}))
			err := w.Write(c.task)
			if err == nil || !strings.HasPrefix(err.Error(), "writing tasks/x.parquet: "+c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
			if again := w.Close(); !errors.Is(again, err) {
				t.Errorf("Close after the error gave %v", again)
			}
		})
	}
}

func TestRowGroupsAreBounded(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter[Call](&b, "x", nil)
	for range 2500 {
		must(t, w.Write(Call{Key: "k"}))
	}
	must(t, w.Close())
	if got := groupRows(t, b.Bytes()); !cmp.Equal(got, []int64{1000, 1000, 500}) {
		t.Errorf("row groups of %v", got)
	}
	b.Reset()
	w = NewWriter[Call](&b, "x", &WriterOptions{RowGroupBytes: 10_000})
	for range 10 {
		must(t, w.Write(Call{Key: strings.Repeat("k", 4000)}))
	}
	must(t, w.Close())
	if got := groupRows(t, b.Bytes()); !cmp.Equal(got, []int64{3, 3, 3, 1}) {
		t.Errorf("row groups of %v with a byte bound", got)
	}
}

func groupRows(t *testing.T, file []byte) []int64 {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(file), int64(len(file)))
	must(t, err)
	var rows []int64
	for _, g := range f.RowGroups() {
		rows = append(rows, g.NumRows())
	}
	return rows
}

func TestSameRowsSameBytes(t *testing.T) {
	var sums []string
	for range 2 {
		var b bytes.Buffer
		w := NewWriter[Task](&b, "x", nil)
		must(t, w.Write(sampleTasks(130)...))
		must(t, w.Close())
		sums = append(sums, w.Sum().SHA256)
	}
	var b bytes.Buffer
	w := NewWriter[Task](&b, "x", nil)
	for _, task := range sampleTasks(130) { // one by one
		must(t, w.Write(task))
	}
	must(t, w.Close())
	if sums = append(sums, w.Sum().SHA256); sums[0] != sums[1] || sums[1] != sums[2] {
		t.Errorf("digests differ: %v", sums)
	}
}

func TestMetadataOfFile(t *testing.T) {
	d := sampleDir(t, 3)
	f, err := openParquet(source{"x", d.pins["tasks/candidates-00000-of-00001.parquet"]})
	must(t, err)
	for key, want := range map[string]string{MetaFormat: FormatVersion, MetaProducer: Producer, MetaTable: TableTasks, MetaStatus: `{"accepted":2,"rejected":1}`} {
		if got, _ := f.Lookup(key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
}

func TestNarrowRead(t *testing.T) {
	d := sampleDir(t, 4)
	type narrow struct {
		ID     string `parquet:"id"`
		Claims []struct {
			ID string `parquet:"id"`
		} `parquet:"claims,list"`
		Later string `parquet:"later"` // a column that the file does not have
	}
	rows, err := Collect(Rows[narrow](d, TableTasks))
	must(t, err)
	if len(rows) != 4 || rows[3].ID != sampleTask(3).ID || rows[3].Claims[1].ID != "c2" || rows[3].Later != "" {
		t.Errorf("got %+v", rows)
	}
}

func TestColumnOfAnotherType(t *testing.T) {
	d := sampleDir(t, 1)
	type wrong struct {
		ID int64 `parquet:"id"`
	}
	_, err := Collect(Rows[wrong](d, TableTasks))
	want := "reading tasks/candidates-00000-of-00001.parquet: column id is BYTE_ARRAY, but INT64 is expected"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestForeignAndNewerFiles(t *testing.T) {
	dir := t.TempDir()
	foreign := filepath.Join(dir, "foreign.parquet")
	must(t, parquet.WriteFile(foreign, []Edge{{}}))
	if _, err := Collect(Read[Edge](foreign)); !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), foreign) {
		t.Errorf("foreign file: %v", err)
	}
	newer := filepath.Join(dir, "newer.parquet")
	_, err := WriteFile(newer, All([]Edge{{}}), &WriterOptions{Format: "2.0"})
	must(t, err)
	if _, err := Collect(Read[Edge](newer)); err == nil || !strings.Contains(err.Error(), "newer.parquet: dataset format 2.0, but taskwright") {
		t.Errorf("newer file: %v", err)
	}
	minor := filepath.Join(dir, "minor.parquet")
	_, err = WriteFile(minor, All([]Edge{{Score: 1}}), &WriterOptions{Format: "1.7"})
	must(t, err)
	if rows, err := Collect(Read[Edge](minor)); err != nil || len(rows) != 1 {
		t.Errorf("newer minor version: %v", err)
	}
	text := filepath.Join(dir, "text.parquet")
	must(t, os.WriteFile(text, []byte("this is not Parquet at all"), 0o644))
	if _, err := Collect(Read[Edge](text)); err == nil || !strings.Contains(err.Error(), "text.parquet: not a complete Parquet file") {
		t.Errorf("text file: %v", err)
	}
}

func TestRowsSurviveTheBuffer(t *testing.T) {
	// Rows that are kept while reading goes on must not change.
	d := sampleDir(t, 200)
	compareRows(t, sampleTasks(200), d.Tasks())
}

func TestTruncatedAndFlipped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	_, err := WriteFile(path, All(sampleTasks(20)), nil)
	must(t, err)
	whole, err := os.ReadFile(path)
	must(t, err)
	for _, n := range []int{0, 1, 11, 12, 100, len(whole) / 2, len(whole) - 9, len(whole) - 1} {
		must(t, os.WriteFile(path, whole[:n], 0o644))
		if _, err := Collect(Read[Task](path)); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("cut to %d bytes: %v", n, err)
		}
	}
	for at := 4; at < len(whole); at += 1 + len(whole)/150 {
		must(t, os.WriteFile(path, flip(whole, at), 0o644))
		if _, err := Collect(Read[Task](path)); err != nil && !strings.Contains(err.Error(), path) {
			t.Errorf("flip at %d: error does not name the file: %v", at, err)
		}
	}
}

func flip(b []byte, at int) []byte {
	b = bytes.Clone(b)
	b[at] ^= 1 << (at % 8)
	return b
}

func TestFlippedPageFailsItsChecksum(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	_, err := WriteFile(path, All([]Call{{Key: strings.Repeat("a long key that fills a page ", 50)}}), nil)
	must(t, err)
	whole, err := os.ReadFile(path)
	must(t, err)
	page := bytes.Index(whole, []byte{0x28, 0xb5, 0x2f, 0xfd}) // a zstd frame
	must(t, os.WriteFile(path, flip(whole, page+6), 0o644))
	_, err = Collect(Read[Call](path))
	if err == nil || !strings.Contains(err.Error(), path+": row 1: ") || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("flipped page: %v", err)
	}
}

func TestFlippedFileOfDataset(t *testing.T) {
	d := sampleDir(t, 3)
	name := "tasks/candidates-00000-of-00001.parquet"
	path := d.file(name)
	whole, err := os.ReadFile(path)
	must(t, err)
	for at := 0; at < len(whole); at += 1 + len(whole)/100 {
		must(t, os.WriteFile(path, flip(whole, at), 0o644))
		damaged, err := Open(d.Path())
		must(t, err)
		if _, err := Collect(damaged.Tasks()); err == nil || !strings.Contains(err.Error(), name) {
			t.Fatalf("flip at %d: reading gave %v", at, err)
		}
		if v := damaged.Validate(0); v.Total == 0 || v.Errors[0].File != name {
			t.Fatalf("flip at %d: validate gave %+v", at, v)
		}
		damaged.Close()
	}
}

func TestNaNIsRead(t *testing.T) {
	rows := roundTrip(t, Edge{Score: math.NaN()})
	if !math.IsNaN(rows[0].Score) {
		t.Error("NaN was changed")
	}
}
