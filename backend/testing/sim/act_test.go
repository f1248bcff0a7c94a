package sim

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
)

// step is one decision of the scheduler: let somebody go on, or make something happen.
func (w *world) step() {
	if held := w.stage.gates.waiting(); len(held) > 0 && w.random.IntN(4) > 0 {
		h := held[w.random.IntN(len(held))]
		w.note("%s", h.key)
		w.stage.gates.let(h)
		return
	}
	switch w.random.IntN(21) {
	case 0, 1, 2, 3, 4, 5:
		w.say()
	case 6, 7, 8, 9, 10, 11, 12:
		if open := w.asks(); len(open) > 0 {
			a := open[w.random.IntN(len(open))]
			w.answer(a, a.Choices[w.random.IntN(len(a.Choices))])
		}
	case 13, 14:
		w.cancel()
	case 15, 16:
		d := time.Duration(1+w.random.IntN(40)) * time.Minute
		w.note("%v pass", d)
		<-time.After(d)
	case 17:
		w.workers = 1 + w.random.IntN(4)
		w.note("%d workers", w.workers)
		w.stage.jobs.SetWorkers(w.workers)
	case 18:
		chat := w.chat()
		w.note("stop the reply in %s", chat)
		w.stage.manager.StopReply(chat)
	case 19:
		if w.random.IntN(2) == 0 {
			w.kill()
		} else {
			w.note("closed")
			w.close()
		}
		w.open()
	case 20:
		w.brimful.Store(!w.brimful.Load())
		w.note("the disk is full: %t", w.brimful.Load())
	}
}

func (w *world) chat() string { return fmt.Sprint("chat", w.random.IntN(2)) }

var wishes = []string{"nav", "movie", "song", "song", "quick", "pay", "first", "timer", "deaf", "bad", "-"}

// say is a customer's message: work, a word to stop, or talk.
func (w *world) say() {
	text := "hello"
	switch w.random.IntN(12) {
	case 8, 9:
		text = []string{"엄마한테 만원 보내줘", "엄마한테 만원, 용걸이한테 5만원 보내줘", "용걸이한테 5만원 이체해줘"}[w.random.IntN(3)]
	case 10, 11:
		text = []string{"확인", "확인", "확인", "취소", "모두 취소"}[w.random.IntN(5)]
	case 0:
		text = []string{"stop", "stop song", "cancel", "wait"}[w.random.IntN(4)]
	case 1:
	default:
		var list []string
		for range 1 + w.random.IntN(2) {
			var todos []string
			for range 1 + w.random.IntN(2) {
				todos = append(todos, wishes[w.random.IntN(len(wishes))])
			}
			list = append(list, strings.Join(todos, "+"))
		}
		text = "jobs " + strings.Join(list, "|")
	}
	chat, s := w.chat(), w.stage
	seen := s.showing.Mark(chat)
	w.note("%s: %s", chat, text)
	if text == "확인" {
		w.mu.Lock()
		w.agreed[chat]++
		w.mu.Unlock()
	}
	w.act(s, func() {
		msg, err := s.manager.OnUserInput(context.Background(), chat, text, "", seen)
		if err == nil {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.said[chat] = append(w.said[chat], msg.ID)
		}
	})
}

// act does what a front does, apart: it may be held at a gate.
func (w *world) act(s *stage, do func()) {
	s.acts.Add(1)
	go func() {
		defer s.acts.Done()
		do()
	}()
}

// answer is a person's answer. In doubt the person looks at what happened out there.
func (w *world) answer(a ask.Ask, choice string) {
	reply := ask.Reply{Ask: a.ID, Choice: choice, Digest: a.Digest, Text: "another way"}
	if a.Kind == ask.KindRecovery && choice != ask.ChoiceStop {
		if reply.Choice = ask.ChoiceRunAgain; w.happened(a) {
			reply.Choice = ask.ChoiceHappened
		}
	}
	switch reply.Choice {
	case ask.ChoiceEdit:
		reply.Args = json.RawMessage(fmt.Sprintf(`{"n":%d}`, 100+w.random.IntN(100)))
	case ask.ChoiceStopOther:
		if len(a.Holders) > 0 {
			reply.Holder = a.Holders[w.random.IntN(len(a.Holders))].JobID
		}
	case ask.ChoiceReject:
		if w.random.IntN(2) == 0 {
			reply.Text = ""
		}
	}
	w.note("%s of %s: %s", a.Kind, a.JobID, reply.Choice)
	if reply.Choice == ask.ChoiceApprove || reply.Choice == ask.ChoiceRunAgain {
		w.mu.Lock()
		w.allowed[a.JobID+" "+a.Digest] = true
		w.granted[a.Chat+" "+a.Tool] = true
		w.mu.Unlock()
	}
	s := w.stage
	w.act(s, func() {
		_, err := s.desk.Answer(context.Background(), reply)
		if code := apperr.CodeOf(err); err != nil && code != apperr.StaleAnswer && code != apperr.StorageFull && !s.ledger.dead.Load() {
			w.t.Errorf("seed %d: answer %s: %v", w.seed, reply.Choice, err)
		}
	})
}

func (w *world) happened(a ask.Ask) bool {
	run, err := w.stage.ledger.LoadRun(context.Background(), a.JobID)
	w.must(err)
	for _, t := range run.Run.Job.Todos {
		if t.ID == a.TodoID {
			w.mu.Lock()
			defer w.mu.Unlock()
			return w.effects[a.JobID+" "+t.Title] > 0
		}
	}
	return false
}

// cancel stops a job, any job, also one that ended long ago.
func (w *world) cancel() {
	jobs, err := w.stage.ledger.Board(context.Background(), 100)
	w.must(err)
	if len(jobs) == 0 {
		return
	}
	j, s := jobs[w.random.IntN(len(jobs))], w.stage
	w.note("cancel %s", j.ID)
	w.act(s, func() {
		if err := s.jobs.CancelJob(j.ID); err != nil && apperr.CodeOf(err) != apperr.JobEnded && apperr.CodeOf(err) != apperr.StorageFull && !s.ledger.dead.Load() {
			w.t.Errorf("seed %d: cancel: %v", w.seed, err)
		}
	})
}
