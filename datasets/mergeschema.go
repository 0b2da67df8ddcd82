package datasets

import (
	"fmt"
	"reflect"

	"github.com/parquet-go/parquet-go"
)

// mergeNodes adds to a group the fields that only another group of the same
// name has. Added fields are optional, for there are rows without them. more
// says whether there were any.
func mergeNodes(known, file parquet.Node, path string) (merged parquet.Node, more bool, err error) {
	if known.Leaf() != file.Leaf() || known.Repeated() != file.Repeated() || known.Optional() != file.Optional() {
		return nil, false, fmt.Errorf("column %s has another shape than this version expects", path)
	}
	if known.Leaf() {
		if a, b := known.Type().Kind(), file.Type().Kind(); a != b {
			return nil, false, fmt.Errorf("column %s is %s, but %s is expected", path, b, a)
		}
		return known, false, nil
	}
	var fields []parquet.Field
	for _, f := range known.Fields() {
		other := childNode(file, f.Name())
		if other == nil {
			fields = append(fields, f)
			continue
		}
		node, sub, err := mergeNodes(f, other, path+"."+f.Name())
		if err != nil {
			return nil, false, err
		}
		more = more || sub
		fields = append(fields, mergedField{node, f.Name()})
	}
	for _, f := range file.Fields() {
		if childNode(known, f.Name()) != nil {
			continue
		}
		more = true
		var node parquet.Node = f
		if f.Required() {
			node = parquet.Optional(f)
		}
		fields = append(fields, mergedField{node, f.Name()})
	}
	if !more {
		return known, false, nil
	}
	return mergedGroup{known, fields}, true, nil
}

// mergedGroup is a group with other fields than it was made with.
type mergedGroup struct {
	parquet.Node
	fields []parquet.Field
}

func (g mergedGroup) Fields() []parquet.Field { return g.fields }

func (g mergedGroup) GoType() reflect.Type { return reflect.TypeFor[any]() }

// mergedField is a named node of a merged group.
type mergedField struct {
	parquet.Node
	name string
}

func (f mergedField) Name() string { return f.name }

// Value is never asked for: rows of a merged schema are written as values.
func (f mergedField) Value(base reflect.Value) reflect.Value { return reflect.Value{} }

func childNode(node parquet.Node, name string) parquet.Node {
	for _, f := range node.Fields() {
		if f.Name() == name {
			return f
		}
	}
	return nil
}
