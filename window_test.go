package main

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/shop"
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

func TestTheCommandLine(t *testing.T) {
	s, _ := startOf([]string{"--data", "/tmp/x", "--workers=8", "--hidden", "a.pdf", "뭐야?"})
	if want := (start{map[string]string{"data_dir": "/tmp/x", "workers": "8"}, true, []string{"a.pdf", "뭐야?"}}); !reflect.DeepEqual(s, want) {
		t.Errorf("got %+v", s)
	}
	// What is not ours ends what is read, and nothing of what came before it is lost.
	if got, _ := startOf([]string{"--data", "/tmp/x", "--hidden", "--bogus", "x"}); !reflect.DeepEqual(got, start{map[string]string{"data_dir": "/tmp/x"}, true, nil}) {
		t.Errorf("before what is not ours: %+v", got)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("-회의 $(x).txt", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, _ := startOf([]string{"--hidden", "-회의 $(x).txt", "뭐야?"}); !reflect.DeepEqual(got, start{nil, true, []string{"-회의 $(x).txt", "뭐야?"}}) {
		t.Errorf("a file that begins as a flag: %+v", got)
	}
	if got, _ := startOf([]string{"-assetdir", "x"}); !reflect.DeepEqual(got, start{}) {
		t.Errorf("a flag of Wails must not be taken for ours: %+v", got)
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

// A page that comes late finds what waits for it, once, and no more than fits.
func TestCommandsWaitForThePage(t *testing.T) {
	w := newWindow()
	if w.hasPage() {
		t.Error("there is no page yet")
	}
	for n := range mostCommands + 3 {
		w.keep(PageCommand{Kind: "open", Job: strconv.Itoa(n)})
	}
	list := w.takeCommands()
	if len(list) != mostCommands || list[0].Job != "3" || !w.hasPage() {
		t.Errorf("%d commands, the first %+v", len(list), list[0])
	}
	if list := w.takeCommands(); len(list) != 0 {
		t.Errorf("once more: %+v", list)
	}
}

func TestTheMenuOfTheTray(t *testing.T) {
	w := newWindow()
	say := func(d shop.Activity, lang bilingual.Lang) string {
		var lines []string
		for s, section := range w.trayMenu(d, lang) {
			if len(section) > trayRoom[s] {
				t.Errorf("section %d has %d entries", s, len(section))
			}
			for _, e := range section {
				lines = append(lines, e.Title)
			}
		}
		return strings.Join(lines, " | ")
	}
	d := shop.Activity{AllJobs: 9, AllAsks: 1, Asks: []event.AskOpened{{Question: "보낼까요?"}}, Paused: true, Favourites: []shop.FavouriteView{{Name: "날씨"}}}
	for n := range trayLines {
		d.Jobs = append(d.Jobs, job.Going{Title: "No. " + strconv.Itoa(n)})
	}
	for got, want := range map[string]string{
		say(shop.Activity{}, bilingual.KO): "Agent Chat 열기 | 하고 있는 일이 없어요 | 기다리는 질문이 없어요 | 모두 멈추기 | 끝내기",
		say(d, bilingual.KO):               "Agent Chat 열기 | /날씨 | 하고 있는 일 9개 | No. 0 | No. 1 | No. 2 | No. 3 | No. 4 | No. 5 | 그 밖에 3개 | 기다리는 질문 1개 | 보낼까요? | 계속하기 | 끝내기",
		say(d, bilingual.EN):               "Open Agent Chat | /날씨 | 9 jobs under way | No. 0 | No. 1 | No. 2 | No. 3 | No. 4 | No. 5 | 3 more | 1 question waits for you | 보낼까요? | Go on | Quit",
	} {
		if got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
