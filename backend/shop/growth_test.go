//go:build unix

package shop_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/shop"
	"agentchat/backend/testing/baddisk"
)

// What a turn, a snapshot, opening a chat and a page of tickets read of the ledger does not grow with what the shop has gathered. Pages are
// counted: whatever goes through a table that grows reads many more of them.
func TestNothingGrowsWithTheLedger(t *testing.T) {
	little := amount{chats: 8, messages: 200, tickets: 80, documents: 2, notes: 5}
	much := amount{chats: 8, messages: 1600, tickets: 640, documents: 16, notes: 40}
	before, after := readsOf(t, little), readsOf(t, much)
	for what, few := range before {
		if after[what] > 2*few { // the same rows lie further apart, below a deeper tree
			t.Errorf("%s reads %d pages of a ledger that is eight times as big, %d of the small one", what, after[what], few)
		}
	}
}

// mostCalm is how many tries in a row have to find nothing less.
const mostCalm = 16

// readsOf is how many pages each of these reads at least, from a shop that has gathered so much. What the start leaves for later (a backup, a look at
// the whole ledger) reads as well, on a busy computer for long; so it is tried until it becomes no less.
func readsOf(t *testing.T, of amount) map[string]int {
	disk := baddisk.Under(t, t.TempDir())
	gather(t, disk.Dir(), of)
	o := options(disk.Dir())
	o.Config.Env = []string{"AGENTCHAT_JOB_KEEP=20"}
	s, err := shop.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	reader := s.Bus.SubscribeFrom(s.Bus.Seq() + 1)
	least := map[string]int{}
	for try, calm := 0, 0; calm < mostCalm; try++ {
		calm++
		anew, err := s.Anew(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for what, do := range map[string]func() error{
			"a turn":                              func() error { turn(t, s, reader, "12 곱하기 3은?"); return s.WaitIdle(t.Context()) },
			"a snapshot":                          func() error { _, err := s.Snapshot(t.Context()); return err },
			"a snapshot of which nothing is kept": func() error { _, _, err := anew.Carried(t.Context()); return err },
			"a chat":                              func() error { _, err := s.History(t.Context(), "main", "", 50); return err },
			"another chat":                        func() error { _, err := s.History(t.Context(), "chat7", "", 3); return err },
			"tickets":                             func() error { _, err := s.Tickets(t.Context(), job.TicketFilter{}, 0, 50); return err },
		} {
			if err := s.SaveDraft(t.Context(), "main", fmt.Sprint(what, try)); err != nil { // whoever reads after it reads anew
				t.Fatal(err)
			}
			reads := disk.Reads()
			if err := do(); err != nil {
				t.Fatal(err)
			}
			if reads = disk.Reads() - reads; try == 0 || reads < least[what] {
				least[what], calm = reads, 0
			}
		}
		if err := anew.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.ClearEnded(t.Context()); err != nil {
		t.Fatal(err)
	}
	for try := range 4 {
		if err := s.SaveDraft(t.Context(), "main", fmt.Sprint("cleared", try)); err != nil {
			t.Fatal(err)
		}
		reads := disk.Reads()
		if _, err := s.Snapshot(t.Context()); err != nil {
			t.Fatal(err)
		}
		if reads, what := disk.Reads()-reads, "a snapshot whose board was cleared"; try == 0 || reads < least[what] {
			least[what] = reads
		}
	}
	return least
}

// turn says something in the first chat and waits until its turn and its jobs are over.
func turn(b testing.TB, s *shop.Shop, reader *event.Reader, text string) {
	b.Helper()
	turnIn(b, s, reader, "main", text)
}

func turnIn(b testing.TB, s *shop.Shop, reader *event.Reader, chat, text string) {
	b.Helper()
	msg, err := s.Say(b.Context(), chat, text, "", "")
	if err != nil {
		b.Fatal(err)
	}
	var done event.TurnDone
	open, over := -1, map[string]bool{}
	for open != 0 {
		batch, err := reader.Next(b.Context(), 0)
		if err != nil {
			b.Fatal(err)
		}
		for _, e := range batch {
			switch e.Kind {
			case done.EventKind():
				var d event.TurnDone
				decode(b, e, &d)
				if d.MessageID == msg.ID {
					done, open = d, 0
				}
			case event.JobState{}.EventKind():
				var j event.JobState
				decode(b, e, &j)
				over[j.ID] = j.To == "succeeded"
			default:
			}
		}
		if open >= 0 {
			open = 0
			for _, id := range done.Jobs {
				if !over[id] {
					open++
				}
			}
		}
	}
}

func decode(b testing.TB, e event.Envelope, payload any) {
	b.Helper()
	if err := json.Unmarshal(e.Data, payload); err != nil {
		b.Fatal(err)
	}
}
