package sim

import (
	"context"

	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/job"
)

// safe checks what must hold at every instant.
func (w *world) safe() {
	w.t.Helper()
	if w.t.Failed() {
		w.fail("an invariant is broken")
	}
	s := w.stage
	inv := s.box.Inventory()
	out, inLine := map[string]bool{}, map[string]bool{}
	for _, r := range inv.Tools {
		if r.Capacity > 0 && len(r.Holders) > r.Capacity {
			w.fail("%s: %d of %d are out", r.Tool, len(r.Holders), r.Capacity)
		}
		for _, h := range r.Holders {
			out[h.JobID] = true
		}
		place := 0
		for _, q := range r.Waiting {
			inLine[q.JobID] = true
			if q.Place <= place { // a group has one line for all its tools, so places may be missing here
				w.fail("%s: %s is told place %d behind place %d", r.Tool, q.JobID, q.Place, place)
			}
			place = q.Place
		}
	}
	for _, g := range inv.Groups {
		if len(g.Holders) > g.Capacity {
			w.fail("%s: %d of %d are out", g.Group, len(g.Holders), g.Capacity)
		}
	}
	asks := map[string]int{}
	for _, a := range w.asks() {
		if asks[a.JobID]++; asks[a.JobID] > 1 {
			w.fail("%s asks two questions at once", a.JobID)
		}
	}
	w.stream()
	if len(s.gates.waiting()) > 0 || s.jobs.Unwritten() {
		return // somebody is in the middle of something, or the end of a job was told and waits for room in the ledger
	}
	places, alive := s.jobs.Places(), map[string]bool{}
	for _, rec := range w.live() {
		j := rec.Run.Job
		alive[j.ID] = true
		running := 0
		for _, t := range j.Todos {
			if t.State == job.TodoRunning || t.State == job.TodoWaiting {
				running++
			}
		}
		if running > 1 {
			w.fail("%d todos of %s are under way at once", running, j.ID)
		}
		if j.State == job.Waiting && asks[j.ID] == 0 && !inLine[j.ID] && rec.WakeAt.IsZero() && places[j.ID] == 0 {
			w.fail("%s waits at %s for nothing", j.ID, rec.Next)
		}
	}
	for _, what := range []map[string]bool{out, inLine} {
		for id := range what {
			if !alive[id] {
				w.fail("%s has ended and still holds a tool or waits for one", id)
			}
		}
	}
	for id := range asks {
		if !alive[id] {
			w.fail("%s has ended and still asks", id)
		}
	}
}

// seen is what was read from the ledger after so many writes. Questions and jobs change by these only.
type seen[T any] struct {
	writes int64
	list   []T
}

func (s *seen[T]) after(writes int64, read func(context.Context) ([]T, error)) ([]T, error) {
	if s.writes == writes+1 {
		return s.list, nil
	}
	list, err := read(context.Background())
	s.writes, s.list = writes+1, list
	return list, err
}

// asks are the open questions.
func (w *world) asks() []ask.Ask {
	w.t.Helper()
	list, err := w.stage.open.after(w.stage.ledger.writes.Load(), w.stage.desk.Open)
	w.must(err)
	return list
}

// live are the jobs that have not ended.
func (w *world) live() []job.Record {
	w.t.Helper()
	list, err := w.stage.live.after(w.stage.ledger.writes.Load(), func(ctx context.Context) (list []job.Record, err error) {
		standing, err := w.stage.ledger.RecoveryStates(ctx)
		for _, s := range standing {
			rec, err := w.stage.ledger.LoadRun(ctx, s.ID)
			if err != nil {
				return nil, err
			}
			list = append(list, rec)
		}
		return list, err
	})
	w.must(err)
	return list
}

// stream checks that no envelope is missing.
func (w *world) stream() {
	for w.stage.bus.Seq() > w.stage.seq {
		batch, err := w.stage.reader.Next(context.Background(), 0)
		w.must(err)
		for _, e := range batch {
			if w.stage.seq++; e.Seq != w.stage.seq {
				w.fail("envelope %d came where %d was due", e.Seq, w.stage.seq)
			}
			w.stage.showing.Told(e)
			if e.Kind == event.KindTurnDone {
				w.stage.turns++
			}
		}
	}
}

// jobs are all that there ever were, as the ledger has them.
func (w *world) jobs() []job.Job {
	w.t.Helper()
	board, err := w.stage.ledger.Board(context.Background(), 10000)
	w.must(err)
	jobs := make([]job.Job, len(board))
	for i, j := range board {
		rec, err := w.stage.ledger.LoadRun(context.Background(), j.ID)
		w.must(err)
		jobs[i] = rec.Run.Job
	}
	return jobs
}

func (w *world) allEnded() bool {
	for _, j := range w.jobs() {
		if !j.State.Ended() {
			return false
		}
	}
	return true
}

// ended checks the end: every message has its answer, every job its end and its report, once; nothing is out or open.
func (w *world) ended() {
	w.t.Helper()
	w.safe()
	s := w.stage
	jobs := w.jobs()
	reports, replies, said := map[string]int{}, map[string]int{}, map[string]bool{}
	for _, chat := range []string{"chat0", "chat1"} {
		msgs, err := s.ledger.History(context.Background(), chat, "", 10000)
		w.must(err)
		for _, m := range msgs {
			switch m.Role {
			case event.RoleJob:
				reports[m.JobID]++
			case event.RoleShop:
				replies[chat]++
			case event.RoleCustomer:
				replies[chat]--
				said[m.ID] = true
			case event.RoleImportedAsk, event.RoleImportedReply: // nobody imports anything here
			}
		}
		counter := 0 // what was handed out at the counter may tell of its end in an answer of its own
		for _, j := range jobs {
			if j.Counter && j.Chat == chat {
				counter++
			}
		}
		if replies[chat] < 0 || replies[chat] > counter {
			w.fail("%s: %d more answers than messages", chat, replies[chat])
		}
		for _, id := range w.said[chat] {
			if !said[id] {
				w.fail("message %s was taken and is lost", id)
			}
		}
	}
	for _, j := range jobs {
		if !j.State.Ended() {
			w.fail("%s never ended: it is %s (%s)", j.ID, j.State, j.Reason)
		}
		if want := map[bool]int{false: 1, true: 0}[j.Counter]; reports[j.ID] != want {
			w.fail("%s was reported %d times, not %d", j.ID, reports[j.ID], want)
		}
	}
	for _, r := range s.box.Inventory().Tools {
		if len(r.Holders)+len(r.Waiting) > 0 {
			w.fail("%s: held by %v, waited for by %v", r.Tool, r.Holders, r.Waiting)
		}
	}
	if open := w.asks(); len(open) > 0 {
		w.fail("%d questions stay open", len(open))
	}
	counters, err := s.ledger.Counters(context.Background())
	w.must(err)
	for chat, counter := range counters {
		if top, ok := counter.Top(); ok && top.Job != "" {
			w.fail("%s: the counter still waits for %s", chat, top.Job)
		}
	}
}
