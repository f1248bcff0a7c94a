package store

import (
	"context"
	"time"

	"agentchat/backend/job"
)

// Opening the shop reads every unfinished job, so only what is needed leaves the engine: decoding all of it would take
// longer than reading it.
const selectStandings = `SELECT id, number, title, state, next, wake_at, coalesce(data->>'$.askId', ''), coalesce(data->>'$.call.tool', ''),
	coalesce(data->>'$.inLine', 0), coalesce(data->>'$.stood', ''), data->'$.exec.resume' IS NOT NULL FROM jobs WHERE ended=0 ORDER BY number`

// Standings implements job.Store.
func (s *Store) Standings(ctx context.Context) ([]job.Standing, error) {
	answered, err := s.answered(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := s.read.QueryContext(ctx, selectStandings)
	if err != nil {
		return nil, storageError(err)
	}
	defer func() { _ = rows.Close() }()
	var list []job.Standing
	for rows.Next() {
		var st job.Standing
		var wake int64
		var stood string
		if err := rows.Scan(&st.ID, &st.Number, &st.Title, &st.State, &st.Next, &wake, &st.AskID, &st.Tool, &st.InLine, &stood, &st.Resumes); err != nil {
			return nil, storageError(err)
		}
		st.WakeAt, st.Answered = fromMicros(wake), answered[st.AskID]
		if stood != "" {
			if st.Stood, err = time.Parse(time.RFC3339Nano, stood); err != nil {
				return nil, storageError(err)
			}
		}
		list = append(list, st)
	}
	return list, storageError(rows.Err())
}

// answered gives the questions of unfinished jobs that have an answer nobody has read.
func (s *Store) answered(ctx context.Context) (map[string]bool, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT a.id FROM jobs j JOIN asks a ON a.job=j.id WHERE j.ended=0 AND a.state='answered'`)
	if err != nil {
		return nil, storageError(err)
	}
	defer func() { _ = rows.Close() }()
	ids := map[string]bool{}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, storageError(err)
		}
		ids[id] = true
	}
	return ids, storageError(rows.Err())
}

// Unfinished counts what else was under way when the program ended: open questions, turns without a reply, and transfers
// whose day (YYYY-MM-DD) has come.
func (s *Store) Unfinished(ctx context.Context, today string) (questions, turns, transfers int, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM asks WHERE state='open'), (SELECT count(*) FROM turns WHERE done=0),
		(SELECT count(*) FROM bank_transfers WHERE state='scheduled' AND due<=?)`, today).Scan(&questions, &turns, &transfers)
	return questions, turns, transfers, storageError(err)
}
