package manager_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/manager"
)

// fullFor makes every step of a turn fail for want of room, from the first or from the nth on, until nil is given.
func (b *book) full(from int) {
	b.set(func(manager.TurnStep) error {
		if from--; from >= 0 {
			return nil
		}
		return apperr.New(apperr.StorageFull)
	})
}

// told tells whether a turn was told as failed.
func told(d event.TurnDone) bool {
	return strings.Contains(d.Message, apperr.New(apperr.StorageFull).Text(bilingual.KO))
}

// A confirmation that was told as failed has failed: said again, it moves the money once, and called off, it never does,
// however often the program is opened afterwards, with or without room to write that down.
func TestWhatWasToldAsFailedHasFailed(t *testing.T) {
	for _, then := range []string{"확인", "취소", ""} {
		for from := range 4 { // how much of the turn is still written
			for _, room := range []bool{true, false} { // whether there is any before the program ends
				synctest.Test(t, func(t *testing.T) {
					s := openStall(t)
					s.say("main", "엄마한테 만원 보내줘")
					s.book.full(from)
					d := s.say("main", "확인")
					if !told(d) {
						s.book.set(nil)
						s.Pass(2 * time.Minute)
						s.reopen()
						s.Pass(2 * time.Minute)
						s.wantMoved(toMom) // it was on its way, and nothing else was said
						return
					}
					var want []string
					if room {
						s.book.set(nil)
						if then != "" {
							s.say("main", then)
						}
						if then == "확인" {
							want = []string{toMom}
						}
						s.wantMoved(want...)
					}
					s.reopen()
					s.reopen()
					s.Pass(2 * time.Minute)
					s.wantMoved(want...)
					if !room { // it is asked anew, and one word is enough
						if got := s.ends(); len(s.sessions()) != 1 {
							t.Errorf("%v, told %q", s.sessions(), got)
						}
						s.say("main", "확인")
						s.wantMoved(toMom)
					}
					if s.Store.Distrusted() {
						t.Error("the ledger is not trusted again")
					}
				})
			}
		}
	}
}

// What the last run could not write down is asked about, not done; one press does it.
func TestWhatCouldNotBeWrittenDownIsAskedAbout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		h.plans(jobsPlan("quick"))
		h.book.full(0)
		if d := h.say("main", "play it"); d.Message != apperr.New(apperr.StorageFull).Text(bilingual.EN) {
			t.Fatalf("%+v", d)
		}
		h.restart()
		if n := len(jobtest.Payloads[event.JobCreated](h.Floor, "")); n != 0 {
			t.Fatalf("%d jobs began by themselves", n)
		}
		ends := jobtest.Payloads[event.TurnDone](h.Floor, "")
		if len(ends) != 1 || !strings.Contains(ends[0].Message, "play it") || len(ends[0].UIHint.Buttons) != 1 {
			t.Fatalf("%+v", ends)
		}
		d := h.press("main", ends[0].UIHint.Buttons[0].ID)
		if len(d.Jobs) != 1 || !slices.Contains(h.history("main"), "customer: play it") {
			t.Errorf("%+v", d)
		}
		h.restart()
		if n := len(jobtest.Payloads[event.TurnDone](h.Floor, "")); n != 0 {
			t.Errorf("%d turns were left", n)
		}
	})
}

// When not even that word can be left, the customer is told that it may still be done.
func TestNothingAtAllCanBeWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		h.plans(jobsPlan("quick"))
		h.book.full(0)
		h.book.stuck = true
		if d := h.say("main", "play it"); !strings.Contains(d.Message, "may still be done") {
			t.Errorf("%+v", d)
		}
	})
}

// Every confirmation that was taken ends in done, failed or asked again, whichever write fails for a while and how long.
func TestAnAcceptedConfirmationIsAlwaysTold(t *testing.T) {
	for from := range 8 {
		for _, seconds := range []int{1, 13, 120} {
			for _, again := range []bool{false, true} {
				synctest.Test(t, func(t *testing.T) {
					s := openStall(t)
					s.say("main", "엄마한테 만원 보내줘")
					s.book.full(from)
					s.book.delays(apperr.New(apperr.StorageBusy))
					s.send("main", "확인", "")
					<-time.After(time.Duration(seconds) * time.Second)
					s.book.delays(nil)
					s.book.set(nil)
					s.Pass(3 * time.Minute)
					if again {
						s.say("main", "확인")
						s.Pass(3 * time.Minute)
					}
					s.mu.Lock()
					moved := len(s.order)
					s.mu.Unlock()
					done := slices.ContainsFunc(s.history("main"), func(l string) bool { return strings.Contains(l, "완료") })
					asked := len(s.sessions()) == 1 && s.sessions()[0].Stage == "READY"
					if moved > 1 || done != (moved == 1) || !done && !asked {
						t.Errorf("from %d for %d s: moved %d times, %v %+v\n%q", from, seconds, moved, done, s.sessions(), s.history("main"))
					}
				})
			}
		}
	}
}
