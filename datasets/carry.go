package datasets

import (
	"fmt"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// A dataset of a newer minor version has columns that this package does not
// know. When a table is rewritten they are carried over: a row that stays, by
// the key of its table, keeps its unknown values; within a list, an element
// that stays, by the key of the list (see listKeys), keeps those inside it. What is
// new has null there.

// listKeys says what identifies an element of a list, by the list's column.
// Elements of other lists are identified by their position.
var listKeys = map[string][]string{
	"arguments": {"path"},
	"variants":  {"level"},
	"claims":    {"id"},
	"reference": {"step"},
	"checks":    {"name"},
	"scores":    {"axis", "judge", "pass", "prompt"},
	"reviews":   {"reviewer", "time"},
	"samples":   {"tape_key"},
}

// merger adds the unknown columns of earlier files to rows that are written.
type merger struct {
	known  *parquet.Schema // of the row type
	schema *parquet.Schema // with the unknown columns
	key    []string        // columns that identify a row
	leaves []mergedLeaf
	at     map[string]int // column of the known schema by path
	merged []int          // column of the merged schema by column of the known one
	needed []bool         // columns of an old row that are of use
	old    oldRows
}

// mergedLeaf is one column of the merged schema.
type mergedLeaf struct {
	path    string
	source  int        // column of the known schema, or -1
	prefix  []listStep // for an unknown column: the known lists around it
	present int        // definition level at which the known part of the path is there
	pivot   int        // known column that has one value for each element of the innermost list
}

// listStep is one known list on the way to an unknown column.
type listStep struct {
	path    string // path of the element
	keys    []string
	present int // definition level at which an element is there
}

// newCarry looks for unknown columns in the files of a table that is about to
// be replaced; without any the result is nil.
func newCarry[T any](tx *Tx, table string, parts ...string) (*merger, error) {
	l, _ := layoutOf(table)
	known := schemaFor(l.row)
	var root parquet.Node = known
	var files []oldFile
	extra := false
	for _, f := range tx.dir.manifest.Table(table, parts...) {
		file, err := openParquet(source{f.Path, tx.dir.pins[f.Path]})
		if err != nil {
			return nil, err
		}
		merged, more, err := mergeNodes(root, file.Schema(), "")
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", f.Path, err)
		}
		root, extra = merged, extra || more
		files = append(files, oldFile{f.Path, file})
	}
	if !extra {
		return nil, nil
	}
	m := &merger{known: known, schema: parquet.NewSchema(known.Name(), root), key: l.key, at: map[string]int{}}
	for i, p := range known.Columns() {
		m.at[strings.Join(p, ".")] = i
	}
	for _, p := range m.schema.Columns() {
		leaf, err := m.leaf(p)
		if err != nil {
			return nil, err
		}
		m.leaves = append(m.leaves, leaf)
	}
	m.index()
	m.old = oldRows{merger: m, files: files, held: map[string][][]parquet.Value{}}
	return m, nil
}

// leaf works out how one column of the merged schema is filled.
func (m *merger) leaf(path []string) (mergedLeaf, error) {
	leaf := mergedLeaf{path: strings.Join(path, "."), source: -1}
	if i, ok := m.at[leaf.path]; ok {
		leaf.source = i
		return leaf, nil
	}
	var node parquet.Node = m.known
	for i, name := range path {
		next := childNode(node, name)
		if next == nil {
			break
		}
		node = next
		if node.Optional() || node.Repeated() {
			leaf.present++
		}
		if node.Repeated() {
			element := strings.Join(path[:min(i+2, len(path))], ".")
			leaf.prefix = append(leaf.prefix, listStep{element, listKeys[path[i-1]], leaf.present})
		}
	}
	if len(leaf.prefix) == 0 {
		return leaf, nil
	}
	for pivot, p := range m.known.Columns() {
		inner := leaf.prefix[len(leaf.prefix)-1].path + "."
		c, ok := m.known.Lookup(p...)
		if ok && strings.HasPrefix(strings.Join(p, "."), inner) && c.MaxRepetitionLevel == len(leaf.prefix) {
			leaf.pivot = pivot
			return leaf, nil
		}
	}
	return leaf, fmt.Errorf("carrying over column %s: nothing to line it up with", leaf.path)
}

// row adds the unknown columns to a row of the known schema.
func (m *merger) row(known parquet.Row) (parquet.Row, error) {
	cols := make([][]parquet.Value, len(m.at))
	for i, values := range known.Range {
		cols[i] = values
	}
	old, err := m.old.find(m.rowKey(func(path string) []parquet.Value { return cols[m.at[path]] }))
	if err != nil {
		return nil, err
	}
	var row parquet.Row
	for i, leaf := range m.leaves {
		values := []parquet.Value(nil)
		if leaf.source >= 0 {
			values = cols[leaf.source]
		} else {
			values = m.unknown(i, cols, old)
		}
		for _, v := range values {
			row = append(row, v.Level(v.RepetitionLevel(), v.DefinitionLevel(), i))
		}
	}
	return row, nil
}

// unknown is the content of an unknown column for a row with the given known
// columns; old is the merged row that it replaces, nil if it is new.
func (m *merger) unknown(i int, cols, old [][]parquet.Value) []parquet.Value {
	leaf := &m.leaves[i]
	if len(leaf.prefix) == 0 {
		if old != nil {
			return old[i]
		}
		return []parquet.Value{parquet.NullValue().Level(0, leaf.present, i)}
	}
	kept := map[string][]parquet.Value{}
	if old != nil {
		segments := segmentsOf(old[i], len(leaf.prefix))
		for n, slot := range m.slots(leaf, func(c int) []parquet.Value { return old[m.merged[c]] }) {
			if _, taken := kept[slot.id]; slot.there && !taken && n < len(segments) {
				kept[slot.id] = segments[n]
			}
		}
	}
	var out []parquet.Value
	for _, slot := range m.slots(leaf, func(c int) []parquet.Value { return cols[c] }) {
		values, ok := kept[slot.id]
		if !ok || !slot.there {
			out = append(out, parquet.NullValue().Level(slot.rep, min(slot.def, leaf.present), i))
			continue
		}
		for n, v := range values {
			rep := v.RepetitionLevel()
			if n == 0 {
				rep = slot.rep
			}
			out = append(out, v.Level(rep, v.DefinitionLevel(), i))
		}
	}
	return out
}

// slot is one element of the innermost list around an unknown column, or the
// placeholder for an empty list.
type slot struct {
	rep, def int
	there    bool
	id       string
}

func (m *merger) slots(leaf *mergedLeaf, column func(known int) []parquet.Value) []slot {
	depth := len(leaf.prefix)
	local, global := make([]int, depth+1), make([]int, depth+1)
	for k := range global {
		global[k], local[k] = -1, -1
	}
	var slots []slot
	for _, v := range column(leaf.pivot) {
		rep := v.RepetitionLevel()
		for k := max(rep, 1); k <= depth; k++ {
			global[k]++
			if k == rep {
				local[k]++
			} else {
				local[k] = 0
			}
		}
		s := slot{rep: rep, def: v.DefinitionLevel(), there: v.DefinitionLevel() >= leaf.present}
		var id strings.Builder
		for k := 1; k <= depth && s.there; k++ {
			m.elementID(&id, &leaf.prefix[k-1], local[k], global[k], column)
		}
		s.id = id.String()
		slots = append(slots, s)
	}
	return slots
}

func (m *merger) elementID(id *strings.Builder, step *listStep, local, global int, column func(int) []parquet.Value) {
	if len(step.keys) == 0 {
		fmt.Fprintf(id, "/%d", local)
		return
	}
	for _, k := range step.keys {
		if values := column(m.at[step.path+"."+k]); global < len(values) {
			fmt.Fprintf(id, "/%q", values[global].String())
		}
	}
}

// segmentsOf cuts the values of a column at the elements of the list at a depth.
func segmentsOf(values []parquet.Value, depth int) [][]parquet.Value {
	var segments [][]parquet.Value
	for i := range values {
		if i == 0 || values[i].RepetitionLevel() <= depth {
			segments = append(segments, nil)
		}
		last := len(segments) - 1
		segments[last] = append(segments[last], values[i])
	}
	return segments
}

func (m *merger) rowKey(column func(path string) []parquet.Value) string {
	var b strings.Builder
	for _, k := range m.key {
		for _, v := range column(k) {
			fmt.Fprintf(&b, "/%q", v.String())
		}
	}
	return b.String()
}

// oldFile is a file whose rows are replaced.
type oldFile struct {
	name string
	file *parquet.File
}

// oldRows finds the row that a new row replaces. It reads the old files once,
// in order, and holds only rows that were passed over: when rows keep their
// order, no more than those that are gone.
type oldRows struct {
	merger *merger
	files  []oldFile
	reader *parquet.GenericReader[any]
	to     []int // column of the merged schema by column of the current file
	bumps  []int // what is added to definition levels, likewise
	held   map[string][][]parquet.Value
}

func (o *oldRows) find(key string) ([][]parquet.Value, error) {
	if row, ok := o.held[key]; ok {
		delete(o.held, key)
		return row, nil
	}
	for {
		got, row, err := o.next()
		if row == nil || err != nil {
			return nil, err
		}
		if got == key {
			return row, nil
		}
		o.held[got] = row
	}
}

// next is the next old row by columns of the merged schema, nil at the end.
func (o *oldRows) next() (string, [][]parquet.Value, error) {
	for len(o.files) > 0 {
		if o.reader == nil {
			o.open(o.files[0].file)
		}
		rows := make([]parquet.Row, 1)
		n, err := 0, error(nil)
		if e := guard(func() error { n, err = o.reader.ReadRows(rows); return nil }); e != nil {
			n, err = 0, e
		}
		if n == 1 {
			row := o.columns(rows[0])
			m := o.merger
			return m.rowKey(func(path string) []parquet.Value { return row[m.merged[m.at[path]]] }), row, nil
		}
		if err != nil && err != io.EOF {
			return "", nil, fmt.Errorf("reading %s: %w", o.files[0].name, err)
		}
		o.reader.Close()
		o.reader, o.files = nil, o.files[1:]
	}
	return "", nil, nil
}

func (o *oldRows) open(file *parquet.File) {
	o.reader = parquet.NewGenericReader[any](file)
	at := map[string]int{}
	for i, leaf := range o.merger.leaves {
		at[leaf.path] = i
	}
	o.to, o.bumps = nil, nil
	for _, p := range file.Schema().Columns() {
		path := strings.Join(p, ".")
		o.to = append(o.to, at[path])
		was, _ := file.Schema().Lookup(p...)
		now, _ := o.merger.schema.Lookup(p...)
		o.bumps = append(o.bumps, now.MaxDefinitionLevel-was.MaxDefinitionLevel)
	}
}

// columns spreads a row of the current file over the merged columns.
func (o *oldRows) columns(row parquet.Row) [][]parquet.Value {
	cols := make([][]parquet.Value, len(o.merger.leaves))
	for c, values := range row.Range {
		i := o.to[c]
		if !o.merger.needed[i] {
			continue
		}
		for _, v := range values {
			def := v.DefinitionLevel()
			if def >= o.merger.leaves[i].present {
				def += o.bumps[c]
			}
			cols[i] = append(cols[i], v.Clone().Level(v.RepetitionLevel(), def, i))
		}
	}
	for i := range cols {
		if leaf := &o.merger.leaves[i]; leaf.source < 0 && cols[i] == nil && len(leaf.prefix) == 0 {
			cols[i] = []parquet.Value{parquet.NullValue().Level(0, leaf.present, i)}
		}
	}
	return cols
}

// index marks the columns of an old row that are of use: the unknown ones, and
// what identifies the row and the elements of its lists.
func (m *merger) index() {
	m.merged = make([]int, len(m.at))
	for i, leaf := range m.leaves {
		if leaf.source >= 0 {
			m.merged[leaf.source] = i
		}
	}
	m.needed = make([]bool, len(m.leaves))
	for _, k := range m.key {
		m.needed[m.merged[m.at[k]]] = true
	}
	for i, leaf := range m.leaves {
		if leaf.source >= 0 {
			continue
		}
		m.needed[i] = true
		for _, step := range leaf.prefix {
			m.needed[m.merged[leaf.pivot]] = true
			for _, k := range step.keys {
				m.needed[m.merged[m.at[step.path+"."+k]]] = true
			}
		}
	}
}
