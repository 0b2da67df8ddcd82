package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// Bounds of what a writer holds in memory before it writes a row group.
const (
	rowGroupRows  = 1000     // rows of a row group
	rowGroupBytes = 64 << 20 // raw bytes of a row group
	batchRows     = 64       // rows handed to Parquet at a time
	batchBytes    = 1 << 20  // raw bytes handed to Parquet at a time
	pageBytes     = 64 << 10 // raw bytes of a page
)

// WriterOptions are the settings of a [Writer]. The zero value, or nil, is
// right for a table of this package.
type WriterOptions struct {
	Table         string            // table name in the metadata; default the table of the row type
	Format        string            // format version in the metadata; default [FormatVersion]
	Metadata      map[string]string // further key/value metadata
	RowGroupRows  int               // most rows in a row group; default 1000
	RowGroupBytes int64             // raw bytes at which a row group ends; default 64 MiB

	merge *merger // carries the unknown columns of an earlier file
}

// A Writer writes rows as one Parquet file: zstd, page checksums, row groups
// bounded in rows and bytes, format and producer in the metadata. The same
// rows give the same bytes. Memory does not grow with the number of rows.
//
// Rows are checked on the way: a string that is not UTF-8, or not JSON in a
// JSON column, is an error that names file, row and field. An empty JSON
// column is written as "null", or "{}" where an object is required; the
// caller's rows are not changed.
//
// A Writer is not safe for concurrent use.
type Writer[T any] struct {
	name   string
	opts   WriterOptions
	out    *digester
	pq     *parquet.GenericWriter[T]
	fields []field

	batch      []T
	batchBytes int64
	groupRows  int
	groupBytes int64
	rows       int64
	err        error // first error; sticky
}

// NewWriter makes a writer of rows to w. name is what errors call the file.
// Nothing is complete before [Writer.Close].
func NewWriter[T any](w io.Writer, name string, opts *WriterOptions) *Writer[T] {
	o := WriterOptions{}
	if opts != nil {
		o = *opts
	}
	if o.Table == "" {
		if l, err := layoutFor[T](); err == nil {
			o.Table = l.table
		}
	}
	if o.Format == "" {
		o.Format = FormatVersion
	}
	if o.RowGroupRows <= 0 {
		o.RowGroupRows = rowGroupRows
	}
	if o.RowGroupBytes <= 0 {
		o.RowGroupBytes = rowGroupBytes
	}
	out := newDigester(w)
	return &Writer[T]{name: name, opts: o, out: out, fields: fieldsOf(reflect.TypeFor[T]()),
		pq: parquet.NewGenericWriter[T](out, writerConfig(&o)...)}
}

func writerConfig(o *WriterOptions) []parquet.WriterOption {
	config := []parquet.WriterOption{
		parquet.CreatedBy("taskwright", Release, "parquet-go"),
		parquet.Compression(&zstd.Codec{Level: zstd.SpeedFastest}),
		parquet.PageBufferSize(pageBytes),
		parquet.DataPageStatistics(true),
		parquet.KeyValueMetadata(MetaFormat, o.Format),
		parquet.KeyValueMetadata(MetaProducer, Producer),
		parquet.KeyValueMetadata(MetaTable, o.Table),
	}
	for _, k := range sortedStrings(o.Metadata) {
		config = append(config, parquet.KeyValueMetadata(k, o.Metadata[k]))
	}
	if o.merge != nil {
		config = append(config, o.merge.schema)
	}
	return config
}

// Write adds rows. After an error the writer only returns that error.
func (w *Writer[T]) Write(rows ...T) error {
	for _, row := range rows {
		if w.err != nil {
			return w.err
		}
		w.rows++
		size, bad := checkRow(reflect.ValueOf(&row).Elem(), w.fields)
		if bad != nil {
			w.err = fmt.Errorf("writing %s: row %d: %w", w.name, w.rows, bad)
			return w.err
		}
		w.batch = append(w.batch, row)
		w.batchBytes += size
		w.groupBytes += size
		w.groupRows++
		endGroup := w.groupRows >= w.opts.RowGroupRows || w.groupBytes >= w.opts.RowGroupBytes
		if endGroup || len(w.batch) >= batchRows || w.batchBytes >= batchBytes {
			w.flush(endGroup)
		}
	}
	return w.err
}

// flush hands the batch to Parquet and ends the row group when it is full.
func (w *Writer[T]) flush(endGroup bool) {
	if len(w.batch) > 0 {
		w.fail(w.encode())
		clear(w.batch)
		w.batch, w.batchBytes = w.batch[:0], 0
	}
	if endGroup && w.err == nil {
		w.fail(guard(w.pq.Flush))
		w.groupRows, w.groupBytes = 0, 0
	}
}

func (w *Writer[T]) encode() error {
	if w.opts.merge == nil {
		return guard(func() error { _, err := w.pq.Write(w.batch); return err })
	}
	rows := make([]parquet.Row, len(w.batch))
	for i := range w.batch {
		known := w.opts.merge.known.Deconstruct(nil, &w.batch[i])
		row, err := w.opts.merge.row(known)
		if err != nil {
			return err
		}
		rows[i] = row
	}
	return guard(func() error { _, err := w.pq.WriteRows(rows); return err })
}

func (w *Writer[T]) fail(err error) {
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("writing %s: %w", w.name, err)
	}
}

// Rows is the number of rows written so far.
func (w *Writer[T]) Rows() int64 { return w.rows }

// SetMetadata adds a key to the file's metadata, which is written by Close.
func (w *Writer[T]) SetMetadata(key, value string) { w.pq.SetKeyValueMetadata(key, value) }

// Close writes what is left and the footer. It does not close the underlying
// writer.
func (w *Writer[T]) Close() error {
	if w.flush(false); w.err != nil {
		return w.err
	}
	w.fail(guard(w.pq.Close))
	return w.err
}

// Sum describes the file after Close: rows, bytes and SHA-256.
func (w *Writer[T]) Sum() File {
	return File{Table: w.opts.Table, Rows: w.rows, Bytes: w.out.n, SHA256: w.out.sum()}
}

// digester counts and hashes what passes through.
type digester struct {
	w    io.Writer
	hash hash.Hash
	n    int64
}

func newDigester(w io.Writer) *digester { return &digester{w: w, hash: sha256.New()} }

func (d *digester) Write(p []byte) (int, error) {
	n, err := d.w.Write(p)
	d.hash.Write(p[:n])
	d.n += int64(n)
	return n, err
}

func (d *digester) sum() string { return hex.EncodeToString(d.hash.Sum(nil)) }

// guard turns a panic of the Parquet library, which a damaged file can cause,
// into an error.
func guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("malformed Parquet data: %v", r)
		}
	}()
	return f()
}
