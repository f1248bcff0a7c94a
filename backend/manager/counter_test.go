package manager_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/manager"
	"agentchat/backend/memory"
	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
	"agentchat/backend/service"
	"agentchat/backend/toolbox"
)

// stall is a shop floor with a service counter, a transfer tool and the built-in interpreter.
type stall struct {
	*house
	pay *jobtest.Tool

	mu     sync.Mutex
	moved  map[string]string // by todo: once each, however often it runs
	order  []string
	notice func(job.Job) error // what befalls the word that a job ended
	dead   bool                // nothing can be written any more
	known  map[string]bool     // the arguments of the tasks whose end was heard of while something could be written
}

func openStall(t *testing.T) *stall {
	t.Helper()
	s := &stall{house: &house{}, moved: map[string]string{}, known: map[string]bool{}, pay: jobtest.NewTool("transfer")}
	s.pay.Manual.Effect, s.pay.Manual.Counter, s.pay.Manual.Capacity = toolbox.EffectIdempotent, true, 1
	s.pay.Do = func(_ context.Context, call toolbox.Call) (toolbox.Result, error) {
		s.move(call)
		return toolbox.Result{Text: "moved"}, nil
	}
	s.notice = func(job.Job) error { return nil }
	s.Floor = jobtest.Open(t, s.pay, jobtest.Player("song", "", 1, time.Hour))
	s.Floor.OnCounterJob = func(j job.Job) {
		if s.notice(j) == nil {
			s.Manager.JobMoved(j)
		}
	}
	s.hireStall()
	s.Floor.Start(2)
	s.mustStart()
	t.Cleanup(func() { s.Manager.Stop(); s.memory.Stop() })
	return s
}

func (s *stall) move(call toolbox.Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, again := s.moved[call.TodoID]; !again {
		s.moved[call.TodoID] = string(call.Args)
		s.order = append(s.order, string(call.Args))
	}
}

func (s *stall) done(j job.Job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.dead {
		s.known[string(j.Todos[0].Args)] = true
	}
}

// die fails every write after left further ones.
func (s *stall) die(left *int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if *left--; *left < 0 {
		s.dead = true
	}
	if s.dead {
		return errGone
	}
	return nil
}

func (s *stall) wantMoved(want ...string) {
	s.T.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Equal(s.order, want) {
		s.T.Errorf("moved %q, want %q", s.order, want)
	}
}

// hireStall makes the manager; it is not started yet.
func (s *stall) hireStall() {
	s.T.Helper()
	words := builtin.New()
	services, err := service.NewBook("", func(tool string) bool { return tool == "transfer" || tool == "statement" })
	if err != nil {
		s.T.Fatal(err)
	}
	interp := interpreter.New(interpreter.Deps{
		Provider: func() provider.Provider { return words }, Tools: func(bilingual.Lang) []provider.ToolCard { return nil }, Services: services.Cards,
		Timeouts:  func() interpreter.Timeouts { return interpreter.Timeouts{First: time.Minute, Gap: time.Minute} },
		Publisher: s.Floor, NewID: s.ID,
	})
	s.book = &book{Store: s.Store}
	s.memory = memory.New(memory.Deps{
		Store: s.Store, Summarizer: interp.Summarizer, Plain: words, Publisher: s.Floor,
		Lang: func() bilingual.Lang { return bilingual.KO }, Now: time.Now, NewID: s.ID, Log: zerolog.Nop(),
	})
	s.Manager, err = manager.New(manager.Deps{
		Store: s.book, Memory: s.memory, Planner: interp, Jobs: s.Jobs, Desk: s.Desk, Publisher: s.Floor,
		Counter: &manager.Counter{Book: services, Extractor: interp, Done: s.done}, Orders: s.Jobs,
		Lang: func() bilingual.Lang { return bilingual.KO }, Now: time.Now, NewID: s.ID, Log: zerolog.Nop(),
	})
	if err != nil {
		s.T.Fatal(err)
	}
}

func (s *stall) mustStart() {
	s.T.Helper()
	if err := s.Manager.Start(context.Background()); err != nil {
		s.T.Fatal(err)
	}
	s.Settle()
}

// reopen closes the stall as a crash would, once nothing can be written any more, and opens it on the same folder.
func (s *stall) reopen() {
	s.T.Helper()
	s.Manager.Stop()
	s.memory.Stop()
	s.Floor.Reopen(2)
	s.hireStall()
	s.mustStart()
}

// ends gives the messages of all turns that ended since the floor was opened.
func (s *stall) ends() (list []string) {
	for _, d := range jobtest.Payloads[event.TurnDone](s.Floor, "") {
		list = append(list, d.Message)
	}
	return list
}

func (s *stall) sessions() []service.View {
	s.T.Helper()
	views, err := s.Manager.Sessions(context.Background())
	if err != nil {
		s.T.Fatal(err)
	}
	return views
}

const (
	toMom  = `{"amount":10000,"target":"엄마"}`
	toYong = `{"amount":50000,"target":"용걸이"}`
	twoFor = "엄마한테 만원, 용걸이한테 5만원 보내줘"
)

// A task that takes its time does not keep the customer: the turn ends, other things can be said, and the outcome comes
// by itself, with the next task.
func TestATaskThatTakesLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openStall(t)
		release := make(chan struct{})
		s.pay.Do = func(_ context.Context, call toolbox.Call) (toolbox.Result, error) {
			<-release
			s.move(call)
			return toolbox.Result{Text: "moved"}, nil
		}
		s.say("main", twoFor)
		id := s.send("main", "확인", "")
		s.Pass(11 * time.Second)
		if d := s.turn(id); d.State.Stage != "CONFIRMED" || !strings.Contains(d.Message, "아직 처리하고 있어요") {
			t.Fatalf("%+v", d)
		}
		if d := s.say("main", "안녕하세요"); strings.Contains(d.Message, "보낼까요") || d.Message == "" {
			t.Errorf("%+v", d)
		}
		close(release)
		s.Settle()
		ends := s.ends()
		if got := ends[len(ends)-1]; got != "완료! 다음으로 용걸이에게 5만원 보낼까요? (2/2)" {
			t.Fatalf("told %q", got)
		}
		if d := s.say("main", "확인"); d.Message != "2건 이체가 모두 완료됐어요." {
			t.Errorf("%+v", d)
		}
		s.wantMoved(toMom, toYong)
	})
}

// A task whose tool is taken asks at the desk; its outcome is told when it has come to it.
func TestATaskThatMustWaitForItsTool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openStall(t)
		first := make(chan struct{})
		s.pay.Do = func(_ context.Context, call toolbox.Call) (toolbox.Result, error) {
			if call.Chat == "other" {
				<-first
			}
			s.move(call)
			return toolbox.Result{Text: "moved"}, nil
		}
		s.say("other", "엄마한테 1만원 보내줘")
		s.send("other", "확인", "")
		s.Settle()
		s.say("main", "용걸이한테 5만원 보내줘")
		d := s.say("main", "확인")
		if d.State.Stage != "CONFIRMED" {
			t.Fatalf("%+v", d)
		}
		open, err := s.Desk.Open(context.Background())
		if err != nil || len(open) != 1 || open[0].Kind != ask.KindLock {
			t.Fatalf("%+v %v", open, err)
		}
		s.Choose(open[0].JobID, ask.ChoiceWait)
		close(first)
		s.Settle()
		done := 0
		for _, m := range s.ends() {
			if m == "이체가 완료됐어요." {
				done++
			}
		}
		if done != 2 || len(s.sessions()) != 0 {
			t.Errorf("%d told: %q; %+v", done, s.ends(), s.sessions())
		}
		s.wantMoved(toMom, toYong)
	})
}

// What the customer stops while it waits is not carried out, and the session does not stay stuck.
func TestATaskThatIsStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openStall(t)
		s.pay.Do = func(ctx context.Context, _ toolbox.Call) (toolbox.Result, error) {
			<-ctx.Done()
			return toolbox.Result{}, ctx.Err()
		}
		s.say("main", twoFor)
		s.send("main", "확인", "")
		s.Pass(11 * time.Second)
		s.say("main", "취소")
		ends := s.ends()
		if got := ends[len(ends)-1]; !strings.HasSuffix(got, "용걸이에게 5만원 보낼까요? (2/2)") {
			t.Errorf("told %q", ends)
		}
		s.wantMoved()
	})
}

var errGone = errors.New("the process is no more")

// Whatever write is the last one before the program dies: after a start the batch goes on, each task is carried out once,
// and nothing stays stuck.
func TestDyingAtEveryWrite(t *testing.T) {
	for _, who := range []string{"turn", "job", "notice"} {
		for n := 0; ; n++ {
			reached := true
			synctest.Test(t, func(t *testing.T) {
				s := openStall(t)
				s.say("main", twoFor)
				left := n
				switch who {
				case "turn":
					s.book.set(func(manager.TurnStep) error { return s.die(&left) })
				case "job":
					s.Ledger.FailAfter(n, errGone)
				case "notice": // what the job did is kept, but not told any more
					s.notice = func(job.Job) error {
						err := s.die(&left)
						if err != nil {
							s.book.set(func(manager.TurnStep) error { return errGone })
							s.Ledger.FailAfter(0, errGone)
						}
						return err
					}
				}
				s.send("main", "확인", "")
				s.Pass(time.Minute)
				s.Manager.Stop() // nothing reaches the disk until it is gone
				s.Jobs.Stop()
				s.mu.Lock()
				reached = s.dead || who == "job" && n < 12
				s.dead = false
				s.mu.Unlock()
				s.notice = func(job.Job) error { return nil }
				s.book.set(nil)
				s.Ledger.Heal()
				s.reopen()
				s.Pass(time.Minute)
				views := s.sessions()
				if len(views) != 1 || views[0].Stage != service.Ready {
					t.Fatalf("%s, write %d: the counter stands at %+v", who, n, views)
				}
				if views[0].Batch.Index == 1 { // the confirmation itself was lost: it is asked for again
					s.say("main", "확인")
				}
				if d := s.say("main", "확인"); !strings.Contains(d.Message, "2건") || len(s.sessions()) != 0 {
					t.Fatalf("%s, write %d: %q", who, n, d.Message)
				}
				s.wantMoved(toMom, toYong)
				if len(s.known) != 2 {
					t.Errorf("%s, write %d: heard of %v", who, n, s.known)
				}
			})
			if !reached || t.Failed() {
				break
			}
		}
	}
}

// The record of one task cannot be read: the shop opens, says so, and leaves the record as it is.
func TestOneUnreadableRecordKeepsNothingClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openStall(t)
		hold := make(chan struct{})
		s.pay.Do = func(context.Context, toolbox.Call) (toolbox.Result, error) {
			<-hold
			return toolbox.Result{Text: "moved"}, nil
		}
		s.say("main", "엄마한테 만원 보내줘")
		s.send("main", "확인", "")
		s.Pass(11 * time.Second)
		s.Manager.Stop()
		s.memory.Stop()
		close(hold)
		s.Floor.Reopen(2)
		s.hireStall()
		s.book.unread = apperr.New(apperr.StorageCorrupt)
		s.mustStart()
		ends := s.ends()
		if len(ends) != 1 || !strings.Contains(ends[0], "알 수 없어요") || len(s.sessions()) != 0 {
			t.Errorf("told %q, open: %+v", ends, s.sessions())
		}
		if d := s.say("main", "용걸이한테 5만원 보내줘"); d.NextAction != event.NextConfirm {
			t.Errorf("%+v", d)
		}
	})
}

// The state that turn.done carries can be read back.
func TestStateOfATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openStall(t)
		d := s.say("main", "엄마한테 보내줘")
		raw, err := json.Marshal(d.State.Meta["view"])
		if err != nil {
			t.Fatal(err)
		}
		var view service.View
		if err := json.Unmarshal(raw, &view); err != nil {
			t.Fatal(err)
		}
		if view.Service != "transfer" || view.Stage != service.Filling || len(view.Slots) != 4 || !view.Slots[1].Missing || view.Slots[0].Text != "엄마" {
			t.Errorf("%+v", view)
		}
	})
}
