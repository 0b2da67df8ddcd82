package datasets

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const formatPage = "../docs/format.md"

// typeName is the type of a field as docs/format.md calls it.
func typeName(f reflect.StructField) string {
	t := f.Type
	suffix := ""
	if t.Kind() == reflect.Pointer {
		t, suffix = t.Elem(), ", may be null"
	}
	name := map[reflect.Kind]string{reflect.String: "string", reflect.Bool: "bool", reflect.Int32: "int32", reflect.Int64: "int64", reflect.Float64: "double"}[t.Kind()]
	switch {
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		name = "list of struct"
	case t.Kind() == reflect.Slice:
		name = "list of string"
	case t.Kind() == reflect.Struct:
		name = "struct"
	case strings.Contains(f.Tag.Get("parquet"), "timestamp(microsecond)"):
		name = "timestamp"
	}
	return name + suffix
}

// columnsOf lists the columns of a row type as "path type".
func columnsOf(t reflect.Type, prefix string) []string {
	var columns []string
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
		element := f.Type
		path := prefix + name
		if element.Kind() == reflect.Slice {
			element, path = element.Elem(), path+"[]"
		}
		columns = append(columns, strings.TrimSuffix(path, "[]")+" "+typeName(f))
		if element.Kind() == reflect.Struct {
			columns = append(columns, columnsOf(element, path+".")...)
		}
	}
	return columns
}

// TestFormatPage holds docs/format.md against the row types: every column,
// with its type, in order, and no other.
func TestFormatPage(t *testing.T) {
	page, err := os.ReadFile(formatPage)
	must(t, err)
	documented := map[string][]string{}
	table := ""
	heading := regexp.MustCompile("^### `([a-z]+)`")
	row := regexp.MustCompile("^\\| `([^`]+)` \\| ([^|]+) \\| ([^|]*) \\| (.*) \\|$")
	for line := range strings.Lines(string(page)) {
		line = strings.TrimSpace(line)
		if m := heading.FindStringSubmatch(line); m != nil {
			table = m[1]
		} else if strings.HasPrefix(line, "## ") {
			table = ""
		}
		if m := row.FindStringSubmatch(line); m != nil && table != "" {
			documented[table] = append(documented[table], m[1]+" "+m[2])
			if strings.TrimSpace(m[4]) == "" {
				t.Errorf("%s: column %s has no meaning", table, m[1])
			}
		}
	}
	for _, l := range tables {
		if l.row == nil {
			continue
		}
		if diff := cmp.Diff(columnsOf(l.row, ""), documented[l.table]); diff != "" {
			t.Errorf("table %s (-struct tags +%s):\n%s", l.table, formatPage, diff)
		}
		if !strings.Contains(string(page), strings.NewReplacer("{part}", map[string]string{TableTasks: "<split>"}[l.table]+map[string]string{TableTrajectories: "<run>", TableScores: "<run>"}[l.table], "{shard}", "NNNNN-of-NNNNN").Replace(l.files)) {
			t.Errorf("%s does not name the files %s", formatPage, l.files)
		}
	}
	for _, word := range []string{MetaFormat, MetaProducer, MetaTable, MetaStatus, ManifestName, nextName, "format " + FormatVersion, Canary} {
		if !strings.Contains(string(page), word) {
			t.Errorf("%s does not mention %s", formatPage, word)
		}
	}
}

// TestFormatPageNamesValues holds that every legal value of a column with a
// fixed set stands in the page.
func TestFormatPageNamesValues(t *testing.T) {
	page, err := os.ReadFile(formatPage)
	must(t, err)
	for field, values := range enums {
		for _, v := range values {
			if v != "" && !strings.Contains(string(page), v) {
				t.Errorf("%s: the value %q is not in the page", field, v)
			}
		}
	}
}

// TestJSONColumns holds jsonColumns, and enums, against the doc comments and
// names of the fields.
func TestJSONColumns(t *testing.T) {
	documented := map[string]bool{}
	all := map[string]bool{}
	packages, err := parser.ParseDir(token.NewFileSet(), ".", nil, parser.ParseComments)
	must(t, err)
	saysJSON := regexp.MustCompile(`\bJSON\b(?: Schema| object| value)?`)
	ast.Inspect(packages["datasets"], func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		s, ok := spec.Type.(*ast.StructType)
		if !ok {
			return true
		}
		for _, f := range s.Fields.List {
			for _, name := range f.Names {
				key := spec.Name.Name + "." + name.Name
				all[key] = true
				if f.Tag == nil || !strings.Contains(f.Tag.Value, "parquet:") || fmt.Sprint(f.Type) != "string" {
					continue
				}
				comment := strings.ReplaceAll(f.Comment.Text(), "JSON Pointer", "")
				if saysJSON.MatchString(comment) {
					documented[key] = true
				}
			}
		}
		return true
	})
	for key := range documented {
		if jsonColumns[key] == "" {
			t.Errorf("%s is documented as JSON, but not checked as such", key)
		}
	}
	for key := range jsonColumns {
		if !documented[key] {
			t.Errorf("%s is checked as JSON, but its comment does not say so", key)
		}
	}
	for key := range enums {
		if !all[key] {
			t.Errorf("enums: there is no field %s", key)
		}
	}
}
