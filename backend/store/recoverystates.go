package store

import (
	"context"

	"agentchat/backend/job"
)

// selectRecoveryStates reads the columns of every unfinished job. The records themselves are not read, because that would take as long as
// the rest of the start.
const selectRecoveryStates = `SELECT id, chat, called_off, number, title, state, next, wake_at, ask, tool, in_line, resumes
	FROM jobs WHERE ended=0`

// RecoveryStates implements job.Store.
func (s *Store) RecoveryStates(ctx context.Context) ([]job.RecoveryState, error) {
	return s.recoveryStates(ctx, selectRecoveryStates+` ORDER BY number`)
}

// TornRuns implements job.Store.
func (s *Store) TornRuns(ctx context.Context) ([]job.RecoveryState, error) {
	return s.recoveryStates(ctx, selectRecoveryStates+` AND NOT json_valid(data) ORDER BY number`)
}

func (s *Store) recoveryStates(ctx context.Context, query string) ([]job.RecoveryState, error) {
	answered, err := s.answered(ctx)
	if err != nil {
		return nil, err
	}
	return collect(ctx, s.read, func(row row) (st job.RecoveryState, err error) {
		var wake, inLine int64
		err = row.Scan(&st.ID, &st.Chat, &st.Off, &st.Number, &st.Title, &st.State, &st.Next, &wake, &st.AskID, &st.Tool, &inLine, &st.Resumes)
		st.WakeAt, st.QueuedAt, st.InLine = fromMicros(wake), fromMicros(inLine), inLine > 0
		st.Answered = answered[st.AskID]
		return st, err
	}, query)
}

// answered gives the questions of unfinished jobs that have an answer nobody has read.
func (s *Store) answered(ctx context.Context) (map[string]bool, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT a.id FROM asks a CROSS JOIN jobs j ON j.id=a.job WHERE a.state='answered' AND j.ended=0`)
	ids := map[string]bool{}
	err = each(rows, err, func(r row) error {
		var id string
		if err := r.Scan(&id); err != nil {
			return err
		}
		ids[id] = true
		return nil
	})
	return ids, err
}

// Unfinished counts what else was under way when the program ended: open questions, turns without a reply, transfers
// whose day (YYYY-MM-DD) has come, and turns and counters that cannot be read.
func (s *Store) Unfinished(ctx context.Context, today string) (questions, turns, transfers, unreadable int, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM asks WHERE state='open'), (SELECT count(*) FROM turns WHERE json_valid(data)),
		(SELECT count(*) FROM bank_transfers WHERE state='scheduled' AND due<=?),
		(SELECT count(*) FROM turns WHERE NOT json_valid(data)) + (SELECT count(*) FROM counters WHERE NOT json_valid(data))`,
		today).Scan(&questions, &turns, &transfers, &unreadable)
	return questions, turns, transfers, unreadable, storageError(err)
}
