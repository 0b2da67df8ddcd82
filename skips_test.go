package taskwright_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestSkipsAreSeen holds the rule for tests that need more than Go: what is
// missing is named, and where TASKWRIGHT_REQUIRE lists it, its absence is a
// failure. So every function that skips must give a message and read that
// variable.
func TestSkipsAreSeen(t *testing.T) {
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || name != "." && strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			return err
		}
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				checkSkips(t, set, fn)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// checkSkips reports each skip of a function that breaks the rule.
func checkSkips(t *testing.T, set *token.FileSet, fn *ast.FuncDecl) {
	required := false
	ast.Inspect(fn, func(n ast.Node) bool {
		s, ok := n.(*ast.BasicLit)
		required = required || ok && s.Value == `"TASKWRIGHT_REQUIRE"`
		return true
	})
	ast.Inspect(fn, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Skip" && sel.Sel.Name != "Skipf" && sel.Sel.Name != "SkipNow" {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); !ok || x.Name != "t" && x.Name != "b" && x.Name != "tb" && x.Name != "f" {
			return true
		}
		switch at := set.Position(call.Pos()); {
		case len(call.Args) == 0:
			t.Errorf("%s: %s skips without saying what is missing", at, fn.Name.Name)
		case !required:
			t.Errorf("%s: %s skips without looking at TASKWRIGHT_REQUIRE", at, fn.Name.Name)
		}
		return true
	})
}
