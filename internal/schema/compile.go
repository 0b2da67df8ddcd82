package schema

import (
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/taskwright/taskwright/datasets"
)

// compiled is what the cache holds for one schema text.
type compiled struct {
	schema   *Schema
	warnings []string
	err      error
}

var cache = struct {
	sync.Mutex
	byDigest map[string]compiled
}{byDigest: map[string]compiled{}}

// Compile makes a schema ready to validate. Flaws that can be worked round come
// back as sorted warnings; an error means that the text is no schema at all
// (not JSON, neither object nor boolean, too large or too deep). Equal texts
// are compiled once.
func Compile(raw string) (*Schema, []string, error) {
	key := datasets.Digest(raw)
	cache.Lock()
	c, ok := cache.byDigest[key]
	cache.Unlock()
	if !ok {
		c = compile(raw)
		cache.Lock()
		if len(cache.byDigest) >= maxCache {
			clear(cache.byDigest)
		}
		cache.byDigest[key] = c
		cache.Unlock()
	}
	return c.schema, append([]string(nil), c.warnings...), c.err
}

func compile(raw string) compiled {
	doc, err := decode(raw)
	if err != nil {
		return compiled{err: err}
	}
	r := &repair{root: doc, dropped: map[string]bool{}}
	if object, ok := doc.(map[string]any); ok {
		r.id, _ = object["$id"].(string)
	}
	doc = r.schema(doc, "")
	s := &Schema{budget: &budget{}}
	s.compiled = r.compileRepeatedly(doc, s.budget)
	sort.Strings(r.warnings)
	return compiled{schema: s, warnings: r.warnings}
}

// maxRepairs bounds how many flaws of one schema are cut out one by one.
const maxRepairs = 40

// compileRepeatedly cuts out what the library complains of until it compiles.
// The last resort is a schema that lets everything pass.
func (r *repair) compileRepeatedly(doc any, b *budget) *jsonschema.Schema {
	var last error
	for range maxRepairs {
		s, err := compileOnce(doc, b)
		if err == nil {
			return s
		}
		last = err
		if !r.cut(doc, err) {
			break
		}
	}
	r.warn("", "does not compile (%s): nothing is checked", oneLine(reason(last)))
	return nil
}

func compileOnce(doc any, b *budget) (s *jsonschema.Schema, err error) {
	defer func() {
		if p := recover(); p != nil {
			s, err = nil, fmt.Errorf("%v", p)
		}
	}()
	c := jsonschema.NewCompiler()
	c.LoadURL = func(url string) (io.ReadCloser, error) {
		return nil, fmt.Errorf("reference to %s: not followed", url)
	}
	c.RegisterExtension("budget", nil, b)
	const url = "schema.json"
	if err := c.AddResource(url, strings.NewReader(datasets.EncodeJSON(doc))); err != nil {
		return nil, err
	}
	return c.Compile(url)
}

// cut removes the keyword that a compilation error points at.
func (r *repair) cut(doc any, err error) bool {
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return false
	}
	for len(invalid.Causes) > 0 {
		invalid = invalid.Causes[0]
	}
	at := strings.LastIndexByte(invalid.InstanceLocation, '/')
	if at < 0 {
		return false
	}
	holder, err := datasets.ResolveOne(doc, invalid.InstanceLocation[:at])
	if err != nil {
		return false
	}
	object, ok := holder.(map[string]any)
	if !ok { // an element of a list: the list goes
		invalid.InstanceLocation = invalid.InstanceLocation[:at]
		invalid.Causes = nil
		return at > 0 && r.cut(doc, invalid)
	}
	key := strings.NewReplacer("~1", "/", "~0", "~").Replace(invalid.InstanceLocation[at+1:])
	if _, ok := object[key]; !ok {
		return false
	}
	delete(object, key)
	r.warn(invalid.InstanceLocation, "dropped: %s", oneLine(invalid.Message))
	return true
}

func reason(err error) string {
	if err == nil {
		return "too many flaws"
	}
	var se *jsonschema.SchemaError
	if errors.As(err, &se) && se.Err != nil {
		err = se.Err
	}
	return strings.TrimPrefix(err.Error(), "jsonschema: ")
}
