package shop_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

// BenchmarkYear measures, on a ledger of a year of heavy use and on that of a new shop in turns, how long a start takes, a snapshot, opening
// the biggest chat, a search, the page of tickets, a turn in the biggest chat, and a backup. ×new is the ratio of the medians of the same
// run. A search goes through all there is and a backup copies it, so they may grow; the rest may cost twice as much at most.
func BenchmarkYear(b *testing.B) {
	dirs := []string{b.TempDir(), b.TempDir()} // a new shop's, a year's
	gather(b, dirs[0], amount{chats: 1, messages: 20, tickets: 5, documents: 1, notes: 1})
	gather(b, dirs[1], heavy)
	const rounds = 5
	names := []string{"start", "snapshot", "chat", "search", "tickets", "turn", "backup"}
	for b.Loop() {
		times := [2]map[string][]time.Duration{{}, {}}
		for range rounds {
			for i, dir := range dirs {
				for name, took := range live(b, dir) {
					times[i][name] = append(times[i][name], took)
				}
			}
		}
		for _, name := range names {
			fresh, year := median(times[0][name]), median(times[1][name])
			b.ReportMetric(float64(year.Microseconds())/1000, name+"-ms")
			b.ReportMetric(float64(year)/float64(fresh), name+"-×new")
		}
	}
	b.ReportMetric(0, "ns/op")
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}

// live opens a shop, does once what a person does, and says how long each took.
func live(b *testing.B, dir string) map[string]time.Duration {
	ctx, took := context.Background(), map[string]time.Duration{}
	timed := func(name string, do func() error) {
		began := time.Now()
		err := do()
		took[name] = time.Since(began)
		if err != nil {
			b.Fatalf("%s: %v", name, err)
		}
	}
	var s *shop.Shop
	timed("start", func() (err error) { s, err = shop.Open(ctx, options(dir)); return err })
	defer func() {
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}()
	timed("snapshot", func() error { _, err := s.Snapshot(ctx); return err })
	timed("chat", func() error {
		list, err := s.History(ctx, "main", "", 50)
		if err == nil && len(list) < 20 {
			err = fmt.Errorf("%d messages", len(list))
		}
		return err
	})
	timed("search", func() error {
		hits, err := s.Search(ctx, shop.SearchQuery{Text: "우유 사기"})
		if err == nil && len(hits) == 0 {
			err = errors.New("nothing was found")
		}
		return err
	})
	timed("tickets", func() error {
		page, err := s.Tickets(ctx, job.TicketFilter{}, 0, 50)
		if err == nil && len(page.Tickets) == 0 {
			err = errors.New("no tickets")
		}
		return err
	})
	reader := s.Bus.SubscribeFrom(1)
	turn(b, s, reader, "12 곱하기 3은?") // the first one warms up
	timed("turn", func() error { turn(b, s, reader, "100 나누기 8은?"); return nil })
	timed("backup", func() error { return s.ExportBackup(ctx, filepath.Join(b.TempDir(), "copy.db")) })
	return took
}

// gather writes a ledger of that much, as a shop would have.
func gather(b *testing.B, dir string, of amount) {
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
func gatherDocuments(b *testing.B, dir string, n int) {
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
