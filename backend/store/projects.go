package store

import (
	"context"
	"strings"

	"agentchat/backend/language/words"
	"agentchat/backend/manager"
)

// Projects lists the projects, by their titles.
func (s *Store) Projects(ctx context.Context) ([]manager.Project, error) {
	return collect(ctx, s.read, scanProject, selectProject+`ORDER BY title, id`)
}

const selectProject = `SELECT id, title, instructions, model, folders, shelves, folder, folded FROM projects `

func scanProject(r row) (p manager.Project, err error) {
	err = r.Scan(&p.ID, &p.Title, &p.Instructions, &p.Model, asJSON{&p.Folders}, asJSON{&p.Shelves}, &p.Folder, &p.Folded)
	return p, err
}

// ProjectOf gives the project of a chat, or of the job whose chat it is; ok is false when it belongs to none.
func (s *Store) ProjectOf(ctx context.Context, chat string) (p manager.Project, ok bool, err error) {
	id, ofJob := strings.CutPrefix(chat, manager.JobChat)
	from := `?1`
	if ofJob {
		from = `(SELECT chat FROM jobs WHERE id=?1)`
	}
	list, err := collect(ctx, s.read, scanProject, selectProject+`WHERE id=
		(SELECT project FROM chats WHERE id=`+from+`)`, id)
	if err != nil || len(list) == 0 {
		return p, false, err
	}
	return list[0], true, nil
}

// SaveProject makes a project, or changes it.
func (s *Store) SaveProject(ctx context.Context, p manager.Project) error {
	at := micros(s.now())
	return s.exec(ctx, false, `INSERT INTO projects (id, title, instructions, model, folders, shelves, folder, folded, created) VALUES (?,?,?,?,?,?,?,?,?)
		ON CONFLICT (id) DO UPDATE SET title=excluded.title, instructions=excluded.instructions, model=excluded.model,
		folders=excluded.folders, shelves=excluded.shelves, folder=excluded.folder, folded=excluded.folded`,
		p.ID, p.Title, p.Instructions, p.Model, asJSON{append([]string{}, p.Folders...)}, asJSON{append([]string{}, p.Shelves...)}, p.Folder, p.Folded, at)
}

// RemoveProject takes a project away with what only its chats were told; they stay, in none. Errors: not_found.
func (s *Store) RemoveProject(ctx context.Context, id string) error {
	return s.tx(ctx, false, func(w *work) error {
		if err := w.change("project", id, `DELETE FROM projects WHERE id=?`, id); err != nil {
			return err
		}
		if _, err := w.exec(`UPDATE facts SET text='', topic='' WHERE project=?`, id); err != nil {
			return err
		}
		_, err := w.exec(`UPDATE chats SET project='' WHERE project=?`, id)
		return err
	})
}

// SetChat gives a chat instructions and a model of its own, and its project. Errors: not_found.
func (s *Store) SetChat(ctx context.Context, c manager.Chat) error {
	return s.tx(ctx, false, func(w *work) error {
		if c.Project != "" {
			if found, err := w.ids(`SELECT id FROM projects WHERE id=?`, c.Project); err != nil {
				return err
			} else if len(found) == 0 {
				return notFound("project", c.Project)
			}
		}
		return w.change("chat", c.ID, `UPDATE chats SET project=?, instructions=?, model=? WHERE id=? AND deleted=0`, c.Project, c.Instructions, c.Model, c.ID)
	})
}

// Chat gives one conversation. Errors: not_found.
func (s *Store) Chat(ctx context.Context, id string) (c manager.Chat, err error) {
	c.ID = id
	err = s.read.QueryRowContext(ctx, `SELECT title, pinned, archived, project, instructions, model FROM chats WHERE id=? AND deleted=0`, id).
		Scan(&c.Title, &c.Pinned, &c.Archived, &c.Project, &c.Instructions, &c.Model)
	if err != nil {
		return c, missing(err, "chat", id)
	}
	return c, nil
}

// ArchiveChat puts a conversation away, or takes it out again. Errors: not_found.
func (s *Store) ArchiveChat(ctx context.Context, id string, archived bool) error {
	return s.change(ctx, "chat", id, `UPDATE chats SET archived=? WHERE id=? AND deleted=0`, archived, id)
}

// SaveDraft keeps what was typed in a chat and not sent yet; "" for nothing. Drafts gives all of them.
func (s *Store) SaveDraft(ctx context.Context, chat, data string) error {
	return s.tx(ctx, false, func(w *work) error {
		if data == "" {
			_, err := w.exec(`DELETE FROM drafts WHERE chat=?`, chat)
			return err
		}
		_, err := w.exec(`INSERT INTO drafts (chat, data) VALUES (?,?) ON CONFLICT (chat) DO UPDATE SET data=excluded.data`, chat, data)
		return err
	})
}

// Drafts gives what was typed and not sent yet, by chat.
func (s *Store) Drafts(ctx context.Context) (map[string]string, error) {
	drafts := map[string]string{}
	rows, err := s.read.QueryContext(ctx, `SELECT chat, data FROM drafts`)
	return drafts, each(rows, err, func(r row) error {
		var chat, data string
		err := r.Scan(&chat, &data)
		drafts[chat] = data
		return err
	})
}

// FindInChat gives the messages of a chat that say something, the newest first: what was typed as it stands, whatever the case of its letters. The index of
// pieces says which messages may, as it does for Search; a chat of few messages, or what has no piece in it (a mark), is looked through.
func (s *Store) FindInChat(ctx context.Context, chat, text string, limit int) ([]string, error) {
	sought := words.Sought(text)
	if len(sought) == 0 {
		return nil, nil
	}
	query, pieces := foundInChat, words.GramsQuery(sought)
	var few bool
	if err := s.read.QueryRowContext(ctx, `SELECT count(*)<=?2 FROM (SELECT 1 FROM messages WHERE chat=?1 LIMIT ?2+1)`, chat, fewInChat).Scan(&few); err != nil {
		return nil, err
	}
	if few || pieces == "" {
		query, pieces = foundInWholeChat, ""
	}
	return collect(ctx, s.read, one[string], query, chat, strings.Join(sought, " "), limit, pieces)
}

// fewInChat is how many messages are looked at as quickly as the index, which knows all chats, is asked.
const fewInChat = 1000

const (
	foundInWholeChat = `SELECT id FROM messages WHERE chat=?1 AND hidden=0 AND ?4='' AND text_holds(text, ?2) ORDER BY n DESC LIMIT ?3`
	foundInChat      = `SELECT m.id FROM messages_fts f CROSS JOIN messages m ON m.n=f.rowid
		WHERE f.messages_fts MATCH ?4 AND m.chat=?1 AND m.hidden=0 AND text_holds(m.text, ?2) ORDER BY f.rowid DESC LIMIT ?3`
)

// DropChat implements manager.Store. What was done outside stays in the ledger of effects until its time, and money stands for good.
func (s *Store) DropChat(ctx context.Context, id string) error {
	return s.tx(ctx, true, func(w *work) error {
		titles, err := w.ids(`UPDATE chats SET title='', instructions='', project='', named=0, titles=0, titled_at=0 WHERE id=?1 AND deleted>0 RETURNING id`, id)
		if err != nil {
			return err
		}
		if len(titles) == 0 { // it was opened anew: what it had said before can go all the same
			if titles, err = w.ids(`SELECT id FROM chats WHERE id=?1 AND EXISTS `+away, id); err != nil {
				return err
			}
			if len(titles) == 0 {
				return notFound("chat", id)
			}
		}
		for _, q := range []string{
			`DELETE FROM messages WHERE chat IN (SELECT ?1 UNION ALL ` + theirs + `) AND (hidden=2 OR (SELECT deleted FROM chats WHERE id=?1)>0)`,
			`DELETE FROM places WHERE chat=?1`,
			`DELETE FROM versions WHERE request NOT IN (SELECT id FROM messages) AND ?1<>''`,
			`DELETE FROM job_log WHERE n>>32 IN (SELECT number FROM jobs WHERE chat=?1 AND ended>0 AND called_off>=2)`,
			`DELETE FROM asks WHERE state IN ('consumed', 'closed') AND job IN (SELECT id FROM jobs WHERE chat=?1 AND ended>0 AND called_off>=2)`,
			`DELETE FROM effects WHERE settled>0 AND job IN (SELECT id FROM jobs WHERE chat=?1 AND ended>0 AND called_off>=2)`,
			`DELETE FROM jobs WHERE chat=?1 AND ended>0 AND called_off>=2 AND NOT EXISTS (SELECT 1 FROM asks a WHERE a.job=jobs.id) AND NOT EXISTS (SELECT 1 FROM effects e WHERE e.job=jobs.id)`,
		} {
			if _, err := w.exec(q, id); err != nil {
				return err
			}
		}
		return nil
	})
}
