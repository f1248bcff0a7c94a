package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/manager"
	"agentchat/backend/store"
)

func said(t testing.TB, s *store.Store, chat, id, text, title string) {
	t.Helper()
	turn := manager.Turn{ID: id, Chat: chat, Text: text, Lang: bilingual.KO}
	if _, err := s.AddTurn(t.Context(), turn, event.ChatMessage{ID: id, Role: event.RoleCustomer, Text: text}, title); err != nil {
		t.Fatal(err)
	}
}

func foundIDs(t testing.TB, s *store.Store, q store.Quest) (ids []string) {
	t.Helper()
	q.Limit = 50
	hits, err := s.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range hits {
		ids = append(ids, h.ID)
	}
	return ids
}

// Messages are found by any piece of their words, all words of what is looked for must be there, and what is narrowed to a chat, a project, a
// kind or a time finds nothing else.
func TestMessagesAreFoundByPiecesOfTheirWords(t *testing.T) {
	s := open(t, t.TempDir())
	said(t, s, "main", "m1", "임대차 계약서의 보증금은 3,000만원이에요", "계약")
	said(t, s, "other", "m2", "Currency of Seoul, 보증금 말고", "환율")
	if err := s.SaveProject(t.Context(), manager.Project{ID: "p", Title: "이사"}); err != nil {
		t.Fatal(err)
	}
	if err := s.SetChat(t.Context(), manager.Chat{ID: "main", Project: "p"}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		q    store.Quest
		want []string
	}{
		{store.Quest{Text: "보증금"}, []string{"m2", "m1"}},
		{store.Quest{Text: "대차"}, []string{"m1"}},
		{store.Quest{Text: "차"}, []string{"m1"}},
		{store.Quest{Text: "rrenc"}, []string{"m2"}},
		{store.Quest{Text: "seoul 보증"}, []string{"m2"}},
		{store.Quest{Text: "3,000"}, []string{"m1"}},
		{store.Quest{Text: "임대 seoul"}, nil},
		{store.Quest{Text: "보증금", Chat: "other"}, []string{"m2"}},
		{store.Quest{Text: "보증금", Project: "p"}, []string{"m1"}},
		{store.Quest{Text: "계약"}, []string{"main", "m1"}},
		{store.Quest{Text: "계약", Kinds: []string{"chat"}}, []string{"main"}},
		{store.Quest{Text: "보증금", Since: time.Now().Add(time.Hour)}, nil},
		{store.Quest{Text: ","}, []string{"m2", "m1"}},
		{store.Quest{Text: "%"}, nil},
	} {
		if got := foundIDs(t, s, c.q); !slices.Equal(got, c.want) {
			t.Errorf("%+v finds %v, want %v", c.q, got, c.want)
		}
	}
	if err := s.HideMessage(t.Context(), "m1", true); err != nil {
		t.Fatal(err)
	}
	if got := foundIDs(t, s, store.Quest{Text: "임대차"}); got != nil {
		t.Errorf("what is hidden is found: %v", got)
	}
	if _, err := s.DeleteChat(t.Context(), "main"); err != nil {
		t.Fatal(err)
	}
	if got := foundIDs(t, s, store.Quest{Text: "계약"}); got != nil {
		t.Errorf("what was deleted is found: %v", got)
	}
}

// BenchmarkSearch searches the 50,000 messages of a year: for a word that is rare, one that is everywhere, one that is nowhere, and one letter.
func BenchmarkSearch(b *testing.B) {
	s := open(b, b.TempDir())
	for i := range 50_000 {
		said(b, s, fmt.Sprintf("chat%d", i%100), fmt.Sprintf("m%d", i), fmt.Sprintf("%d번째 부탁이에요. 우유 사기와 회의 준비를 도와줘", i), fmt.Sprintf("%d번째 이야기", i))
	}
	said(b, s, "chat7", "rare", "임대차 계약서를 찾아줘", "")
	for _, text := range []string{"임대", "임대차 계약서", "우유 회의", "없는낱말", "차", "?!"} {
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Search(b.Context(), store.Quest{Text: text, Limit: 8}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// What is looked for in a chat is found as it stands, whatever its letters' case, and only there; in a long one by the index.
func TestFindInChat(t *testing.T) {
	for _, more := range []int{0, 1100} {
		t.Run(fmt.Sprint(more), func(t *testing.T) { findInChat(t, more) })
	}
}

func findInChat(t *testing.T, more int) {
	s := open(t, t.TempDir())
	for i := range more {
		said(t, s, "main", fmt.Sprintf("more%d", i), "지난 이야기", "계약")
	}
	said(t, s, "main", "m1", "임대차 계약서 3조를 봐줘", "계약")
	said(t, s, "main", "m2", "Äpfel kaufen, 100% sicher?", "계약")
	said(t, s, "other", "m3", "임대차 계약서", "다른")
	said(t, s, "main", "m4", "계약서는 임대차 것", "계약")
	for text, want := range map[string][]string{
		"임대차 계약": {"m1"}, "계약서": {"m4", "m1"}, "äpfel": {"m2"}, "차": {"m4", "m1"}, "0%": {"m2"}, "%": {"m2"}, "없어": nil, " ": nil,
	} {
		if got, err := s.FindInChat(t.Context(), "main", text, 10); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q finds %v, %v; want %v", text, got, err, want)
		}
	}
	if err := s.HideMessage(t.Context(), "m1", true); err != nil {
		t.Fatal(err)
	}
	if got, err := s.FindInChat(t.Context(), "main", "계약서", 1); err != nil || !slices.Equal(got, []string{"m4"}) {
		t.Error(got, err)
	}
}

// BenchmarkFindInChat looks in a chat of 25,000 messages and in one of 100, in a ledger of 50,000.
func BenchmarkFindInChat(b *testing.B) {
	s := open(b, b.TempDir())
	for i := range 50_000 {
		chat := "long"
		switch {
		case i%500 == 1:
			chat = "short"
		case i%2 == 1:
			chat = fmt.Sprintf("chat%d", i%100)
		}
		said(b, s, chat, fmt.Sprintf("m%d", i), fmt.Sprintf("%d번째 부탁이에요. 우유 사기와 회의 준비를 도와줘", i), chat)
	}
	said(b, s, "long", "rare", "임대차 계약서를 찾아줘", "")
	for _, chat := range []string{"long", "short"} {
		for _, text := range []string{"임대차", "우유 사기", "없는낱말", "?!"} {
			b.Run(chat+"/"+text, func(b *testing.B) {
				for b.Loop() {
					if _, err := s.FindInChat(b.Context(), chat, text, 500); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
