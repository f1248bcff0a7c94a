package attachment

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"agentchat/backend/apperr"
)

// Sweep lets go of contents whose messages are gone for good with their chats, deleted before a moment, and of those that no message ever
// came with. A file goes once no backup of the ledger may name it. Errors: storage errors.
func (r *Room) Sweep(ctx context.Context, deleted time.Time) error {
	now := r.deps.Now()
	held := now.Add(-HeldFor)
	loose, err := r.deps.Store.LooseAttachments(ctx, held, deleted)
	if err != nil {
		return err
	}
	for _, id := range loose {
		gone, err := r.deps.Store.DropAttachment(ctx, id, held, deleted)
		if err != nil {
			return err
		}
		if gone { // since when it belongs to nothing
			_ = os.Chtimes(r.path(id), time.Time{}, now)
			_ = os.Chtimes(r.path(id)+viewSuffix, time.Time{}, now)
		}
	}
	if err := r.deps.Store.DropUnattached(ctx, now.Add(-strayFor)); err != nil {
		return err
	}
	return r.clear(ctx, now.Add(-strayFor))
}

// clear removes files that no row knows of and that belonged to nothing before a moment, nor since the oldest backup.
func (r *Room) clear(ctx context.Context, before time.Time) error {
	oldest, err := r.deps.Backups(ctx)
	if err != nil {
		return err
	}
	if !oldest.IsZero() && oldest.Before(before) {
		before = oldest
	}
	done, err := r.alone(ctx) // nothing comes in meanwhile
	if err != nil {
		return err
	}
	defer done()
	ids, err := r.deps.Store.Attachments(ctx)
	if err != nil {
		return err
	}
	known := make(map[string]bool, len(ids))
	for _, id := range ids {
		known[id] = true
	}
	entries, err := os.ReadDir(r.deps.Dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return apperr.Wrap(err, apperr.StorageFailed)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || known[strings.TrimSuffix(e.Name(), viewSuffix)] || !info.Mode().IsRegular() || !info.ModTime().Before(before) {
			continue
		}
		if err := os.Remove(filepath.Join(r.deps.Dir, e.Name())); err != nil {
			r.deps.Log.Warn().Err(err).Msg("what belongs to nothing any more could not be removed; it is tried again")
		}
	}
	return nil
}
