package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestNothingIsForTestsAlone finds what the program exports and only tests use: it belongs into an export_test.go. It goes by
// names alone, so it may miss one whose name is used elsewhere; `make lint` follows the calls of functions too.
func TestNothingIsForTestsAlone(t *testing.T) {
	// Called by others than the project's own Go files, which their names do not show.
	called := []string{
		"Error", "Is", "As", "Unwrap", "String", "GoString", "MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "MarshalYAML",
		"UnmarshalYAML", "MarshalZerologObject", "Run", "Write", "Read", "Close", "ServeHTTP", "RoundTrip", "Len", "Less", "Swap", "Push", "Pop", "Transform",
	}
	type place struct{ name, at string }
	var exported []place
	used := map[string]bool{}
	files := token.NewFileSet()
	walk(t, root, func(file string) {
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "e2e/") {
			return
		}
		parsed, err := parser.ParseFile(files, filepath.Join(root, file), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		declares := map[*ast.Ident]bool{}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				declares[n.Name] = true
			case *ast.InterfaceType:
				for _, method := range n.Methods.List {
					for _, name := range method.Names {
						declares[name] = true
					}
				}
			case *ast.Ident:
				used[n.Name] = used[n.Name] || !declares[n]
			}
			return true
		})
		fixture := strings.HasPrefix(file, "backend/testing/") || strings.Contains(filepath.Base(filepath.Dir(file)), "test")
		if fixture || parsed.Name.Name == "main" { // what main exports is called from the window
			return
		}
		for _, decl := range parsed.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if ok && f.Name.IsExported() && !slices.Contains(called, f.Name.Name) {
				exported = append(exported, place{f.Name.Name, files.Position(f.Pos()).String()})
			}
		}
	})
	for _, e := range exported {
		if !used[e.name] {
			t.Errorf("%s: %s is used by nothing but tests", e.at, e.name)
		}
	}
}
