package store

import (
	"context"
	"runtime"
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/background"
	"agentchat/backend/failpoint"
)

// batchMost is the most transactions that share one commit, so that nobody waits long for others.
const batchMost = 64

// pending is one transaction that waits for its commit.
type pending struct {
	full bool
	wait bool // lets others that are about to commit come along
	do   func(*work) error
	from string    // who asked, in crash-test builds
	word chan bool // to whoever waits in line: commit the next batch (true), or it is over
	over bool
	err  error
}

// tx runs one write transaction. With full it survives power loss once tx returns. The caller's context can keep a transaction from
// starting, but a transaction that has started is finished.
//
// Callers that come while another commits share the next commit: the pages they have in common are written once. Each
// is still a transaction of its own: one that fails is rolled back alone and takes nothing with it.
func (s *Store) tx(ctx context.Context, full bool, do func(*work) error) error {
	p := &pending{full: full, do: do}
	if failpoint.Enabled {
		p.from = caller()
	}
	return s.join(ctx, p)
}

// join queues a transaction and returns when it is committed. The first in the queue commits for those behind it; the others sleep until
// they are told that it is done, or that they are the first.
func (s *Store) join(ctx context.Context, p *pending) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.Sound(ctx); err != nil {
		return err
	}
	s.line.Lock()
	s.waiting = append(s.waiting, p)
	first := !s.committing
	if s.committing = true; !first {
		p.word = make(chan bool, 1)
	}
	s.line.Unlock()
	if !first && !<-p.word {
		return p.err
	}
	if p.wait && s.worthwhile() {
		runtime.Gosched()
	}
	s.lead(context.WithoutCancel(ctx))
	return p.err
}

// lead commits the oldest of the line, which begins with the caller's own, and hands on to the next.
func (s *Store) lead(ctx context.Context) {
	batch := s.takeWaiting()
	defer func() { // also when one of them panics
		for _, p := range batch {
			if !p.over {
				p.err = apperr.New(apperr.StorageFailed)
			}
		}
		for _, p := range batch[1:] {
			p.word <- false
		}
		s.line.Lock()
		defer s.line.Unlock()
		if s.committing = len(s.waiting) > 0; s.committing {
			s.waiting[0].word <- true
		}
	}()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commit(ctx, batch)
}

// worthwhile tells whether to wait a moment for other transactions: some joined last time, and none in the queue is urgent. A single job
// on a busy machine would only lose time by waiting.
func (s *Store) worthwhile() bool {
	s.line.Lock()
	defer s.line.Unlock()
	return s.company && !slices.ContainsFunc(s.waiting, func(p *pending) bool { return !p.wait })
}

// takeWaiting takes the oldest transactions out of the line.
func (s *Store) takeWaiting() []*pending {
	s.line.Lock()
	defer s.line.Unlock()
	n := min(len(s.waiting), batchMost)
	batch := s.waiting[:n:n]
	s.company = n > 1
	s.waiting = s.waiting[n:]
	if len(s.waiting) == 0 {
		s.waiting = nil
	}
	return batch
}

// commit runs a batch as one transaction of the engine. Called with s.mu held.
func (s *Store) commit(ctx context.Context, batch []*pending) {
	err := s.run(&work{ctx: ctx, s: s}, batch)
	s.kept.settled()
	for _, p := range batch {
		if p.err == nil {
			p.err = err
		}
		p.err, p.over = storageError(p.err), true
	}
	background.Wake(s.dirty)
}

// run does the batch's work between BEGIN and COMMIT. The error of a single transaction is kept in its err; the returned error is one of the
// whole batch.
func (s *Store) run(w *work, batch []*pending) error {
	full := false
	for _, p := range batch {
		full = full || p.full
	}
	if full != s.full {
		level := "PRAGMA synchronous=NORMAL"
		if full {
			level = "PRAGMA synchronous=FULL"
		}
		if _, err := w.exec(level); err != nil {
			return err
		}
		s.full = full
	}
	if _, err := w.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	committed := false
	defer func() {
		if !committed {
			_, _ = w.exec("ROLLBACK") // nothing to roll back when COMMIT itself ended the transaction
		}
	}()
	err := s.doAll(w, batch)
	hit(batch, " before commit")
	if err == nil {
		_, err = w.exec("COMMIT")
	}
	if err != nil {
		return err
	}
	committed = true
	hit(batch, " after commit")
	return nil
}

func (s *Store) doAll(w *work, batch []*pending) error {
	if len(batch) == 1 {
		return batch[0].do(w)
	}
	for _, p := range batch {
		if _, err := w.exec("SAVEPOINT one"); err != nil {
			return err
		}
		if p.err = p.do(w); p.err != nil {
			if _, err := w.exec("ROLLBACK TO one"); err != nil {
				return err
			}
		}
		if _, err := w.exec("RELEASE one"); err != nil {
			return err
		}
	}
	return nil
}

// hit says, in crash-test builds, where the batch is.
func hit(batch []*pending, moment string) {
	if failpoint.Enabled {
		for _, p := range batch {
			if p.err == nil {
				failpoint.Hit(p.from + moment)
			}
		}
	}
}

// caller names the method whose transaction this is, for crash tests.
func caller() string {
	for frame := 2; ; frame++ {
		pc, _, _, ok := runtime.Caller(frame)
		if !ok {
			return "store"
		}
		name := runtime.FuncForPC(pc).Name()
		if name = name[strings.LastIndexByte(name, '.')+1:]; name != "exec" {
			return "store." + name
		}
	}
}
