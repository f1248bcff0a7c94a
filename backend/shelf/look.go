package shelf

import (
	"context"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/folders"
	"agentchat/backend/language/bilingual"
)

// noteBatch is how many findings of a look one transaction keeps.
const noteBatch = 200

// Many files that go at once may be a disk that is away, or a folder that was moved: then the rule “drop” asks, too.
const (
	manyGone  = 10
	shareGone = 2 // that is one in two
)

// Look goes through the folder of a shelf: what is new, changed, gone or there again is noted, by size and time alone. It gives the folders
// to be watched, and tells whether some file is still being written. A folder that is not there, or is empty all at once, is an error:
// nothing is dropped for it. It is watch.Deps.Look.
func (b *Book) Look(ctx context.Context, folder string, _ bool) (dirs []string, unfinished bool, err error) {
	list, err := b.deps.Store.Shelves(ctx)
	if err != nil {
		return nil, false, err
	}
	for _, s := range list {
		if s.Path == folder && s.State == Following {
			return b.look(ctx, s)
		}
	}
	return nil, false, nil // it was stopped this moment
}

func (b *Book) look(ctx context.Context, s Shelf) (dirs []string, unfinished bool, err error) {
	b.looking.Lock()
	defer b.looking.Unlock()
	l := &look{book: b, shelf: s, room: b.room(s.Path)}
	b.change(s.ID, func(v *live) {
		v.looking, l.retry, v.retry = true, v.retry, false
	})
	b.tell(ctx, s.ID, false)
	err = l.walk(ctx)
	b.change(s.ID, func(v *live) {
		if v.looking = false; err == nil || ctx.Err() == nil {
			v.problem = apperr.From(err)
			if err == nil {
				v.problem = l.problem
			}
		}
		if err == nil {
			v.found, v.hashed, v.busy = l.found, 0, true
		}
	})
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	if err == nil {
		err = b.deps.Store.LookedAtShelf(ctx, s.ID, b.deps.Now(), l.other)
	}
	b.texts.Wake() // also when nothing waits: what is gone is dealt with there
	b.pictures.Wake()
	b.tell(ctx, s.ID, false)
	if err == nil && l.emptied() {
		err = apperr.New(apperr.FileMissing, "path", s.Path) // looked at now and then, until it is there again
	}
	return l.dirs, l.unfinished, err
}

// look is one walk through a folder.
type look struct {
	book  *Book
	shelf Shelf
	room  *folders.Book
	retry bool // what was refused is read again
	known map[string]Known

	dirs       []string
	seen       map[string]bool
	unseen     []string // folders that could not be looked into, as they are called from the shelf's on
	notes      []File
	there      int // files that are there
	found      int // of these, new and changed ones
	lost       int // files that are gone, and were not kept
	other      int
	unfinished bool
	problem    *apperr.Error
	failed     error
}

// emptied tells whether all that was there is gone.
func (l *look) emptied() bool { return l.there == 0 && l.lost > 0 }

func (l *look) walk(ctx context.Context) error {
	at, err := l.room.Find(ctx, l.shelf.Path, folders.Dir)
	if err != nil {
		return err
	}
	defer at.Close()
	if l.known, err = l.book.deps.Store.ShelfKnown(ctx, l.shelf.ID); err != nil {
		return err
	}
	l.seen = make(map[string]bool, len(l.known))
	l.dirs = []string{at.Full}
	whole, err := l.room.WalkTold(ctx, at, func(e folders.Entry) bool {
		if e.Info.IsDir() {
			l.dirs = append(l.dirs, e.Full)
		} else {
			l.file(ctx, e)
		}
		return l.failed == nil
	}, func(dir *folders.At) { l.unseen = append(l.unseen, dir.Rel()) })
	if err == nil {
		err = l.failed
	}
	if err != nil {
		return err
	}
	if !whole {
		l.problem = apperr.New(apperr.ShelfRefused, "path", l.shelf.Path, "detail", l.partly())
	}
	for path, k := range l.known {
		if l.seen[path] || k.State == Kept || l.hidden(path) {
			continue
		}
		if l.lost++; k.State != Gone {
			l.note(ctx, File{Path: path, State: Gone})
		}
	}
	l.flush(ctx)
	return l.failed
}

// partly says what of a folder is not followed.
func (l *look) partly() bilingual.Wrong {
	name := l.unseen[0]
	if name == "" {
		return bilingual.WrongOf("파일이 너무 많아서 다 따라가지 못해요. 그 안의 폴더를 서가로 두세요", "it holds too many files to follow them all; make folders inside it shelves")
	}
	return bilingual.WrongOf("그 안의 ‘"+name+"’ 폴더를 들여다볼 수 없어요. 거기 있던 것은 그대로 둬요. 권한을 확인해 주세요", "the folder “"+name+"” in it cannot be looked into; what was there stays as it is; check its permissions")
}

// hidden tells whether a file may stand in a folder that could not be looked into.
func (l *look) hidden(path string) bool {
	for _, dir := range l.unseen {
		if dir == "" || strings.HasPrefix(path, dir+"/") {
			return true
		}
	}
	return false
}

// file compares one file with what is known of it.
func (l *look) file(ctx context.Context, e folders.Entry) {
	if folders.Half(e.Name) {
		return
	}
	if !l.book.deps.Knows(e.Name) {
		l.other++
		return
	}
	path := e.Rel()
	if l.seen[path] { // the same name in other forms of its letters
		return
	}
	was, knew := l.known[path]
	l.seen[path] = true
	l.there++
	f := File{Path: path, Size: e.Info.Size(), Mod: e.Info.ModTime(), State: Waiting}
	switch {
	case knew && was.same(e.Info) && (was.State == Gone || was.State == Kept):
		if was.Document {
			f.State = Read
		}
		l.note(ctx, f)
		return
	case knew && was.same(e.Info) && was.State == Refused && (l.retry || was.Shut):
	case knew && was.same(e.Info):
		return
	}
	file, err := e.Open()
	if err != nil {
		if !knew || was.State != Refused || !was.same(e.Info) {
			f.State, f.Failure = Refused, apperr.From(err)
			l.note(ctx, f)
		}
		return
	}
	_ = file.Close()
	if !e.Whole(time.Now()) {
		l.unfinished = true
		if !knew { // it is seen to be coming; what was read of one that changes stands until it is whole
			l.note(ctx, f)
		}
		return
	}
	l.found++
	l.note(ctx, f)
}

func (l *look) note(ctx context.Context, f File) {
	if l.notes = append(l.notes, f); len(l.notes) >= noteBatch {
		l.flush(ctx)
	}
}

func (l *look) flush(ctx context.Context) {
	if l.failed == nil && len(l.notes) > 0 {
		l.failed = l.book.deps.Store.NoteShelf(ctx, l.shelf.ID, l.notes)
		l.notes = l.notes[:0]
	}
}
