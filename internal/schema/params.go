package schema

import (
	"encoding/json"
	"sort"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// Param is one place in a document that a schema describes: a parameter of a
// tool, or a value of its output.
type Param struct {
	Path        string   // JSON Pointer into the document, "/a/b"; "*" for array elements
	Name        string   // last named segment of Path
	Types       []string // JSON types, sorted, without null; empty if the schema does not say
	Nullable    bool
	Required    bool // the object that holds it requires it
	Enum        []any
	Const       any // nil if none
	Default     any // nil if none
	Examples    []any
	Format      string
	Pattern     string
	Title       string
	Description string
	Minimum     *float64 // inclusive, or exclusive as the flag says
	Maximum     *float64
	Exclusive   bool // a bound is itself not allowed
	MinLength   *int
	MaxLength   *int
	MinItems    *int
	MaxItems    *int
	Items       *Param  // elements, for arrays
	Properties  []Param // members, for objects
}

// Is says whether the schema allows the JSON type, or says nothing of types.
func (p *Param) Is(jsonType string) bool {
	if len(p.Types) == 0 {
		return true
	}
	for _, t := range p.Types {
		if t == jsonType || t == "number" && jsonType == "integer" {
			return true
		}
	}
	return false
}

const (
	maxParams     = 1000 // places read from one schema
	maxParamDepth = 8    // nesting of the places
)

// Params lists the parameters of an input schema: the members of the root
// object, each followed by the members of its own object. At each level the
// required come first, then by name. Local references, allOf and nullable
// alternatives are followed, recursion is cut. A text that is no schema has no
// parameters.
func Params(raw string) []Param {
	var out []Param
	var list func(ps []Param)
	list = func(ps []Param) {
		for _, p := range ps {
			out = append(out, p)
			list(p.Properties)
		}
	}
	if root := place(raw); root != nil {
		list(root.Properties)
	}
	return out
}

// Leaves lists the scalar places of an output schema in the order of Params:
// "/parks/*/id" is the id of each element of the array parks.
func Leaves(raw string) []Param {
	var out []Param
	var list func(p *Param)
	list = func(p *Param) {
		for i := range p.Properties {
			list(&p.Properties[i])
		}
		if p.Items != nil {
			list(p.Items)
		}
		if len(p.Properties) == 0 && p.Items == nil && !p.only("object", "array") {
			out = append(out, *p)
		}
	}
	if root := place(raw); root != nil {
		list(root)
	}
	return out
}

func (p *Param) only(types ...string) bool {
	for _, t := range p.Types {
		if t != types[0] && t != types[1] {
			return false
		}
	}
	return len(p.Types) > 0
}

func place(raw string) *Param {
	doc, err := decode(raw)
	if err != nil {
		return nil
	}
	r := &reader{root: doc, left: maxParams, work: 20 * maxParams}
	p := r.read(doc, "", "", 0)
	return &p
}

// reader walks a schema and makes a Param of each place.
type reader struct {
	root any
	left int // places that may still be read
	work int // schema objects that may still be read
}

func (r *reader) read(schema any, path, name string, level int) Param {
	p := Param{Path: path, Name: name}
	members := map[string]any{}
	required := map[string]bool{}
	r.merge(&p, schema, members, required, level, 0)
	sort.Strings(p.Types)
	if level < maxParamDepth {
		p.Properties = r.members(members, required, path, level)
	}
	return p
}

func (r *reader) members(members map[string]any, required map[string]bool, path string, level int) []Param {
	var out []Param
	for _, k := range sortedKeys(members) {
		if r.left--; r.left < 0 {
			break
		}
		m := r.read(members[k], path+"/"+datasets.EscapeSegment(k), k, level+1)
		if object, ok := members[k].(map[string]any); ok && object["required"] == true { // draft 3
			m.Required = true
		}
		m.Required = m.Required || required[k]
		out = append(out, m)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Required && !out[j].Required })
	return out
}

// merge adds what one schema object says to p. hops bounds the references and
// combinations that apply to the same place.
func (r *reader) merge(p *Param, schema any, members map[string]any, required map[string]bool, level, hops int) {
	object, ok := schema.(map[string]any)
	if r.work--; !ok || hops > 16 || r.work < 0 {
		return
	}
	if ref, ok := object["$ref"].(string); ok && strings.HasPrefix(ref, "#") {
		if target, err := datasets.ResolveOne(r.root, ref[1:]); err == nil {
			r.merge(p, target, members, required, level, hops+1)
		}
	}
	r.scalarKeywords(p, object)
	r.typeKeyword(p, object["type"])
	r.items(p, object, level)
	if props, ok := object["properties"].(map[string]any); ok {
		for k, v := range props {
			members[k] = v
		}
	}
	if list, ok := object["required"].([]any); ok {
		for _, k := range list {
			if s, ok := k.(string); ok {
				required[s] = true
			}
		}
	}
	if all, ok := object["allOf"].([]any); ok {
		for _, s := range all[:min(len(all), 16)] {
			r.merge(p, s, members, required, level, hops+4)
		}
	}
	r.alternatives(p, object, members, level, hops)
}

// alternatives reads anyOf and oneOf: types and enums add up, members are
// known but not required.
func (r *reader) alternatives(p *Param, object map[string]any, members map[string]any, level, hops int) {
	for _, key := range []string{"anyOf", "oneOf"} {
		list, _ := object[key].([]any)
		for _, s := range list[:min(len(list), 16)] {
			alt := Param{Path: p.Path, Name: p.Name}
			r.merge(&alt, s, members, map[string]bool{}, level, hops+4)
			for _, t := range alt.Types {
				p.addType(t)
			}
			p.Nullable = p.Nullable || alt.Nullable
			if alt.Const != nil {
				alt.Enum = append(alt.Enum, alt.Const)
			}
			p.Enum = append(p.Enum, alt.Enum...)
			p.Examples = append(p.Examples, alt.Examples...)
			adopt(p, &alt)
		}
	}
}

// adopt takes from an alternative what p lacks.
func adopt(p, alt *Param) {
	if p.Items == nil {
		p.Items = alt.Items
	}
	if p.Format == "" {
		p.Format = alt.Format
	}
	if p.Pattern == "" {
		p.Pattern = alt.Pattern
	}
	if p.Description == "" {
		p.Description = alt.Description
	}
	if p.Default == nil {
		p.Default = alt.Default
	}
	if p.Minimum == nil {
		p.Minimum = alt.Minimum
	}
	if p.Maximum == nil {
		p.Maximum = alt.Maximum
	}
}

func (r *reader) items(p *Param, object map[string]any, level int) {
	element := object["items"]
	if list, ok := element.([]any); ok && len(list) > 0 {
		element = list[0]
	}
	if list, ok := object["prefixItems"].([]any); ok && element == nil && len(list) > 0 {
		element = list[0]
	}
	if _, ok := element.(map[string]any); !ok || level >= maxParamDepth {
		return
	}
	if r.left--; r.left < 0 {
		return
	}
	e := r.read(element, p.Path+"/*", p.Name, level+1)
	p.Items = &e
}

func (r *reader) typeKeyword(p *Param, v any) {
	switch v := v.(type) {
	case string:
		p.addType(v)
	case []any:
		for _, e := range v {
			if s, ok := e.(string); ok {
				p.addType(s)
			}
		}
	}
}

func (p *Param) addType(t string) {
	if foreign := foreignTypes[strings.ToLower(t)]; !jsonTypes[t] && foreign != "" {
		t = foreign
	}
	if t == "null" {
		p.Nullable = true
		return
	}
	if !jsonTypes[t] {
		return
	}
	for _, have := range p.Types {
		if have == t {
			return
		}
	}
	p.Types = append(p.Types, t)
}

func (r *reader) scalarKeywords(p *Param, object map[string]any) {
	text := func(to *string, key string) {
		if s, ok := object[key].(string); ok {
			*to = s
		}
	}
	text(&p.Format, "format")
	text(&p.Pattern, "pattern")
	text(&p.Title, "title")
	text(&p.Description, "description")
	if list, ok := object["enum"].([]any); ok {
		p.Enum = append(p.Enum, list...)
	}
	if list, ok := object["examples"].([]any); ok {
		p.Examples = append(p.Examples, list...)
	}
	if v, ok := object["example"]; ok && v != nil {
		p.Examples = append(p.Examples, v)
	}
	if v, ok := object["const"]; ok {
		p.Const = v
	}
	if v, ok := object["default"]; ok {
		p.Default = v
	}
	p.limits(object)
}

func (p *Param) limits(object map[string]any) {
	for key, to := range map[string]**float64{"minimum": &p.Minimum, "maximum": &p.Maximum} {
		if f := float(object[key]); f != nil {
			*to = f
		}
	}
	for key, to := range map[string]**float64{"exclusiveMinimum": &p.Minimum, "exclusiveMaximum": &p.Maximum} {
		if f := float(object[key]); f != nil {
			*to, p.Exclusive = f, true
		} else if object[key] == true {
			p.Exclusive = true
		}
	}
	for key, to := range map[string]**int{"minLength": &p.MinLength, "maxLength": &p.MaxLength, "minItems": &p.MinItems, "maxItems": &p.MaxItems} {
		if n, ok := object[key].(json.Number); ok {
			if i, err := n.Int64(); err == nil && i >= 0 && i < 1<<31 {
				size := int(i)
				*to = &size
			}
		}
	}
}
