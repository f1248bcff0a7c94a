package store_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/manager"
	"agentchat/backend/provider"
	"agentchat/backend/store"
)

// exchange is one as the interpreter hands it out. The cards are those of every other exchange.
func exchange(id, chat, job string) interpreter.Exchange {
	req := provider.Request{
		ID: id, Role: provider.RolePlanner, Chat: chat, Job: job, Lang: bilingual.KO,
		Tools:      []provider.ToolCard{{Key: "song", Title: "노래", Description: strings.Repeat("a long manual ", 500), Params: json.RawMessage(`{"type":"object"}`)}},
		Transcript: []provider.Turn{{Speaker: "customer", Text: "안녕"}}, Message: "노래 " + strings.Repeat("틀어줘 ", 100),
		State: provider.State{Repair: "the reply is empty"}, Schema: json.RawMessage(`{"type":"object"}`),
		Now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC),
	}
	return interpreter.Exchange{
		Request: req, Prompt: provider.Adapter{}.NormalizePrompt(req), Provider: "ollama", Attempt: 2, ReplayOf: "old",
		Reply: provider.Reply{
			Model: "m", Text: `{"route":"answer"}`, Thinking: "음", TokensIn: 10, TokensCached: 8, TokensOut: 3,
			FirstToken: time.Second, Elapsed: 2 * time.Second, DoneReason: "stop",
		},
		Error: "model_bad_output", Problem: "no reply", At: time.Date(2026, 3, 1, 9, 0, 1, 0, time.UTC),
	}
}

func TestLettersComeBackWhole(t *testing.T) {
	s := open(t, t.TempDir())
	ctx := t.Context()
	x := exchange("a", "main", "j1")
	if err := s.AddExchanges(ctx, []interpreter.Exchange{x, exchange("b", "other", ""), x}); err != nil {
		t.Fatal(err)
	}
	got, err := s.Exchange(ctx, "a")
	if err != nil || !reflect.DeepEqual(got, x) {
		t.Errorf("%v\n%+v\n%+v", err, got, x)
	}
	if _, err := s.Exchange(ctx, "none"); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("no such letter: %v", err)
	}
	heads, err := s.ExchangeHeads(ctx, "", "", 0)
	if err != nil || len(heads) != 2 || heads[0].Request.ID != "b" || heads[1].Reply.TokensCached != 8 || heads[1].Reply.Model != "m" || heads[1].Reply.Text != "" || heads[1].Request.Tools != nil {
		t.Fatalf("%+v, %v", heads, err)
	}
	if n := len([]rune(heads[1].Request.Message)); n != 201 {
		t.Errorf("a list shows %d characters of the request", n)
	}
	for _, c := range []struct {
		chat, job string
		want      int
	}{{"main", "", 1}, {"", "j1", 1}, {"main", "j2", 0}, {"other", "", 1}} {
		heads, err := s.ExchangeHeads(ctx, c.chat, c.job, 10)
		whole, err2 := s.Exchanges(ctx, c.chat, c.job, 10)
		if err != nil || err2 != nil || len(heads) != c.want || len(whole) != c.want {
			t.Errorf("%q %q: %d heads, %d letters, %v, %v", c.chat, c.job, len(heads), len(whole), err, err2)
		}
	}
}

// The newest letters are kept, what they have in common only once, and nothing that no letter needs.
func TestLettersAreFewAndSmall(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	ctx := t.Context()
	rows := func(what string) (n, bytes int) {
		t.Helper()
		db, err := sql.Open("sqlite", filepath.Join(dir, store.FileName))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = db.Close() }()
		if err := db.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(length(body)),0) FROM `+what).Scan(&n, &bytes); err != nil {
			t.Fatal(err)
		}
		return n, bytes
	}
	var list []interpreter.Exchange
	for i := range store.RequestsKept + 50 {
		list = append(list, exchange(fmt.Sprint("l", i), "main", ""))
	}
	list[0].Prompt.System = "an old block" // only the first request has it
	if err := s.AddExchanges(ctx, list); err != nil {
		t.Fatal(err)
	}
	if n, bytes := rows("letters"); n != store.RequestsKept || bytes > store.RequestsKept*1000 {
		t.Errorf("%d letters in %d bytes", n, bytes)
	}
	if n, _ := rows("letter_parts"); n != 3 { // what all begin with, what those of the role have, what those of the chat have
		t.Errorf("%d parts", n)
	}
	if heads, err := s.ExchangeHeads(ctx, "", "", store.RequestsKept); err != nil || heads[0].Request.ID != fmt.Sprint("l", store.RequestsKept+49) || heads[len(heads)-1].Request.ID != "l50" {
		t.Errorf("%v", err)
	}

	if err := s.AddChat(ctx, "main", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := s.DeleteChat(ctx, "main"); err != nil {
		t.Fatal(err)
	}
	// One that was still on its way is not kept either.
	if err := s.AddExchanges(ctx, []interpreter.Exchange{{Request: provider.Request{ID: "late", Chat: "main"}}}); err != nil {
		t.Fatal(err)
	}
	if n, _ := rows("letters"); n != 0 {
		t.Errorf("%d letters of a chat that was deleted", n)
	}
	if n, _ := rows("letter_parts"); n != 0 {
		t.Errorf("%d parts of no letter", n)
	}
}

func TestTheReasoningBehindAMessageIsKept(t *testing.T) {
	s := open(t, t.TempDir())
	turn := manager.Turn{ID: "m1", Chat: "main"}
	msg := event.ChatMessage{ID: "m1", Role: event.RoleShop, Text: "네", Reasoning: "손님이 인사했다"}
	if _, err := s.AddTurn(t.Context(), turn, msg, ""); err != nil {
		t.Fatal(err)
	}
	list, err := s.History(t.Context(), turn.Chat, "", 10)
	if err != nil || len(list) != 1 || list[0].Reasoning != msg.Reasoning {
		t.Errorf("%+v, %v", list, err)
	}
}
