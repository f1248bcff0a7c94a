package store

import (
	"context"
	"strings"
	"time"
)

// Hit is one find of a search. Kind is chat, message, job or log.
type Hit struct {
	Kind, Chat, Job, ID, Title, Text string
	At                               time.Time
}

const searchQuery = `
SELECT kind, chat, job, id, title, text, at FROM (
  SELECT 'chat' AS kind, id AS chat, '' AS job, id, title, '' AS text, updated AS at FROM chats
    WHERE deleted=0 AND id NOT LIKE 'job:%' AND title LIKE ?1 ESCAPE '\'
  UNION ALL
  SELECT 'job', chat, id, id, title, state, created FROM jobs WHERE title LIKE ?1 ESCAPE '\'
  UNION ALL
  SELECT 'message', m.chat, m.job, m.id, coalesce(c.title, ''), m.text, m.created FROM messages m LEFT JOIN chats c ON c.id=m.chat
    WHERE m.hidden=0 AND m.text LIKE ?1 ESCAPE '\'
  UNION ALL
  SELECT 'log', j.chat, l.job, CAST(l.n AS TEXT), j.title, l.line, l.at FROM job_log l JOIN jobs j ON j.id=l.job
    WHERE l.line LIKE ?1 ESCAPE '\'
) ORDER BY CASE kind WHEN 'chat' THEN 0 WHEN 'job' THEN 1 WHEN 'message' THEN 2 ELSE 3 END, at DESC LIMIT ?2`

// Search finds text in titles, messages, jobs and logs, at most limit hits: conversations first, newest first in each kind.
func (s *Store) Search(ctx context.Context, text string, limit int) ([]Hit, error) {
	pattern := "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text) + "%"
	rows, err := s.read.QueryContext(ctx, searchQuery, pattern, limit)
	if err != nil {
		return nil, storageError(err)
	}
	defer func() { _ = rows.Close() }()
	hits := []Hit{}
	for rows.Next() {
		var h Hit
		var at int64
		if err := rows.Scan(&h.Kind, &h.Chat, &h.Job, &h.ID, &h.Title, &h.Text, &at); err != nil {
			return nil, storageError(err)
		}
		h.At = fromMicros(at)
		hits = append(hits, h)
	}
	return hits, storageError(rows.Err())
}
