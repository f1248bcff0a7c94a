package manager_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/manager"
)

func (h *house) show(request string) {
	h.T.Helper()
	if err := second(h.ShowVersion(h.T.Context(), request)); err != nil {
		h.T.Fatal(err)
	}
}

// firstRequest is what the customer said first in a chat.
func (h *house) firstRequest(chat string) string {
	h.T.Helper()
	msgs, err := h.Store.History(h.T.Context(), chat, "", 100)
	if err != nil {
		h.T.Fatal(err)
	}
	for _, m := range msgs {
		if m.Role == event.RoleCustomer {
			return m.ID
		}
	}
	return ""
}

func second(_ string, err error) error { return err }

// Every version of a request comes back with all that followed it, also after a restart; the model is told of what is shown, and of nothing
// else, and what stands before the fork is told in the same words as ever.
func TestVersionsOfARequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		h.say("main", "zero")
		one := h.say("main", "one").MessageID
		h.say("main", "after one")
		two := h.instead(one, "two").MessageID
		h.say("main", "after two")
		three := h.instead(two, "three").MessageID
		tell := func() (lines []string) {
			h.say("main", "probe")
			r := h.voice.Requests()
			for _, l := range r[len(r)-1].Transcript {
				lines = append(lines, l.Text)
			}
			return lines
		}
		h.show(one)
		want := []string{"customer: zero", "shop: zero", "customer: one", "shop: one", "customer: after one", "shop: after one"}
		if lines := h.history("main"); !slices.Equal(lines, want) {
			t.Fatalf("history %v", lines)
		}
		if lines := tell(); !slices.Equal(lines, []string{"zero", "zero", "one", "one", "after one", "after one"}) {
			t.Errorf("a model is told %v", lines)
		}
		h.restart()
		h.show(two)
		if lines := h.history("main"); !slices.Equal(lines, []string{"customer: zero", "shop: zero", "customer: two", "shop: two", "customer: after two", "shop: after two"}) {
			t.Errorf("history %v", lines)
		}
		if lines := tell(); !slices.Equal(lines, []string{"zero", "zero", "two", "two", "after two", "after two"}) {
			t.Errorf("a model is told %v", lines)
		}
		msgs, err := h.Store.History(t.Context(), "main", "", 10)
		if err != nil || !slices.Equal(msgs[2].Versions, []string{one, two, three}) || msgs[0].Versions != nil {
			t.Errorf("%+v, %v", msgs, err)
		}
		h.show(one)
		if lines := h.history("main"); !slices.Equal(lines, append(want, "customer: probe", "shop: probe")) {
			t.Errorf("what was said in a version is not in it any more: %v", lines)
		}
		told := jobtest.Payloads[event.ChatVersion](h.Floor, "")
		if len(told) == 0 || told[len(told)-1].Request != one || !slices.Contains(told[len(told)-1].Messages, two) {
			t.Errorf("%+v", told)
		}
		if err := second(h.ShowVersion(t.Context(), msgs[0].ID)); apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("of a request that was said once: %v", err)
		}
	})
}

// A version that was bent itself comes back as it was left.
func TestVersionsWithinAVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		outer := h.say("main", "outer").MessageID
		inner := h.say("main", "inner").MessageID
		other := h.instead(inner, "other").MessageID
		last := h.instead(outer, "last").MessageID
		if err := second(h.ShowVersion(t.Context(), inner)); apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("a version of what is not shown: %v", err)
		}
		h.show(outer)
		if lines := h.history("main"); !slices.Equal(lines, []string{"customer: outer", "shop: outer", "customer: other", "shop: other"}) {
			t.Errorf("history %v", lines)
		}
		h.show(inner)
		h.show(last)
		h.show(outer)
		if lines := h.history("main"); !slices.Equal(lines, []string{"customer: outer", "shop: outer", "customer: inner", "shop: inner"}) {
			t.Errorf("history %v", lines)
		}
		h.show(other)
	})
}

// What a version started is said of it: what goes on is stopped when the request is said anew, unless it is to go on; what was done stays on
// record. Showing a version changes nothing of what goes on.
func TestWhatVersionsStarted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		ids := h.start("main", "nav", "song")
		request := h.firstRequest("main")
		h.voice.Say = nil
		msg, err := h.SayInstead(t.Context(), request, manager.Instead{Text: "else", Keep: ids[:1]})
		if err != nil {
			t.Fatal(err)
		}
		h.Settle()
		h.Pass(50 * time.Millisecond)
		h.WantState(ids[0], job.Running)
		h.WantState(ids[1], job.Canceled)
		list, err := h.Versions(t.Context(), msg.ID)
		if err != nil || len(list) != 2 || list[0].Shown || !list[1].Shown || len(list[0].Jobs) != 2 || len(list[1].Jobs) != 0 {
			t.Fatalf("%+v, %v", list, err)
		}
		h.show(request)
		h.show(msg.ID)
		h.WantState(ids[0], job.Running)
		if err := h.Jobs.CancelJob(ids[0]); err != nil {
			t.Fatal(err)
		}
		h.Pass(50 * time.Millisecond)
		h.show(request)
		if board, err := h.Store.Board(t.Context(), 10); err != nil || len(board) != 2 {
			t.Errorf("%d tickets stand on the board, %v", len(board), err)
		}
	})
}

// A version that is not shown tells of its own work, with that of the versions within it, and not of what stands in the chat.
func TestEachVersionTellsOfItsOwnWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		first := h.start("main", "nav")
		outer := h.firstRequest("main")
		h.plans(jobsPlan("song"))
		inner := h.say("main", "inner")
		h.plans(jobsPlan("song"))
		again := h.instead(inner.MessageID, "again").Jobs
		h.plans(jobsPlan("song"))
		last := h.instead(outer, "last")
		want := [][]string{slices.Concat(first, inner.Jobs, again), last.Jobs}
		check := func() {
			t.Helper()
			list, err := h.Versions(t.Context(), last.MessageID)
			if err != nil || len(list) != 2 {
				t.Fatalf("%+v, %v", list, err)
			}
			for i, v := range list {
				if v.Shown {
					continue
				}
				var ids []string
				for _, j := range v.Jobs {
					ids = append(ids, j.ID)
				}
				if !slices.Equal(ids, want[i]) {
					t.Errorf("version %d tells of %v, not of %v", i+1, ids, want[i])
				}
			}
		}
		check()
		h.show(outer)
		check()
	})
}

// While a reply is written its version stays.
func TestAVersionIsNotLeftWhileItIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		one := h.say("main", "one").MessageID
		two := h.instead(one, "two").MessageID
		release := h.waits(jobsPlan("nav"))
		h.send("main", "three", "")
		h.Settle()
		if err := second(h.ShowVersion(t.Context(), one)); apperr.CodeOf(err) != apperr.ChatBusy {
			t.Errorf("%v", err)
		}
		release()
		h.Settle()
		h.show(one)
		h.show(two)
	})
}

// Whatever write is the last one before the program dies: after a start either the old version stands whole, or the new one with the old
// beside it. At no moment is there nothing.
func TestDyingAtEveryWriteOfAnEdit(t *testing.T) {
	for n := 0; n < 8; n++ {
		synctest.Test(t, func(t *testing.T) {
			h := openHouse(t)
			one := h.say("main", "one").MessageID
			h.say("main", "after one")
			left := n
			dead := errors.New("the process is no more")
			h.book.cutting = func() error {
				if left == 0 {
					return dead
				}
				left--
				return nil
			}
			h.book.set(func(manager.TurnStep) error {
				if left <= 0 {
					return dead
				}
				left--
				return nil
			})
			_, err := h.SayInstead(t.Context(), one, manager.Instead{Text: "two"})
			h.Settle()
			h.Manager.Stop()
			h.book.set(nil)
			h.book.cutting = nil
			h.restart()
			h.Settle()
			lines := h.history("main")
			if err != nil {
				if !slices.Equal(lines, []string{"customer: one", "shop: one", "customer: after one", "shop: after one"}) {
					t.Errorf("write %d: refused, and %v", n, lines)
				}
				return
			}
			if len(lines) != 2 || lines[0] != "customer: two" {
				t.Errorf("write %d: %v", n, lines)
			}
			h.show(one)
			if lines := h.history("main"); len(lines) != 4 {
				t.Errorf("write %d: the old version says %v", n, lines)
			}
		})
	}
}

// A fork has what was said up to a message, and is told to a model in the same words; what goes on stays in its own chat.
func TestAForkedChat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		for n := range 3 {
			h.say("main", fmt.Sprint("say ", n))
		}
		msgs, err := h.Store.History(t.Context(), "main", "", 10)
		if err != nil {
			t.Fatal(err)
		}
		made, err := h.ForkChat(t.Context(), msgs[3].ID, "a fork")
		if err != nil {
			t.Fatal(err)
		}
		if lines := h.history(made.ID); !slices.Equal(lines, []string{"customer: say 0", "shop: say 0", "customer: say 1", "shop: say 1"}) {
			t.Errorf("it says %v", lines)
		}
		fork, err := h.Store.History(t.Context(), made.ID, "", 10)
		if err != nil || fork[1].Turn != fork[0].ID || fork[0].ID == msgs[0].ID {
			t.Errorf("%+v, %v", fork, err)
		}
		h.say(made.ID, "on")
		r := h.voice.Requests()
		if l := r[len(r)-1].Transcript; len(l) != 4 || l[3].Text != "say 1" {
			t.Errorf("a model is told %+v", l)
		}
		if lines := h.history("main"); len(lines) != 6 {
			t.Errorf("the chat it came of says %v", lines)
		}
		if _, err := h.ForkChat(t.Context(), "nobody", "x"); apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("%v", err)
		}
	})
}

// A chat that is dropped is gone for good, with its versions; one that is there is not dropped.
func TestAChatIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		one := h.say("main", "one").MessageID
		h.instead(one, "two")
		if err := h.DropChat(t.Context(), "main"); apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("a chat that is there: %v", err)
		}
		h.delete("main")
		if err := h.DropChat(t.Context(), "main"); err != nil {
			t.Fatal(err)
		}
		if list, err := h.DeletedChats(t.Context()); err != nil || len(list) != 0 {
			t.Errorf("%+v, %v", list, err)
		}
		if list, err := h.Versions(t.Context(), one); err != nil || len(list) != 0 {
			t.Errorf("%+v, %v", list, err)
		}
	})
}
