package notes_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/notes"
	"agentchat/backend/store"
	"agentchat/backend/testing/ledgertest"
)

// board is notes over a real ledger, with a clock that moves a second at every look.
func board(tb testing.TB, dir string) (*notes.Notes, *store.Store) {
	tb.Helper()
	s, err := store.Open(context.Background(), ledgertest.In(dir), time.Now)
	if err != nil {
		tb.Fatal(err)
	}
	bus := event.NewBus(0, time.Now)
	now, ids := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC), 0
	tb.Cleanup(func() {
		bus.Close()
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return notes.New(notes.Deps{
		Store: s, Publisher: bus,
		Now:   func() time.Time { now = now.Add(time.Second); return now },
		NewID: func() string { ids++; return fmt.Sprint("own-", ids) },
	}), s
}

func TestFinding(t *testing.T) {
	n, _ := board(t, t.TempDir())
	for _, text := range []string{"우유 사기", "우유 배달 끊기\n3월부터", "치과: 화요일 3시", "wifi password is hunter2"} {
		if _, err := n.Add(t.Context(), "", text); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string]int{
		"우유": 2, "우유를": 2, "우유 배달": 1, "배달 치과": 2, "WIFI": 1, "3월": 1, "": 4, "?!": 4, "자전거": 0, "치과는 언제": 1,
	} {
		got, err := n.Find(t.Context(), text, 0)
		if err != nil || len(got) != want {
			t.Errorf("%q: %d, %v, want %d", text, len(got), err, want)
		}
	}
	meant, err := n.Meant(t.Context(), "우유 사기")
	if err != nil || meant.Text != "우유 사기" {
		t.Errorf("%+v, %v", meant, err)
	}
	if meant, err = n.Meant(t.Context(), meant.ID); err != nil || meant.Text != "우유 사기" {
		t.Errorf("by id: %+v, %v", meant, err)
	}
	_, err = n.Meant(t.Context(), "우유")
	var own *apperr.Error
	if !errors.As(err, &own) || own.Code != apperr.NoteUnclear || !strings.Contains(own.Text(bilingual.KO), "‘우유 배달 끊기’, ‘우유 사기’") {
		t.Errorf("%v", err)
	}
	for _, words := range []string{"자전거", "", "?"} {
		if _, err := n.Meant(t.Context(), words); apperr.CodeOf(err) != apperr.NoteMissing {
			t.Errorf("%q: %v", words, err)
		}
	}
}

func TestWhatIsKept(t *testing.T) {
	n, _ := board(t, t.TempDir())
	for in, want := range map[string]string{
		"\n  우유\r\n계란 \n\n": "  우유\n계란", "한글": "한글", "a\x00b\xff": "ab",
	} {
		kept, err := n.Add(t.Context(), "", in)
		if err != nil || kept.Text != want {
			t.Errorf("%q became %q, %v", in, kept.Text, err)
		}
	}
	for _, in := range []string{"", " \n\t ", "\x00", strings.Repeat("가", notes.MaxText+1)} {
		if _, err := n.Add(t.Context(), "", in); apperr.CodeOf(err) != apperr.InvalidArgs {
			t.Errorf("%.20q: %v", in, err)
		}
	}
	long := notes.Note{Text: "\n\n" + strings.Repeat("가 ", 200) + "우유" + strings.Repeat(" 나", 200)}
	if r := []rune(long.Title()); len(r) != 60 || r[59] != '…' {
		t.Errorf("title %q", long.Title())
	}
	if s := long.Snippet("우유"); !strings.Contains(s, "우유") || len([]rune(s)) > 122 {
		t.Errorf("snippet %q", s)
	}
}

// An edit goes by what was seen, and the same step never edits twice.
func TestEditing(t *testing.T) {
	n, _ := board(t, t.TempDir())
	kept, err := n.Add(t.Context(), "", "우유")
	if err != nil {
		t.Fatal(err)
	}
	first, err := n.Edit(t.Context(), "step", kept.ID, "우유\n계란", kept.Hash())
	if err != nil || first.Text != "우유\n계란" {
		t.Fatal(first, err)
	}
	again, err := n.Edit(t.Context(), "step", kept.ID, "우유\n계란\n계란", kept.Hash())
	if err != nil || again.Text != "우유\n계란" {
		t.Errorf("the step ran twice: %q, %v", again.Text, err)
	}
	if _, err := n.Edit(t.Context(), "", kept.ID, "빵", kept.Hash()); apperr.CodeOf(err) != apperr.Changed {
		t.Errorf("what was written meanwhile is lost: %v", err)
	}
	if err := n.Delete(t.Context(), kept.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := n.Edit(t.Context(), "", kept.ID, "빵", ""); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("a note in the trash was edited: %v", err)
	}
	if err := n.Restore(t.Context(), kept.ID); err != nil {
		t.Fatal(err)
	}
	if got, err := n.Edit(t.Context(), "", kept.ID, "빵", ""); err != nil || got.Text != "빵" {
		t.Errorf("%+v, %v", got, err)
	}
}

// Whatever is done in whatever order, the ledger tells what a simple list tells.
func TestAgainstAModel(t *testing.T) {
	n, s := board(t, t.TempDir())
	rapid.Check(t, func(rt *rapid.T) {
		for _, id := range []string{"a", "b", "c"} {
			_ = n.Delete(t.Context(), id) // those of the run before
		}
		if _, err := s.EmptyTrash(t.Context(), time.Now().Add(24*365*time.Hour)); err != nil {
			rt.Fatal(err)
		}
		type kept struct {
			text  string
			trash bool
		}
		model := map[string]*kept{}
		word := rapid.SampledFrom([]string{"우유", "계란", "치과", "milk", "집"})
		pick := func() string { return rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "id") }
		check := func(err error, there bool) {
			if (err == nil) != there || err != nil && apperr.CodeOf(err) != apperr.NotFound {
				rt.Fatalf("%v, there: %v", err, there)
			}
		}
		rt.Repeat(map[string]func(*rapid.T){
			"add": func(rt *rapid.T) {
				id, text := pick(), word.Draw(rt, "text")
				if _, err := n.Add(t.Context(), id, text); err != nil {
					rt.Fatal(err)
				}
				if model[id] == nil {
					model[id] = &kept{text: text}
				}
			},
			"edit": func(rt *rapid.T) {
				id, text := pick(), word.Draw(rt, "a")+" "+word.Draw(rt, "b")
				_, err := n.Edit(t.Context(), "", id, text, "")
				m := model[id]
				check(err, m != nil && !m.trash)
				if err == nil {
					m.text = text
				}
			},
			"delete": func(*rapid.T) {
				id := pick()
				check(n.Delete(t.Context(), id), model[id] != nil)
				if m := model[id]; m != nil {
					m.trash = true
				}
			},
			"restore": func(*rapid.T) {
				id := pick()
				check(n.Restore(t.Context(), id), model[id] != nil)
				if m := model[id]; m != nil {
					m.trash = false
				}
			},
			"": func(rt *rapid.T) {
				sought := word.Draw(rt, "sought")
				found, err := n.Find(t.Context(), sought, 0)
				if err != nil {
					rt.Fatal(err)
				}
				got := map[string]bool{}
				for _, f := range found {
					got[f.ID] = true
				}
				for id, m := range model {
					if want := !m.trash && strings.Contains(m.text, sought); got[id] != want {
						rt.Fatalf("%s %+v, sought %s: found %v", id, m, sought, got[id])
					}
				}
			},
		})
	})
}
