package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// A report for whoever helps a person keeps the sentences of log lines, because they hold no words of anybody: each is written in the code.
// What varies is a field.
func TestLogSentencesAreWrittenInTheCode(t *testing.T) {
	constant := map[string]bool{ // sentences that a caller in the same file gives, or one of a few
		"backend/shop/recorders.go": true, "backend/interpreter/budget.go": true,
	}
	files := token.NewFileSet()
	found := 0
	walk(t, root, func(file string) {
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "e2e/") {
			return
		}
		parsed, err := parser.ParseFile(files, filepath.Join(root, file), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			method, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || method.Sel.Name != "Msg" && method.Sel.Name != "Msgf" || len(call.Args) == 0 {
				return true
			}
			found++
			if lit, ok := call.Args[0].(*ast.BasicLit); (!ok || lit.Kind != token.STRING || method.Sel.Name == "Msgf") && !constant[file] {
				t.Errorf("%s: a log line's sentence is put together; write it out, and put what varies into a field", files.Position(call.Pos()))
			}
			return true
		})
	})
	if found < 20 {
		t.Errorf("only %d log lines found: the walk is broken", found)
	}
}
