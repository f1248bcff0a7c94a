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
type Entry struct {
	*At
	Depth int // 1: directly in the folder where the walk began
}

// Walk goes through everything below where a, a folder, was found; without one, through every opened folder. Hidden things,
// keys and links are passed over, and directories come before what is in them. It stops when visit says so, and tells whether
// it saw everything within its limits.
func (b *Book) Walk(ctx context.Context, from *At, visit func(Entry) (more bool)) (whole bool, err error) {
	w := &walk{ctx: ctx, visit: visit, whole: true}
	if from != nil {
		err := w.start(b, spot{from.Place, from.steps})
		return w.whole, err
	}
	places, err := b.usable()
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
	seen  int
	ended bool
	whole bool
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
		w.whole = false
		return nil
	}
	entries, err := names(dir.Dir)
	if err != nil {
		w.whole = false // one folder that cannot be read does not end the walk
		return nil
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
			w.ended, w.whole = true, false
			return nil
		}
		if err := w.one(dir, e.Name(), depth); err != nil {
			return err
		}
	}
	return nil
}

func (w *walk) one(dir *At, name string, depth int) error {
	info, err := dir.Dir.Lstat(name)
	if err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		return nil //nolint:nilerr // it went away meanwhile, or is a link or a device
	}
	at := dir.child(name, info)
	if !w.visit(Entry{at, depth}) {
		w.ended = true
		return nil
	}
	if !info.IsDir() {
		return nil
	}
	sub := *at
	root, err := dir.Dir.OpenRoot(name)
	if err != nil {
		w.whole = false
		return nil //nolint:nilerr // one folder that cannot be opened does not end the walk
	}
	sub.Dir = root
	defer sub.Close()
	if now, err := root.Stat("."); err != nil || !os.SameFile(now, info) {
		return nil //nolint:nilerr // a link was put in its place
	}
	return w.below(&sub, depth+1)
}
