package manager

import (
	"context"
	"maps"
	"slices"
	"time"

	"agentchat/backend/background"
	"agentchat/backend/failpoint"
	"agentchat/backend/job"
	"agentchat/backend/service"
)

// watch gives a job once it has ended or waits for something, or as it is when patience or the turn ends.
func (m *Manager) watch(ctx context.Context, id string) (job.Job, error) {
	moved := make(chan struct{}, 1)
	m.mu.Lock()
	m.watched[id] = moved
	m.mu.Unlock()
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.watched, id)
	}()
	limit := time.NewTimer(outcomeWait)
	defer limit.Stop()
	for {
		rec, err := m.deps.Store.LoadRun(context.WithoutCancel(ctx), id)
		if err != nil {
			return job.Job{}, err
		}
		if j := rec.Run.Job; j.State.Ended() || j.State == job.Waiting {
			return j, nil
		}
		select {
		case <-moved:
			continue
		case <-limit.C:
		case <-ctx.Done():
			if m.base.Err() != nil {
				return job.Job{}, ctx.Err() // the shop closes; the turn goes on waiting at the next start
			}
		}
		m.mu.Lock() // from now on the job's end opens a turn of its own
		delete(m.watched, id)
		m.mu.Unlock()
		rec, err = m.deps.Store.LoadRun(context.WithoutCancel(ctx), id)
		return rec.Run.Job, err
	}
}

// JobMoved is told by the job manager, once it is stored, that a job of the counter ended or waits. It must not be called
// with locks held.
func (m *Manager) JobMoved(j job.Job) {
	m.mu.Lock()
	moved := m.watched[j.ID]
	m.mu.Unlock()
	if moved != nil {
		background.Wake(moved)
		return
	}
	m.mu.Lock()
	opened := m.opened
	m.mu.Unlock()
	if opened && j.State.Ended() { // before that, Start looks itself
		m.resume(m.base, j.Chat, j.ID)
	}
}

// resume opens the turn that tells the outcome of a job, now or as soon as it can be written. Doing it twice opens one.
func (m *Manager) resume(ctx context.Context, chat, id string) {
	if failpoint.Enabled {
		failpoint.Hit("counter.resume before")
	}
	turn := Turn{ID: "outcome-" + id, Chat: chat, Lang: m.deps.Lang(), Resume: id, Message: m.deps.NewID()}
	if open, err := m.deps.Store.Counter(ctx, chat); err == nil {
		if s, ok := open.ByJob(id); ok {
			turn.Lang = s.Lang
		}
	}
	note := func() bool {
		added, err := m.deps.Store.AddResume(context.WithoutCancel(ctx), turn)
		if err != nil {
			m.deps.Log.Error().Err(err).Str("job", id).Msg("the outcome of a task could not be noted yet")
			return false
		}
		if added {
			m.enqueue(Pending{Turn: turn})
		}
		return true
	}
	if !note() {
		m.later(note)
	}
}

// owe sees to it that the outcome of a handed-out task is told although the turn that waited for it is over.
func (m *Manager) owe(chat, id string) {
	look := func() bool {
		rec, err := m.deps.Store.LoadRun(context.WithoutCancel(m.base), id)
		if err != nil {
			return false
		}
		if rec.Run.Job.State.Ended() { // otherwise its end is told by whoever ends it
			m.resume(m.base, chat, id)
		}
		return true
	}
	if !look() {
		m.later(look)
	}
}

// later does something until it succeeds, ever more seldom, as long as the shop is open.
func (m *Manager) later(do func() bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.shut {
		return
	}
	m.wg.Go(func() {
		for wait := time.Second; ; wait = min(2*wait, time.Minute) {
			again := time.NewTimer(wait)
			select {
			case <-again.C:
			case <-m.base.Done():
				again.Stop()
				return
			}
			if do() {
				return
			}
		}
	})
}

// stock is the counter as the last run of the program left it.
type stock struct {
	open   map[string]service.Counter
	waited map[string]bool // jobs that such a turn waits for
}

func (m *Manager) takeStock(ctx context.Context, pending []Pending) (was stock, err error) {
	if m.deps.Counter == nil {
		return was, nil
	}
	was.waited = map[string]bool{}
	for _, p := range pending {
		if p.Turn.Counter != nil {
			was.waited[p.Turn.Counter.Job] = true
		}
	}
	was.open, err = m.deps.Store.Counters(ctx)
	return was, err
}

// takeUp brings the counter back after a start: tasks that ended meanwhile are told.
func (m *Manager) takeUp(ctx context.Context, was stock) error {
	m.mu.Lock()
	m.opened = true
	m.mu.Unlock()
	for _, chat := range slices.Sorted(maps.Keys(was.open)) {
		for _, s := range was.open[chat] {
			if s.Job == "" || was.waited[s.Job] { // its own turn goes on
				continue
			}
			rec, err := m.deps.Store.LoadRun(ctx, s.Job)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				m.deps.Log.Error().Err(err).Str("job", s.Job).Msg("the record of a task cannot be read; it stays as it is, and the customer is told")
			}
			if err != nil || rec.Run.Job.State.Ended() {
				m.resume(ctx, chat, s.Job)
			}
		}
	}
	return nil
}
