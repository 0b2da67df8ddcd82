package world

import (
	"embed"
	"encoding/base32"
	"encoding/csv"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
)

//go:embed data/*.csv
var data embed.FS

// row is one line of a data file, by column name.
type row struct {
	file  string
	line  int
	cells map[string]string
}

// facts reads a data file. The files are part of the program, so a mistake in
// one is a bug and panics; a test reads them all.
func facts[T any](file string, parse func(row) T) []T {
	f, err := data.Open("data/" + file)
	if err != nil {
		panic("world: " + err.Error())
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	records, err := r.ReadAll()
	if err != nil {
		panic(fmt.Sprintf("world: reading data/%s: %v", file, err))
	}
	out := make([]T, 0, len(records))
	for i, record := range records[1:] {
		cells := map[string]string{}
		for j, name := range records[0] {
			cells[name] = record[j]
		}
		out = append(out, parse(row{file, i + 2, cells}))
	}
	return out
}

func (r row) text(column string) string {
	v, ok := r.cells[column]
	if !ok {
		panic(fmt.Sprintf("world: data/%s has no column %s", r.file, column))
	}
	return v
}

func (r row) number(column string) float64 {
	f, err := strconv.ParseFloat(r.text(column), 64)
	if err != nil {
		panic(fmt.Sprintf("world: data/%s, record %d, %s: %v", r.file, r.line, column, err))
	}
	return f
}

func (r row) int(column string) int { return int(r.number(column)) }

func (r row) numbers(column string) []float64 {
	var out []float64
	for _, s := range strings.Fields(r.text(column)) {
		out = append(out, row{r.file, r.line, map[string]string{column: s}}.number(column))
	}
	return out
}

// opaqueID is an id that says nothing about what it names: no one can guess
// it, and it never changes as long as the name does not.
func opaqueID(prefix, name string) string {
	h := fnv.New32a()
	h.Write([]byte(name))
	code := base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(h.Sum(nil))
	return prefix + "-" + strings.ToLower(code[:5])
}
