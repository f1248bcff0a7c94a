package main

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
)

func TestErrorsReachThePageAsJSONText(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		code apperr.Code
	}{
		"one of ours":      {apperr.New(apperr.MessageTooLong, "size", 9, "limit", 8), apperr.MessageTooLong},
		"one from outside": {errors.New("boom"), apperr.Internal},
	} {
		text, ok := newWindow().formatError(c.err).(string)
		if !ok {
			t.Fatalf("%s: Wails makes an Error of it, so it must be text", name)
		}
		var told event.Error
		if err := json.Unmarshal([]byte(text), &told); err != nil {
			t.Fatalf("%s: %q: %v", name, text, err)
		}
		if told.Code != string(c.code) || told.Message == "" || strings.Contains(told.Message, "boom") {
			t.Errorf("%s: %+v", name, told)
		}
	}
}

func TestFlagsOfTheWindow(t *testing.T) {
	if got := flags([]string{"--data", "/tmp/x", "--workers=8"}); !reflect.DeepEqual(got, map[string]string{"data_dir": "/tmp/x", "workers": "8"}) {
		t.Errorf("got %v", got)
	}
	if got := flags([]string{"-assetdir", "x"}); got != nil {
		t.Errorf("a flag of Wails must not be taken for ours: %v", got)
	}
}

// TestEveryPayloadHasItsTypeInTheWindow keeps EventShapes whole: a payload the bindings do not know has no type there.
func TestEveryPayloadHasItsTypeInTheWindow(t *testing.T) {
	have := map[event.Kind]bool{}
	shapes := reflect.ValueOf(EventShapes{})
	for i := range shapes.NumField() {
		if p, ok := shapes.Field(i).Interface().(event.Payload); ok {
			have[p.EventKind()] = true
			if tag := shapes.Type().Field(i).Tag.Get("json"); tag != string(p.EventKind()) {
				t.Errorf("the payload of %s stands under %q", p.EventKind(), tag)
			}
		}
	}
	kinds := declaredKinds(t)
	if len(kinds) < 30 {
		t.Fatalf("only %d kinds are declared", len(kinds))
	}
	for _, kind := range kinds {
		switch kind {
		case event.KindReady, event.KindReply: // the headless front's own
		default:
			if !have[kind] {
				t.Errorf("EventShapes has nothing for %s", kind)
			}
		}
	}
}

// declaredKinds reads the kinds where they are declared, so that none can be left out of a list.
func declaredKinds(t *testing.T) (kinds []event.Kind) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "backend/event/kind.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok {
			if named, ok := v.Type.(*ast.Ident); ok && named.Name == "Kind" {
				text, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				kinds = append(kinds, event.Kind(text))
			}
		}
		return true
	})
	return kinds
}

func TestOnlyWebAddressesAreOpened(t *testing.T) {
	for _, good := range []string{"https://example.com/a?b=1#c", "http://127.0.0.1:8080/"} {
		if got, err := webAddress(good); err != nil || got != good {
			t.Errorf("%s: %q, %v", good, got, err)
		}
	}
	for _, bad := range []string{
		"", "example.com", "//example.com", "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "https:example.com", "https://", "https://:80/",
		"https://bank.example@evil.test/", "https://a:b@evil.test/", "wails://wails/", "https://a\nb/", "http://[::1",
	} {
		if got, err := webAddress(bad); err == nil {
			t.Errorf("%q was let through as %q", bad, got)
		}
	}
}
