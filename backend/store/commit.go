package store

import (
	"context"
	"runtime"
	"strings"

	"agentchat/backend/failpoint"
)

// batchMost is the most transactions that share one commit, so that nobody waits long for others.
const batchMost = 64

// pending is one transaction that waits for its commit.
type pending struct {
	full bool
	wait bool // lets others that are about to commit come along
	do   func(*work) error
	from string // who asked, in crash-test builds
	over bool
	err  error
}

// tx runs one write transaction. With full it survives power loss once tx returns. A write that has begun is finished:
// the caller's context can keep it from starting, not break it off.
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

// join puts a transaction into the line and returns when it is committed.
func (s *Store) join(ctx context.Context, p *pending) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.line.Lock()
	s.waiting = append(s.waiting, p)
	s.line.Unlock()

	if p.wait {
		runtime.Gosched()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !p.over { // nobody has taken it along
		s.commit(context.WithoutCancel(ctx), s.takeWaiting())
	}
	return p.err
}

// takeWaiting takes the oldest transactions out of the line. Called with s.mu held.
func (s *Store) takeWaiting() []*pending {
	s.line.Lock()
	defer s.line.Unlock()
	n := min(len(s.waiting), batchMost)
	batch := s.waiting[:n:n]
	s.waiting = s.waiting[n:]
	if len(s.waiting) == 0 {
		s.waiting = nil
	}
	return batch
}

// commit runs a batch as one transaction of the engine. Called with s.mu held.
func (s *Store) commit(ctx context.Context, batch []*pending) {
	err := s.run(&work{ctx: ctx, s: s}, batch)
	for _, p := range batch {
		if p.err == nil {
			p.err = err
		}
		p.err, p.over = storageError(p.err), true
	}
	select {
	case s.dirty <- struct{}{}:
	default:
	}
}

// run does the batch's work between BEGIN and COMMIT. What a single transaction did wrong stands in its err; what is
// returned befell all of them.
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
	err := s.doAll(w, batch)
	hit(batch, " before commit")
	if err == nil {
		_, err = w.exec("COMMIT")
	}
	if err != nil {
		_, _ = w.exec("ROLLBACK") // nothing to roll back when COMMIT itself ended the transaction
		return err
	}
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
	pc, _, _, ok := runtime.Caller(2)
	if !ok {
		return "store"
	}
	name := runtime.FuncForPC(pc).Name()
	return "store." + name[strings.LastIndexByte(name, '.')+1:]
}
