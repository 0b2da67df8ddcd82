package datasets

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"reflect"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// readRows is how many rows are decoded at a time.
const readRows = 32

// ErrForeign is in the chain of the error for a Parquet file that is not part
// of a taskwright dataset.
var ErrForeign = errors.New("not a file of a taskwright dataset: its Parquet metadata has no " + MetaFormat)

// Read yields the rows of Parquet files in order. T may have fewer columns
// than the files: only the columns that T names are read and decoded. Columns
// of T that a file lacks are zero (the file is of an older minor version).
//
// An error names the file and the row, counted from 1, and is the last thing
// yielded. All files are opened before the first row, so that a replacement
// meanwhile does not mix old and new rows.
func Read[T any](paths ...string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		sources, err := openSources(paths)
		defer closeSources(sources)
		if err != nil {
			yield(zero, err)
			return
		}
		readSources[T](sources, yield)
	}
}

// source is an open file with the name that errors call it.
type source struct {
	name string
	file *os.File
}

func openSources(paths []string) ([]source, error) {
	var sources []source
	for _, p := range paths {
		f, err := os.Open(p)
		if err != nil {
			return sources, fmt.Errorf("reading %s: %w", p, err)
		}
		sources = append(sources, source{p, f})
	}
	return sources, nil
}

func closeSources(sources []source) {
	for _, s := range sources {
		s.file.Close()
	}
}

// readSources yields the rows of open files; it says whether to go on.
func readSources[T any](sources []source, yield func(T, error) bool) bool {
	for _, s := range sources {
		if !readSource(s, yield) {
			return false
		}
	}
	return true
}

func readSource[T any](s source, yield func(T, error) bool) bool {
	var zero T
	file, err := openParquet(s)
	if err != nil {
		return yield(zero, err) && false
	}
	if err := checkColumns(file, reflect.TypeFor[T]()); err != nil {
		return yield(zero, fmt.Errorf("reading %s: %w", s.name, err)) && false
	}
	var r *parquet.GenericReader[T]
	if err := guard(func() error { r = parquet.NewGenericReader[T](file); return nil }); err != nil {
		return yield(zero, fmt.Errorf("reading %s: %w", s.name, err)) && false
	}
	defer r.Close()
	buffer := make([]T, readRows)
	for row := int64(0); ; {
		clear(buffer)
		n, err := 0, error(nil)
		if e := guard(func() error { n, err = r.Read(buffer); return nil }); e != nil {
			n, err = 0, e
		}
		for i := range n {
			row++
			if !yield(buffer[i], nil) {
				return false
			}
		}
		switch {
		case err == io.EOF && row == file.NumRows():
			return true
		case err == io.EOF || err == nil && n == 0:
			err = fmt.Errorf("the file ends after %d of %d rows", row, file.NumRows())
		}
		if err != nil {
			return yield(zero, fmt.Errorf("reading %s: row %d: %w", s.name, row+1, err)) && false
		}
	}
}

// openParquet reads the footer of a file and refuses what is not of this
// format, or of a newer major version of it.
func openParquet(s source) (*parquet.File, error) {
	file, err := openAnyParquet(s)
	if err != nil {
		return nil, err
	}
	format, ok := file.Lookup(MetaFormat)
	if !ok {
		return nil, fmt.Errorf("reading %s: %w", s.name, ErrForeign)
	}
	if err := checkFormat(format); err != nil {
		return nil, fmt.Errorf("reading %s: %w", s.name, err)
	}
	return file, nil
}

func openAnyParquet(s source) (file *parquet.File, err error) {
	info, err := s.file.Stat()
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", s.name, err)
	}
	if info.Size() < 12 {
		return nil, fmt.Errorf("reading %s: not a complete Parquet file: %d bytes", s.name, info.Size())
	}
	if err := checkFooter(s.file, info.Size()); err != nil {
		return nil, fmt.Errorf("reading %s: %w", s.name, err)
	}
	err = guard(func() (err error) {
		file, err = parquet.OpenFile(s.file, info.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading %s: not a complete Parquet file: %w", s.name, err)
	}
	return file, nil
}

// checkFooter refuses a footer length that the file cannot hold before memory
// is set aside for it.
func checkFooter(r io.ReaderAt, size int64) error {
	var tail [8]byte
	if _, err := r.ReadAt(tail[:], size-8); err != nil {
		return err
	}
	footer := int64(tail[0]) | int64(tail[1])<<8 | int64(tail[2])<<16 | int64(tail[3])<<24
	if string(tail[4:]) != "PAR1" || footer > size-12 {
		return errors.New("not a complete Parquet file: it is cut off, or its footer is damaged")
	}
	return nil
}

// checkColumns compares the columns that T and the file share.
func checkColumns(file *parquet.File, t reflect.Type) error {
	have := leafColumns(file.Schema())
	for path, want := range leafColumns(schemaFor(t)) {
		got, ok := have[path]
		if ok && (got.kind != want.kind || got.repetition != want.repetition) {
			return fmt.Errorf("column %s is %s, but %s is expected", path, got, want)
		}
	}
	return nil
}

func schemaFor(t reflect.Type) *parquet.Schema { return parquet.SchemaOf(reflect.New(t).Interface()) }

// leaf is what must agree for a column to be read.
type leaf struct {
	kind       string
	repetition int
}

func (l leaf) String() string {
	return l.kind + strings.Repeat(" in a list", l.repetition)
}

func leafColumns(schema *parquet.Schema) map[string]leaf {
	leaves := map[string]leaf{}
	for _, path := range schema.Columns() {
		if c, ok := schema.Lookup(path...); ok {
			leaves[strings.Join(path, ".")] = leaf{c.Node.Type().Kind().String(), c.MaxRepetitionLevel}
		}
	}
	return leaves
}
