package store

import (
	"context"
	"database/sql/driver"
	"slices"
	"strings"
	"time"

	"modernc.org/sqlite"

	"agentchat/backend/language/words"
)

// The index of messages is made of their pieces, and what it finds is looked at whole.
func init() {
	text := func(args []driver.Value, i int) string { s, _ := args[i].(string); return s }
	sqlite.MustRegisterDeterministicScalarFunction("text_pieces", 1, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		return words.Grams(text(args, 0)), nil
	})
	sqlite.MustRegisterDeterministicScalarFunction("text_holds", 2, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		return words.Holds(text(args, 0), strings.Split(text(args, 1), "\n")), nil
	})
}

// Hit is one find of a search. Kind is chat, message, job or log.
type Hit struct {
	Kind, Chat, Job, ID, Title, Text string
	At                               time.Time
}

// Quest is what is looked for: every word of a text, wherever it stands in a word, in things of some kinds (nil: all), of one chat or one
// project ("": all), not older than a moment. At most Limit of each kind are found.
type Quest struct {
	Text          string
	Kinds         []string
	Chat, Project string
	Since         time.Time
	Limit         int
}

// Each kind is searched by itself, so that each gets its share of the hits. A chat's own talk with its jobs is its own. Parameters: the
// words, the limit, the chat, the project, the moment, and what finds messages by their pieces.
const (
	foundChats = `SELECT 'chat', id, '', id, title, '', at FROM (SELECT id, title, project, ` + changed + ` AS at FROM chats
		WHERE deleted=0 AND id NOT LIKE 'job:%' AND text_holds(title, ?1))
		WHERE (?3='' OR id=?3) AND (?4='' OR project=?4) AND at>=?5 ORDER BY at DESC LIMIT ?2`
	// Titles are looked at in the index of the list, so that nothing of the records themselves is read.
	foundJobs = `SELECT 'job', chat, id, id, title, state, created FROM jobs WHERE number IN (SELECT number FROM (
			SELECT number, created FROM jobs INDEXED BY jobs_list WHERE ended>0 AND ` + soughtJob + `
			UNION ALL SELECT number, created FROM jobs INDEXED BY jobs_live WHERE ended=0 AND ` + soughtJob + `
		) ORDER BY created DESC LIMIT ?2) ORDER BY created DESC`
	soughtJob = `called_off<2 AND created>=?5 AND text_holds(title, ?1) AND (?3='' OR chat=?3)
		AND (?4='' OR EXISTS (SELECT 1 FROM chats c WHERE c.id=chat AND c.project=?4))`
	foundMessages = `SELECT 'message', m.chat, m.job, m.id, coalesce(c.title, ''), m.text, m.created
		FROM {from} LEFT JOIN chats c ON c.id=m.chat WHERE {match}m.hidden=0 AND coalesce(c.deleted, 0)=0 AND m.created>=?5
		AND (?3='' OR ` + owner + `=?3) AND (?4='' OR EXISTS (SELECT 1 FROM chats o WHERE o.id=` + owner + ` AND o.project=?4))
		AND text_holds(m.text, ?1) ORDER BY {n} DESC LIMIT ?2`
	// Only the logs of the newest jobs, because there may be very many.
	foundLogs = `SELECT 'log', j.chat, j.id, CAST(l.n AS TEXT), j.title, l.line, l.at
		FROM (SELECT * FROM job_log ORDER BY n DESC LIMIT 20000) l JOIN jobs j ON j.number=l.n>>32
		WHERE j.called_off<2 AND l.at>=?5 AND (?3='' OR j.chat=?3)
		AND (?4='' OR EXISTS (SELECT 1 FROM chats c WHERE c.id=j.chat AND c.project=?4)) AND text_holds(l.line, ?1) ORDER BY l.at DESC LIMIT ?2`
	owner = `CASE WHEN m.chat LIKE 'job:%' THEN (SELECT chat FROM jobs WHERE id=substr(m.chat, 5)) ELSE m.chat END`
)

// foundBy finds messages by their pieces, the newest first, or by looking at all of them when what is looked for has none.
func foundBy(pieces string) string {
	if pieces == "" {
		return strings.NewReplacer("{from}", "messages m", "{match}", "?6='' AND ", "{n}", "m.n").Replace(foundMessages)
	}
	return strings.NewReplacer("{from}", "messages_fts f CROSS JOIN messages m ON m.n=f.rowid", "{match}", "f.messages_fts MATCH ?6 AND ", "{n}", "f.rowid").Replace(foundMessages)
}

// Search finds what holds every word of a text, at most q.Limit hits of each kind: conversations first, then tickets, messages and
// logs, newest first in each kind.
func (s *Store) Search(ctx context.Context, q Quest) (hits []Hit, err error) {
	sought := words.Sought(q.Text)
	if len(sought) == 0 {
		return nil, nil
	}
	pieces := words.GramsQuery(sought)
	since := int64(0)
	if !q.Since.IsZero() {
		since = micros(q.Since)
	}
	for _, k := range []struct{ kind, query string }{
		{"chat", foundChats}, {"job", foundJobs}, {"message", foundBy(pieces)}, {"log", foundLogs},
	} {
		if len(q.Kinds) > 0 && !slices.Contains(q.Kinds, k.kind) {
			continue
		}
		args := []any{strings.Join(sought, "\n"), q.Limit, q.Chat, q.Project, since}
		if k.kind == "message" {
			args = append(args, pieces)
		}
		found, err := collect(ctx, s.read, func(row row) (h Hit, err error) {
			err = row.Scan(&h.Kind, &h.Chat, &h.Job, &h.ID, &h.Title, &h.Text, moment{&h.At})
			return h, err
		}, k.query, args...)
		if err != nil {
			return nil, err
		}
		hits = append(hits, found...)
	}
	return hits, nil
}

// like is the pattern that finds a text as it is, wherever it stands.
func like(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text) + "%"
}
