package evaluate

import (
	"sync"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/schema"
)

// Validator makes an [Options.Validate] from the tools of a catalog. Each
// input schema is compiled once, on first use. A tool without a schema that can
// be compiled accepts every object: that is the server's flaw, not the
// agent's. The function is safe for concurrent use.
func Validator(tools []datasets.Tool) func(server, tool, arguments string) []string {
	type key struct{ server, tool string }
	compiled := make(map[key]func() *schema.Schema, len(tools))
	for i := range tools {
		t := &tools[i]
		compiled[key{t.Server, t.Name}] = sync.OnceValue(func() *schema.Schema {
			s, _, err := schema.Compile(t.InputSchema)
			if err != nil {
				return nil
			}
			return s
		})
	}
	return func(server, tool, arguments string) []string {
		get, ok := compiled[key{server, tool}]
		if !ok {
			return nil
		}
		return problems(get(), arguments)
	}
}

func problems(s *schema.Schema, arguments string) []string {
	if s == nil {
		return nil
	}
	v, err := datasets.DecodeJSON(arguments)
	if err != nil {
		return []string{"the arguments are no JSON: " + err.Error()}
	}
	var list []string
	for _, p := range s.Validate(v) {
		list = append(list, p.String())
	}
	return list
}
