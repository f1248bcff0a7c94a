package shop_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library"
	"agentchat/backend/manager"
	"agentchat/backend/notes"
	"agentchat/backend/shop"
	"agentchat/backend/store"
	"agentchat/backend/testing/ledgertest"
)

// amount is what a shop has gathered.
type amount struct{ chats, messages, tickets, documents, notes int }

// heavy is a year of somebody who uses it all day: half of the messages are in one chat.
var heavy = amount{chats: 100, messages: 50_000, tickets: 20_000, documents: 5_000, notes: 2_000}

// busy is a week of the same: what is shown of it page by page fills its pages.
var busy = amount{chats: 30, messages: 1000, tickets: 400, documents: 100, notes: 40}

// light is what a shop has gathered in its first hour.
var light = amount{chats: 1, messages: 20, tickets: 5, documents: 1, notes: 1}

// aged is a data folder of a shop that has gathered so much, for this run alone. Making a year takes minutes, so what was made is kept in
// build/cache, by what this file says.
func aged(b testing.TB, name string, of amount) string {
	b.Helper()
	recipe, err := os.ReadFile("aged_test.go")
	if err != nil {
		b.Fatal(err)
	}
	kept := filepath.Join("..", "..", "build", "cache", fmt.Sprintf("%s-%x", name, sha256.Sum256(recipe))[:len(name)+13])
	if _, err := os.Stat(kept); err != nil {
		made := kept + ".made"
		if err := errors.Join(os.RemoveAll(made), os.MkdirAll(made, 0o700)); err != nil {
			b.Fatal(err)
		}
		gather(b, made, of)
		if err := os.Rename(made, kept); err != nil {
			b.Fatal(err)
		}
	}
	dir := filepath.Join(b.TempDir(), "data")
	if err := os.CopyFS(dir, os.DirFS(kept)); err != nil {
		b.Fatal(err)
	}
	return dir
}

// gather writes a ledger of that much, as a shop would have.
func gather(b testing.TB, dir string, of amount) {
	b.Helper()
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	ctx := context.Background()
	gatherDocuments(b, dir, of.documents)
	now := time.Date(2025, 1, 1, 8, 0, 0, 0, time.UTC)
	s, err := store.Open(ctx, ledgertest.In(dir), func() time.Time { return now })
	must(err)
	defer func() { must(s.Close()) }()
	must(s.AddChat(ctx, "main", ""))
	chats := []string{"main"}
	for i := 1; i < of.chats; i++ {
		chats = append(chats, fmt.Sprintf("chat%d", i))
		must(s.AddChat(ctx, chats[i], fmt.Sprintf("%d번째 이야기", i)))
	}
	tickets := 0
	for i := 0; i < of.messages/2; i++ { // a turn is two
		now = now.Add(20 * time.Minute)
		chat := chats[0]
		if i%2 == 1 {
			chat = chats[(i/2)%len(chats)]
		}
		id := fmt.Sprintf("01990000-0000-7000-8000-%012d", i)
		words := fmt.Sprintf("%d번째 부탁이에요. 우유 사기와 회의 준비를 도와줘", i)
		t := manager.Turn{ID: id, Chat: chat, Text: words, Lang: bilingual.KO}
		_, err := s.AddTurn(ctx, t, event.ChatMessage{ID: id, Role: event.RoleCustomer, Text: words, Time: now.Format(time.RFC3339)}, "")
		must(err)
		step := manager.TurnStep{Turn: &t, Node: "jobs", Next: "end", Done: true, Message: &event.ChatMessage{
			ID: fmt.Sprintf("01990000-0000-7000-9000-%012d", i), Role: event.RoleShop, Text: fmt.Sprintf("%d번째 답이에요. 챙겨 둘게요.", i), Time: now.Format(time.RFC3339), Turn: id,
		}}
		var ended []job.Job
		for range of.tickets*(i+1)*2/of.messages - tickets {
			tickets++
			ended = append(ended, ticket(tickets, chat, id, now))
		}
		step.Jobs = ended
		must(s.SaveTurn(ctx, step))
		for _, j := range ended {
			j.State, j.Started, j.Ended, j.Report = job.Succeeded, now, now, "다 했어요. 우유 사기를 적어 뒀어요."
			j.Todos[0].State = job.TodoDone
			must(s.SaveStep(ctx, job.Step{Run: &job.Run{Job: j}, Node: "end"}))
		}
	}
	for i := range of.notes {
		_, err := s.AddNote(ctx, notes.Note{ID: fmt.Sprint("note", i), Text: fmt.Sprintf("메모 %d: 우유 사기, 계란 %d판", i, i%7), Created: now, Updated: now})
		must(err)
	}
}

// ticket is a job that has not begun.
func ticket(n int, chat, turn string, at time.Time) job.Job {
	return job.Job{
		ID: fmt.Sprintf("01990000-0000-7000-a000-%012d", n), Number: int64(n), Chat: chat, Title: fmt.Sprintf("메모 적기 %d", n), Turn: turn, Lang: bilingual.KO,
		Request: "우유 사기 적어줘", State: job.Queued, Created: at, Message: fmt.Sprintf("01990000-0000-7000-c000-%012d", n),
		Todos: []job.Todo{{
			ID: fmt.Sprintf("01990000-0000-7000-b000-%012d", n), Title: "메모 적기", Tool: "note_add", Args: json.RawMessage(`{"text":"우유 사기"}`), State: job.TodoPending,
		}},
	}
}

// gatherDocuments reads small files into the library, as a folder that is dropped on it.
func gatherDocuments(b testing.TB, dir string, n int) {
	b.Helper()
	folder := filepath.Join(b.TempDir(), "papers")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		b.Fatal(err)
	}
	for i := range n {
		text := fmt.Sprintf("# 문서 %d\n\n## 제1조\n이 문서 %d번은 창고 %d호의 물품을 정한다. 우유 사기는 매주 한다.\n\n## 제2조\n담당자는 매달 %d일에 확인한다.\n", i, i, i%40, 1+i%28)
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("paper%05d.md", i)), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	s, err := shop.Open(context.Background(), options(dir))
	if err != nil {
		b.Fatal(err)
	}
	reader := s.Bus.SubscribeFrom(1)
	started, err := s.ImportDocuments(b.Context(), folder, "")
	if err != nil {
		b.Fatal(err)
	}
	for over := false; !over; {
		batch, err := reader.Next(b.Context(), 0)
		if err != nil {
			b.Fatal(err)
		}
		for _, e := range batch {
			if e.Kind == started.EventKind() {
				var p event.LibraryImport
				decode(b, e, &p)
				over = over || p.ID == started.ID && p.State == string(library.ImportDone)
			}
		}
	}
	v, err := s.Library(b.Context())
	if err != nil || len(v.Documents) < n {
		b.Fatalf("%d documents of %d: %v", len(v.Documents), n, err)
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
}
