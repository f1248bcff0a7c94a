package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/manager"
	"agentchat/backend/standing"
	"agentchat/backend/undolog"
)

var _ standing.Store = (*Store)(nil)

// mostStandingRuns is how many runs of a standing order are kept.
const mostStandingRuns = 200

const selectStanding = `SELECT id, chat, text, what, lang, rule, start, state, missed, next, last, waits, skips, held FROM standing_orders `

func scanStanding(row row) (o standing.Order, err error) {
	err = row.Scan(&o.ID, &o.Chat, &o.Text, &o.What, &o.Lang, &o.Rule, moment{&o.Start}, &o.State, &o.Missed, moment{&o.Next}, moment{&o.Last}, part{&o.Trigger}, &o.Skips, moment{&o.Held})
	return o, err
}

// StandingOrders implements standing.Store.
func (s *Store) StandingOrders(ctx context.Context) ([]standing.Order, error) {
	return collect(ctx, s.read, scanStanding, selectStanding+`WHERE state<>'proposed' ORDER BY n`)
}

// StandingOrder implements standing.Store.
func (s *Store) StandingOrder(ctx context.Context, id string) (standing.Order, error) {
	o, err := scanStanding(s.read.QueryRowContext(ctx, selectStanding+`WHERE id=?`, id))
	if err != nil {
		return o, missing(err, "standing order", id)
	}
	return o, nil
}

// ProposeStanding implements standing.Store.
func (s *Store) ProposeStanding(ctx context.Context, o standing.Order) error {
	return s.tx(ctx, false, func(w *work) error {
		if _, err := w.exec(`DELETE FROM standing_orders WHERE chat=? AND state='proposed' AND id<>?`, o.Chat, o.ID); err != nil {
			return err
		}
		tool := ""
		if o.Trigger != nil {
			tool = o.Trigger.Tool
		}
		_, err := w.exec(`INSERT INTO standing_orders (id, chat, text, what, lang, rule, start, state, missed, created, waits, tool) VALUES (?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (id) DO NOTHING`,
			o.ID, o.Chat, o.Text, o.What, string(o.Lang), o.Rule, micros(o.Start), string(o.State), string(o.Missed), micros(s.now()), part{o.Trigger}, tool)
		return err
	})
}

// standingTx changes an order in a transaction, and keeps what it was. What it was allowed to do is not kept: that is asked anew.
func (s *Store) standingTx(ctx context.Context, id string, do func(*work) error) error {
	one := []any{id}
	return s.tx(ctx, true, func(w *work) error {
		return w.keeping(ctx, func() error { return do(w) }, rowsOf{undolog.Orders, `id=?`, one}, rowsOf{undolog.Runs, `standing=?`, one},
			rowsOf{undolog.RunJobs, `turn IN (SELECT turn FROM standing_runs WHERE standing=?)`, one}, rowsOf{undolog.Files, `standing=?`, one})
	})
}

// ChangeStanding implements standing.Store.
func (s *Store) ChangeStanding(ctx context.Context, id string, change func(*standing.Order) error) (o standing.Order, err error) {
	err = s.standingTx(ctx, id, func(w *work) error {
		if o, err = scanStanding(w.s.conn.QueryRowContext(w.ctx, selectStanding+`WHERE id=?`, id)); err != nil {
			return missing(err, "standing order", id)
		}
		if err := change(&o); err != nil {
			return err
		}
		if _, err := w.exec(`UPDATE standing_orders SET rule=?, start=?, state=?, missed=?, next=?, skips=?, waits=? WHERE id=?`,
			o.Rule, micros(o.Start), string(o.State), string(o.Missed), micros(o.Next), o.Skips, part{o.Trigger}, id); err != nil {
			return err
		}
		return w.attend(o)
	})
	return o, err
}

// DeleteStanding implements standing.Store.
func (s *Store) DeleteStanding(ctx context.Context, id string) error {
	return s.standingTx(ctx, id, func(w *work) error {
		if _, err := w.exec(`DELETE FROM standing_jobs WHERE turn IN (SELECT turn FROM standing_runs WHERE standing=?)`, id); err != nil {
			return err
		}
		for _, table := range []string{"standing_runs", "standing_events", "standing_files"} {
			if _, err := w.exec(`DELETE FROM `+table+` WHERE standing=?`, id); err != nil {
				return err
			}
		}
		if _, err := w.exec(`UPDATE grants SET revoked=? WHERE standing=? AND revoked=0`, max(micros(s.now()), 1), id); err != nil {
			return err
		}
		_, err := w.exec(`DELETE FROM standing_orders WHERE id=?`, id)
		return err
	})
}

// NextStanding implements standing.Store.
func (s *Store) NextStanding(ctx context.Context) (o standing.Order, ok bool, err error) {
	o, err = scanStanding(s.read.QueryRowContext(ctx, selectStanding+`WHERE state='active' AND next>0 ORDER BY next, n LIMIT 1`))
	if errors.Is(err, sql.ErrNoRows) {
		return o, false, nil
	}
	return o, err == nil, storageError(err)
}

// StandingSeen implements standing.Store.
func (s *Store) StandingSeen(ctx context.Context) (at time.Time, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT coalesce((SELECT at FROM standing_runs ORDER BY n DESC LIMIT 1), 0)`).Scan(moment{&at})
	return at, storageError(err)
}

// going tells of a run whether its turn is not over, a ticket of it has not ended, or what it brought to the counter stands open there.
const going = `(EXISTS (SELECT 1 FROM turns t WHERE t.id=r.turn) OR
	EXISTS (SELECT 1 FROM standing_jobs s JOIN jobs j ON j.id=s.job WHERE s.turn=r.turn AND j.ended=0 AND j.called_off=0) OR
	EXISTS (SELECT 1 FROM counters c, json_each(c.data) e WHERE c.chat=r.chat AND e.value->>'$.id'=r.turn))`

// StandingGoes implements standing.Store.
func (s *Store) StandingGoes(ctx context.Context, id string) (goes bool, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM (SELECT turn, chat FROM standing_runs
		WHERE standing=? AND outcome='run' ORDER BY n DESC LIMIT 5) r WHERE `+going+`)`, id).Scan(&goes)
	return goes, storageError(err)
}

// claimStanding claims a moment of an order in the transaction that runs it or records it as missed. claimed is false when another
// transaction was faster, or the order waits for a different moment by now.
func (w *work) claimStanding(c standing.Claim, chat string) (claimed bool, err error) {
	if !c.Was.IsZero() {
		if n, err := w.affect(`UPDATE standing_orders SET next=?, state=CASE WHEN ?1>0 THEN state ELSE 'ended' END WHERE id=? AND state='active' AND next=?`,
			micros(c.Next), c.Order.ID, micros(c.Was)); err != nil || n != 1 {
			return false, err
		}
	}
	if len(c.Events) > 0 {
		if claimed, err := w.claimEvents(c); !claimed || err != nil {
			return false, err
		}
	}
	n, err := w.affect(`INSERT INTO standing_runs (standing, due, at, outcome, missed, chat, turn, because, chain)
		SELECT ?1,CASE WHEN ?8='' THEN ?2 ELSE max(?2, coalesce((SELECT max(due)+1 FROM standing_runs WHERE standing=?1 AND due BETWEEN ?2 AND ?2+1000000), ?2)) END,?3,?4,?5,?6,?7,?8,?9
		WHERE true ON CONFLICT DO NOTHING`,
		c.Order.ID, micros(c.Due), micros(c.At), string(c.Outcome), c.Missed, chat, c.Turn, c.Because(), part{c.Chain()})
	if err != nil {
		return false, err
	}
	if n == 1 && c.Outcome == standing.Ran {
		if _, err := w.exec(`UPDATE standing_orders SET last=? WHERE id=?`, micros(c.Due), c.Order.ID); err != nil {
			return false, err
		}
	}
	keep := max(mostStandingRuns, c.Order.Times())
	const old = `standing=? AND n <= (SELECT n FROM standing_runs WHERE standing=?1 ORDER BY n DESC LIMIT 1 OFFSET ?)`
	if _, err := w.exec(`DELETE FROM standing_jobs WHERE turn IN (SELECT turn FROM standing_runs WHERE `+old+`)`, c.Order.ID, keep); err != nil {
		return false, err
	}
	_, err = w.exec(`DELETE FROM standing_runs WHERE `+old, c.Order.ID, keep)
	return n == 1, err
}

// standingChat is where something is told of an order: its chat, or the main one when that is gone.
func (s *Store) standingChat(ctx context.Context, chat string) (string, error) {
	there := 0
	if err := s.read.QueryRowContext(ctx, `SELECT count(*) FROM chats WHERE id=? AND deleted=0`, chat).Scan(&there); err != nil {
		return "", storageError(err)
	}
	if there == 0 {
		return mainChat, nil
	}
	return chat, nil
}

// MissStanding implements standing.Store.
func (s *Store) MissStanding(ctx context.Context, c standing.Claim, msg *event.ChatMessage) (chat string, claimed bool, err error) {
	if chat, err = s.standingChat(ctx, c.Order.Chat); err != nil {
		return "", false, err
	}
	err = s.tx(ctx, true, func(w *work) (err error) {
		if claimed, err = w.claimStanding(c, chat); err != nil || !claimed || msg == nil {
			return err
		}
		if _, err := w.openChat(chat, "", micros(s.now())); err != nil {
			return err
		}
		return w.addMessage(chat, *msg, micros(s.now()))
	})
	return chat, claimed && err == nil, err
}

// AddRun implements manager.Store.
func (s *Store) AddRun(ctx context.Context, c standing.Claim, turn *manager.Turn, msg event.ChatMessage) (claimed bool, err error) {
	if turn.Chat, err = s.standingChat(ctx, c.Order.Chat); err != nil {
		return false, err
	}
	at := micros(s.now())
	err = s.tx(ctx, true, func(w *work) (err error) {
		if claimed, err = w.claimStanding(c, turn.Chat); err != nil || !claimed {
			return err
		}
		if _, err := w.openChat(turn.Chat, "", at); err != nil {
			return err
		}
		return w.addTurn(*turn, msg, at)
	})
	return claimed && err == nil, err
}

// runColumns is what is read of a run, by scanRunOf.
const runColumns = `r.due, r.at, r.outcome, r.missed, r.because, r.turn, ` + going + `,
		(SELECT coalesce(json_group_array(json_object('id', j.id, 'state', j.state)), '[]') FROM standing_jobs s JOIN jobs j ON j.id=s.job WHERE s.turn=r.turn),
		coalesce((SELECT substr(m.text, 1, 300) FROM messages m WHERE m.chat=r.chat AND m.turn=r.turn AND r.turn<>'' AND m.hidden=0
			AND m.n BETWEEN (SELECT q.n FROM messages q WHERE q.id=r.turn) AND (SELECT q.n FROM messages q WHERE q.id=r.turn)+50 ORDER BY m.n DESC LIMIT 1), '')`

// scanRunOf reads a run, and behind it whatever more was asked for.
func scanRunOf(row row, more ...any) (r standing.Run, err error) {
	var goes bool
	var list []struct {
		ID    string    `json:"id"`
		State job.State `json:"state"`
	}
	err = row.Scan(append([]any{moment{&r.Due}, moment{&r.At}, &r.Outcome, &r.Missed, &r.Because, &r.Turn, &goes, asJSON{&list}, &r.Text}, more...)...)
	if err != nil || r.Outcome != standing.Ran {
		return r, err
	}
	r.State = standing.RunDone
	if goes {
		r.State = standing.RunGoing
	}
	for _, j := range list {
		r.Jobs = append(r.Jobs, j.ID)
		switch {
		case j.State == job.Waiting:
			r.State = standing.RunWaiting
		case j.State.Ended() && j.State != job.Succeeded && r.State == standing.RunDone:
			r.State = standing.RunFailed
		}
	}
	if goes && len(list) == 0 {
		r.State = standing.RunWaiting
	}
	return r, nil
}

// StandingRuns implements standing.Store.
func (s *Store) StandingRuns(ctx context.Context, id string, limit int) ([]standing.Run, error) {
	return collect(ctx, s.read, func(row row) (standing.Run, error) { return scanRunOf(row) },
		`SELECT `+runColumns+` FROM standing_runs r WHERE r.standing=? ORDER BY r.n DESC LIMIT ?`, id, limit)
}
