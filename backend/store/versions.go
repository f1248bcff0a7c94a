package store

import (
	"context"
	"slices"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/manager"
)

// What is hidden of a chat: messages.hidden is 1 for what a person took away, 2 for what went with the whole chat, and 3 for what belongs
// to a version that is not shown; messages.under names that version.

// AddTurnInstead implements manager.Store.
func (s *Store) AddTurnInstead(ctx context.Context, turn manager.Turn, msg event.ChatMessage, in manager.Place) (cut manager.Cut, err error) {
	at := micros(s.now())
	err = s.tx(ctx, false, func(w *work) error {
		if cut, err = w.cut(turn.Chat, in.Request); err != nil {
			return err
		}
		if err := w.stopWorkOf(turn.Chat, in.Keep, &cut); err != nil {
			return err
		}
		if n, err := w.affect(`UPDATE chats SET title=? WHERE id=? AND title=? AND title<>? AND named=0`, in.Title, turn.Chat, in.Was, in.Title); err != nil {
			return err
		} else if n > 0 {
			cut.Title = in.Title
		}
		if _, err := w.exec(`INSERT INTO versions (request, first) VALUES (?1,?1) ON CONFLICT DO NOTHING`, in.Request); err != nil {
			return err
		}
		if _, err := w.exec(`INSERT INTO versions (request, first) SELECT ?, first FROM versions WHERE request=?`, turn.ID, in.Request); err != nil {
			return err
		}
		if err := w.addTurn(turn, msg, at); err != nil {
			return err
		}
		cut.Versions, err = w.ids(versionsOf, turn.ID)
		return err
	})
	return cut, err
}

// versionsOf are all versions of a request that are there, in the order in which they were said.
const versionsOf = `SELECT m.id FROM versions v JOIN versions g ON g.first=v.first JOIN messages m ON m.id=g.request AND m.hidden IN (0,3)
	WHERE v.request=? ORDER BY m.n`

// cut takes a request out of sight, as a version, with its results and everything after it. Earlier messages stay, with later replies to
// them, and so does everything that was confirmed at the counter.
func (w *work) cut(chat, request string) (cut manager.Cut, err error) {
	if cut.Messages, err = w.ids(`UPDATE messages SET hidden=3, under=?2 WHERE chat=?1 AND hidden=0 AND
		n >= (SELECT n FROM messages WHERE id=?2 AND chat=?1 AND role IN ('customer', 'imported_ask') AND hidden=0) AND NOT EXISTS
		(SELECT 1 FROM messages q WHERE q.id=messages.turn AND q.n < (SELECT n FROM messages WHERE id=?2)) RETURNING id`, chat, request); err != nil {
		return cut, err
	}
	if !slices.Contains(cut.Messages, request) {
		return cut, notFound("message", request)
	}
	if cut.Turns, err = w.ids(`DELETE FROM turns WHERE chat=?1 AND id IN (SELECT value FROM json_each(?2)) RETURNING id`, chat, jsonOf(cut.Messages)); err != nil {
		return cut, err
	}
	if err := w.closeSessions(chat, cut.Messages); err != nil {
		return cut, err
	}
	return cut, w.unsummed(chat, cut.Messages)
}

// stopWorkOf calls off what messages that were cut had started and goes on, but for what is to be kept. What had ended stays on record: it
// was done, whatever is shown.
func (w *work) stopWorkOf(chat string, keep []string, cut *manager.Cut) (err error) {
	gone, kept := jsonOf(cut.Messages), jsonOf(append([]string{}, keep...))
	const made = `chat=?1 AND ended=0 AND coalesce(data->>'$.job.counter', 0)=0 AND data->>'$.job.turn' IN (SELECT value FROM json_each(?2))
		AND id NOT IN (SELECT value FROM json_each(?3))`
	if cut.Jobs, err = w.ids(`SELECT id FROM jobs WHERE `+made, chat, gone, kept); err != nil {
		return err
	}
	return w.callOff(job.Disowned, made, chat, gone, kept)
}

// unsummed has a chat be read from its beginning when its summary stands for any of these messages, which come or go.
func (w *work) unsummed(chat string, messages []string) error {
	_, err := w.exec(`UPDATE memories SET summary='', turns=0, cut=0, since=0, version=version+1 WHERE chat=?1 AND cut >=
		(SELECT min(place) FROM messages WHERE place>0 AND id IN (SELECT value FROM json_each(?2)))`, chat, jsonOf(messages))
	return err
}

// ShowVersion implements manager.Store.
func (s *Store) ShowVersion(ctx context.Context, request string) (chat string, cut manager.Cut, err error) {
	err = s.tx(ctx, false, func(w *work) error {
		found, err := w.ids(`SELECT m.chat FROM messages m JOIN versions v ON v.request=m.id JOIN chats c ON c.id=m.chat AND c.deleted=0 WHERE m.id=? AND m.hidden IN (0,3)`, request)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return notFound("message", request)
		}
		chat = found[0]
		shown, err := w.ids(`SELECT m.id FROM versions v JOIN versions g ON g.first=v.first JOIN messages m ON m.id=g.request AND m.hidden=0 WHERE v.request=?`, request)
		if err != nil {
			return err
		}
		if slices.Contains(shown, request) {
			return nil
		}
		if len(shown) == 0 { // it stands in a version that is itself out of sight
			return notFound("message", request)
		}
		if open, err := w.ids(`SELECT id FROM turns WHERE chat=? LIMIT 1`, chat); err != nil {
			return err
		} else if len(open) > 0 {
			return apperr.New(apperr.ChatBusy)
		}
		if cut, err = w.cut(chat, shown[0]); err != nil {
			return err
		}
		back, err := w.ids(`UPDATE messages SET hidden=CASE hidden WHEN 3 THEN 0 ELSE hidden END, under='' WHERE under=? RETURNING id`, request)
		if err != nil {
			return err
		}
		if err := w.unsummed(chat, back); err != nil {
			return err
		}
		// What was stopped for another version is on record again with what asked for it.
		_, err = w.exec(jobsOnRecordAgain, chat, jsonOf(back))
		return err
	})
	return chat, cut, err
}

const (
	// turnOfJob is the expression of the index jobs_turn: the request that a job came of.
	turnOfJob = `CASE WHEN json_valid(data) THEN data->>'$.job.turn' END`

	jobsOnRecordAgain = `UPDATE jobs INDEXED BY jobs_turn SET called_off=0
		WHERE chat=?1 AND called_off=2 AND ended>0 AND ` + turnOfJob + ` IN (SELECT value FROM json_each(?2))`

	// Of a version that is not shown all its own versions are not, either: what they started belongs to it. It lies under itself, which makes
	// its siblings none of its own.
	selectJobsInside = selectJobs + `INDEXED BY jobs_turn WHERE ` + turnOfJob + ` IN (WITH RECURSIVE inside (id) AS (SELECT ?1 UNION
		SELECT g.request FROM inside JOIN messages m ON m.under=inside.id AND m.id<>inside.id JOIN versions v ON v.request=m.id JOIN versions g ON g.first=v.first)
		SELECT id FROM inside UNION SELECT m.id FROM messages m JOIN inside ON m.under=inside.id)
		AND chat=(SELECT chat FROM messages WHERE id=?1) ORDER BY number`
)

// Versions implements manager.Store.
func (s *Store) Versions(ctx context.Context, request string) ([]manager.Version, error) {
	list, err := s.messages(ctx, selectMessage+`WHERE id IN (`+versionsOf+`) ORDER BY n`, request)
	if err != nil {
		return nil, err
	}
	versions := make([]manager.Version, len(list))
	for i, m := range list {
		versions[i].Message = m
		if versions[i].Jobs, err = s.jobs(ctx, selectJobsInside, m.ID); err != nil {
			return nil, err
		}
	}
	shown, err := collect(ctx, s.read, one[string],
		`SELECT m.id FROM versions v JOIN versions g ON g.first=v.first JOIN messages m ON m.id=g.request AND m.hidden=0 WHERE v.request=?`, request)
	for i := range versions {
		versions[i].Shown = slices.Contains(shown, versions[i].Message.ID)
	}
	return versions, err
}

// AsideMessages gives what lies out of sight in a chat with versions that are not shown, by the request each belongs to, oldest first. What a person took
// away is not among it.
func (s *Store) AsideMessages(ctx context.Context, chat string) (requests []string, messages map[string][]event.ChatMessage, err error) {
	var under []string
	list, err := collect(ctx, s.read, func(row row) (event.ChatMessage, error) {
		request := ""
		m, err := scanMessage(row, &request)
		under = append(under, request)
		return m, err
	}, `SELECT `+messageColumns+`, under FROM messages WHERE chat=? AND hidden=3 ORDER BY n`, chat)
	if err == nil {
		err = s.nameVersions(ctx, list)
	}
	messages = map[string][]event.ChatMessage{}
	for i, m := range list {
		if messages[under[i]] == nil {
			requests = append(requests, under[i])
		}
		messages[under[i]] = append(messages[under[i]], m)
	}
	return requests, messages, err
}

// nameVersions says of each request which versions there are of it.
func (s *Store) nameVersions(ctx context.Context, list []event.ChatMessage) error {
	at := map[string]int{}
	for i, m := range list {
		if m.Role == event.RoleCustomer || m.Role == event.RoleImportedAsk {
			at[m.ID] = i
		}
	}
	if len(at) == 0 {
		return nil
	}
	ids := make([]string, 0, len(at))
	for id := range at {
		ids = append(ids, id)
	}
	rows, err := s.read.QueryContext(ctx, `SELECT v.request, m.id FROM json_each(?) j JOIN versions v ON v.request=j.value
		JOIN versions g ON g.first=v.first JOIN messages m ON m.id=g.request AND m.hidden IN (0,3) ORDER BY m.n`, jsonOf(ids))
	return each(rows, err, func(r row) error {
		var of, id string
		if err := r.Scan(&of, &id); err != nil {
			return err
		}
		list[at[of]].Versions = append(list[at[of]].Versions, id)
		return nil
	})
}

// ForkChat implements manager.Store. What is copied has the places it had, so that requests of the new chat begin with the very words that
// those of the old one begin with.
func (s *Store) ForkChat(ctx context.Context, message, id, title string) (chat string, err error) {
	at := micros(s.now())
	err = s.tx(ctx, true, func(w *work) error {
		found, err := w.ids(`SELECT m.chat FROM messages m JOIN chats c ON c.id=m.chat AND c.deleted=0 WHERE m.id=? AND m.hidden=0`, message)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return notFound("message", message)
		}
		chat = found[0]
		if _, err := w.exec(`INSERT INTO chats (id, title, created, project, instructions, model, named) SELECT ?, ?, ?, project, instructions, model, 2 FROM chats WHERE id=?`, id, title, at, chat); err != nil {
			return err
		}
		// A request whose turn is not over is not said yet, and the buttons of the old chat are its own.
		if _, err := w.exec(`INSERT INTO messages (id, chat, role, text, job, code, created, reasoning, library, did, turn, place, muted, about, standing, attachments)
			SELECT ?1||':'||m.n, ?1, m.role, m.text, m.job, m.code, m.created, m.reasoning, m.library, m.did,
				CASE WHEN m.turn='' THEN '' ELSE coalesce((SELECT ?1||':'||q.n FROM messages q WHERE q.id=m.turn), '') END, m.place, m.muted, m.about, m.standing, m.attachments
			FROM messages m WHERE m.chat=?2 AND m.hidden=0 AND m.n<=(SELECT n FROM messages WHERE id=?3)
				AND (m.id=?3 OR NOT EXISTS (SELECT 1 FROM turns t WHERE t.id=m.id)) ORDER BY m.n`, id, chat, message); err != nil {
			return err
		}
		_, err = w.exec(`INSERT INTO memories (chat, summary, turns, cut, facts, version, updated)
			SELECT ?1, r.summary, r.turns, r.cut, r.facts, 0, r.updated FROM memories r WHERE r.chat=?2 AND NOT EXISTS
			(SELECT 1 FROM messages m WHERE m.chat=?2 AND m.hidden=0 AND m.place BETWEEN 1 AND r.cut AND m.n>(SELECT n FROM messages WHERE id=?3))`, id, chat, message)
		if err != nil {
			return err
		}
		_, err = w.exec(moveUp, id)
		return err
	})
	return chat, err
}

// markAside says of jobs whether their request is out of sight, in a version that is not shown.
func (s *Store) markAside(ctx context.Context, jobs []job.View) error {
	requests := make([]string, len(jobs))
	for i, j := range jobs {
		requests[i] = j.Turn
	}
	aside, err := collect(ctx, s.read, one[int],
		`SELECT j.key FROM json_each(?) j CROSS JOIN messages m ON m.id=j.value WHERE m.under<>'' AND m.role IN ('customer', 'imported_ask')`, jsonOf(requests))
	for _, at := range aside {
		jobs[at].Aside = true
	}
	return err
}
