package store

import (
	"context"
	"encoding/json"

	"agentchat/backend/apperr"
	"agentchat/backend/models"
)

// failure is why something failed, as it is kept: without its technical cause.
type failure struct {
	Code   apperr.Code   `json:"code"`
	Fields apperr.Fields `json:"fields,omitempty"`
}

// writeFailure writes why something failed, "" for nil. Fields that cannot be written are left out.
func writeFailure(e *apperr.Error) string {
	if e == nil {
		return ""
	}
	text, err := json.Marshal(failure{e.Code, e.Fields})
	if err != nil {
		text, _ = json.Marshal(failure{Code: e.Code})
	}
	return string(text)
}

func readFailure(text string) *apperr.Error {
	var f failure
	if text == "" || json.Unmarshal([]byte(text), &f) != nil {
		return nil
	}
	return &apperr.Error{Code: f.Code, Fields: f.Fields}
}

// Pulls implements models.Store.
func (s *Store) Pulls(ctx context.Context) ([]models.Pull, error) {
	return collect(ctx, s.read, func(row row) (p models.Pull, err error) {
		var why string
		err = row.Scan(&p.Model, &p.State, &p.Done, &p.Total, &p.Percent, &why)
		p.Failure = readFailure(why)
		return p, err
	}, `SELECT model, state, done, total, percent, failure FROM pulls ORDER BY n`)
}

// SavePull implements models.Store.
func (s *Store) SavePull(ctx context.Context, p models.Pull) error {
	why := writeFailure(p.Failure)
	return s.exec(ctx, false, `INSERT INTO pulls (model, state, done, total, percent, failure) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (model) DO UPDATE SET state=excluded.state, done=excluded.done, total=excluded.total,
		percent=excluded.percent, failure=excluded.failure`,
		p.Model, string(p.State), p.Done, p.Total, p.Percent, why)
}

// DropPull implements models.Store.
func (s *Store) DropPull(ctx context.Context, model string) error {
	return s.exec(ctx, false, `DELETE FROM pulls WHERE model=?`, model)
}
