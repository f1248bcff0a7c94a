package standing_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/manager"
	"agentchat/backend/standing"
	"agentchat/backend/store"
	"agentchat/backend/testing/ledgertest"
)

// years is how many years are lived through: make sim takes more of them.
var years = flag.Uint64("years", 1, "how many years of standing orders to live through")

type nobody struct{}

func (nobody) Publish(...event.Event) {}

// A year of standing orders whose clock jumps, sleeps and is set back, and whose program dies before and after it claims a moment: each
// moment is run once, or counted as missed by a later one, or left out while a run was going.
func TestAYear(t *testing.T) {
	for seed := range *years {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { aYear(t, seed) })
	}
}

func aYear(t *testing.T, seed uint64) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	ledger, err := store.Open(t.Context(), ledgertest.In(t.TempDir()), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ledger.Close() })
	dice := rand.New(rand.NewPCG(2026, seed))
	start := time.Date(2026, 11, 23, 7, 0, 0, 0, berlin)
	now, id, going := start, 0, []manager.Turn{}
	claims := map[string]int{} // by order and moment
	dealt := map[string]int{}  // by order: moments run, missed or left out
	var book *standing.Book
	note := func(c standing.Claim) {
		claims[c.Order.ID+c.Due.UTC().String()]++
		if dealt[c.Order.ID] += c.Missed; c.Outcome != standing.Late {
			dealt[c.Order.ID]++
		}
	}
	book = standing.New(standing.Deps{
		Store: missing{ledger, note}, Publisher: nobody{}, Follow: func([]string) {}, Now: func() time.Time { return now },
		NewID: func() string { id++; return fmt.Sprint("m", id) },
		Run: func(ctx context.Context, c standing.Claim) (bool, error) {
			if dice.IntN(10) == 0 {
				return false, context.DeadlineExceeded // dead before it
			}
			turn := manager.Turn{ID: c.Turn, Chat: c.Order.Chat, Text: c.Order.What}
			claimed, err := ledger.AddRun(ctx, c, &turn, event.ChatMessage{ID: c.Turn, Role: event.RoleCustomer, Text: turn.Text})
			if claimed {
				note(c)
				going = append(going, turn)
			}
			if err == nil && dice.IntN(10) == 0 {
				err = context.DeadlineExceeded // dead after it
			}
			return claimed, err
		},
	})
	for _, text := range []string{"매일 8시에", "평일 오후 2시 30분에", "매달 31일 9시에", "매일 새벽 2시 30분에", "매주 월, 목요일 20시에", "12시간마다"} {
		o, err := book.Propose(t.Context(), standing.Order{ID: text, Chat: "main", Text: text, What: text, Lang: "ko"}, book.Read(text))
		if err != nil {
			t.Fatal(err)
		}
		if dice.IntN(3) == 0 {
			if _, err := book.SetMissed(t.Context(), o.ID, standing.Tell); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := book.Do(t.Context(), standing.Command{Order: o.ID, Verb: standing.Keep}); err != nil {
			t.Fatal(err)
		}
	}
	furthest := now
	for end := start.AddDate(1, 0, 0); now.Before(end); {
		switch n := dice.IntN(20); {
		case n == 0:
			now = now.Add(time.Duration(dice.IntN(96)) * time.Hour) // asleep
		case n == 1:
			now = now.Add(-time.Duration(dice.IntN(180)) * time.Minute) // set back
		default:
			now = now.Add(time.Duration(1+dice.IntN(240)) * time.Minute)
		}
		if now.After(furthest) {
			furthest = now
		}
		book.RunDue(t.Context())
		for ; len(going) > 0 && dice.IntN(4) > 0; going = going[1:] {
			if err := ledger.SaveTurn(t.Context(), manager.TurnStep{Turn: &going[0], Done: true}); err != nil {
				t.Fatal(err)
			}
		}
	}
	now = furthest
	for range 20 { // whoever died is there again
		book.RunDue(t.Context())
	}
	orders, err := book.List(t.Context())
	if err != nil || len(orders) != 6 {
		t.Fatalf("%d orders, %v", len(orders), err)
	}
	for key, n := range claims {
		if n != 1 {
			t.Errorf("%s was claimed %d times", key, n)
		}
	}
	for _, o := range orders {
		o.State, o.Next = standing.Paused, time.Time{} // all its moments, from the beginning
		now = start
		moments, err := book.Moments(o, 1000)
		if err != nil {
			t.Fatal(err)
		}
		passed := 0
		for _, m := range moments {
			if !m.After(furthest) {
				passed++
			}
		}
		if dealt[o.ID] != passed || passed < 12 {
			t.Errorf("%s: %d of %d moments were dealt with", o.ID, dealt[o.ID], passed)
		}
	}
}

// missing hears of moments that are claimed without a run.
type missing struct {
	*store.Store

	note func(standing.Claim)
}

func (m missing) MissStanding(ctx context.Context, c standing.Claim, msg *event.ChatMessage) (string, bool, error) {
	chat, claimed, err := m.Store.MissStanding(ctx, c, msg)
	if claimed {
		m.note(c)
	}
	return chat, claimed, err
}
