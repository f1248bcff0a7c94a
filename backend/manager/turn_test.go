package manager_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/manager"
	"agentchat/backend/provider"
)

func TestAMessageBecomesAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		h.plans(provider.Plan{Route: provider.RouteAnswer, Reply: "hello"})
		d := h.say("main", "hi")
		if d.Message != "hello" || d.NextAction != event.NextNone || d.UIHint.Buttons == nil || len(d.Jobs) != 0 {
			t.Errorf("turn.done: %+v", d)
		}
		if lines := h.history("main"); !slices.Equal(lines, []string{"customer: hi", "shop: hello"}) {
			t.Errorf("history %v", lines)
		}
	})
}

func TestAMessageBecomesJobsSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		h.plans(jobsPlan("nav", "song"))
		d := h.say("main", "navigate and sing")
		if len(d.Jobs) != 2 {
			t.Fatalf("turn.done names jobs %v", d.Jobs)
		}
		for _, id := range d.Jobs {
			h.WantState(id, job.Running)
		}
		created := jobtest.Payloads[event.JobCreated](h.Floor, "")
		if len(created) != 2 || created[0].Number == created[1].Number || created[0].Title != "the nav" {
			t.Errorf("job.created: %+v", created)
		}
	})
}

// A provider that never answers and does not listen holds up nobody: not the caller, not the other chats.
func TestAProviderThatHangsHoldsUpNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		release := make(chan struct{})
		defer close(release)
		hang := jobtest.Silence(release)
		h.voice.Say = func(ctx context.Context, l provider.Request, on func(provider.Delta)) (string, error) {
			if l.Chat == "stuck" {
				return hang(ctx, l, on)
			}
			return jobtest.PlanJSON(provider.Plan{Route: provider.RouteAnswer, Reply: "fine"}), nil
		}
		began := time.Now()
		stuck := h.send("stuck", "anybody there?", "")
		behind := h.send("stuck", "hello?", "")
		if d := h.say("main", "hi"); d.Message != "fine" {
			t.Errorf("the other chat: %+v", d)
		}
		if waited := time.Since(began); waited != 0 {
			t.Errorf("the caller waited %v", waited)
		}
		h.Pass(time.Minute)
		if d := h.turn(stuck); !strings.Contains(d.Message, apperr.New(apperr.ModelTimeout).Text(bilingual.EN)) {
			t.Errorf("the stuck turn ended with %q", d.Message)
		}
		h.Pass(time.Minute)
		h.turn(behind)
	})
}

func TestTurnsOfOneChatAreInOrderAndChatsSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		h.voice.Say = func(_ context.Context, l provider.Request, _ func(provider.Delta)) (string, error) {
			<-time.After(time.Second)
			return jobtest.PlanJSON(provider.Plan{Route: provider.RouteAnswer, Reply: "re " + l.Message}), nil
		}
		for chat := range 3 {
			for n := range 5 {
				h.send(fmt.Sprint("chat", chat), fmt.Sprint("message ", n), "")
			}
		}
		if !h.Manager.Busy("chat1") || h.Manager.Busy("main") {
			t.Error("busy tells of the wrong chats")
		}
		h.Pass(5 * time.Second)
		for chat := range 3 {
			var want []string
			for n := range 5 {
				want = append(want, fmt.Sprint("shop: re message ", n))
			}
			have := slices.DeleteFunc(h.history(fmt.Sprint("chat", chat)), func(l string) bool { return !strings.HasPrefix(l, "shop") })
			if !slices.Equal(have, want) {
				t.Errorf("chat %d: %v", chat, have)
			}
		}
		if h.Manager.Busy("") {
			t.Error("still busy")
		}
	})
}

func TestMessagesThatAreNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		for text, code := range map[string]apperr.Code{
			"": apperr.EmptyMessage, " \n\t ": apperr.EmptyMessage, strings.Repeat("가", manager.MaxMessage+1): apperr.MessageTooLong,
			strings.Repeat("x", 1<<20): apperr.MessageTooLong,
		} {
			if _, err := h.OnUserInput(t.Context(), "main", text, "", ""); apperr.CodeOf(err) != code {
				t.Errorf("a message of %d bytes: %v, want %s", len(text), err, code)
			}
		}
		for _, long := range [][2]string{{strings.Repeat("c", 129), ""}, {"main", strings.Repeat("a", 257)}} {
			if _, err := h.OnUserInput(t.Context(), long[0], "x", long[1], ""); apperr.CodeOf(err) != apperr.InvalidArgs {
				t.Errorf("a chat of %d, an action of %d bytes: %v", len(long[0]), len(long[1]), err)
			}
		}
		h.Settle()
		if lines := h.history("main"); len(lines) != 0 {
			t.Errorf("they were stored: %v", lines)
		}
		longest := strings.Repeat("가", manager.MaxMessage)
		h.say("main", longest)
		h.say("main", "broken \xff\xfe bytes\x00")
		lines := h.history("main")
		if lines[0] != "customer: "+longest || !strings.HasPrefix(lines[2], "customer: broken \uFFFD bytes") {
			t.Errorf("stored %q", lines[2:])
		}
	})
}

// Whatever becomes of a turn, it ends once, and the customer is told.
func TestEveryTurnEndsOnce(t *testing.T) {
	never := provider.Plan{Route: provider.RouteAnswer, Reply: "never said"}
	for name, c := range map[string]struct {
		say    string
		action string
		plan   func(context.Context, provider.Request, func(provider.Delta)) (string, error)
		fail   func(manager.TurnStep) error
		stop   bool
		code   apperr.Code
	}{
		"an error of the provider": {say: "x", plan: func(context.Context, provider.Request, func(provider.Delta)) (string, error) {
			return "", apperr.New(apperr.ProviderUnreachable, "provider", "ollama")
		}, code: apperr.ProviderUnreachable},
		"nonsense": {say: "x", plan: func(context.Context, provider.Request, func(provider.Delta)) (string, error) {
			return `{"route":"answer"} and then some`, nil
		}, code: apperr.ModelBadOutput},
		"a tool that is not there": {say: "x", plan: func(context.Context, provider.Request, func(provider.Delta)) (string, error) {
			return jobtest.PlanJSON(jobsPlan("rocket")), nil
		}, code: apperr.ModelBadOutput},
		"a room that is not there": {say: "x", plan: func(context.Context, provider.Request, func(provider.Delta)) (string, error) {
			return jobtest.PlanJSON(provider.Plan{Route: provider.RouteService}), nil
		}, code: apperr.NotAvailable},
		"a button that is not there": {action: "launch:rocket", code: apperr.NotFound},
		"a reply that is stopped": {say: "x", plan: func(ctx context.Context, _ provider.Request, _ func(provider.Delta)) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		}, stop: true, code: apperr.Canceled},
		"a provider that breaks down": {say: "x", plan: func(context.Context, provider.Request, func(provider.Delta)) (string, error) {
			panic("no such token")
		}, code: apperr.Internal},
		"a reply that cannot be saved": {say: "x", plan: func(context.Context, provider.Request, func(provider.Delta)) (string, error) {
			return jobtest.PlanJSON(never), nil
		}, fail: failTimes(2, "save"), code: apperr.StorageFull},
		"an end that cannot be saved at first": {say: "x", plan: func(context.Context, provider.Request, func(provider.Delta)) (string, error) {
			return jobtest.PlanJSON(provider.Plan{Route: provider.RouteAnswer, Reply: "said"}), nil
		}, fail: failOnce("save")},
		"a disk that is full for good": {say: "x", plan: func(context.Context, provider.Request, func(provider.Delta)) (string, error) {
			return jobtest.PlanJSON(never), nil
		}, fail: func(manager.TurnStep) error { return apperr.New(apperr.StorageFull) }, code: apperr.StorageFull},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := openHouse(t)
				h.voice.Say = c.plan
				h.book.set(c.fail)
				id := h.send("main", c.say, c.action)
				h.Settle()
				if c.stop {
					if !h.StopReply("main") || h.StopReply("other") {
						t.Error("stop_reply stopped the wrong reply")
					}
					h.Settle()
				}
				d := h.turn(id)
				if d.Message == "" || d.Message == never.Reply || len(d.Jobs) != 0 {
					t.Errorf("turn.done: %+v", d)
				}
				said := jobtest.Payloads[event.ChatMessage](h.Floor, "")
				last := said[len(said)-1]
				if last.Role != event.RoleShop || apperr.Code(last.Code) != c.code || last.Text != d.Message {
					t.Errorf("the customer was told %+v, turn.done says %q; want code %q", last, d.Message, c.code)
				}
				h.book.set(nil)
				h.voice.Say = nil
				if d := h.say("main", "still there?"); d.Message != "still there?" {
					t.Errorf("the next turn: %+v", d)
				}
			})
		})
	}
}

// failOnce refuses the first step of a node, failTimes the first n.
func failOnce(node string) func(manager.TurnStep) error { return failTimes(1, node) }

func failTimes(n int, node string) func(manager.TurnStep) error {
	return func(s manager.TurnStep) error {
		if s.Node == node && n > 0 {
			n--
			return apperr.New(apperr.StorageFull)
		}
		return nil
	}
}

// Tickets that could not be stored are not handed out and not named.
func TestJobsThatCannotBeSavedAreNotHandedOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		h.plans(jobsPlan("nav"))
		h.book.set(failOnce("save"))
		d := h.say("main", "go")
		if len(d.Jobs) != 0 || len(h.live()) != 0 || len(jobtest.Payloads[event.JobCreated](h.Floor, "")) != 0 {
			t.Errorf("turn.done names %v, %d jobs live", d.Jobs, len(h.live()))
		}
		msgs, err := h.Store.History(t.Context(), "main", "", 10)
		if err != nil || msgs[1].JobID != "" {
			t.Errorf("the reply points at a job: %+v, %v", msgs[1], err)
		}
	})
}

// Jobs that were handed out stay handed out, and are named, though the turn is stopped right then.
func TestJobsThatWereHandedOutAreNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		h.plans(jobsPlan("nav"))
		h.Hear = func(e event.Event) {
			if _, ok := e.Data.(event.JobCreated); ok && !h.StopReply("main") {
				t.Error("there was no reply to stop")
			}
		}
		d := h.say("main", "go")
		if d.Message != "ok" || len(d.Jobs) != 1 {
			t.Errorf("turn.done: %+v", d)
		}
		if len(h.live()) != 1 {
			t.Errorf("%d jobs", len(h.live()))
		}
	})
}

func TestTooManyJobsInLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		h.plans(jobsPlan("nav", "song"))
		h.Queue = 1
		id := h.send("main", "go", "")
		h.Settle()
		if d := h.turn(id); len(d.Jobs) != 0 || len(h.live()) != 0 {
			t.Errorf("turn.done: %+v", d)
		}
	})
}

// A turn is interrupted after every step it saves, and goes on after the restart: its jobs are handed out once, the
// customer is answered once.
func TestATurnIsTakenUpOnce(t *testing.T) {
	for n := range 5 {
		t.Run(fmt.Sprintf("after %d steps", n), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := openHouse(t)
				h.plans(jobsPlan("nav", "song"))
				left := n
				h.book.stuck = true // one that is no more takes nothing away either
				h.book.set(func(manager.TurnStep) error {
					if left--; left < 0 {
						return errDisk
					}
					return nil
				})
				h.send("main", "go", "")
				h.Settle()
				h.restart()
				if jobs := h.live(); len(jobs) != 2 {
					t.Errorf("%d jobs, want 2", len(jobs))
				}
				for _, j := range h.live() {
					h.WantState(j.ID, job.Running)
				}
				if lines := h.history("main"); !slices.Equal(lines, []string{"customer: go", "shop: ok"}) {
					t.Errorf("history %v", lines)
				}
				reqs := len(h.voice.Requests())
				h.restart()
				if len(h.voice.Requests()) != reqs || len(h.live()) != 2 {
					t.Error("a turn that was over was taken up again")
				}
			})
		})
	}
}

// The shop closes while the provider is silent: the turn stays and is answered at the next start.
func TestATurnWaitsForTheNextStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		release := make(chan struct{})
		h.voice.Say = jobtest.Silence(release)
		h.send("main", "first", "")
		h.send("main", "second", "")
		h.Settle()
		h.Manager.Stop()
		close(release)
		h.voice.Say = nil
		h.restart()
		if lines := h.history("main"); !slices.Equal(lines, []string{"customer: first", "customer: second", "shop: first", "shop: second"}) {
			t.Errorf("history %v", lines)
		}
	})
}

// Two who speak at the same moment are told and answered in the order in which the ledger has them.
func TestMessagesAreAnsweredInTheOrderTheyAreStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		h.plans(provider.Plan{Route: provider.RouteAnswer, Reply: "ok"})
		stored, goOn := make(chan struct{}), make(chan struct{})
		h.book.stored = func(turn manager.Turn) {
			if turn.Text == "first" {
				close(stored)
				<-goOn
			}
		}
		var both sync.WaitGroup
		both.Go(func() { h.send("main", "first", "") })
		<-stored
		both.Go(func() { h.send("main", "second", "") })
		h.Settle()
		close(goOn)
		both.Wait()
		h.Settle()
		var told []string
		for _, m := range jobtest.Payloads[event.ChatMessage](h.Floor, "") {
			if m.Role == event.RoleCustomer {
				told = append(told, m.Text)
			}
		}
		want := []string{"first", "second"}
		if !slices.Equal(told, want) {
			t.Errorf("the window heard %q", told)
		}
		var ended []string
		for _, d := range jobtest.Payloads[event.TurnDone](h.Floor, "") {
			ended = append(ended, d.MessageID)
		}
		msgs, err := h.Store.History(t.Context(), "main", "", 10)
		if err != nil {
			t.Fatal(err)
		}
		var asked []string
		for _, m := range msgs {
			if m.Role == event.RoleCustomer {
				asked = append(asked, m.ID)
			}
		}
		if !slices.Equal(ended, asked) {
			t.Errorf("answered %q, stored %q", ended, asked)
		}
	})
}

// Who read in the ledger that something was said, and waits then, waits for what comes of it.
func TestAMessageThatIsNotInLineYetIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		var early error
		h.book.stored = func(manager.Turn) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			early = h.WaitIdle(ctx)
		}
		h.say("main", "hello")
		if early == nil {
			t.Errorf("nothing was waited for: %v", early)
		}
		h.book.stored = nil
		if err := h.WaitIdle(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// What was stopped is not over: its end is still to be written down and told.
func TestWhatWasStoppedIsNotOver(t *testing.T) {
	for _, stopped := range []error{apperr.New(apperr.Canceled), apperr.From(context.Canceled), context.Canceled} {
		if errors.Is(stopped, manager.ErrTurnOver) {
			t.Errorf("%v passes for the end of a turn", stopped)
		}
	}
	if over := fmt.Errorf("save: %w", manager.ErrTurnOver); !errors.Is(over, manager.ErrTurnOver) {
		t.Error("the end of a turn is not known any more")
	}
}
