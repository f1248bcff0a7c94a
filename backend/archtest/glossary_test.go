package archtest

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// said is the same words in both languages, and where they stand.
type said struct{ at, ko, en string }

// Every text for people, of the window and of the shop, calls things as docs/glossary.tsv does.
func TestGlossary(t *testing.T) {
	texts := slices.Concat(shopTexts(t), windowTexts(t))
	if len(texts) < 1000 {
		t.Fatalf("only %d texts found: the search for them is broken", len(texts))
	}
	table, err := os.ReadFile(filepath.Join(root, "docs", "glossary.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		if strings.HasPrefix(line, "#") || named.MatchString(line) {
			continue
		}
		if stiff, ok := strings.CutPrefix(strings.TrimSpace(line), "-\t-\t"); ok {
			never := regexp.MustCompile(`(?i)\b(?:` + stiff + `)\b`)
			for _, s := range texts {
				if word := never.FindString(s.en); word != "" {
					t.Errorf("%s: nobody says %q like that: %q", s.at, word, s.en)
				}
			}
			continue
		}
		cells := strings.Split(strings.TrimSpace(line), "\t")
		if len(cells) != 3 {
			t.Fatalf("%q: want Korean, English and what never to say", line)
		}
		noun, never := regexp.MustCompile(`(?i)\b`+cells[1]+`s?\b`), regexp.MustCompile(`(?i)(?:^|[^\p{Hangul}])(?:`+cells[2]+`)`)
		seen := false
		for _, s := range texts {
			seen = seen || strings.Contains(s.ko, cells[0])
			if noun.MatchString(s.en) && !strings.Contains(s.ko, cells[0]) {
				t.Errorf("%s: %q says %s, and %q does not say %s", s.at, s.en, cells[1], s.ko, cells[0])
			}
			if word := never.FindString(s.ko + "\n" + s.en); word != "" {
				t.Errorf("%s: %q says %q; here that is %s (%s)", s.at, s.ko, word, cells[0], cells[1])
			}
		}
		if !seen {
			t.Errorf("nothing says %s", cells[0])
		}
	}
}

// Every page and every tool has one name in each language, and the glossary has it: the side bar, the pages, the manuals and what speaks of a page say it.
func TestGlossaryNames(t *testing.T) {
	table, err := os.ReadFile(filepath.Join(root, "docs", "glossary.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	called, taken := map[string]said{}, map[string]string{}
	for _, m := range named.FindAllStringSubmatch(string(table), -1) {
		kind, key, ko, en := m[1], m[2], m[3], m[4]
		for _, name := range []string{kind + " " + ko, kind + " " + strings.ToLower(en)} {
			if other := taken[name]; other != "" {
				t.Errorf("%s and %s are both called %q", other, key, name)
			}
			taken[name] = key
		}
		called[kind+" "+key] = said{ko: ko, en: en}
	}
	found := map[string]bool{}
	is := func(at, name, ko, en string) {
		t.Helper()
		found[name] = true
		if want := called[name]; want.ko != ko || want.en != en {
			t.Errorf("%s calls %s %q and %q; the glossary has %q and %q", at, name, ko, en, want.ko, want.en)
		}
	}
	for _, m := range manuals(t) {
		is(m.at, "tool "+m.key, m.ko, m.en)
	}
	registry, err := os.ReadFile(filepath.Join(root, "frontend", "src", "pages", "registry.ts"))
	if err != nil {
		t.Fatal(err)
	}
	texts := windowTexts(t)
	for _, m := range regexp.MustCompile(`\bid: '(\w+)'`).FindAllStringSubmatch(string(registry), -1) {
		for _, s := range texts {
			if side := "frame/messages.ts: " + m[1]; s.at == side || s.at == "pages/"+m[1]+"/messages.ts: title" {
				is(s.at, "page "+m[1], strings.Trim(s.ko, "', "), strings.Trim(s.en, "', "))
			}
		}
	}
	for name := range called {
		if !found[name] {
			t.Errorf("the glossary has %s, and nothing is called so", name)
		}
	}
	texts = append(texts, shopTexts(t)...)
	for name, n := range called {
		if !strings.HasPrefix(name, "page ") {
			continue
		}
		spoken := regexp.MustCompile(`(?i)\bthe ` + n.en + ` page\b`)
		for _, s := range texts {
			if spoken.MatchString(s.en) && !strings.Contains(s.ko, n.ko) {
				t.Errorf("%s: %q speaks of a page, and %q does not say %s", s.at, s.en, s.ko, n.ko)
			}
		}
	}
	if len(found) < 60 {
		t.Errorf("only %d names found: the search for them is broken", len(found))
	}
}

// manuals are the names of the shop's own tools, as their manuals give them.
func manuals(t *testing.T) (list []struct{ at, key, ko, en string }) {
	t.Helper()
	type manualOf = struct{ at, key, ko, en string }
	walk(t, filepath.Join(root, "backend"), func(file string) {
		isJSON := strings.HasPrefix(file, "tools/") && strings.HasSuffix(file, ".json")
		if !isJSON && (!strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go")) {
			return
		}
		text, err := os.ReadFile(filepath.Join(root, "backend", file))
		if err != nil {
			t.Fatal(err)
		}
		if isJSON {
			var m struct {
				Key   string
				Title struct{ KO, EN string }
			}
			if json.Unmarshal(text, &m) == nil && m.Key != "" && m.Title.EN != "" {
				list = append(list, manualOf{file, m.Key, m.Title.KO, m.Title.EN})
			}
			return
		}
		for _, m := range inCode.FindAllStringSubmatch(string(text), -1) {
			beside, err := filepath.Glob(filepath.Join(root, "backend", filepath.Dir(file), "*.go"))
			if err != nil {
				t.Fatal(err)
			}
			constant := regexp.MustCompile(`\b` + m[1] + `\s*=\s*"(\w+)"`)
			for _, other := range beside {
				code, err := os.ReadFile(other)
				if err != nil {
					t.Fatal(err)
				}
				if key := constant.FindSubmatch(code); key != nil {
					list = append(list, manualOf{file, string(key[1]), m[2], m[3]})
				}
			}
		}
	})
	return list
}

var (
	named  = regexp.MustCompile(`(?m)^(page|tool) (\w+)\t([^\t\n]+)\t([^\t\n]+)$`)
	inCode = regexp.MustCompile(`Key:\s*(\w+),\s*Title:\s*bilingual\.Text\{KO: "([^"]+)", EN: "([^"]+)"\}`)
	hangul = regexp.MustCompile(`\p{Hangul}`)
	manual = regexp.MustCompile(`"ko":\s*"((?:[^"\\]|\\.)*)",\s*"en":\s*"((?:[^"\\]|\\.)*)"`)
	filled = regexp.MustCompile(`\$?\{+[^{}]*\}+`) // values that are filled in
	side   = regexp.MustCompile(`(?ms)^  (ko|en): \{\n(.*?)^  \},?$`)
	entry  = regexp.MustCompile(`^    (\w+):(.*)`)
)

// reading are what the shop reads and never says.
var reading = []string{"language/", "unit/", "testing/", "provider/providertest/", "provider/builtin/lexicon.go", "folders/path.go"}

// shopTexts are neighbouring strings in Go, the first with Korean and the second without, and "ko" beside "en" in JSON.
func shopTexts(t *testing.T) (texts []said) {
	t.Helper()
	files := token.NewFileSet()
	walk(t, filepath.Join(root, "backend"), func(file string) {
		isGo := strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go")
		if !isGo && !strings.HasSuffix(file, ".json") || slices.ContainsFunc(reading, func(p string) bool { return strings.HasPrefix(file, p) }) {
			return
		}
		text, err := os.ReadFile(filepath.Join(root, "backend", file))
		if err != nil {
			t.Fatal(err)
		}
		if !isGo {
			for _, m := range manual.FindAllStringSubmatch(string(text), -1) {
				texts = append(texts, said{file, m[1], m[2]})
			}
			return
		}
		parsed, err := parser.ParseFile(files, file, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			var list []ast.Expr
			switch n := n.(type) {
			case *ast.CallExpr:
				list = n.Args
			case *ast.CompositeLit:
				list = n.Elts
			}
			for i := range max(0, len(list)-1) {
				ko, en := words(list[i]), words(list[i+1])
				if hangul.MatchString(ko) && en != "" && !hangul.MatchString(en) {
					texts = append(texts, said{files.Position(list[i].Pos()).String(), ko, en})
				}
			}
			return true
		})
	})
	return texts
}

// words are the text of a string, whole or put together from pieces; "" of anything else.
func words(e ast.Expr) (text string) {
	if field, ok := e.(*ast.KeyValueExpr); ok {
		e = field.Value
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if s, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				text += filled.ReplaceAllString(s, "")
			}
		case *ast.CallExpr, *ast.CompositeLit:
			return false
		}
		return true
	})
	return text
}

// windowTexts are the window's messages, wherever they stand, each language's beside the other's by their name.
func windowTexts(t *testing.T) (texts []said) {
	t.Helper()
	walk(t, filepath.Join(root, "frontend", "src"), func(file string) {
		if !strings.HasSuffix(file, ".ts") || strings.HasSuffix(file, ".test.ts") {
			return
		}
		text, err := os.ReadFile(filepath.Join(root, "frontend", "src", file))
		if err != nil {
			t.Fatal(err)
		}
		sides := map[string]map[string]string{"ko": {}, "en": {}}
		for _, half := range side.FindAllStringSubmatch(string(text), -1) {
			name := ""
			for line := range strings.Lines(half[2]) {
				if m := entry.FindStringSubmatch(line); m != nil {
					name, line = m[1], m[2]
				}
				_, spoken, arrow := strings.Cut(line, "=>")
				if !arrow {
					spoken = line
				}
				sides[half[1]][name] += filled.ReplaceAllString(spoken, "")
			}
		}
		for name, ko := range sides["ko"] {
			texts = append(texts, said{file + ": " + name, strings.TrimSpace(ko), strings.TrimSpace(sides["en"][name])})
		}
	})
	return texts
}
