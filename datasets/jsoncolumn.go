package datasets

import (
	"reflect"
	"strings"
	"sync"
)

// What a JSON column must hold; the value is also what an empty string is
// written as.
const (
	jsonValue  = "null" // any JSON value
	jsonObject = "{}"   // a JSON object
)

// jsonColumns lists the string fields whose content is JSON, by Go type and
// field. A test holds it against the doc comments of the fields.
var jsonColumns = map[string]string{
	"ToolResult.Structured": jsonValue,
	"Call.Arguments":        jsonObject,
	"Tool.InputSchema":      jsonObject,
	"Tool.OutputSchema":     jsonValue,
	"Tool.Annotations":      jsonValue,
	"Sample.Arguments":      jsonObject,
	"Claim.Expected":        jsonValue,
	"Argument.Value":        jsonValue,
	"Argument.Equal":        jsonValue,
	"Executed.Arguments":    jsonObject,
	"Executed.Output":       jsonValue,
	"Review.Edits":          jsonObject,
	"Action.Arguments":      jsonValue,
	"Message.Calls":         jsonValue,
}

// field is one field of a row type, in the words of the file.
type field struct {
	index  int
	column string // column name
	goType reflect.Type
	json   string   // jsonValue, jsonObject or ""
	enum   []string // legal values, nil if any will do
	list   bool     // a slice
	fields []field
	fills  bool // holds a JSON column, itself or further down
}

var fieldsCache sync.Map // reflect.Type to []field

// fieldsOf lists the fields of a row type.
func fieldsOf(t reflect.Type) []field {
	if known, ok := fieldsCache.Load(t); ok {
		return known.([]field)
	}
	var fields []field
	for i := range t.NumField() {
		if f, ok := fieldOf(t, i); ok {
			fields = append(fields, f)
		}
	}
	fieldsCache.Store(t, fields)
	return fields
}

func fieldOf(t reflect.Type, i int) (field, bool) {
	sf := t.Field(i)
	tag, _, _ := strings.Cut(sf.Tag.Get("parquet"), ",")
	if tag == "" || tag == "-" || !sf.IsExported() {
		return field{}, false
	}
	f := field{index: i, column: tag, goType: sf.Type, json: jsonColumns[t.Name()+"."+sf.Name], enum: enums[t.Name()+"."+sf.Name]}
	element := sf.Type
	if element.Kind() == reflect.Slice {
		f.list, element = true, element.Elem()
	}
	f.fills = f.json != ""
	if element.Kind() == reflect.Struct {
		f.fields = fieldsOf(element)
		for _, sub := range f.fields {
			f.fills = f.fills || sub.fills
		}
	}
	return f, true
}

// needsJSON says whether a JSON column below v is empty.
func needsJSON(v reflect.Value, fields []field) bool {
	for _, f := range fields {
		if !f.fills {
			continue
		}
		fv := v.Field(f.index)
		switch {
		case f.json != "":
			if fv.Len() == 0 {
				return true
			}
		case f.list:
			for i := range fv.Len() {
				if needsJSON(fv.Index(i), f.fields) {
					return true
				}
			}
		case needsJSON(fv, f.fields):
			return true
		}
	}
	return false
}

// fillJSON writes "null" or "{}" into the empty JSON columns below v. Slices
// are copied first: the caller's rows stay as they are.
func fillJSON(v reflect.Value, fields []field) {
	for _, f := range fields {
		if !f.fills {
			continue
		}
		fv := v.Field(f.index)
		switch {
		case f.json != "":
			if fv.Len() == 0 {
				fv.SetString(f.json)
			}
		case f.list:
			fillList(fv, f.fields)
		default:
			fillJSON(fv, f.fields)
		}
	}
}

func fillList(list reflect.Value, fields []field) {
	n := list.Len()
	for i := range n {
		if needsJSON(list.Index(i), fields) {
			clone := reflect.MakeSlice(list.Type(), n, n)
			reflect.Copy(clone, list)
			list.Set(clone)
			for j := range n {
				fillJSON(list.Index(j), fields)
			}
			return
		}
	}
}

// checkJSON says why a string is not what its JSON column must hold, "" if it is.
func checkJSON(kind, raw string) string {
	if !validJSON(raw) {
		return "is not valid JSON: " + shorten(raw, 60)
	}
	if kind == jsonObject && !strings.HasPrefix(strings.TrimLeft(raw, " \t\r\n"), "{") {
		return "is not a JSON object: " + shorten(raw, 60)
	}
	return ""
}

// shorten cuts a text for a message.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return quoteText(s)
	}
	return quoteText(s[:limit]) + "…"
}
