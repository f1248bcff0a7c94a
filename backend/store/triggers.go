package store

import (
	"context"
	"slices"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/standing"
)

const (
	// goneFor is how long an order knows of a file that is not there any more, madeFor how long it is known who wrote one.
	goneFor = 30 * 24 * time.Hour
	madeFor = 30 * 24 * time.Hour
	// near is how far apart a file's time and that of the ticket that made it may be.
	near = 2 * time.Second
)

// attend stores which files an order knows in its folder from now on. An order that is not active waits for nothing.
func (w *work) attend(o standing.Order) error {
	if o.State != standing.Active {
		_, err := w.exec(`DELETE FROM standing_events WHERE standing=?`, o.ID)
		return err
	}
	if o.Known == nil {
		return nil
	}
	if _, err := w.exec(`DELETE FROM standing_files WHERE standing=?`, o.ID); err != nil {
		return err
	}
	return w.noteFiles(o.ID, o.Known)
}

func (w *work) noteFiles(id string, files []standing.File) error {
	at := max(micros(w.s.now()), 1)
	for _, f := range files {
		gone := int64(0)
		if f.Gone {
			gone = at
		}
		if _, err := w.exec(`INSERT INTO standing_files (standing, path, size, mtime, gone) VALUES (?,?,?,?,?)
			ON CONFLICT (standing, path) DO UPDATE SET size=excluded.size, mtime=excluded.mtime, gone=excluded.gone`, id, f.Path, f.Size, f.Mod.UnixNano(), gone); err != nil {
			return err
		}
	}
	_, err := w.exec(`DELETE FROM standing_files WHERE standing=? AND gone>0 AND gone<?`, id, at-goneFor.Microseconds())
	return err
}

// NoteFiles implements standing.Store.
func (s *Store) NoteFiles(ctx context.Context, id string, files []standing.File, events []standing.Event) error {
	return s.tx(ctx, true, func(w *work) error {
		for _, e := range events {
			if err := w.addEvent(e); err != nil {
				return err
			}
		}
		return w.noteFiles(id, files)
	})
}

func (w *work) addEvent(e standing.Event) error {
	_, err := w.exec(`INSERT INTO standing_events (standing, key, name, at, late, chain) SELECT id,?2,?3,?4,?5,?6 FROM standing_orders WHERE id=?1 AND state='active' ON CONFLICT DO NOTHING`,
		e.Order, e.Key, e.Name, micros(e.At), e.Late, part{e.Chain})
	return err
}

// StandingFiles implements standing.Store.
func (s *Store) StandingFiles(ctx context.Context, id string) (map[string]standing.File, error) {
	list, err := collect(ctx, s.read, func(row row) (f standing.File, err error) {
		var mod, gone int64
		err = row.Scan(&f.Path, &f.Size, &mod, &gone)
		f.Mod, f.Gone = time.Unix(0, mod), gone > 0
		return f, err
	}, `SELECT path, size, mtime, gone FROM standing_files WHERE standing=?`, id)
	known := make(map[string]standing.File, len(list))
	for _, f := range list {
		known[f.Path] = f
	}
	return known, err
}

// StandingTriggers implements standing.Store.
func (s *Store) StandingTriggers(ctx context.Context) ([]standing.Order, error) {
	return collect(ctx, s.read, scanStanding, selectStanding+`WHERE state='active' AND waits<>'' ORDER BY n`)
}

// StandingEvents implements standing.Store.
func (s *Store) StandingEvents(ctx context.Context) ([]standing.Event, error) {
	return collect(ctx, s.read, func(row row) (e standing.Event, err error) {
		err = row.Scan(&e.N, &e.Order, &e.Key, &e.Name, moment{&e.At}, &e.Late, part{&e.Chain})
		return e, err
	}, `SELECT n, standing, key, name, at, late, chain FROM standing_events ORDER BY standing, n LIMIT 5000`)
}

// claimEvents claims events in the transaction that runs them or records why they are not run; false when one of them is settled already.
func (w *work) claimEvents(c standing.Claim) (bool, error) {
	for _, e := range c.Events {
		if n, err := w.affect(`DELETE FROM standing_events WHERE n=? AND standing=?`, e.N, c.Order.ID); err != nil || n != 1 {
			return false, err
		}
	}
	_, err := w.exec(`UPDATE standing_orders SET skips=CASE WHEN ?='skipped' THEN 0 ELSE skips END WHERE id=?`, string(c.Outcome), c.Order.ID)
	return err == nil, err
}

// StandingTimes implements standing.Store.
func (s *Store) StandingTimes(ctx context.Context, id string, since time.Time) ([]time.Time, error) {
	return collect(ctx, s.read, func(row row) (at time.Time, err error) {
		err = row.Scan(moment{&at})
		return at, err
	}, `SELECT at FROM standing_runs WHERE standing=? AND outcome='run' AND because<>'' AND at>? ORDER BY at`, id, micros(since))
}

// HoldStanding implements standing.Store.
func (s *Store) HoldStanding(ctx context.Context, id string, until time.Time, msg *event.ChatMessage) (chat string, held bool, err error) {
	o, err := s.StandingOrder(ctx, id)
	if err == nil {
		chat, err = s.standingChat(ctx, o.Chat)
	}
	if err != nil {
		return "", false, err
	}
	err = s.tx(ctx, true, func(w *work) error {
		if n, err := w.affect(`UPDATE standing_orders SET held=? WHERE id=? AND state='active' AND held<>?1`, micros(until), id); err != nil || n != 1 {
			return err
		}
		held = true
		if _, err := w.openChat(chat, "", micros(s.now())); err != nil {
			return err
		}
		return w.addMessage(chat, *msg, micros(s.now()))
	})
	return chat, held && err == nil, err
}

// NoteMade implements standing.Store.
func (s *Store) NoteMade(ctx context.Context, id string, f standing.File) error {
	rec, err := s.LoadRun(ctx, id)
	if err != nil || rec.Run.Job.Standing == nil {
		return err
	}
	at := micros(s.now())
	return s.tx(ctx, true, func(w *work) error {
		chain, err := w.chainOf(*rec.Run.Job.Standing)
		if err != nil {
			return err
		}
		if _, err := w.exec(`DELETE FROM standing_made WHERE at<?`, at-madeFor.Microseconds()); err != nil {
			return err
		}
		_, err = w.exec(`INSERT INTO standing_made (path, size, mtime, chain, at) VALUES (?,?,?,?,?) ON CONFLICT DO UPDATE SET chain=excluded.chain, at=excluded.at`,
			f.Path, f.Size, f.Mod.UnixNano(), part{chain}, at)
		return err
	})
}

// chainOf is the chain that a run goes on with: the orders that led to it, and its own.
func (w *work) chainOf(run job.Standing) (chain []string, err error) {
	err = w.s.conn.QueryRowContext(w.ctx, `SELECT coalesce((SELECT chain FROM standing_runs WHERE turn=?), '')`, run.Run).Scan(part{&chain})
	return append(chain, run.Order), err
}

// MadeBy implements standing.Store. A command, and a tool from outside, may have written whatever came while it ran.
func (s *Store) MadeBy(ctx context.Context, f standing.File) ([]string, error) {
	chains, err := collect(ctx, s.read, func(row row) (chain []string, err error) {
		err = row.Scan(part{&chain})
		return chain, err
	}, `
		SELECT chain FROM standing_made WHERE path=? AND size=? AND mtime=?`, f.Path, f.Size, f.Mod.UnixNano())
	if err != nil || len(chains) > 0 {
		return slices.Concat(chains...), err
	}
	chains, err = collect(ctx, s.read, func(row row) (chain []string, err error) {
		var order string
		err = row.Scan(&order, part{&chain})
		return append(chain, order), err
	}, `
		SELECT r.standing, r.chain FROM audit a JOIN standing_jobs j ON j.job=a.job JOIN standing_runs r ON r.turn=j.turn
		WHERE (a.tool='shell' OR a.tool LIKE '%\_\_%' ESCAPE '\') AND a.outcome IN ('started', 'done', 'failed', 'unknown')
			AND a.at<=?1+?2 AND (a.outcome='started' OR a.at+a.ms*1000>=?1-?2) ORDER BY a.n DESC LIMIT 1`, micros(f.Mod), near.Microseconds())
	return slices.Concat(chains...), err
}

// tellStanding notes that a ticket came to a good end, for the orders that wait for that. The ticket of an order's own run is none of them.
func (w *work) tellStanding(j job.Job, at int64) error {
	if j.State != job.Succeeded {
		return nil
	}
	var tools []string
	for _, t := range j.Todos {
		if t.State == job.TodoDone && t.Tool != "" && !slices.Contains(tools, t.Tool) {
			tools = append(tools, t.Tool)
		}
	}
	own, chain := "", []string{}
	for _, tool := range tools {
		if j.Standing != nil && own == "" {
			var err error
			if chain, err = w.chainOf(*j.Standing); err != nil {
				return err
			}
			own = j.Standing.Order
		}
		if _, err := w.exec(`INSERT INTO standing_events (standing, key, name, at, chain) SELECT o.id,?,?,?,? FROM standing_orders o
			WHERE o.state='active' AND o.tool<>'' AND o.tool=? AND o.id<>? ON CONFLICT DO NOTHING`, j.ID, j.Title, at, part{chain}, tool, own); err != nil {
			return err
		}
	}
	return nil
}
