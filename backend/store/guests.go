package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/guest"
	"agentchat/backend/job"
)

var _ guest.Store = (*Store)(nil)

const selectGuest = `SELECT id, name, tools, calls, changes, files, money, created FROM guests `

func scanGuest(row row) (g guest.Guest, err error) {
	err = row.Scan(&g.ID, &g.Name, asJSON{&g.Tools}, &g.Calls, &g.Changes, &g.Files, &g.Money, moment{&g.Created})
	return g, err
}

// Guests implements guest.Store.
func (s *Store) Guests(ctx context.Context) ([]guest.Guest, error) {
	return collect(ctx, s.read, scanGuest, selectGuest+`ORDER BY name, id`)
}

// GuestOf implements guest.Store.
func (s *Store) GuestOf(ctx context.Context, key []byte) (guest.Guest, error) {
	g, err := scanGuest(s.read.QueryRowContext(ctx, selectGuest+`WHERE key=?`, key))
	if errors.Is(err, sql.ErrNoRows) {
		return g, apperr.New(apperr.GuestUnknown)
	}
	return g, storageError(err)
}

// AddGuest implements guest.Store.
func (s *Store) AddGuest(ctx context.Context, g guest.Guest, key []byte) error {
	return s.exec(ctx, true, `INSERT INTO guests (id, name, key, tools, calls, changes, files, money, created) VALUES (?,?,?,?,?,?,?,?,?)`,
		g.ID, g.Name, key, asJSON{g.Tools}, g.Calls, g.Changes, g.Files, g.Money, micros(g.Created))
}

// ChangeGuest implements guest.Store.
func (s *Store) ChangeGuest(ctx context.Context, g guest.Guest) error {
	return s.tx(ctx, true, func(w *work) error {
		return w.change("guest", g.ID, `UPDATE guests SET name=?, tools=?, calls=?, changes=?, files=?, money=? WHERE id=?`, g.Name, asJSON{g.Tools}, g.Calls, g.Changes, g.Files, g.Money, g.ID)
	})
}

// RemoveGuest implements guest.Store. What a person allowed it goes with it.
func (s *Store) RemoveGuest(ctx context.Context, id string) error {
	return s.tx(ctx, true, func(w *work) error {
		if _, err := w.exec(`UPDATE grants SET revoked=? WHERE scope='chat' AND chat=? AND revoked=0`, micros(s.now()), guest.Guest{ID: id}.Chat()); err != nil {
			return err
		}
		return w.change("guest", id, `DELETE FROM guests WHERE id=?`, id)
	})
}

// selectUse counts what a guest used since a moment; of what it spent, what other tickets than this one did.
const selectUse = `SELECT count(*) FILTER (WHERE at>=?2), coalesce(sum(changes) FILTER (WHERE at>=?2), 0), coalesce(max(at), 0),
	coalesce(sum(files) FILTER (WHERE spent>=?2 AND job<>?3), 0), coalesce(sum(money) FILTER (WHERE spent>=?2 AND job<>?3), 0) FROM guest_calls WHERE guest=?1`

func scanUse(row row) (u guest.Use, err error) {
	err = row.Scan(&u.Calls, &u.Changes, moment{&u.Last}, &u.Files, &u.Money)
	return u, err
}

// GuestUse implements guest.Store.
func (s *Store) GuestUse(ctx context.Context, id string, since time.Time) (guest.Use, error) {
	u, err := scanUse(s.read.QueryRowContext(ctx, selectUse, id, micros(since), ""))
	return u, storageError(err)
}

// AdmitCall implements guest.Store. Who is admitted is counted in the transaction that stores the ticket, so no two calls take one place.
func (s *Store) AdmitCall(ctx context.Context, j job.Job, changes bool, since time.Time, claim *guest.Claim, check func(guest.Guest, guest.Use, int) error) (opened bool, err error) {
	return opened, s.tx(ctx, true, func(w *work) error {
		g, err := scanGuest(w.s.conn.QueryRowContext(w.ctx, selectGuest+`WHERE id=?`, j.Guest.ID))
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return apperr.New(apperr.GuestUnknown)
		case err != nil:
			return err
		}
		use, err := scanUse(w.s.conn.QueryRowContext(w.ctx, selectUse, g.ID, micros(since), ""))
		if err != nil {
			return err
		}
		var open int
		if err := w.s.conn.QueryRowContext(w.ctx, `SELECT count(*) FROM jobs WHERE chat=? AND ended=0`, j.Chat).Scan(&open); err != nil {
			return err
		}
		if err := check(g, use, open); err != nil {
			return err
		}
		at := micros(s.now())
		if claim != nil {
			if n, err := w.affect(`UPDATE guest_uses SET state=?, digest=? WHERE guest=? AND use=? AND state=? AND fence=? AND job=?`,
				guest.UseAdmitted, claim.Digest, g.ID, claim.Use, guest.UsePromised, claim.Fence, j.ID); err != nil || n != 1 {
				return cmp.Or(err, error(apperr.New(apperr.Changed, "what", claim.Use)))
			}
		}
		if opened, err = w.openChat(j.Chat, g.Name, at); err != nil {
			return err
		}
		if err := w.addJob(j); err != nil {
			return err
		}
		_, err = w.exec(`INSERT INTO guest_calls (job, guest, changes, at) VALUES (?,?,?,?)`, j.ID, g.ID, changes, at)
		return err
	})
}

const selectNamedUse = `SELECT job, tool, fence, state, digest FROM guest_uses WHERE guest=? AND use=?`

func scanNamedUse(row row) (u guest.NamedUse, err error) {
	return u, row.Scan(&u.Job, &u.Tool, &u.Fence, &u.State, &u.Digest)
}

// NamedUse implements guest.Store.
func (s *Store) NamedUse(ctx context.Context, guestID, use string) (guest.NamedUse, error) {
	u, err := scanNamedUse(s.read.QueryRowContext(ctx, selectNamedUse, guestID, use))
	if errors.Is(err, sql.ErrNoRows) {
		return guest.NamedUse{}, nil
	}
	return u, storageError(err)
}

// PromiseUse implements guest.Store.
func (s *Store) PromiseUse(ctx context.Context, guestID, use, tool, job string) (u guest.NamedUse, err error) {
	return u, s.tx(ctx, true, func(w *work) error {
		if _, err := w.exec(`INSERT INTO guest_uses (guest, use, job, tool, fence, state, at)
			SELECT ?,?,?,?, (SELECT coalesce(max(fence), 0)+1 FROM guest_uses), ?, ? WHERE true
			ON CONFLICT (guest, use) DO UPDATE SET fence=excluded.fence, at=excluded.at WHERE state=excluded.state AND tool=excluded.tool`,
			guestID, use, job, tool, guest.UsePromised, micros(s.now())); err != nil {
			return err
		}
		u, err = scanNamedUse(w.s.conn.QueryRowContext(w.ctx, selectNamedUse, guestID, use))
		return err
	})
}

// TakeBackUse implements guest.Store.
func (s *Store) TakeBackUse(ctx context.Context, guestID, use string) (u guest.NamedUse, err error) {
	return u, s.tx(ctx, true, func(w *work) error {
		if _, err := w.exec(`INSERT INTO guest_uses (guest, use, job, tool, fence, state, at) VALUES (?,?,'','',0,?,?)
			ON CONFLICT (guest, use) DO UPDATE SET state=excluded.state WHERE state=?`,
			guestID, use, guest.UseTakenBack, micros(s.now()), guest.UsePromised); err != nil {
			return err
		}
		u, err = scanNamedUse(w.s.conn.QueryRowContext(w.ctx, selectNamedUse, guestID, use))
		return err
	})
}

// pruneUses lets go of the names of uses that nobody asks for any more: guest.UseLife refuses whoever would. Those whose ticket has not ended stay, and
// the highest fence, as the next is above it.
func (s *Store) pruneUses(ctx context.Context, keep Keep) (gone int, err error) {
	old := max(micros(s.now().Add(-keep.Uses)), 0)
	for more := keep.Uses > 0; more; {
		names, err := collect(ctx, s.read, func(row row) (name json.RawMessage, err error) {
			var text string
			err = row.Scan(&text)
			return json.RawMessage(text), err
		}, `SELECT json_array(guest, use) FROM guest_uses u WHERE at<? AND fence<(SELECT max(fence) FROM guest_uses)
			AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.id=u.job AND j.ended=0) LIMIT ?`, old, keep.Batch)
		if err != nil || len(names) == 0 {
			return gone, err
		}
		list, err := json.Marshal(names)
		if err != nil {
			return gone, storageError(err)
		}
		if err := s.tx(ctx, false, func(w *work) error { // one that was promised again meanwhile is not old any more
			_, err := w.exec(`DELETE FROM guest_uses WHERE at<? AND (guest, use) IN (SELECT value->>0, value->>1 FROM json_each(?))`, old, string(list))
			return err
		}); err != nil {
			return gone, err
		}
		gone += len(names)
		more = len(names) == keep.Batch
	}
	return gone, nil
}

// GuestTicket implements guest.Store: a ticket of this guest's, and of nobody else's.
func (s *Store) GuestTicket(ctx context.Context, guestID, id string) (j job.Job, asked bool, err error) {
	rec, err := s.LoadRun(ctx, id)
	if err == nil && (rec.Run.Job.Guest == nil || rec.Run.Job.Guest.ID != guestID) {
		err = notFound("job", id)
	}
	return rec.Run.Job, rec.Run.AskID != "", err
}

// Room implements job.Store.
func (s *Store) Room(ctx context.Context, e job.Effect) error { return room(ctx, s.read, e, s.now()) }

// rower is a database, or a transaction of it.
type rower interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func room(ctx context.Context, db rower, e job.Effect, now time.Time) error {
	if e.Guest == "" || e.Spend == (job.Spend{}) {
		return nil
	}
	g, err := scanGuest(db.QueryRowContext(ctx, selectGuest+`WHERE id=?`, e.Guest))
	if errors.Is(err, sql.ErrNoRows) {
		return apperr.New(apperr.GuestUnknown)
	}
	if err != nil {
		return storageError(err)
	}
	use, err := scanUse(db.QueryRowContext(ctx, selectUse, g.ID, micros(guest.Day(now)), e.JobID))
	if err != nil {
		return storageError(err)
	}
	return g.Over(use, e.Spend)
}

// spend counts what an effect of a guest's uses, unless that would be over its limits: then nothing of the step is written.
func (w *work) spend(e *job.Effect, at int64) error {
	if e.Guest == "" || e.Spend == (job.Spend{}) {
		return nil
	}
	if err := room(w.ctx, w.s.conn, *e, fromMicros(at).In(w.s.now().Location())); err != nil {
		return err
	}
	_, err := w.exec(`UPDATE guest_calls SET files=?, money=?, spent=? WHERE job=?`, e.Spend.Files, e.Spend.Money, at, e.JobID)
	return err
}
