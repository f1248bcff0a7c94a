package store

import (
	"context"

	"agentchat/backend/titles"
)

var _ titles.Store = (*Store)(nil)

// titleRequests is how many requests of a chat its title is made of.
const titleRequests = 12

// selectTitleRequests finds the ticket of each request by its index. The plus takes from the id that it is text, which an index over an
// expression does not know of its own and would not be used for.
const selectTitleRequests = `SELECT n, text, coalesce((SELECT j.title FROM jobs j INDEXED BY jobs_turn WHERE ` + turnOfJob + `=+m.id AND j.chat=?1 ORDER BY j.number LIMIT 1), '')
	FROM (SELECT n, id, text FROM messages WHERE chat=?1 AND role='customer' AND hidden=0 ORDER BY n DESC LIMIT ?2) m ORDER BY n`

// Untitled implements titles.Store.
func (s *Store) Untitled(ctx context.Context, times, limit int) ([]titles.Talk, error) {
	due, err := collect(ctx, s.read, func(r row) (t titles.Talk, err error) {
		err = r.Scan(&t.Chat, &t.Title, &t.Times, &t.Known)
		return t, err
	}, `SELECT id, title, titles, titled_at FROM chats WHERE deleted=0 AND named<2 AND titles<? AND id NOT LIKE 'job:%'
		AND titled_at < (SELECT n FROM messages m WHERE m.chat=chats.id AND m.role='customer' AND m.hidden=0 ORDER BY m.n DESC LIMIT 1)
		AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.chat=chats.id) ORDER BY titles, rowid DESC LIMIT ?`, times, limit)
	if err != nil {
		return nil, err
	}
	for i := range due {
		due[i].Requests, err = collect(ctx, s.read, func(r row) (q titles.Request, err error) {
			err = r.Scan(&q.N, &q.Text, &q.Ticket)
			return q, err
		}, selectTitleRequests, due[i].Chat, titleRequests)
		if err != nil {
			return nil, err
		}
	}
	return due, nil
}

// SetTitle implements titles.Store.
func (s *Store) SetTitle(ctx context.Context, n titles.Name) (changed bool, err error) {
	by := 0
	if n.ByModel {
		by = 1
	}
	err = s.tx(ctx, false, func(w *work) error {
		was, err := w.ids(`SELECT title FROM chats WHERE id=? AND deleted=0 AND named<2`, n.Chat)
		if err != nil {
			return err
		}
		if len(was) == 0 {
			return notFound("chat", n.Chat)
		}
		changed = was[0] != n.Title
		_, err = w.exec(`UPDATE chats SET title=?2, named=?3, titles=titles+?4, titled_at=CASE WHEN ?4 THEN ?5 ELSE titled_at END WHERE id=?1`,
			n.Chat, n.Title, by, n.Final, n.At)
		return err
	})
	return changed, err
}
