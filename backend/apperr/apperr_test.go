package apperr_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
)

// codes reads every code with its name from the source, so that none can be forgotten.
func codes(t *testing.T) map[string]apperr.Code {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "codes.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]apperr.Code{}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if typ, ok := spec.Type.(*ast.Ident); ok && typ.Name == "Code" {
			text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			found[spec.Names[0].Name] = apperr.Code(text)
		}
		return true
	})
	if len(found) < 30 {
		t.Fatalf("only %d codes found in the source", len(found))
	}
	return found
}

func TestEveryCodeHasItsOwnSentenceInBothLanguages(t *testing.T) {
	internal := apperr.New(apperr.Internal)
	shape := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	seen := map[string]string{}
	for name, code := range codes(t) {
		if !shape.MatchString(string(code)) {
			t.Errorf("%s: %q is not lower_snake", name, code)
		}
		e := apperr.New(code)
		ko, en := e.Text(bilingual.KO), e.Text(bilingual.EN)
		if code != apperr.Internal && (ko == internal.Text(bilingual.KO) || en == internal.Text(bilingual.EN)) {
			t.Errorf("%s has no sentence of its own", code)
		}
		if other := seen[ko]; other != "" {
			t.Errorf("%s and %s say the same", code, other)
		}
		seen[ko] = string(code)
		if !strings.ContainsFunc(ko, func(r rune) bool { return unicode.Is(unicode.Hangul, r) }) {
			t.Errorf("%s is not Korean: %q", code, ko)
		}
		if strings.ContainsFunc(en, func(r rune) bool { return unicode.Is(unicode.Hangul, r) }) {
			t.Errorf("%s is not English: %q", code, en)
		}
		if kf, ef := fields(ko), fields(en); !maps.Equal(kf, ef) {
			t.Errorf("%s names %v in Korean and %v in English", code, kf, ef)
		}
		for lang, text := range map[bilingual.Lang]string{bilingual.KO: ko, bilingual.EN: en} {
			if !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "7") { // an example may come last
				t.Errorf("%s (%s) is not a sentence: %q", code, lang, text)
			}
		}
	}
}

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

func fields(text string) map[string]bool {
	found := map[string]bool{}
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		found[m[1]] = true
	}
	return found
}

// Every place in the program that makes an error gives all the fields its sentence names, so that nobody reads "{tool}".
func TestEveryErrorFillsItsSentence(t *testing.T) {
	known := codes(t)
	calls := 0
	house := os.DirFS("../..")
	err := fs.WalkDir(house, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (name == "frontend" || name == "e2e" || strings.HasPrefix(d.Name(), ".") && name != ".") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := fs.ReadFile(house, name)
		if err != nil {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, text, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || call.Ellipsis.IsValid() {
				return true
			}
			code, pairs := made(call)
			if code == "" {
				return true
			}
			calls++
			value, ok := known[code]
			if !ok {
				t.Errorf("%s: apperr.%s is no code", files.Position(call.Pos()), code)
				return true
			}
			have := map[string]bool{}
			for i := 0; i < len(pairs); i += 2 {
				key, ok := pairs[i].(*ast.BasicLit)
				if !ok {
					return true // made of parts; its own package tests it
				}
				if k, err := strconv.Unquote(key.Value); err == nil {
					have[k] = true
				}
			}
			if len(pairs)%2 != 0 {
				t.Errorf("%s: a field without a value", files.Position(call.Pos()))
			}
			for field := range fields(apperr.New(value).Text(bilingual.EN)) {
				if !have[field] {
					t.Errorf("%s: %s is made without %q, which its sentence names", files.Position(call.Pos()), value, field)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if calls < 30 {
		t.Errorf("only %d errors found in the program: the search is broken", calls)
	}
}

// made recognises apperr.New(apperr.X, …) and apperr.Wrap(err, apperr.X, …).
func made(call *ast.CallExpr) (code string, pairs []ast.Expr) {
	fun, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !isApperr(fun.X) {
		return "", nil
	}
	at := map[string]int{"New": 0, "Wrap": 1}
	n, ok := at[fun.Sel.Name]
	if !ok || len(call.Args) <= n {
		return "", nil
	}
	sel, ok := call.Args[n].(*ast.SelectorExpr)
	if !ok || !isApperr(sel.X) {
		return "", nil
	}
	return sel.Sel.Name, call.Args[n+1:]
}

func isApperr(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "apperr"
}

// word reads differently in each language.
type word struct{ ko, en string }

func (w word) In(lang bilingual.Lang) string {
	if lang == bilingual.KO {
		return w.ko
	}
	return w.en
}

func TestFieldsAreFilledIn(t *testing.T) {
	e := apperr.New(apperr.QueueFull, "limit", 20)
	if !strings.Contains(e.Text(bilingual.KO), "20") || !strings.Contains(e.Text(bilingual.EN), "20") {
		t.Errorf("%q", e.Text(bilingual.EN))
	}
	e = apperr.New(apperr.NotAvailable, "what", word{"서재", "the library"})
	if !strings.Contains(e.Text(bilingual.KO), "서재") || !strings.Contains(e.Text(bilingual.EN), "the library") {
		t.Errorf("%q, %q", e.Text(bilingual.KO), e.Text(bilingual.EN))
	}
	if e.Text("fr") != e.Text(bilingual.EN) {
		t.Error("an unknown language is not answered in English")
	}
	if unknown := apperr.New("made_up"); unknown.Text(bilingual.EN) != apperr.New(apperr.Internal).Text(bilingual.EN) || unknown.Code != "made_up" {
		t.Error("a code without a sentence reads wrongly")
	}
}

func TestAnErrorKeepsItsCause(t *testing.T) {
	cause := errors.New("no space left on device")
	e := apperr.Wrap(cause, apperr.StorageFull)
	wrapped := fmt.Errorf("saving: %w", e)
	if !errors.Is(wrapped, cause) || !errors.Is(wrapped, apperr.New(apperr.StorageFull)) || errors.Is(wrapped, apperr.New(apperr.StorageFailed)) {
		t.Error("errors.Is misses the code or the cause")
	}
	if !strings.Contains(e.Error(), "no space left") || !strings.HasPrefix(e.Error(), "storage_full: ") {
		t.Errorf("the log reads %q", e.Error())
	}
	if strings.Contains(e.Text(bilingual.EN), "no space left on device") {
		t.Error("a person reads the technical cause")
	}
	if apperr.From(wrapped) != e || apperr.CodeOf(wrapped) != apperr.StorageFull {
		t.Error("From lost the error inside")
	}
	for err, code := range map[error]apperr.Code{
		context.Canceled: apperr.Canceled, fmt.Errorf("x: %w", context.Canceled): apperr.Canceled, errors.New("?"): apperr.Internal,
	} {
		if have := apperr.CodeOf(err); have != code {
			t.Errorf("%v is %s, want %s", err, have, code)
		}
	}
	if apperr.From(nil) != nil || apperr.CodeOf(nil) != "" {
		t.Error("no error is an error")
	}
}

func TestCodesAreUnique(t *testing.T) {
	list := slices.Sorted(maps.Values(codes(t)))
	if len(slices.Compact(slices.Clone(list))) != len(list) {
		t.Errorf("a code is there twice: %v", list)
	}
}
