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

// searchQuery searches each kind separately, so that each gets its share of the hits, and only the logs of the newest jobs, because there
// may be very many.
const searchQuery = `
SELECT kind, chat, job, id, title, text, at FROM (
  SELECT * FROM (SELECT 'chat' AS kind, id AS chat, '' AS job, id, title, '' AS text, ` + changed + ` AS at FROM chats
    WHERE deleted=0 AND id NOT LIKE 'job:%' AND title LIKE ?1 ESCAPE '\' ORDER BY at DESC LIMIT ?2)
  UNION ALL
  SELECT * FROM (SELECT 'job', chat, id, id, title, state, created AS at FROM jobs WHERE called_off<2 AND title LIKE ?1 ESCAPE '\' ORDER BY at DESC LIMIT ?2)
  UNION ALL
  SELECT * FROM (SELECT 'message', m.chat, m.job, m.id, coalesce(c.title, ''), m.text, m.created AS at
    FROM messages m LEFT JOIN chats c ON c.id=m.chat WHERE m.hidden=0 AND coalesce(c.deleted, 0)=0 AND m.text LIKE ?1 ESCAPE '\' ORDER BY at DESC LIMIT ?2)
  UNION ALL
  SELECT * FROM (SELECT 'log', j.chat, j.id, CAST(l.n AS TEXT), j.title, l.line, l.at AS at
    FROM (SELECT * FROM job_log ORDER BY n DESC LIMIT 20000) l JOIN jobs j ON j.number=l.n>>32
    WHERE j.called_off<2 AND l.line LIKE ?1 ESCAPE '\' ORDER BY at DESC LIMIT ?2)
) ORDER BY CASE kind WHEN 'chat' THEN 0 WHEN 'job' THEN 1 WHEN 'message' THEN 2 ELSE 3 END, at DESC`

// Search finds text in titles, messages, jobs and logs, at most limit hits of each kind: conversations first, newest first
// in each kind.
func (s *Store) Search(ctx context.Context, text string, limit int) ([]Hit, error) {
	return collect(ctx, s.read, func(row row) (h Hit, err error) {
		var at int64
		err = row.Scan(&h.Kind, &h.Chat, &h.Job, &h.ID, &h.Title, &h.Text, &at)
		h.At = fromMicros(at)
		return h, err
	}, searchQuery, like(text), limit)
}

// like is the pattern that finds a text as it is, wherever it stands.
func like(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text) + "%"
}
