package standing

import (
	"context"
	"fmt"
	"slices"
	"time"

	"agentchat/backend/event"
)

// follow has the folders watched that orders wait in.
func (b *Book) follow(ctx context.Context) error {
	orders, err := b.deps.Store.StandingTriggers(ctx)
	if err != nil {
		return err
	}
	b.listens.Store(len(orders) > 0)
	var list []string
	for _, o := range orders {
		if o.Trigger.On == OnFile && !slices.Contains(list, o.Trigger.Folder) {
			list = append(list, o.Trigger.Folder)
		}
	}
	b.deps.Follow(list)
	return nil
}

// knows gives an order, and what stands in its folder now; nil of one that waits for none.
func (b *Book) knows(ctx context.Context, id string) (o Order, known []File, err error) {
	if o, err = b.deps.Store.StandingOrder(ctx, id); err != nil || o.Trigger == nil || o.Trigger.On != OnFile {
		return o, nil, err
	}
	files, _, err := b.deps.Folders.List(ctx, o.Trigger.Folder)
	return o, append([]File{}, files...), err
}

// Look compares a folder with what the orders on it know of it: what is new, whole and waited for sets them off. late says that nobody
// was there when it may have come. It gives the folders to be watched, and tells whether some file is still being written.
func (b *Book) Look(ctx context.Context, folder string, late bool) (dirs []string, unfinished bool, err error) {
	b.looking.Lock()
	defer b.looking.Unlock()
	files, dirs, err := b.deps.Folders.List(ctx, folder)
	if err != nil {
		return nil, false, err
	}
	orders, err := b.deps.Store.StandingTriggers(ctx)
	if err != nil {
		return nil, false, err
	}
	for _, o := range orders {
		if o.Trigger.On != OnFile || o.Trigger.Folder != folder {
			continue
		}
		waits, err := b.compare(ctx, o, files, late)
		if err != nil {
			return dirs, unfinished, err
		}
		unfinished = unfinished || waits
	}
	return dirs, unfinished, nil
}

func (b *Book) compare(ctx context.Context, o Order, files []File, late bool) (unfinished bool, err error) {
	known, err := b.deps.Store.StandingFiles(ctx, o.ID)
	if err != nil {
		return false, err
	}
	there := make(map[string]bool, len(files))
	for _, f := range files {
		there[f.Path] = true
	}
	var anew []File
	var events []Event
	for _, f := range files {
		was, knew := known[f.Path]
		if knew && !was.Gone && was.same(f) {
			continue
		}
		if !b.deps.Folders.Whole(ctx, f.Path) {
			unfinished = true
			continue
		}
		e, sets, err := b.sets(ctx, o, f, known, there)
		if err != nil {
			return unfinished, err
		}
		if e.Late = late; sets {
			events = append(events, e)
		}
		anew = append(anew, f)
	}
	for path, f := range known {
		if !there[path] && !f.Gone {
			f.Gone = true
			anew = append(anew, f)
		}
	}
	if len(anew) == 0 {
		return unfinished, nil
	}
	if err := b.deps.Store.NoteFiles(ctx, o.ID, anew, events); err != nil || len(events) == 0 {
		return unfinished, err
	}
	b.deps.Publisher.Publish(event.Of("", "", event.StandingChanged{ID: o.ID}))
	b.Wake()
	return unfinished, nil
}

// sets tells whether a file that is new or other than it was sets an order off. One that was only given another name does not, nor one
// that is there again as it was, nor one that the order's own run wrote.
func (b *Book) sets(ctx context.Context, o Order, f File, known map[string]File, there map[string]bool) (e Event, sets bool, err error) {
	was, knew := known[f.Path]
	came := !knew || was.Gone
	anew := came && o.Trigger.File != "" && o.Trigger.Changes // many a program changes a file by putting another in its place
	switch {
	case !o.Trigger.wants(f.Path), came && !o.Trigger.Arrives && !anew, !came && !o.Trigger.Changes:
		return e, false, nil
	case knew && was.same(f):
		return e, false, nil
	}
	if came {
		for path, other := range known {
			if !other.Gone && !there[path] && other.same(f) {
				return e, false, nil
			}
		}
	}
	chain, err := b.deps.Store.MadeBy(ctx, f)
	if err != nil || len(chain) > 0 && chain[len(chain)-1] == o.ID {
		return e, false, err
	}
	return Event{Order: o.ID, Key: fmt.Sprintf("%s\x00%d\x00%d", f.Path, f.Size, f.Mod.UnixNano()), Name: f.Name, At: b.deps.Now(), Chain: chain}, true, nil
}

// Made notes that a ticket is about to put a file in place.
func (b *Book) Made(ctx context.Context, job, path string, size int64, mod time.Time) error {
	return b.deps.Store.NoteMade(ctx, job, File{Path: path, Size: size, Mod: mod})
}
