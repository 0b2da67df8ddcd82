package datasets

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

func quoteText(s string) string { return strconv.Quote(strings.ToValidUTF8(s, "\uFFFD")) }

// A FieldError says what is wrong with one field of one row.
type FieldError struct {
	Field   string // "claims[3].expected"; lists count from 0, as JSON Pointers do
	Message string
}

func (e *FieldError) Error() string { return e.Field + ": " + e.Message }

// rowCheck walks a row.
type rowCheck struct {
	bytes int64        // raw size of the values seen
	enums bool         // check that values are among the legal ones
	limit int          // stop after so many errors
	errs  []FieldError // in the order of the columns
}

// checkRow fills in empty JSON columns of a row and checks its strings: valid
// UTF-8 everywhere, valid JSON where the column is JSON. v must be settable.
// It returns the raw size of the row in bytes.
func checkRow(v reflect.Value, fields []field) (int64, *FieldError) {
	fillJSON(v, fields)
	c := rowCheck{limit: 1}
	c.record(v, fields)
	if len(c.errs) > 0 {
		return c.bytes, &c.errs[0]
	}
	return c.bytes, nil
}

func (c *rowCheck) record(v reflect.Value, fields []field) {
	for i := range fields {
		f := &fields[i]
		from := len(c.errs)
		fv := v.Field(f.index)
		if !f.list {
			c.value(fv, f)
			c.prefix(from, f.column)
			continue
		}
		for j := range fv.Len() {
			c.value(fv.Index(j), f)
			if len(c.errs) > from {
				c.prefix(from, fmt.Sprintf("%s[%d]", f.column, j))
				from = len(c.errs)
			}
		}
	}
}

// prefix puts the name of a field before those of the errors below it.
func (c *rowCheck) prefix(from int, name string) {
	for i := from; i < len(c.errs); i++ {
		c.errs[i].Field = name + dotted(c.errs[i].Field)
	}
}

func (c *rowCheck) value(v reflect.Value, f *field) {
	if len(c.errs) >= c.limit {
		return
	}
	if f.fields != nil {
		c.record(v, f.fields)
		return
	}
	if v.Kind() != reflect.String {
		c.bytes += 8
		return
	}
	s := v.String()
	c.bytes += int64(len(s)) + 4
	switch {
	case !utf8.ValidString(s):
		c.errs = append(c.errs, FieldError{"", "is not valid UTF-8: " + shorten(s, 60)})
	case f.json != "":
		if why := checkJSON(f.json, s); why != "" {
			c.errs = append(c.errs, FieldError{"", why})
		}
	case c.enums && f.enum != nil && !slices.Contains(f.enum, s):
		c.errs = append(c.errs, FieldError{"", fmt.Sprintf("%s is none of %s", shorten(s, 60), list(f.enum))})
	}
}

func list(values []string) string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = strconv.Quote(v)
	}
	return strings.Join(quoted, ", ")
}

// dotted joins a field below to the name of the one that holds it.
func dotted(below string) string {
	if below == "" || below[0] == '[' {
		return below
	}
	return "." + below
}
