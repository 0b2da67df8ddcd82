package datasets

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
)

// Validation is what `datasets validate` finds.
type Validation struct {
	Rows   int64     `json:"rows"`   // rows that were read
	Errors []Problem `json:"errors"` // the first ones, up to the limit
	Total  int64     `json:"total"`  // how many there are
}

// Problem is one thing that is wrong with a dataset.
type Problem struct {
	File    string `json:"file"`  // path within the dataset
	Row     int64  `json:"row"`   // counted from 1 within the file; 0 for the file as a whole
	Field   string `json:"field"` // "claims[3].expected"; lists count from 0; "" for the row as a whole
	Message string `json:"message"`
}

func (p Problem) String() string {
	s := p.File
	if p.Row > 0 {
		s += fmt.Sprintf(": row %d", p.Row)
	}
	if p.Field != "" {
		s += ": " + p.Field
	}
	return s + ": " + p.Message
}

// ValidateLimit is how many errors Validate keeps unless told otherwise.
const ValidateLimit = 1000

// Validate reads the whole dataset and checks it: bytes against the manifest's
// hashes, rows against the rules of the format, and what rows say of each other.
// At most limit errors are kept (0 means [ValidateLimit]); all are counted.
// Memory grows with the number of ids, not with the size of rows.
func (d *Dir) Validate(limit int) *Validation {
	if limit <= 0 {
		limit = ValidateLimit
	}
	v := &validator{dir: d, limit: limit, result: &Validation{Errors: []Problem{}},
		servers: ids{}, tools: ids{}, tape: ids{}, tasks: ids{}, attempts: ids{}}
	for _, f := range d.manifest.Files {
		v.hash(f)
	}
	v.hasTape = len(d.manifest.Table(TableTape)) > 0
	v.hasTools = len(d.manifest.Table(TableTools)) > 0
	validateTable(v, TableServers, v.server)
	validateTable(v, TableTools, v.tool)
	validateTable(v, TableEdges, v.edge)
	validateTable(v, TableTape, v.call)
	validateTable(v, TableTasks, v.task)
	validateTable(v, TableTrajectories, v.trajectory)
	validateTable(v, TableScores, v.score)
	v.runs()
	return v.result
}

// ids is a set of names, by their digests.
type ids map[[16]byte]struct{}

func idOf(parts ...string) [16]byte {
	sum := sha256.Sum256([]byte(Digest(parts...)))
	return [16]byte(sum[:16])
}

func (s ids) has(parts ...string) bool { _, ok := s[idOf(parts...)]; return ok }

// add says whether the name is new.
func (s ids) add(parts ...string) bool {
	id := idOf(parts...)
	_, known := s[id]
	s[id] = struct{}{}
	return !known
}

type validator struct {
	dir    *Dir
	limit  int
	result *Validation

	servers, tools, tape, tasks, attempts ids
	hasTape, hasTools                     bool

	file, part string
	row        int64
}

// fail notes an error of the current row.
func (v *validator) fail(field, format string, args ...any) {
	v.note(Problem{v.file, v.row, field, fmt.Sprintf(format, args...)})
}

func (v *validator) note(p Problem) {
	v.result.Total++
	if len(v.result.Errors) < v.limit {
		v.result.Errors = append(v.result.Errors, p)
	}
}

// hash holds a file's bytes against the manifest.
func (v *validator) hash(f File) {
	bytes, sha, err := fileSum(v.dir.pins[f.Path])
	switch {
	case err != nil:
		v.note(Problem{File: f.Path, Message: "cannot be read: " + err.Error()})
	case bytes != f.Bytes:
		v.note(Problem{File: f.Path, Message: fmt.Sprintf("has %d bytes, the manifest says %d", bytes, f.Bytes)})
	case sha != f.SHA256:
		v.note(Problem{File: f.Path, Message: "its bytes are not those of the manifest: the SHA-256 differs"})
	}
}

// validateTable reads every file of a table and calls check for each row, after
// the checks that the column types call for. A file that cannot be read is an
// error of that file; the others are still read.
func validateTable[T any](v *validator, table string, check func(*T)) {
	fields := fieldsOf(reflect.TypeFor[T]())
	for _, f := range v.dir.manifest.Table(table) {
		_, v.part, _ = tableOfPath(f.Path)
		v.file, v.row = f.Path, 0
		for row, err := range readPinned[T](v.dir, f) {
			if err != nil {
				v.note(Problem{File: f.Path, Row: v.row, Message: err.Error()})
				break
			}
			v.row++
			v.result.Rows++
			c := rowCheck{enums: true, limit: 100}
			c.record(reflect.ValueOf(&row).Elem(), fields)
			for _, e := range c.errs {
				v.note(Problem{v.file, v.row, e.Field, e.Message})
			}
			check(&row)
		}
		if v.row != f.Rows {
			v.note(Problem{File: f.Path, Message: fmt.Sprintf("has %d rows that can be read, the manifest says %d", v.row, f.Rows)})
		}
	}
}

func readPinned[T any](d *Dir, f File) func(func(T, error) bool) {
	return func(yield func(T, error) bool) { readSource(source{f.Path, d.pins[f.Path]}, yield) }
}

func (v *validator) unique(set ids, field string, parts ...string) {
	if !set.add(parts...) {
		v.fail(field, "%s is used twice", shorten(parts[len(parts)-1], 80))
	}
}

func (v *validator) rate(field string, x float64) {
	if math.IsNaN(x) || x < 0 || x > 1 {
		v.fail(field, "%v is not between 0 and 1", x)
	}
}

// runs checks the descriptions of evaluation runs.
func (v *validator) runs() {
	for _, f := range v.dir.manifest.Table(TableRun) {
		_, part, _ := tableOfPath(f.Path)
		var run Run
		raw := make([]byte, min(f.Bytes, maxManifest))
		n, err := v.dir.pins[f.Path].ReadAt(raw, 0)
		if err == nil {
			err = json.Unmarshal(raw[:n], &run)
		}
		if err != nil {
			v.note(Problem{File: f.Path, Message: err.Error()})
		} else if run.ID != part {
			v.note(Problem{File: f.Path, Field: "run", Message: fmt.Sprintf("is %q, but the folder is %q", run.ID, part)})
		}
	}
}
