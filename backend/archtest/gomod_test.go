package archtest

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestGoModTellsWhatIsUsed stands in for `go mod tidy`, which cannot run here (AGENTS.md): a module is listed as direct exactly
// when a file of the project imports it, whatever the system, the build tags, or whether it is a test.
func TestGoModTellsWhatIsUsed(t *testing.T) {
	raw, err := exec.CommandContext(t.Context(), "go", "mod", "edit", "-json", filepath.Join(root, "go.mod")).Output()
	if err != nil {
		t.Fatal(err)
	}
	var mod struct {
		Require []struct {
			Path     string
			Indirect bool
		}
	}
	if err := json.Unmarshal(raw, &mod); err != nil {
		t.Fatal(err)
	}
	moduleOf := func(pkg string) string {
		best := ""
		for _, r := range mod.Require {
			if (pkg == r.Path || strings.HasPrefix(pkg, r.Path+"/")) && len(r.Path) > len(best) {
				best = r.Path
			}
		}
		return best
	}
	used := map[string]bool{}
	files := token.NewFileSet()
	walk(t, root, func(file string) {
		if !strings.HasSuffix(file, ".go") {
			return
		}
		parsed, err := parser.ParseFile(files, filepath.Join(root, file), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range parsed.Imports {
			pkg, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if first, _, _ := strings.Cut(pkg, "/"); !strings.Contains(first, ".") {
				continue // the standard library, or our own
			}
			found := moduleOf(pkg)
			if found == "" {
				t.Errorf("%s imports %s, which no module in go.mod holds", file, pkg)
			}
			used[found] = true
		}
	})
	for _, r := range mod.Require {
		switch {
		case used[r.Path] && r.Indirect:
			t.Errorf("%s is imported here: remove its `// indirect` in go.mod", r.Path)
		case !used[r.Path] && !r.Indirect:
			t.Errorf("%s is imported nowhere here: mark it `// indirect` in go.mod, or drop it", r.Path)
		}
	}
	if len(used) < 10 {
		t.Fatalf("only %d modules used (%v): the walk is broken", len(used), slices.Collect(maps.Keys(used)))
	}
}
