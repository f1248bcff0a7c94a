package manager_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"agentchat/backend/favourite"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/manager"
	"agentchat/backend/provider"
)

// places is a room where only names in capitals fit.
type places struct{}

func (places) Arguments(context.Context, string) []favourite.Argument { return nil }

func (places) Take(_ context.Context, _ favourite.Blank, words string, _ bilingual.Lang) (value, again string) {
	if strings.ToUpper(words) != words {
		return "", "Which place, in capitals?"
	}
	return words, ""
}

func (places) Ask(favourite.Blank, bilingual.Lang) string { return "Which place?" }

// Whatever write is the last one before the program dies: after the next start the blank is asked for again, or the words that it made
// whole are said once and answered once.
func TestAFilledFavouriteIsSaidOnce(t *testing.T) {
	for n := 0; ; n++ {
		reached := false
		synctest.Test(t, func(t *testing.T) {
			h := openHouse(t)
			if _, err := h.favourites.Keep(t.Context(), favourite.Draft{Name: "weather", Text: "the weather in {place}"}); err != nil {
				t.Fatal(err)
			}
			h.plans(provider.Plan{Route: provider.RouteAnswer, Reply: "sunny"})
			if d := h.say("main", "/weather"); d.Message != "Which place?" {
				t.Fatalf("%q", d.Message)
			}
			if d := h.say("main", "seoul"); d.Message != "Which place, in capitals?" {
				t.Fatalf("%q", d.Message)
			}
			var left atomic.Int64
			left.Store(int64(n))
			dead := atomic.Bool{}
			h.book.set(func(manager.TurnStep) error {
				if left.Add(-1) < 0 {
					dead.Store(true)
					return errGone
				}
				return nil
			})
			h.send("main", "SEOUL", "")
			h.Settle()
			reached = dead.Load()
			h.book.set(nil)
			h.restart()
			h.Settle()
			said := strings.Join(h.history("main"), "\n")
			if !strings.Contains(said, "customer: the weather in SEOUL") {
				h.say("main", "SEOUL") // the answer was not written down: it is asked for as before
				said = strings.Join(h.history("main"), "\n")
			}
			if strings.Count(said, "customer: the weather in SEOUL") != 1 || strings.Count(said, "shop: sunny") > 1 {
				t.Errorf("write %d:\n%s", n, said)
			}
		})
		if !reached || t.Failed() {
			if n < 3 {
				t.Errorf("only %d writes", n)
			}
			return
		}
	}
}
