package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/attachment"
	"agentchat/backend/event"
	"agentchat/backend/library"
)

var _ attachment.Store = (*Store)(nil)

// HoldAttachment implements attachment.Store.
func (s *Store) HoldAttachment(ctx context.Context, a event.Attachment) error {
	return s.exec(ctx, true, `INSERT INTO attachments (id, kind, format, bytes, pages, width, height, held) VALUES (?,?,?,?,?,?,?,?)
		ON CONFLICT (id) DO UPDATE SET kind=excluded.kind, format=excluded.format, pages=excluded.pages, held=excluded.held`,
		a.ID, string(a.Kind), a.Format, a.Bytes, a.Pages, a.Width, a.Height, micros(s.now()))
}

// Attachment implements attachment.Store.
func (s *Store) Attachment(ctx context.Context, id string) (a event.Attachment, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT id, kind, format, bytes, pages, width, height FROM attachments WHERE id=?`, id).
		Scan(&a.ID, &a.Kind, &a.Format, &a.Bytes, &a.Pages, &a.Width, &a.Height)
	if errors.Is(err, sql.ErrNoRows) {
		return a, apperr.New(apperr.AttachmentGone)
	}
	return a, storageError(err)
}

// loose is true of attachments that were handed in before ?1 and came with no message that is there or could come back: that of a chat
// which was not deleted before ?2. Nor do they stand in a box, to be sent: a draft has them as files, or aside while an earlier request is changed.
const loose = `held<?1 AND id NOT IN (SELECT j.value->>'$.id' FROM messages m INDEXED BY messages_attached, json_each(m.attachments) j
	WHERE m.attachments<>'' AND json_valid(m.attachments) AND NOT EXISTS (SELECT 1 FROM chats c WHERE c.id=m.chat AND c.deleted BETWEEN 1 AND ?2))
	AND id NOT IN (SELECT coalesce(f.value->>'$.id', '') FROM drafts d, (VALUES ('$.files'), ('$.aside')) place,
		json_each(CASE WHEN json_valid(d.data) THEN d.data ELSE '{}' END, place.column1) f WHERE f.type='object')`

// LooseAttachments implements attachment.Store.
func (s *Store) LooseAttachments(ctx context.Context, held, deleted time.Time) ([]string, error) {
	return collect(ctx, s.read, one[string], `SELECT id FROM attachments WHERE `+loose, micros(held), max(micros(deleted), 0))
}

// DropAttachment implements attachment.Store.
func (s *Store) DropAttachment(ctx context.Context, id string, held, deleted time.Time) (gone bool, err error) {
	err = s.tx(ctx, false, func(w *work) error {
		ids, err := w.ids(`DELETE FROM attachments WHERE id=?3 AND `+loose+` RETURNING id`, micros(held), max(micros(deleted), 0), id)
		if gone = len(ids) > 0; err != nil || !gone {
			return err
		}
		if err := w.clearDocuments(`hash=? AND kind=?`, id, string(library.KindAttached)); err != nil {
			return err
		}
		return w.forgetAnswers("") // they may quote it
	})
	return gone && err == nil, err
}

// DropUnattached implements attachment.Store.
func (s *Store) DropUnattached(ctx context.Context, added time.Time) error {
	return s.tx(ctx, false, func(w *work) error {
		return w.clearDocuments(`kind=? AND added<? AND hash NOT IN (SELECT id FROM attachments)`, string(library.KindAttached), micros(added))
	})
}

// Attachments implements attachment.Store.
func (s *Store) Attachments(ctx context.Context) ([]string, error) {
	return collect(ctx, s.read, one[string], `SELECT id FROM attachments`)
}

// ChatAttachments gives what came with the messages of a chat, the last first, each content once and at most mostOfChat of them.
func (s *Store) ChatAttachments(ctx context.Context, chat string) (list []event.Attachment, err error) {
	all, err := collect(ctx, s.read, func(row row) (some []event.Attachment, err error) {
		err = row.Scan(hanging{&some})
		return some, err
	}, `SELECT attachments FROM messages INDEXED BY messages_attached WHERE chat=? AND attachments<>'' AND hidden=0 ORDER BY n DESC LIMIT ?`, chat, mostOfChat)
	for _, a := range slices.Concat(all...) {
		if len(list) < mostOfChat && !slices.ContainsFunc(list, func(b event.Attachment) bool { return b.ID == a.ID }) {
			list = append(list, a)
		}
	}
	return list, err
}

// mostOfChat is how many attachments of one chat are looked in together.
const mostOfChat = 30

// AttachmentUse implements attachment.Store.
func (s *Store) AttachmentUse(ctx context.Context) (count int, bytes int64, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(bytes), 0) FROM attachments`).Scan(&count, &bytes)
	return count, bytes, storageError(err)
}
