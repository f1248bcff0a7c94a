// Package archtest holds the rules about who may import whom (docs/ARCHITECTURE.md) as a test. It reads the
// import lines of every source file whatever its build tags, so a rule holds for every system and needs no linter.
package archtest

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	root   = "../.."
	module = "agentchat"
)

// house is every package of the module with what its program files (not its tests, nor what only crash tests build) import. Packages that import testing
// are fixtures, which may reach anywhere; the program must not import them.
func house(t *testing.T) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	files := token.NewFileSet()
	walk(t, root, func(file string) {
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return
		}
		parsed, err := parser.ParseFile(files, filepath.Join(root, file), nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if len(parsed.Comments) > 0 && strings.HasPrefix(parsed.Comments[0].List[0].Text, "//go:build failpoint") {
			return
		}
		pkg := path.Join(module, path.Dir(file))
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(imports[pkg], imported) {
				imports[pkg] = append(imports[pkg], imported)
			}
		}
	})
	if len(imports) < 10 {
		t.Fatalf("only %d packages found: the walk is broken", len(imports))
	}
	fixture := func(pkg string) bool { return slices.Contains(imports[pkg], "testing") }
	for pkg, imported := range imports {
		if i := slices.IndexFunc(imported, fixture); i >= 0 && !fixture(pkg) {
			t.Errorf("%s imports %s, which is for tests", pkg, imported[i])
		}
	}
	maps.DeleteFunc(imports, func(pkg string, _ []string) bool { return fixture(pkg) })
	return imports
}

// walk calls do with the slash path of every file below dir that belongs to the project.
func walk(t *testing.T, dir string, do func(file string)) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && file != "." && (strings.HasPrefix(name, ".") || name == "node_modules" || name == "testdata" || name == "build" || name == "dist") {
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(dir, file, "go.mod")); err == nil && entry.IsDir() && file != "." {
			return fs.SkipDir // a module of its own
		}
		if !entry.IsDir() {
			do(file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// within tells whether a package is p or lies below it.
func within(pkg, p string) bool { return pkg == p || strings.HasPrefix(pkg, p+"/") }

// reach is every package of the module that pkg depends on, directly or through others.
func reach(imports map[string][]string, pkg string) map[string]bool {
	seen := map[string]bool{}
	var visit func(string)
	visit = func(p string) {
		for _, next := range imports[p] {
			if within(next, module) && !seen[next] {
				seen[next] = true
				visit(next)
			}
		}
	}
	visit(pkg)
	return seen
}

func standard(pkg string) bool {
	first, _, _ := strings.Cut(pkg, "/")
	return !strings.Contains(first, ".") && first != module
}

// A parcel from outside has few importers: changing it then touches few places.
func TestOutsideParcelsHaveFewImporters(t *testing.T) {
	owners := map[string][]string{
		"github.com/fsnotify/fsnotify":     {module + "/backend/watch"},
		"github.com/wailsapp/wails":        {module, module + "/e2e/empty"}, // the second measures what a window costs
		"github.com/ollama/ollama":         {module + "/backend/provider/ollama"},
		"github.com/modelcontextprotocol":  {module + "/backend/tools/mcp", module + "/backend/guest", module + "/backend/branch"},
		"modernc.org/sqlite":               {module + "/backend/store", module + "/backend/tablequery"}, // the second computes over files of its own
		"database/sql":                     {module + "/backend/store", module + "/backend/tablequery"},
		"github.com/cloudwego/eino":        {module + "/backend/graph"},
		"github.com/knadh/koanf":           {module + "/backend/config"},
		"gopkg.in/natefinch/lumberjack.v2": {module + "/backend/logging"},
		"github.com/google/jsonschema-go":  {module + "/backend/toolbox", module + "/backend/interpreter", module + "/backend/provider"},
		"github.com/klippa-app/go-pdfium":  {module + "/backend/library"},
		"github.com/expr-lang/expr":        {module + "/backend/service"},
		"github.com/goccy/go-yaml":         {module + "/backend/service", module + "/backend/tools/mcp"}, // the second reads the settings of another client
		"github.com/arran4/golang-ical":    {module + "/backend/calendarfile"},
		"fyne.io/systray":                  {module + "/backend/tray"},
		"github.com/godbus/dbus":           {module + "/backend/tray", module + "/backend/notice", module + "/backend/desktop/sessionbus", module + "/backend/desktop/globalkey"},
		"codeberg.org/readeck":             {module + "/backend/tools/web"},
	}
	imports := house(t)
	for _, pkg := range slices.Sorted(maps.Keys(imports)) {
		for _, imported := range imports[pkg] {
			for parcel, allowed := range owners {
				isOwner := func(owner string) bool { return pkg == owner || owner != module && within(pkg, owner) }
				if within(imported, parcel) && !slices.ContainsFunc(allowed, isOwner) {
					t.Errorf("%s imports %s; only %s may", pkg, imported, strings.Join(allowed, ", "))
				}
			}
		}
	}
}

func TestEventAndApperrStandOnTheStandardLibrary(t *testing.T) {
	imports := house(t)
	for _, leaf := range []string{"/backend/event", "/backend/apperr", "/backend/lazyregexp", "/backend/batch", "/backend/background"} {
		for _, imported := range imports[module+leaf] {
			if !standard(imported) && imported != module+"/backend/language/bilingual" {
				t.Errorf("%s imports %s; it may import the standard library and the two languages only", module+leaf, imported)
			}
		}
	}
}

// Rooms of the house that only certain others may enter directly. Packages named …test serve tests, which may set up
// the real thing.
func TestRoomsHaveFewDoors(t *testing.T) {
	doors := map[string][]string{
		module + "/backend/store": {module + "/backend/shop"},
		module + "/backend/shop":  {module, module + "/backend/front", module + "/cmd/headless", module + "/cmd/learn"},
	}
	imports := house(t)
	for _, pkg := range slices.Sorted(maps.Keys(imports)) {
		for room, allowed := range doors {
			if !within(pkg, room) && !strings.HasSuffix(pkg, "test") && slices.Contains(imports[pkg], room) && !slices.Contains(allowed, pkg) {
				t.Errorf("%s imports %s; only %s may", pkg, room, strings.Join(allowed, ", "))
			}
		}
	}
}

// Some packages must not even reach others through a third.
func TestReach(t *testing.T) {
	never := map[string][]string{
		"/backend/interpreter": {"/backend/toolbox", "/backend/tools", "/backend/job", "/backend/store"},
		"/backend/provider":    {"/backend/models", "/backend/toolbox", "/backend/tools", "/backend/job", "/backend/store", "/backend/manager"},
		"/backend/toolbox":     {"/backend/tools", "/backend/job", "/backend/manager", "/backend/store"},
		"/backend/tools":       {"/backend/job", "/backend/manager", "/backend/interpreter", "/backend/store"},
		"/backend/job":         {"/backend/manager", "/backend/tools", "/backend/store"},
		"/backend/manager":     {"/backend/tools", "/backend/store"},
		"/backend/graph":       {"/backend/job", "/backend/manager", "/backend/store"},
	}
	imports := house(t)
	for from, forbidden := range never {
		for _, pkg := range slices.Sorted(maps.Keys(imports)) {
			if !within(pkg, module+from) {
				continue
			}
			for reached := range reach(imports, pkg) {
				if slices.ContainsFunc(forbidden, func(f string) bool { return within(reached, module+f) }) {
					t.Errorf("%s reaches %s; it must not", pkg, reached)
				}
			}
		}
	}
}

// What reads Korean and English knows no shop: each package of language uses those before it in this list, and beyond them only
// the table of measures and expressions that are compiled late. So anyone may import it.
func TestLanguageIsImportedDownward(t *testing.T) {
	layers := []string{"bilingual", "hangul", "wordlist", "phrase", "verdict", "words", "slot", "told", "ground", "refer", "act"}
	imports := house(t)
	for _, pkg := range slices.Sorted(maps.Keys(imports)) {
		name, isLanguage := strings.CutPrefix(pkg, module+"/backend/language/")
		if !isLanguage {
			continue
		}
		layer := slices.Index(layers, name)
		if layer < 0 {
			t.Errorf("%s has no place in the layers of language", pkg)
			continue
		}
		for _, imported := range imports[pkg] {
			below, fromLanguage := strings.CutPrefix(imported, module+"/backend/language/")
			switch {
			case standard(imported), within(imported, "golang.org/x/text"), imported == module+"/backend/unit", imported == module+"/backend/lazyregexp":
			case !fromLanguage || slices.Index(layers[:layer], below) < 0:
				t.Errorf("%s imports %s, which does not stand below it", pkg, imported)
			}
		}
	}
}

// Packages are named for what they hold.
func TestNoPackageIsADrawer(t *testing.T) {
	for pkg := range house(t) {
		switch path.Base(pkg) {
		case "util", "utils", "common", "helper", "helpers", "types", "misc":
			t.Errorf("%s: name it for what it holds", pkg)
		}
	}
}

// In the frontend only lib/api and lib/events (and the pretend shop for drawing) touch the generated bindings, and
// nothing below the components reaches up to them.
func TestFrontendImports(t *testing.T) {
	imports := regexp.MustCompile(`(?m)(?:^|[\s;])(?:import|export)\b[^'"]*?['"]([^'"]+)['"]`)
	component := regexp.MustCompile(`/[A-Z]\w*\.svelte$`) // rune modules are small: stores/jobs.svelte
	walk(t, filepath.Join(root, "frontend", "src"), func(file string) {
		if !strings.HasSuffix(file, ".ts") && !strings.HasSuffix(file, ".svelte") {
			return
		}
		text, err := os.ReadFile(filepath.Join(root, "frontend", "src", filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		under := func(dirs ...string) bool {
			return slices.ContainsFunc(dirs, func(d string) bool { return strings.HasPrefix(file, d+"/") })
		}
		for _, found := range imports.FindAllStringSubmatch(string(text), -1) {
			from := found[1]
			if strings.Contains(from, "wails") && !under("lib/api", "lib/events", "dev") {
				t.Errorf("%s imports %s; only lib/api and lib/events touch the bindings", file, from)
			}
			if under("lib/api", "lib/events") && strings.HasPrefix(from, "$stores") {
				t.Errorf("%s imports %s; lib stands below the stores", file, from)
			}
			if under("stores", "lib/api", "lib/events") && component.MatchString(from) {
				t.Errorf("%s imports %s; components stand above the stores", file, from)
			}
		}
	})
}
