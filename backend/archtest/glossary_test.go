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

	"github.com/goccy/go-yaml"
)

// said is the same words in both languages, and where they stand; words that stand alone have only one.
type said struct {
	at, ko, en string
	example    bool // what people may say: the shop understands other names too, and its examples teach them
}

// Every text for people, of the window and of the shop, calls things as docs/glossary.tsv does.
func TestGlossary(t *testing.T) {
	texts := slices.Concat(shopTexts(t), windowTexts(t))
	if len(texts) < 1000 {
		t.Fatalf("only %d texts found: the search for them is broken", len(texts))
	}
	for _, place := range []string{"trayicon.go", "bank/words.go", "service/services/transfer.yaml: slots", "tools/banking/transfer.json", "takeaway/messages.ts: docx", "pages/library/placeMessages.ts"} {
		if !slices.ContainsFunc(texts, func(s said) bool { return strings.HasPrefix(s.at, place) }) {
			t.Errorf("no text is found in %s", place)
		}
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
			if s.example {
				continue
			}
			seen = seen || strings.Contains(s.ko, cells[0])
			if s.ko != "" && noun.MatchString(s.en) && !strings.Contains(s.ko, cells[0]) {
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
	// example is what a person says to a tool; template what a service fills in; expression what is matched against what people say.
	example    = regexp.MustCompile(`"text":\s*"((?:[^"\\]|\\.)*)"`)
	template   = regexp.MustCompile(`\{\{[^{}]*\}\}`)
	expression = regexp.MustCompile(`\(\?|\\[bsSdw]|\)[$?|]`)
	beside     = regexp.MustCompile("\\bko: ('[^'\n]*'|`[^`\n]*`),\\s*en: ('[^'\n]*'|`[^`\n]*`)") // in a function
	filled     = regexp.MustCompile(`\$?\{+[^{}]*\}+`)                                            // values that are filled in
	side       = regexp.MustCompile(`(?ms)^(?:  |const )(ko|en)(?:: [^={\n]*=|:| =) \{\n(.*?)^ {0,2}\}[,;]?$`)
	entry      = regexp.MustCompile(`^ {2,4}(\w+):(.*)`)
)

// reading are what the shop reads and never says.
var reading = []string{"language/", "unit/", "testing/", "provider/providertest/", "provider/builtin/lexicon.go", "provider/builtin/gate.go", "folders/path.go"}

// shopTexts are the Korean and English of Go, of the manuals and of the counter's services.
func shopTexts(t *testing.T) (texts []said) {
	t.Helper()
	walk(t, root, func(file string) {
		inside := strings.TrimPrefix(file, "backend/")
		isPart := inside != file || !strings.Contains(file, "/")
		if !isPart || strings.HasSuffix(file, "_test.go") || slices.ContainsFunc(reading, func(p string) bool { return strings.HasPrefix(inside, p) }) {
			return
		}
		of, ok := map[string]func(string, []byte) ([]said, error){".go": goTexts, ".json": manualTexts, ".yaml": serviceTexts}[filepath.Ext(file)]
		if !ok {
			return
		}
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		found, err := of(inside, text)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		texts = append(texts, found...)
	})
	return texts
}

// manualTexts are "ko" beside "en", and the examples, each in one language.
func manualTexts(file string, text []byte) (texts []said, err error) {
	for _, m := range manual.FindAllSubmatch(text, -1) {
		texts = append(texts, said{at: file, ko: string(m[1]), en: string(m[2])})
	}
	for _, m := range example.FindAllSubmatch(text, -1) {
		texts = append(texts, alone(file, string(m[1]), true))
	}
	return texts, nil
}

// serviceTexts are the titles, questions, errors and examples of a service; what it only reads (says, match, unless, cues) is not said, nor what a model is told (cards).
func serviceTexts(file string, text []byte) (texts []said, err error) {
	var whole any
	err = yaml.Unmarshal(text, &whole)
	var look func(at string, v any)
	look = func(at string, v any) {
		switch v := v.(type) {
		case []any:
			for _, each := range v {
				look(at, each)
			}
		case map[string]any:
			ko, hasKO := v["ko"].(string)
			en, hasEN := v["en"].(string)
			if hasKO && hasEN {
				texts = append(texts, said{at: at, ko: template.ReplaceAllString(ko, ""), en: template.ReplaceAllString(en, "")})
				return
			}
			for key, each := range v {
				if !slices.Contains([]string{"says", "match", "unless", "cues", "cards"}, key) {
					look(at+": "+key, each)
				}
			}
		case string:
			if strings.HasSuffix(at, ": ko") || strings.HasSuffix(at, ": en") {
				texts = append(texts, alone(at, v, true))
			}
		}
	}
	look(file, whole)
	return texts, err
}

// alone are words in one language.
func alone(at, text string, example bool) said {
	if hangul.MatchString(text) {
		return said{at: at, ko: text, example: example}
	}
	return said{at: at, en: text, example: example}
}

// goTexts are neighbouring strings, the first with Korean and the second without; then what Korean stands elsewhere, and what English comes next after it.
func goTexts(file string, text []byte) (texts []said, err error) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, text, 0)
	if err != nil {
		return nil, err
	}
	paired := map[token.Pos]bool{}
	var single []*ast.BasicLit
	ast.Inspect(parsed, func(n ast.Node) bool {
		var list []ast.Expr
		switch n := n.(type) {
		case *ast.CallExpr:
			list = n.Args
		case *ast.CompositeLit:
			list = n.Elts
		case *ast.ReturnStmt:
			list = n.Results
		case *ast.AssignStmt:
			list = n.Rhs
		case *ast.BasicLit:
			single = append(single, n)
		}
		for i := range max(0, len(list)-1) {
			ko, en := words(list[i]), words(list[i+1])
			if hangul.MatchString(ko) && en != "" && !hangul.MatchString(en) {
				texts = append(texts, said{at: files.Position(list[i].Pos()).String(), ko: ko, en: en})
				for _, e := range list[i : i+2] {
					ast.Inspect(e, func(n ast.Node) bool {
						if n != nil {
							paired[n.Pos()] = true
						}
						return true
					})
				}
			}
		}
		return true
	})
	after := false
	for _, n := range single {
		s := words(n)
		if s == "" || expression.MatchString(s) {
			continue
		}
		if korean := hangul.MatchString(s); (korean || after) && !paired[n.Pos()] {
			texts = append(texts, alone(files.Position(n.Pos()).String(), s, false))
			after = korean
		} else {
			after = false
		}
	}
	return texts, nil
}

// words are the text of a string, whole or put together from pieces (by fmt and strings too); "" of anything else.
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
		case *ast.CallExpr:
			from, ok := n.Fun.(*ast.SelectorExpr)
			if !ok {
				return false
			}
			pkg, ok := from.X.(*ast.Ident)
			return ok && (pkg.Name == "fmt" || pkg.Name == "strings")
		case *ast.CompositeLit:
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
		if !strings.HasSuffix(file, ".ts") || strings.HasSuffix(file, ".test.ts") || strings.HasPrefix(file, "dev/") || strings.HasPrefix(file, "test/") {
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
		for _, m := range beside.FindAllStringSubmatch(string(text), -1) {
			texts = append(texts, said{at: file, ko: filled.ReplaceAllString(m[1], ""), en: filled.ReplaceAllString(m[2], "")})
		}
		for name, ko := range sides["ko"] {
			texts = append(texts, said{at: file + ": " + name, ko: strings.TrimSpace(ko), en: strings.TrimSpace(sides["en"][name])})
		}
	})
	return texts
}
