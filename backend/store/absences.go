package store

import (
	"context"
	"math"
	"time"

	"agentchat/backend/bank"
	"agentchat/backend/job"
	"agentchat/backend/presence"
	"agentchat/backend/reminder"
	"agentchat/backend/standing"
)

var _ presence.Store = (*Store)(nil)

const (
	// mostAbsences is how many absences are kept, looked at or not.
	mostAbsences = 64
	// belated is how long after somebody came back what was due before is still found.
	belated = time.Hour
)

// What happened is looked up in the spans of some absences, however much happened before and since.
const (
	selectTrace = `SELECT max(coalesce((SELECT created FROM messages ORDER BY n DESC LIMIT 1), 0),
		coalesce((SELECT max(ended) FROM jobs WHERE ended>0), 0), coalesce((SELECT max(at) FROM standing_runs), 0),
		coalesce((SELECT max(opened) FROM asks WHERE state='open'), 0))`

	selectRunsWhile = `SELECT ` + runColumns + `, o.id, o.what, o.missed, r.chat,
			coalesce((SELECT json_array(coalesce(j.data->>'$.job.code', ''), coalesce(j.data->>'$.job.reason', '')) FROM standing_jobs s JOIN jobs j ON j.id=s.job WHERE s.turn=r.turn AND j.state='failed' AND json_valid(j.data) LIMIT 1), '["",""]')
		FROM standing_runs r JOIN standing_orders o ON o.id=r.standing
		WHERE r.n IN (SELECT x.n FROM json_each(?) a CROSS JOIN standing_runs x
			ON x.at>a.value->>0 AND x.at<=(a.value->>1)+? AND x.due<=a.value->>1 WHERE x.outcome<>'skipped')
		ORDER BY r.at DESC, r.n DESC LIMIT ?`

	selectJobsWhile = selectJobs + `WHERE number IN (SELECT j.number FROM json_each(?) a CROSS JOIN jobs j
			ON j.ended>a.value->>0 AND j.ended<=a.value->>1
			WHERE j.ended>0 AND j.state=? AND j.called_off=0
			AND NOT (json_valid(j.data) AND (j.data->'$.job.standing' IS NOT NULL OR j.data->'$.job.imported' IS NOT NULL)))
		ORDER BY ended DESC LIMIT ?`

	selectToldWhile = `SELECT r.id, r.service, r.chat, r.data, d.due, d.told FROM dues d JOIN service_records r ON r.id=d.record
		WHERE d.record IN (SELECT x.record FROM json_each(?) a CROSS JOIN dues x
			ON x.told>a.value->>0 AND x.told<=(a.value->>1)+? AND x.due<=a.value->>1 WHERE x.told>0)
		ORDER BY d.told DESC LIMIT ?`

	selectSettledWhile = selectTransfer + `WHERE n IN (SELECT x.n FROM json_each(?) a CROSS JOIN bank_transfers x
			ON x.settled>a.value->>0 AND x.settled<=(a.value->>1)+? WHERE x.settled>0 AND x.due<>'' AND x.state<>'canceled')
		ORDER BY settled DESC, n DESC LIMIT ?`
)

// Absences implements presence.Store.
func (s *Store) Absences(ctx context.Context) ([]presence.Absence, error) {
	return collect(ctx, s.read, func(row row) (a presence.Absence, err error) {
		err = row.Scan(&a.N, moment{&a.Since}, moment{&a.Until}, &a.Looked)
		return a, err
	}, `SELECT n, since, until, looked FROM absences ORDER BY n`)
}

// KeepAbsences implements presence.Store.
func (s *Store) KeepAbsences(ctx context.Context, list []presence.Absence) error {
	return s.tx(ctx, false, func(w *work) error {
		for _, a := range list {
			if _, err := w.exec(`INSERT INTO absences (n, since, until, looked) VALUES (?,?,?,?) ON CONFLICT (n) DO UPDATE SET since=excluded.since, until=excluded.until, looked=excluded.looked`,
				a.N, micros(a.Since), micros(a.Until), a.Looked); err != nil {
				return err
			}
			if _, err := w.exec(`DELETE FROM absences WHERE n<=?`, a.N-mostAbsences); err != nil {
				return err
			}
		}
		return nil
	})
}

// LookedAtAbsences says that a person has looked at what happened in the absences that are over. Those they looked at before go.
func (s *Store) LookedAtAbsences(ctx context.Context) error {
	return s.tx(ctx, false, func(w *work) error {
		if _, err := w.exec(`DELETE FROM absences WHERE looked=1 AND EXISTS (SELECT 1 FROM absences WHERE looked=0 AND until>0)`); err != nil {
			return err
		}
		_, err := w.exec(`UPDATE absences SET looked=1 WHERE looked=0 AND until>0`)
		return err
	})
}

// LastTrace implements presence.Store.
func (s *Store) LastTrace(ctx context.Context) (at time.Time, err error) {
	err = s.read.QueryRowContext(ctx, selectTrace).Scan(moment{&at})
	return at, storageError(err)
}

// spans are absences as a query reads them: [since, until] each.
func spans(list []presence.Absence) asJSON {
	pairs := make([][2]int64, len(list))
	for i, a := range list {
		pairs[i] = [2]int64{micros(a.Since), math.MaxInt64 - belated.Microseconds()}
		if !a.Until.IsZero() {
			pairs[i][1] = micros(a.Until)
		}
	}
	return asJSON{pairs}
}

// AwayRun is what became of a moment of a standing order that came in an absence, and why it failed if it did.
type AwayRun struct {
	standing.Run

	Order standing.Order
	Chat  string // where it is told

	Code, Reason string
}

// RunsWhile gives up to limit of what became of the moments of standing orders that came in these absences, the newest first.
func (s *Store) RunsWhile(ctx context.Context, away []presence.Absence, limit int) ([]AwayRun, error) {
	return collect(ctx, s.read, func(row row) (a AwayRun, err error) {
		a.Run, err = scanRunOf(row, &a.Order.ID, &a.Order.What, &a.Order.Missed, &a.Chat, asJSON{&[]*string{&a.Code, &a.Reason}})
		return a, err
	}, selectRunsWhile, spans(away), belated.Microseconds(), limit)
}

// JobsWhile gives up to limit of the jobs that ended in these absences as state says, the newest first, without those of standing orders.
func (s *Store) JobsWhile(ctx context.Context, away []presence.Absence, state job.State, limit int) ([]job.Job, error) {
	return s.jobs(ctx, selectJobsWhile, spans(away), string(state), limit)
}

// AwayReminder is a reminder that was told in an absence.
type AwayReminder struct {
	reminder.Reminder

	Told time.Time
}

// RemindersWhile gives up to limit of the reminders that were told in these absences, or at their end because they came due before; the newest first.
func (s *Store) RemindersWhile(ctx context.Context, away []presence.Absence, limit int) ([]AwayReminder, error) {
	return collect(ctx, s.read, func(row row) (a AwayReminder, err error) {
		err = row.Scan(&a.ID, &a.Service, &a.Chat, (*[]byte)(&a.Values), moment{&a.Due}, moment{&a.Told})
		return a, err
	}, selectToldWhile, spans(away), belated.Microseconds(), limit)
}

// TransfersWhile gives up to limit of the transfers of another day that were done or failed in these absences or shortly after; the newest first.
func (s *Store) TransfersWhile(ctx context.Context, away []presence.Absence, limit int) ([]bank.Transfer, error) {
	return collect(ctx, s.read, scanTransfer, selectSettledWhile, spans(away), belated.Microseconds(), limit)
}
