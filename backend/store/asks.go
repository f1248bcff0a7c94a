package store

import (
	"context"

	"agentchat/backend/ask"
)

const selectAsk = `SELECT id, job, data, state, answer FROM asks `

// Ask implements ask.Store and job.Store.
func (s *Store) Ask(ctx context.Context, id string) (ask.Ask, error) {
	a, err := scanAsk(s.read.QueryRowContext(ctx, selectAsk+`WHERE id=?`, id).Scan)
	if err != nil {
		return a, missing(err, "question", id)
	}
	return a, nil
}

func scanAsk(scan func(...any) error) (ask.Ask, error) {
	var a ask.Ask
	var data, state, answer string
	var id, job string
	if err := scan(&id, &job, &data, &state, &answer); err != nil {
		return a, err
	}
	err := decode(data, &a)
	if err == nil && answer != "" {
		a.Answer = &ask.Answer{}
		err = decode(answer, a.Answer)
	}
	if err != nil {
		return ask.Ask{ID: id, JobID: job, State: ask.StateUnreadable}, unreadable("question", id, err)
	}
	a.State = ask.State(state)
	return a, nil
}

// AnswerAsk implements ask.Store: the first answer wins, whoever else tries at the same moment.
func (s *Store) AnswerAsk(ctx context.Context, id string, answer ask.Answer) (bool, error) {
	won := false
	err := s.tx(ctx, true, func(w *work) error {
		n, err := w.affect(`UPDATE asks SET state='answered', answer=?, closed=? WHERE id=? AND state='open'`, asJSON{answer}, micros(answer.At), id)
		if won = n == 1; won && err == nil && answer.Grant != nil {
			return w.addGrant(*answer.Grant)
		}
		return err
	})
	return won, err
}

// OpenAsks implements ask.Store.
func (s *Store) OpenAsks(ctx context.Context) ([]ask.Ask, error) {
	return s.asks(ctx, selectAsk+`WHERE state='open' ORDER BY opened, rowid`)
}

// FirstOpenAsks gives the oldest open questions, also those that are unreadable, and how many are open in all.
func (s *Store) FirstOpenAsks(ctx context.Context, limit int) (list []ask.Ask, all int, err error) {
	if err = s.read.QueryRowContext(ctx, `SELECT count(*) FROM asks WHERE state='open'`).Scan(&all); err != nil || limit == 0 || all == 0 {
		return nil, all, storageError(err)
	}
	list, err = s.asks(ctx, selectAsk+`WHERE state='open' ORDER BY opened, rowid LIMIT ?`, limit)
	return list, all, err
}

// JobAsks gives every question of a job, oldest first.
func (s *Store) JobAsks(ctx context.Context, jobID string) ([]ask.Ask, error) {
	return s.asks(ctx, selectAsk+`WHERE job=? ORDER BY opened, rowid`, jobID)
}

func (s *Store) asks(ctx context.Context, query string, args ...any) ([]ask.Ask, error) {
	return collect(ctx, s.read, func(row row) (ask.Ask, error) {
		a, err := scanAsk(row.Scan)
		if err != nil && a.State != ask.StateUnreadable {
			return a, err
		}
		return a, nil
	}, query, args...)
}
