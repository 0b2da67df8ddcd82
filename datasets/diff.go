package datasets

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
)

// Diff says how the tasks and tools of two datasets differ.
type Diff struct {
	Tasks TableDiff `json:"tasks"`
	Tools TableDiff `json:"tools"`
}

// TableDiff lists rows by their ids, sorted.
type TableDiff struct {
	Added     []string    `json:"added"`     // only in the second dataset
	Removed   []string    `json:"removed"`   // only in the first
	Changed   []RowChange `json:"changed"`   // in both, with other values
	Unchanged int         `json:"unchanged"` // number of rows that are the same
}

// RowChange names the fields in which a row differs.
type RowChange struct {
	ID     string   `json:"id"`
	Fields []string `json:"fields"` // top-level columns, in the order of the table
}

// Empty says that the datasets have the same tasks and tools.
func (d *Diff) Empty() bool { return d.Tasks.empty() && d.Tools.empty() }

func (d *TableDiff) empty() bool { return len(d.Added)+len(d.Removed)+len(d.Changed) == 0 }

// Compare finds the differences from dataset a to dataset b. It holds a digest
// of every field in memory, not the rows.
func Compare(a, b *Dir) (*Diff, error) {
	tasks, err := compareTable(a.Tasks(), b.Tasks(), func(t *Task) string { return t.ID })
	if err != nil {
		return nil, err
	}
	tools, err := compareTable(a.Tools(), b.Tools(), (*Tool).ID)
	if err != nil {
		return nil, err
	}
	return &Diff{Tasks: *tasks, Tools: *tools}, nil
}

func compareTable[T any](a, b func(func(T, error) bool), id func(*T) string) (*TableDiff, error) {
	before := map[string][]uint64{}
	for row, err := range a {
		if err != nil {
			return nil, err
		}
		before[id(&row)] = fieldDigests(&row)
	}
	diff := &TableDiff{Added: []string{}, Removed: []string{}, Changed: []RowChange{}}
	columns := fieldsOf(reflect.TypeFor[T]())
	for row, err := range b {
		if err != nil {
			return nil, err
		}
		key := id(&row)
		was, ok := before[key]
		if !ok {
			diff.Added = append(diff.Added, key)
			continue
		}
		delete(before, key)
		change := RowChange{ID: key}
		for i, now := range fieldDigests(&row) {
			if now != was[i] {
				change.Fields = append(change.Fields, columns[i].column)
			}
		}
		if change.Fields == nil {
			diff.Unchanged++
		} else {
			diff.Changed = append(diff.Changed, change)
		}
	}
	for key := range before {
		diff.Removed = append(diff.Removed, key)
	}
	sort.Strings(diff.Removed)
	sort.Strings(diff.Added)
	sort.Slice(diff.Changed, func(i, j int) bool { return diff.Changed[i].ID < diff.Changed[j].ID })
	return diff, nil
}

// fieldDigests hashes each top-level field of a row.
func fieldDigests[T any](row *T) []uint64 {
	v := reflect.ValueOf(row).Elem()
	var digests []uint64
	var b bytes.Buffer
	for _, f := range fieldsOf(v.Type()) {
		b.Reset()
		if err := json.NewEncoder(&b).Encode(v.Field(f.index).Interface()); err != nil {
			fmt.Fprintf(&b, "%+v", v.Field(f.index).Interface()) // NaN and infinities, which JSON lacks
		}
		digests = append(digests, shortDigest(b.Bytes()))
	}
	return digests
}

func shortDigest(b []byte) uint64 {
	sum := sha256.Sum256(b)
	return binary.LittleEndian.Uint64(sum[:8])
}
