package taskwright_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/taskwright/taskwright/"

var (
	stages = []string{"discover", "generate", "filter", "fuzz", "evaluate"}
	// pure packages touch neither network, processes nor files of the user.
	pure = []string{"internal/toolgraph", "internal/schema", "internal/literal", "internal/claim", "internal/parallel"}
	// world packages touch them; only cmd and each other may import them.
	world = []string{"internal/llm", "internal/mcpclient", "internal/world", "internal/tape", "internal/store", "internal/progress", "internal/report"}
)

// mayImport says whether a file of package folder from may import the
// project's package folder to.
func mayImport(from, to string) bool {
	switch room := room(from); {
	case room == "cmd":
		return true
	case room == "datasets":
		return strings.HasPrefix(to, "datasets")
	case in(stages, room):
		return to == "datasets" || in(pure, to) || room == to
	case in(pure, room):
		return to == "datasets" || in(pure, to)
	case in(world, room):
		return to == "datasets" || in(pure, to) || in(world, to)
	}
	return false
}

// room is the folder of the layout that a package folder belongs to.
func room(folder string) string {
	parts := strings.Split(folder, "/")
	if parts[0] == "internal" && len(parts) > 1 {
		return strings.Join(parts[:2], "/")
	}
	return parts[0]
}

func in(list []string, s string) bool {
	for _, e := range list {
		if e == s || strings.HasPrefix(s, e+"/") {
			return true
		}
	}
	return false
}

// imports lists the import paths of each non-test Go file below the root.
func imports(t *testing.T, visit func(file, imported string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || name != "." && strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			visit(filepath.ToSlash(name), p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestImportDirection holds the code against the direction rule of
// ARCHITECTURE.md. It parses files instead of asking the go command, so that
// the test cache sees every change.
func TestImportDirection(t *testing.T) {
	seen := 0
	imports(t, func(file, imported string) {
		to, ours := strings.CutPrefix(imported, module)
		if !ours {
			return
		}
		seen++
		from := path.Dir(file)
		if !mayImport(from, to) {
			t.Errorf("%s imports %s: the direction rule forbids it", file, to)
		}
	})
	if seen == 0 {
		t.Fatal("no import of the project found: the test reads the wrong folder")
	}
}

// TestThirdPartyRooms holds that each dependency that needs care has one room.
func TestThirdPartyRooms(t *testing.T) {
	rooms := map[string][]string{
		"github.com/modelcontextprotocol/go-sdk":   {"internal/mcpclient", "internal/world", "cmd"},
		"github.com/santhosh-tekuri/jsonschema/v5": {"internal/schema"},
		"github.com/parquet-go/parquet-go":         {"datasets"},
		"github.com/sashabaranov/go-openai":        {"internal/llm"},
		"modernc.org/sqlite":                       {"internal/store"},
		"github.com/dominikbraun/graph":            {"internal/toolgraph"},
		"github.com/spf13/cobra":                   {"cmd"},
	}
	imports(t, func(file, imported string) {
		for dependency, allowed := range rooms {
			if strings.HasPrefix(imported, dependency) && !in(allowed, path.Dir(file)) {
				t.Errorf("%s imports %s, which only %v may", file, imported, allowed)
			}
		}
		if room(path.Dir(file)) == "datasets" && strings.Contains(imported, ".") &&
			!strings.HasPrefix(imported, module) && !strings.HasPrefix(imported, "github.com/parquet-go/parquet-go") {
			t.Errorf("%s imports %s: datasets imports only the standard library and parquet-go", file, imported)
		}
	})
}

func TestMayImportForbids(t *testing.T) {
	forbidden := [][2]string{
		{"generate", "filter"},
		{"generate", "internal/mcpclient"},
		{"datasets", "internal/literal"},
		{"internal/literal", "internal/tape"},
		{"internal/tape", "evaluate"},
		{"surprise", "datasets"},
	}
	for _, f := range forbidden {
		if mayImport(f[0], f[1]) {
			t.Errorf("mayImport(%q, %q) = true", f[0], f[1])
		}
	}
}
