package store

import (
	"context"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/policy"
)

// shown is what a person saw before deciding.
type shown struct {
	Question string            `json:"question,omitempty"`
	Preview  *event.AskPreview `json:"preview,omitempty"`
	Origins  []event.Origin    `json:"origins,omitempty"`
	Via      string            `json:"via,omitempty"`
}

// addAudit writes an entry in the transaction of the step it describes.
func (w *work) addAudit(e policy.Entry, at int64) error {
	_, err := w.exec(`INSERT INTO audit (id, at, chat, job, todo, tool, args, digest, decided, basis, shown, outcome, result, code)
		VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
		e.ID, at, e.Chat, e.Job, e.Todo, e.Tool, string(e.Args), e.Digest, e.By, e.Basis, asJSON{shown{e.Question, e.Preview, e.Origins, e.Via}}, e.Outcome, e.Result, e.Code)
	return err
}

// settleAudit notes what became of what was allowed.
func (w *work) settleAudit(e job.Effect) error {
	_, err := w.exec(`UPDATE audit SET outcome=?, result=?, code=?, ms=? WHERE id=?`,
		string(e.Outcome), e.Text, string(e.Code), e.Took.Milliseconds(), e.ID)
	return err
}

// mostAudit bounds a page of the audit log.
const mostAudit = 1000

// Audit implements policy.Store.
func (s *Store) Audit(ctx context.Context, f policy.Filter, before int64, limit int) ([]policy.Entry, error) {
	if limit <= 0 || limit > mostAudit {
		limit = mostAudit
	}
	return collect(ctx, s.read, func(row row) (e policy.Entry, err error) {
		var at time.Time
		var seen shown
		err = row.Scan(&e.N, &e.ID, moment{&at}, &e.Chat, &e.Job, &e.Todo, &e.Tool, (*[]byte)(&e.Args), &e.Digest, &e.By, &e.Basis, asJSON{&seen}, &e.Outcome, &e.Result, &e.Code, &e.Millis)
		e.Time = event.Stamp(at)
		e.Question, e.Preview, e.Origins, e.Via = seen.Question, seen.Preview, seen.Origins, seen.Via
		return e, err
	}, `SELECT n, id, at, chat, job, todo, tool, args, digest, decided, basis, shown, outcome, result, code, ms FROM audit
		WHERE (?1=0 OR n<?1) AND (?2='' OR chat=?2) AND (?3='' OR job=?3) AND (?4='' OR tool=?4) AND (?5='' OR decided=?5) AND (?6='' OR outcome=?6)
		ORDER BY n DESC LIMIT ?7`, before, f.Chat, f.Job, f.Tool, f.By, f.Outcome, limit)
}
