package shelf

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/failpoint"
	"agentchat/backend/folders"
	"agentchat/backend/library"
	"agentchat/backend/library/extract"
	"agentchat/backend/stream"
)

// lane is one of the two lines in which files are read.
type lane int

const (
	laneText lane = iota
	lanePictures
)

const (
	// readBatch is how many waiting files are looked up at once, goneBatch how many go in one transaction.
	readBatch = 64
	goneBatch = 20
	// mostBytes is how large a file is at most of which anything is read.
	mostBytes = 1 << 30
)

// work reads what waits, shelf by shelf, deals with what is gone, and takes away the shelves that are to go.
func (b *Book) work(ctx context.Context, in lane) (next time.Time) {
	list, err := b.deps.Store.Shelves(ctx)
	if err != nil {
		return b.later(ctx, err, "")
	}
	for _, s := range list {
		if ctx.Err() != nil {
			return next
		}
		var again bool
		var err error
		switch {
		case s.State == Following:
			again, err = b.fill(ctx, s, in)
		case in == laneText && (s.State == Dropping || s.State == Leaving):
			err = b.empty(ctx, s)
		}
		if err != nil {
			next = b.later(ctx, err, s.ID)
		} else if again {
			next = time.Now().Add(retryAfter)
		}
	}
	return next
}

// later notes why a shelf ("" for all of them) could not be worked on, and says when that is tried again.
func (b *Book) later(ctx context.Context, err error, shelf string) (next time.Time) {
	if ctx.Err() != nil {
		return next
	}
	b.deps.Log.Warn().Err(err).Str("shelf", shelf).Msg("a shelf of the library cannot be read now; it is tried again")
	return time.Now().Add(retryAfter)
}

// fill reads what waits on a shelf. again says that some of it is to be tried again.
func (b *Book) fill(ctx context.Context, s Shelf, in lane) (again bool, err error) {
	defer b.change(s.ID, func(l *live) { l.reading[in], l.left[in] = "", 0 })
	defer b.moved.Move()
	begun := false
	for after := ""; ; {
		files, err := b.deps.Store.NextShelfFiles(ctx, s.ID, in == lanePictures, after, readBatch)
		if err != nil {
			return again, err
		}
		if len(files) == 0 {
			break
		}
		if !begun {
			begun = true
			if err := b.count(ctx, s.ID, in); err != nil {
				return again, err
			}
		}
		for _, f := range files {
			if now, err := b.deps.Store.Shelf(ctx, s.ID); err != nil || now.State != Following || ctx.Err() != nil {
				return false, ctx.Err() // what it becomes is the next pass's
			}
			b.change(s.ID, func(l *live) { l.reading[in], l.busy = path.Base(f.Path), true })
			b.tell(ctx, s.ID, true)
			waits, err := b.read(ctx, s, f, in)
			if err != nil {
				return again, err
			}
			again = again || waits
			b.change(s.ID, func(l *live) { l.left[in]-- })
			b.moved.Move()
			after = f.Path
		}
	}
	if !again {
		if err := b.settle(ctx, s); err != nil {
			return false, err
		}
	}
	busy := false
	b.change(s.ID, func(l *live) {
		l.reading[in], l.left[in] = "", 0
		busy, l.busy = l.busy || begun, false
	})
	if busy {
		b.deps.Library.Filled()
		b.tell(ctx, s.ID, false)
	}
	return again, nil
}

// count notes how many files a pass has before it.
func (b *Book) count(ctx context.Context, id string, in lane) error {
	c, err := b.deps.Store.ShelfCounts(ctx, id)
	b.change(id, func(l *live) { l.left[in] = c.By[Waiting] })
	return err
}

// read reads one file that waits. waits says that it is to be tried again.
func (b *Book) read(ctx context.Context, s Shelf, was File, in lane) (waits bool, err error) {
	now := was
	at, err := b.room(s.Path).In(s.Path, was.Path, folders.File)
	switch code := apperr.CodeOf(err); {
	case err == nil:
		defer at.Close()
	case code == apperr.FileMissing || code == apperr.FolderRefused || code == apperr.NoFolder:
		b.deps.Watch.Again(s.Path) // a look says whether it is gone, or the whole folder
		return false, nil
	default:
		return false, b.refuse(ctx, s, was, err)
	}
	if !at.Whole(time.Now()) {
		file, err := at.Open()
		if err != nil {
			return false, b.refuse(ctx, s, was, err)
		}
		_ = file.Close()
		return true, nil
	}
	now.Size, now.Mod = at.Info.Size(), at.Info.ModTime()
	copied, hash, err := b.copy(ctx, at, in)
	defer func() {
		if copied != "" {
			_ = os.Remove(copied)
		}
	}()
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case errors.Is(err, errChanged):
		return true, nil
	case apperr.CodeOf(err) == apperr.StorageFailed:
		return false, err
	case err != nil:
		return false, b.refuse(ctx, s, was, err)
	}
	b.change(s.ID, func(l *live) { l.hashed += now.Size })
	d, _, partly, err := b.deps.Library.TakeIn(ctx, library.Shelving{
		Copy: copied, Path: s.full(was.Path), Title: strings.TrimSuffix(path.Base(was.Path), path.Ext(was.Path)), Hash: hash, Bytes: now.Size, Pictures: in == lanePictures,
	})
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case errors.Is(err, extract.ErrPictures) && in == laneText:
		now.Slow = true
		defer b.pictures.Wake()
	case strings.HasPrefix(string(apperr.CodeOf(err)), "storage_"): // the ledger's own trouble, no fault of the file
		return false, err
	case err != nil:
		return false, b.refuse(ctx, s, was, err)
	default:
		now.State, now.Document, now.Failure = Read, d.ID, partly
	}
	if failpoint.Enabled {
		failpoint.Hit("shelf.settle before")
	}
	return false, b.keep(ctx, s, was, now)
}

// refuse keeps why a file is not read. What was read of it before stays.
func (b *Book) refuse(ctx context.Context, s Shelf, was File, why error) error {
	now := was
	now.State, now.Document, now.Failure = Refused, "", apperr.From(why)
	return b.keep(ctx, s, was, now)
}

// keep keeps what became of a file that waited.
func (b *Book) keep(ctx context.Context, s Shelf, was, now File) error {
	return b.deps.Library.LetGo(ctx, func(ctx context.Context) ([]string, error) {
		return b.deps.Store.SettleShelfFile(ctx, s.ID, was, now)
	})
}

var errChanged = errors.New("it changed while it was read")

// copy puts a file's content where only this program writes, so that what is read is what was hashed, whoever writes to the file meanwhile or
// puts a link in its place.
func (b *Book) copy(ctx context.Context, at *folders.At, in lane) (copied, hash string, err error) {
	from, err := at.Open()
	if err != nil {
		return "", "", err
	}
	defer func() { _ = from.Close() }()
	dir := filepath.Join(b.deps.Copies, [...]string{laneText: "texts", lanePictures: "pictures"}[in])
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", "", apperr.Wrap(err, apperr.StorageFailed)
	}
	copied = filepath.Join(dir, norm.NFC.String(at.Name))
	to, err := os.OpenFile(copied, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return "", "", apperr.Wrap(err, apperr.StorageFailed)
	}
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(to, h), io.LimitReader(stream.Until(ctx, from), mostBytes))
	if shut := to.Close(); err == nil && shut != nil {
		err = apperr.Wrap(shut, apperr.StorageFailed)
	}
	if err != nil {
		var write *fs.PathError
		if errors.As(err, &write) && write.Path == copied {
			err = apperr.Wrap(err, apperr.StorageFailed)
		}
		return copied, "", err
	}
	if info, err := from.Stat(); err != nil || info.Size() != at.Info.Size() || n != min(info.Size(), mostBytes) || !info.ModTime().Equal(at.Info.ModTime()) {
		return copied, "", errChanged
	}
	return copied, hex.EncodeToString(h.Sum(nil)), nil
}

// settle deals with what is gone once everything that came was read: what only moved goes by its new name, the rest by the shelf's rule.
func (b *Book) settle(ctx context.Context, s Shelf) error {
	for {
		moves, err := b.deps.Store.MovedShelfFiles(ctx, s.ID, goneBatch)
		if err != nil {
			return err
		}
		for _, m := range moves {
			if err := b.deps.Store.MoveShelfFile(ctx, s.ID, m); err != nil {
				return err
			}
			b.change(s.ID, func(l *live) { l.busy = true })
		}
		if len(moves) < goneBatch {
			break
		}
	}
	c, err := b.deps.Store.ShelfCounts(ctx, s.ID)
	if err != nil || c.By[Gone] == 0 || c.By[Waiting] > 0 { // what waits may be what is gone from elsewhere
		return err
	}
	all := 0
	for _, n := range c.By {
		all += n
	}
	gone := c.By[Gone]
	suspect := gone+c.By[Kept] == all || gone >= manyGone && gone*shareGone > all
	switch {
	case s.Rule == RuleKeep:
		return b.settleGone(ctx, s.ID, nil, c.Newest, false)
	case s.Rule == RuleDrop && !suspect:
		return b.settleGone(ctx, s.ID, nil, c.Newest, true)
	}
	return nil
}

// settleGone drops or keeps what is gone.
func (b *Book) settleGone(ctx context.Context, id string, paths []string, until time.Time, drop bool) error {
	for more := true; more; {
		err := b.deps.Library.LetGo(ctx, func(ctx context.Context) (gone []string, err error) {
			gone, more, err = b.deps.Store.SettleGone(ctx, id, paths, until, drop, goneBatch)
			return gone, err
		})
		if err != nil {
			return err
		}
		b.change(id, func(l *live) { l.busy = true })
		b.tell(ctx, id, true)
	}
	return nil
}

// empty takes a shelf away.
func (b *Book) empty(ctx context.Context, s Shelf) error {
	for more := true; more && ctx.Err() == nil; {
		err := b.deps.Library.LetGo(ctx, func(ctx context.Context) (gone []string, err error) {
			gone, more, err = b.deps.Store.EmptyShelf(ctx, s.ID, s.State == Dropping, goneBatch)
			return gone, err
		})
		if err != nil {
			return err
		}
		if failpoint.Enabled {
			failpoint.Hit("shelf.empty after")
		}
		if more {
			b.tell(ctx, s.ID, true)
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	b.mu.Lock()
	delete(b.live, s.ID)
	b.mu.Unlock()
	b.deps.Publisher.Publish(event.Of("", "", event.LibraryShelf{ID: s.ID, Title: s.Title, Path: s.Path, Rule: string(s.Rule), State: string(s.State), Removed: true}))
	b.deps.Library.Filled()
	return nil
}
