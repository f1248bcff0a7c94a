package folders

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"slices"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/apperr"
)

// What a walk may cost.
const (
	maxDepth   = 12
	maxEntries = 20000
)

// Entry is one thing that a walk or a listing comes past. At is open only while visit runs.
type Entry struct{ *At }

// Walk goes through everything below where a, a folder, was found; without one, through every opened folder. Hidden things,
// keys and links are passed over, and directories come before what is in them. It stops when visit says so, and tells whether
// it saw everything within its limits.
func (b *Book) Walk(ctx context.Context, from *At, visit func(Entry) (more bool)) (whole bool, err error) {
	return b.WalkTold(ctx, from, visit, nil)
}

// WalkTold is Walk that says what it did not look into: a folder that could not be read, or was too deep, and the one in which it had
// seen too much. nil: nobody wants to know.
func (b *Book) WalkTold(ctx context.Context, from *At, visit func(Entry) (more bool), unseen func(dir *At)) (whole bool, err error) {
	w := &walk{ctx: ctx, visit: visit, unseen: unseen, whole: true}
	if from != nil {
		err := w.start(b, spot{from.Place, from.steps})
		return w.whole, err
	}
	places, err := b.usable(ctx)
	if err != nil {
		return false, err
	}
	for _, p := range places {
		if err := w.start(b, spot{place: p}); err != nil {
			return false, err
		}
		if w.ended {
			break
		}
	}
	return w.whole, nil
}

type walk struct {
	ctx   context.Context
	visit func(Entry) bool

	unseen func(*At)
	seen   int
	ended  bool
	whole  bool
}

func (w *walk) start(b *Book, s spot) error {
	at, err := b.at(s)
	if err != nil {
		return err
	}
	defer func() { at.Close() }()
	if at.Info == nil {
		return apperr.New(apperr.FileMissing, "path", at.Path)
	}
	if err := at.Inside(); err != nil {
		return err
	}
	return w.below(at, 1)
}

// below visits what is in a directory, and what is below it.
func (w *walk) below(dir *At, depth int) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if depth > maxDepth {
		w.missed(dir)
		return nil
	}
	entries, err := names(dir.Dir)
	if err != nil {
		w.missed(dir) // one folder that cannot be read does not end the walk
		return nil
	}
	if len(entries) == maxSiblings {
		w.missed(dir)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int {
		return cmp.Compare(norm.NFC.String(a.Name()), norm.NFC.String(b.Name()))
	})
	for _, e := range entries {
		if w.ended {
			return nil
		}
		if Hidden(e.Name()) {
			continue
		}
		if w.seen++; w.seen > maxEntries {
			w.ended = true
			w.missed(dir)
			return nil
		}
		if err := w.one(dir, e.Name(), depth); err != nil {
			return err
		}
	}
	return nil
}

// missed notes that a folder was not looked into, or not wholly.
func (w *walk) missed(dir *At) {
	if w.whole = false; w.unseen != nil {
		w.unseen(dir)
	}
}

func (w *walk) one(dir *At, name string, depth int) error {
	info, err := dir.Dir.Lstat(name)
	if err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		return nil //nolint:nilerr // it went away meanwhile, or is a link or a device
	}
	at := dir.child(name, info)
	if !w.visit(Entry{at}) {
		w.ended = true
		return nil
	}
	if !info.IsDir() {
		return nil
	}
	sub := *at
	root, err := dir.Dir.OpenRoot(name)
	if err != nil {
		w.missed(at)
		return nil //nolint:nilerr // one folder that cannot be opened does not end the walk
	}
	sub.Dir = root
	defer sub.Close()
	if now, err := root.Stat("."); err != nil || !os.SameFile(now, info) {
		return nil //nolint:nilerr // a link was put in its place
	}
	return w.below(&sub, depth+1)
}
