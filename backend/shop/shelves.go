package shop

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library/extract"
	"agentchat/backend/names"
	"agentchat/backend/shelf"
	"agentchat/backend/watch"
)

// openShelves makes the shelves that follow folders; start has them do so.
func (s *Shop) openShelves() {
	c := s.Config.Get()
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // then ~ stands for nothing
	}
	s.shelfWatch = watch.New(watch.Deps{
		Look: func(ctx context.Context, folder string, late bool) ([]string, bool, error) {
			return s.shelves.Look(ctx, folder, late)
		},
		Log: s.Log.Component("watch"),
	})
	s.shelves = shelf.New(shelf.Deps{
		Store: s.store, Library: s.library, Watch: s.shelfWatch, Publisher: s.Bus, Own: []string{c.DataDir, c.ConfigFile}, Home: home,
		Copies: filepath.Join(c.DataDir, "reading"), Knows: extract.Known, Lang: func() bilingual.Lang { return s.Config.Get().Lang },
		Now: time.Now, NewID: newID, Log: s.Log.Component("shelf"),
	})
	s.names[names.Shelf] = s.shelves.Titles()
}

// ShelfFile is a file of a shelf as fronts list it. Why says why it was refused, or what of it could not be read, in the shop's language.
type ShelfFile struct {
	Path     string `json:"path"` // from the folder on
	State    string `json:"state" ts_type:"shelf.FileState"`
	Document string `json:"document,omitempty"` // what was read of it last
	Bytes    int64  `json:"bytes"`
	Changed  string `json:"changed"` // RFC 3339 in UTC
	Why      string `json:"why,omitempty"`
}

// ShelfFilter narrows the files of a shelf: to a state, and to those whose path holds a text; empty: all.
type ShelfFilter struct {
	State string `json:"state,omitempty" ts_type:"shelf.FileState | ''"`
	Text  string `json:"text,omitempty"`
}

// Shelves lists the shelves that follow folders, oldest first. Errors: storage errors.
func (s *Shop) Shelves(ctx context.Context) ([]event.LibraryShelf, error) {
	return s.shelves.Views(ctx)
}

// AddShelf has a folder followed as a shelf of the library; without a title it is called as the folder is, without a rule what is gone is
// asked about. Errors: shelf_refused, invalid_args, storage errors.
func (s *Shop) AddShelf(ctx context.Context, path, title, rule string) (event.LibraryShelf, error) {
	return s.shelves.Add(ctx, path, title, shelf.Rule(rule))
}

// ChangeShelf gives a shelf another title or rule, or has it follow its folder or not; what is empty stays. Errors: shelf_gone, invalid_args,
// storage errors.
func (s *Shop) ChangeShelf(ctx context.Context, id, title, rule, state string) (event.LibraryShelf, error) {
	return s.shelves.Change(ctx, id, title, shelf.Rule(rule), shelf.State(state))
}

// RemoveShelf takes a shelf away, its documents with it or not, in the background. Errors: shelf_gone, storage errors.
func (s *Shop) RemoveShelf(ctx context.Context, id string, documents bool) error {
	return s.shelves.Remove(ctx, id, documents)
}

// RescanShelf goes through the folder of a shelf now, and has what was refused read again. Errors: shelf_gone, storage errors.
func (s *Shop) RescanShelf(ctx context.Context, id string) (event.LibraryShelf, error) {
	return s.shelves.Rescan(ctx, id)
}

// SettleShelf answers what becomes of files that are gone from a shelf's folder: with drop their documents leave the library, else they stay.
// mark names those that were shown, path one of them; empty: all. Errors: shelf_gone, invalid_args, storage errors.
func (s *Shop) SettleShelf(ctx context.Context, id, mark, path string, drop bool) (event.LibraryShelf, error) {
	return s.shelves.Settle(ctx, id, mark, path, drop)
}

// RereadShelfFile has a file read again that was refused or left out. Errors: shelf_gone, not_found, storage errors.
func (s *Shop) RereadShelfFile(ctx context.Context, id, path string) error {
	return s.shelves.Reread(ctx, id, path)
}

// ShelfFiles lists files of a shelf behind a path ("": from the first), by their paths. Errors: storage errors.
func (s *Shop) ShelfFiles(ctx context.Context, id string, f ShelfFilter, after string, limit int) ([]ShelfFile, error) {
	files, err := s.shelves.Files(ctx, id, shelf.Query{State: shelf.FileState(f.State), Text: f.Text, After: after, Limit: limit})
	views := make([]ShelfFile, len(files))
	for i, x := range files {
		views[i] = ShelfFile{Path: x.Path, State: string(x.State), Document: x.Document, Bytes: x.Size, Changed: stampOf(x.Mod)}
		if x.Failure != nil {
			views[i].Why = cmp.Or(x.Failure.Said("detail", s.lang()), x.Failure.Text(s.lang())) // its name and its state stand beside
		}
	}
	return views, err
}
