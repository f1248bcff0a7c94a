package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/job"
	"agentchat/backend/policy"
)

const selectGrant = `SELECT id, scope, chat, standing, digest, tool, pattern, ask, created, used, uses, revoked FROM grants `

// Grants implements policy.Store and job.Store.
func (s *Store) Grants(ctx context.Context, chat, tool string) ([]policy.Grant, error) {
	return collect(ctx, s.read, scanGrant, selectGrant+`WHERE revoked=0 AND (?='' OR tool=?) AND (?='' OR scope<>'chat' OR chat=?)
		ORDER BY created DESC, rowid DESC LIMIT 1000`, tool, tool, chat, chat)
}

func scanGrant(row row) (g policy.Grant, err error) {
	err = row.Scan(&g.ID, &g.Scope, &g.Chat, &g.Order, &g.Digest, &g.Tool, asJSON{&g.When}, &g.Ask, moment{&g.Created}, moment{&g.Used}, &g.Uses, moment{&g.Revoked})
	return g, err
}

// addGrant keeps a grant with the answer that gives it.
func (w *work) addGrant(g policy.Grant) error {
	_, err := w.exec(`INSERT INTO grants (id, scope, chat, standing, digest, tool, pattern, ask, created) VALUES (?,?,?,?,?,?,?,?,?)`,
		g.ID, string(g.Scope), g.Chat, g.Order, g.Digest, g.Tool, asJSON{append([]policy.Condition{}, g.When...)}, g.Ask, micros(g.Created))
	return err
}

// useGrant checks in the transaction that a grant covers exactly this call, and records its use. Else the error is digest_mismatch.
func (w *work) useGrant(e *job.Effect, at int64) error {
	g, err := scanGrant(w.s.conn.QueryRowContext(w.ctx, selectGrant+`WHERE id=? AND revoked=0`, e.Grant))
	switch {
	case errors.Is(err, sql.ErrNoRows), err == nil && !g.Covers(e.Chat, e.Tool, e.Args) && !g.CoversRun(e.Order, e.Tool, e.Args):
		return apperr.New(apperr.DigestMismatch)
	case err != nil:
		return err
	}
	_, err = w.exec(`UPDATE grants SET used=?, uses=uses+1 WHERE id=?`, at, e.Grant)
	return err
}

// RevokeGrant implements policy.Store.
func (s *Store) RevokeGrant(ctx context.Context, id string) error {
	return s.tx(ctx, true, func(w *work) error {
		return w.change("permission", id, `UPDATE grants SET revoked=? WHERE id=? AND revoked=0`, max(micros(s.now()), 1), id)
	})
}

// mostSaid bounds how many earlier messages of the customer are read.
const mostSaid = 200

// Said implements job.Store: what the customer said in a chat and to a job, and wrote in answers to its questions. What
// was said in refusing comes apart, although it is also a message when it was said in the job's own chat.
func (s *Store) Said(ctx context.Context, chat, jobID string) (said, refusals []string, err error) {
	rows, err := s.read.QueryContext(ctx, `SELECT text, refusal, own FROM (SELECT answer->>'$.text' AS text, answer->>'$.choice'='reject' AS refusal, 0 AS own FROM asks
			WHERE job=?2 AND state IN ('answered', 'consumed') AND answer->>'$.by'='person' ORDER BY opened DESC LIMIT ?3) WHERE text IS NOT NULL AND text<>''
		UNION ALL SELECT text, 0, own FROM (
			SELECT * FROM (SELECT n, text, 0 AS own FROM messages WHERE chat=?1 AND role='customer' AND hidden=0 ORDER BY n DESC LIMIT ?3)
			UNION ALL SELECT * FROM (SELECT n, text, 1 FROM messages WHERE chat='job:' || ?2 AND chat<>?1 AND role='customer' AND hidden=0 ORDER BY n DESC LIMIT ?3)
			ORDER BY n DESC LIMIT ?3)`, chat, jobID, mostSaid)
	err = each(rows, err, func(r row) error {
		var text string
		var refusal, own bool // own: in the job's own chat
		if err := r.Scan(&text, &refusal, &own); err != nil {
			return err
		}
		switch {
		case refusal:
			refusals = append(refusals, text)
		case !own || !slices.Contains(refusals, strings.TrimSpace(text)): // answers come first
			said = append(said, text)
		}
		return nil
	})
	return said, refusals, err
}
