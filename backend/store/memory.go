package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"agentchat/backend/event"
	"agentchat/backend/memory"
	"agentchat/backend/undolog"
)

var _ memory.Store = (*Store)(nil)

// A chat has a memory from its first request on, unless it was deleted. place gives new messages of such a chat their place in the
// transcript. A customer's message gets it when its turn is over: until then it is the request itself and not part of the history.
// transcript reads the lines after the compacted part and the messages that are due; moveUp moves the start forward after a compaction, so
// that older lines are not read again.
const (
	openMemory = `INSERT INTO memories (chat, facts) SELECT ?1,?2
		WHERE NOT EXISTS (SELECT 1 FROM chats WHERE id=?1 AND deleted>0) ON CONFLICT DO NOTHING`
	place = `UPDATE messages SET place=new.place FROM
		(SELECT m.n, row_number() OVER (ORDER BY m.n) +
			max(r.cut, coalesce((SELECT max(p.place) FROM messages p WHERE p.chat=?1 AND p.n>=r.since), 0)) AS place
		FROM memories r CROSS JOIN messages m ON m.chat=?1 AND m.n>=r.since
		WHERE r.chat=?1 AND m.place=0 AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.id=m.id)) new
		WHERE messages.n=new.n`
	moveUp = `UPDATE memories SET since=coalesce(
		(SELECT min(m.n) FROM messages m WHERE m.chat=?1 AND m.n>=memories.since AND (m.place=0 OR m.place>memories.cut)),
		(SELECT max(m.n)+1 FROM messages m WHERE m.chat=?1), 0) WHERE chat=?1`
	transcript = `SELECT m.place, m.id, m.role, m.text, CASE WHEN json_valid(m.attachments) THEN json_array_length(m.attachments) ELSE 0 END, m.muted=0 AND m.hidden=0,
		m.place=0 AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.id=m.id)
		FROM memories r CROSS JOIN messages m ON m.chat=?1 AND m.n>=r.since AND (m.place=0 OR m.place>?2) WHERE r.chat=?1 ORDER BY m.place`
)

func (w *work) place(chat string) error {
	_, err := w.exec(place, chat)
	return err
}

// placeReport is place for messages outside of turns, such as reports. While a turn is running, its end does this.
func (w *work) placeReport(chat string) error {
	if open, err := w.ids(`SELECT id FROM turns WHERE chat=? LIMIT 1`, chat); err != nil || len(open) > 0 {
		return err
	}
	return w.place(chat)
}

func (w *work) openMemory(chat string, facts []string) error {
	if _, err := w.exec(openMemory, chat, asJSON{facts}); err != nil {
		return err
	}
	return w.place(chat)
}

// Recall implements memory.Store.
func (s *Store) Recall(ctx context.Context, chat string, facts func(project string) []string) (memory.Record, error) {
	r, due, err := s.recall(ctx, chat)
	if err != nil || !due {
		return r, err
	}
	var ids []string
	if facts != nil {
		ids = facts(r.Project)
	}
	// On a full disk reading must still work: messages that have a place already can be read.
	if kept := s.tx(ctx, false, func(w *work) error { return w.openMemory(chat, ids) }); kept != nil {
		return r, kept
	}
	r, _, err = s.recall(ctx, chat)
	return r, err
}

// recall reads the memory of a chat, and whether a message, or the chat itself, has no place in it yet.
func (s *Store) recall(ctx context.Context, chat string) (r memory.Record, due bool, err error) {
	r.Chat = chat
	if err := s.carried(ctx, &r); err != nil {
		return r, false, err
	}
	err = s.read.QueryRowContext(ctx, `SELECT summary, turns, cut, facts, version, updated FROM memories WHERE chat=?`, chat).
		Scan(&r.Summary, &r.Turns, &r.CompactedTo, asJSON{&r.Facts}, &r.Version, moment{&r.Updated})
	if errors.Is(err, sql.ErrNoRows) {
		return r, true, nil
	}
	if err != nil {
		return r, false, storageError(err)
	}
	r.Lines, due, err = s.lines(ctx, chat, r.CompactedTo)
	return r, due, err
}

// carried reads what a chat, or the one of a job's own chat, and its project carry.
func (s *Store) carried(ctx context.Context, r *memory.Record) error {
	var own, model string
	err := s.read.QueryRowContext(ctx, `SELECT c.project, c.instructions, c.model, coalesce(p.instructions, ''), coalesce(p.model, '')
		FROM chats c LEFT JOIN projects p ON p.id=c.project WHERE c.id=?`, r.Chat).Scan(&r.Project, &own, &r.Model, &r.Instructions, &model)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	r.Model = cmp.Or(r.Model, model)
	r.Instructions = strings.TrimSpace(r.Instructions + "\n" + own)
	return storageError(err)
}

func (s *Store) lines(ctx context.Context, chat string, after int64) (list []memory.Line, due bool, err error) {
	rows, err := s.read.QueryContext(ctx, transcript, chat, after)
	err = each(rows, err, func(r row) error {
		l := memory.Line{Speaker: "shop"}
		var role string
		var told, waits bool
		attached := 0
		if err := r.Scan(&l.N, &l.Message, &role, &l.Text, &attached, &told, &waits); err != nil {
			return err
		}
		due = due || waits
		if l.N == 0 || !told {
			return nil
		}
		switch event.Role(role) {
		case event.RoleCustomer:
			l.Speaker = "customer"
		case event.RoleImportedAsk, event.RoleImportedReply:
			l.Text = memory.Elsewhere(l.Text)
		case event.RoleShop, event.RoleJob:
		}
		if attached > 0 { // what they are called is other people's words
			l.Text = strings.TrimSpace(fmt.Sprintf("%s\n(attached: %d)", l.Text, attached))
		}
		list = append(list, l)
		return nil
	})
	return list, due, err
}

// Compact implements memory.Store.
func (s *Store) Compact(ctx context.Context, c memory.Compaction) (bool, error) {
	made := false
	err := s.tx(ctx, false, func(w *work) error {
		n, err := w.affect(`UPDATE memories SET summary=?, turns=?, cut=?, facts=?, version=version+1, updated=? WHERE chat=? AND version=?`,
			c.Summary, c.Turns, c.To, asJSON{c.Facts}, micros(s.now()), c.Chat, c.Version)
		if made = n == 1; err != nil || !made {
			return err
		}
		_, err = w.exec(moveUp, c.Chat)
		return err
	})
	return made && err == nil, err
}

// SetSummary implements memory.Store.
func (s *Store) SetSummary(ctx context.Context, chat, summary string) error {
	return s.exec(ctx, false, `INSERT INTO memories (chat, summary, updated) VALUES (?,?,?) ON CONFLICT (chat)
		DO UPDATE SET summary=excluded.summary, updated=excluded.updated, version=version+1`, chat, summary, micros(s.now()))
}

// ForgetChat implements memory.Store.
func (s *Store) ForgetChat(ctx context.Context, chat string, facts []string) error {
	return s.tx(ctx, false, func(w *work) error {
		if err := w.openMemory(chat, facts); err != nil {
			return err
		}
		if _, err := w.exec(`UPDATE memories SET summary='', turns=0, version=version+1, updated=?2,
			cut=max(cut, coalesce((SELECT max(m.place) FROM messages m WHERE m.chat=?1 AND m.n>=memories.since), 0)) WHERE chat=?1`,
			chat, micros(s.now())); err != nil {
			return err
		}
		_, err := w.exec(moveUp, chat)
		return err
	})
}

// forgetChat is what the deletion of a chat means for memory.
func (w *work) forgetChat(chat string) error {
	if _, err := w.exec(`UPDATE messages SET place=0 WHERE chat=? AND place>0`, chat); err != nil {
		return err
	}
	_, err := w.exec(`DELETE FROM memories WHERE chat=?`, chat)
	return err
}

// Mute implements memory.Store.
func (s *Store) Mute(ctx context.Context, messages []string) error {
	return s.tx(ctx, false, func(w *work) error {
		for _, id := range messages {
			if _, err := w.exec(`UPDATE messages SET muted=1 WHERE id=?`, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// Facts implements memory.Store.
func (s *Store) Facts(ctx context.Context) ([]memory.Fact, error) {
	return collect(ctx, s.read, func(row row) (f memory.Fact, err error) {
		err = row.Scan(&f.ID, &f.Text, &f.Topic, &f.Source, &f.Chat, &f.Ref, &f.Project, moment{&f.Learned})
		return f, err
	}, `SELECT id, text, topic, source, chat, ref, project, learned FROM facts
		WHERE rowid IN (SELECT rowid FROM facts INDEXED BY facts_live WHERE text<>'') ORDER BY rowid`)
}

// AddFact implements memory.Store.
func (s *Store) AddFact(ctx context.Context, f memory.Fact, keep int) (bool, error) {
	added := false
	learn := func(w *work) error {
		n, err := w.affect(`INSERT INTO facts (id, text, topic, source, chat, ref, project, learned) VALUES (?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING`,
			f.ID, f.Text, f.Topic, string(f.Source), f.Chat, f.Ref, f.Project, micros(f.Learned))
		if added = n == 1; err != nil || !added {
			return err
		}
		if f.Topic != "" {
			if _, err := w.exec(`UPDATE facts SET text='' WHERE topic=? AND topic<>'' AND text<>'' AND id<>?`, f.Topic, f.ID); err != nil {
				return err
			}
		}
		_, err = w.exec(`UPDATE facts SET text='' WHERE source IN ('ledger','job') AND text<>'' AND id NOT IN
			(SELECT id FROM facts WHERE source IN ('ledger','job') AND text<>'' ORDER BY rowid DESC LIMIT ?)`, keep)
		return err
	}
	err := s.tx(ctx, false, func(w *work) error {
		return w.keeping(ctx, func() error { return learn(w) }, rowsOf{undolog.Facts, `id=?1 OR topic=?2 AND topic<>''`, []any{f.ID, f.Topic}})
	})
	return added && err == nil, err
}

// EditFact implements memory.Store.
func (s *Store) EditFact(ctx context.Context, id, text string) error {
	return s.changeKept(ctx, "fact", id, rowsOf{undolog.Facts, "id=?", []any{id}}, `UPDATE facts SET text=?, topic='', source='person' WHERE id=? AND text<>''`, text, id)
}

// DropFact implements memory.Store.
func (s *Store) DropFact(ctx context.Context, id string) error {
	if _, kept := undolog.Of(ctx); !kept { // what a person has forgotten for good is kept nowhere
		return s.tx(ctx, false, func(w *work) error {
			if _, err := w.exec(`DELETE FROM undo_log WHERE tbl='facts' AND key=json_array(?)`, id); err != nil {
				return err
			}
			return w.change("fact", id, `UPDATE facts SET text='', topic='' WHERE id=? AND text<>''`, id)
		})
	}
	return s.changeKept(ctx, "fact", id, rowsOf{undolog.Facts, "id=?", []any{id}}, `UPDATE facts SET text='', topic='' WHERE id=? AND text<>''`, id)
}
