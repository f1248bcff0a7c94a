package shelf

import (
	"context"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/apperr"
	"agentchat/backend/brief"
	"agentchat/backend/event"
	"agentchat/backend/folders"
	"agentchat/backend/language/bilingual"
)

const (
	// mostShelves is how many shelves there may be, longestTitle how long one's name, in characters.
	mostShelves  = 32
	longestTitle = 60
)

// Add has a folder followed as a shelf; without a title it is called as the folder is. Errors: shelf_refused, invalid_args, storage errors.
func (b *Book) Add(ctx context.Context, path, title string, rule Rule) (event.LibraryShelf, error) {
	b.editing.Lock()
	defer b.editing.Unlock()
	real, err := folders.NewBook(folders.Deps{List: func() []folders.Folder { return nil }, Own: b.deps.Own, Home: b.deps.Home}).Check(path)
	if err != nil {
		e := apperr.From(err)
		return event.LibraryShelf{}, apperr.Wrap(err, apperr.ShelfRefused, "path", e.Fields["path"], "detail", e.Fields["detail"])
	}
	list, err := b.deps.Store.Shelves(ctx)
	if err != nil {
		return event.LibraryShelf{}, err
	}
	if rule == "" {
		rule = RuleAsk
	}
	for _, s := range list {
		switch {
		case s.State == Dropping || s.State == Leaving:
			return event.LibraryShelf{}, refused(real, "다른 서가를 치우는 중이에요. 잠시 뒤에 다시 해 주세요", "another shelf is being taken away; try again in a moment")
		case s.Path == real || below(s.Path, real) || below(real, s.Path):
			return event.LibraryShelf{}, refused(real, "서가 ‘"+s.Title+"’의 폴더와 겹쳐요", "it overlaps with the folder of the shelf “"+s.Title+"”")
		}
	}
	if len(list) >= mostShelves {
		return event.LibraryShelf{}, refused(real, "서가가 이미 너무 많아요. 하나를 먼저 치워 주세요", "there are too many shelves; take one away first")
	}
	s := Shelf{ID: b.deps.NewID(), Path: real, Rule: rule, State: Following, Created: b.deps.Now()}
	if title == "" {
		title = unused(list, norm.NFC.String(filepath.Base(real)))
	}
	if s.Title, err = titled(list, s.ID, title); err == nil {
		err = ruled(rule)
	}
	if err == nil {
		err = b.deps.Store.AddShelf(ctx, s)
	}
	if err != nil {
		return event.LibraryShelf{}, err
	}
	return b.changed(ctx, s.ID)
}

// Change gives a shelf another title, or another rule, or has it follow its folder or not; what is "" stays. Errors: shelf_gone, invalid_args,
// storage errors.
func (b *Book) Change(ctx context.Context, id, title string, rule Rule, state State) (event.LibraryShelf, error) {
	b.editing.Lock()
	defer b.editing.Unlock()
	s, err := b.deps.Store.Shelf(ctx, id)
	if err != nil {
		return event.LibraryShelf{}, err
	}
	list, err := b.deps.Store.Shelves(ctx)
	if err == nil && title != "" {
		s.Title, err = titled(list, id, title)
	}
	if err == nil && rule != "" {
		s.Rule, err = rule, ruled(rule)
	}
	if err == nil && state != "" {
		if s.State = state; state != Following && state != Stopped {
			err = apperr.New(apperr.InvalidArgs, "detail", "state: "+string(state))
		}
	}
	if err == nil {
		err = b.deps.Store.ChangeShelf(ctx, s)
	}
	if err != nil {
		return event.LibraryShelf{}, err
	}
	return b.changed(ctx, id)
}

// changed has a shelf's change come into force.
func (b *Book) changed(ctx context.Context, id string) (event.LibraryShelf, error) {
	if err := b.follow(ctx); err != nil {
		return event.LibraryShelf{}, err
	}
	b.texts.Wake()
	b.tell(ctx, id, false)
	return b.View(ctx, id)
}

// Remove takes a shelf away, its documents with it or not, in the background. Errors: shelf_gone, storage errors.
func (b *Book) Remove(ctx context.Context, id string, documents bool) error {
	b.editing.Lock()
	defer b.editing.Unlock()
	s, err := b.deps.Store.Shelf(ctx, id)
	if err != nil {
		return err
	}
	if s.State = Leaving; documents {
		s.State = Dropping
	}
	if err := b.deps.Store.ChangeShelf(ctx, s); err != nil {
		return err
	}
	_, err = b.changed(ctx, id)
	if apperr.CodeOf(err) == apperr.ShelfGone { // so soon
		err = nil
	}
	return err
}

// Rescan goes through the folder of a shelf now, and has what was refused read again. Errors: shelf_gone, storage errors.
func (b *Book) Rescan(ctx context.Context, id string) (event.LibraryShelf, error) {
	s, err := b.deps.Store.Shelf(ctx, id)
	if err != nil {
		return event.LibraryShelf{}, err
	}
	if s.State == Following {
		b.change(id, func(l *live) { l.retry = true })
		b.deps.Watch.Again(s.Path)
	}
	return b.View(ctx, id)
}

// Settle answers what becomes of files that are gone: drop takes their documents out of the library, else these stay. mark names those that
// were shown (LibraryShelf.Mark); path one of them, "" all. Errors: shelf_gone, invalid_args, storage errors.
func (b *Book) Settle(ctx context.Context, id, mark, path string, drop bool) (event.LibraryShelf, error) {
	if _, err := b.deps.Store.Shelf(ctx, id); err != nil {
		return event.LibraryShelf{}, err
	}
	until, err := time.Parse(time.RFC3339Nano, mark)
	if err != nil {
		return event.LibraryShelf{}, apperr.Wrap(err, apperr.InvalidArgs, "detail", "mark")
	}
	var paths []string
	if path != "" {
		paths = []string{path}
	}
	if err := b.settleGone(ctx, id, paths, until, drop); err != nil {
		return event.LibraryShelf{}, err
	}
	b.texts.Wake()
	return b.View(ctx, id)
}

// Reread has a file read again that was refused or left out. Errors: shelf_gone, not_found, storage errors.
func (b *Book) Reread(ctx context.Context, id, path string) error {
	if _, err := b.deps.Store.Shelf(ctx, id); err != nil {
		return err
	}
	f, err := b.deps.Store.ShelfFile(ctx, id, path)
	if err != nil {
		return err
	}
	if f.State != Refused && f.State != LeftOut {
		return apperr.New(apperr.NotFound, "what", "file", "id", path)
	}
	f.State, f.Failure = Waiting, nil
	if err := b.deps.Store.NoteShelf(ctx, id, []File{f}); err != nil {
		return err
	}
	b.texts.Wake()
	b.tell(ctx, id, false)
	return nil
}

func refused(path, ko, en string) *apperr.Error {
	return apperr.New(apperr.ShelfRefused, "path", path, "detail", bilingual.WrongOf(ko, en))
}

func ruled(rule Rule) error {
	if rule != RuleAsk && rule != RuleDrop && rule != RuleKeep {
		return apperr.New(apperr.InvalidArgs, "detail", "rule: "+string(rule))
	}
	return nil
}

// below tells whether a real path lies below another.
func below(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != "." && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// titled makes a title fit to be said, and sees to it that no two shelves have the same.
func titled(list []Shelf, id, title string) (string, error) {
	title = norm.NFC.String(strings.Join(strings.Fields(title), " "))
	switch {
	case title == "" || utf8.RuneCountInString(title) > longestTitle || !utf8.ValidString(title) || strings.ContainsFunc(title, unicode.IsControl):
		return "", apperr.New(apperr.InvalidArgs, "detail", bilingual.WrongOf("서가 이름은 60자까지예요", "a shelf's name has at most 60 characters"))
	}
	for _, s := range list {
		if s.ID != id && key(s.Title) == key(title) {
			return "", apperr.New(apperr.InvalidArgs, "detail", bilingual.WrongOf("‘"+title+"’ 서가가 이미 있어요", "there is a shelf called “"+title+"” already"))
		}
	}
	return title, nil
}

// unused is a title that no shelf has: that one, or with a number.
func unused(list []Shelf, title string) string {
	title = brief.First(title, longestTitle-4)
	for n := 1; ; n++ {
		t := title
		if n > 1 {
			t += " " + string(rune('0'+n%10))
		}
		if _, err := titled(list, "", t); err == nil || n == 9 {
			return t
		}
	}
}
