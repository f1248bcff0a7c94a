package folders

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
)

// At is where a path leads: a directory that is held open, and a name in it. Close it.
type At struct {
	Place Place
	Dir   *os.Root    // the directory that holds Name, or the opened folder itself
	Name  string      // as it is on the disk; ".": the opened folder itself
	Info  fs.FileInfo // nil: there is nothing of that name
	Path  string      // as people say it, the folder's name first
	Full  string      // on the disk, for what must name it there; never opened by it

	// Before hears of what Write is about to put in its place, and may prevent it; nil: nobody does.
	Before func(size int64, mod time.Time) error

	steps []string // from the opened folder to it
}

// Close lets go of the directory.
func (a *At) Close() {
	if a != nil {
		_ = a.Dir.Close()
	}
}

// Need says what must be at a path.
type Need int

// The needs.
const (
	File Need = iota // a file
	Dir              // a folder
	Any              // a file or a folder
	Free             // a file, or nothing yet
	New              // nothing yet
)

// Find follows a path into an opened folder. Without the folder's name, and if nothing of that name stands directly in one,
// a file is also looked for by its name alone. Errors: no_folder, path_outside, file_missing, file_unclear, file_refused,
// folder_refused.
func (b *Book) Find(ctx context.Context, path string, need Need) (*At, error) {
	spots, named, err := b.spots(ctx, path)
	if err != nil {
		return nil, err
	}
	var found []*At
	var first error
	for _, s := range spots {
		at, err := b.at(s)
		if err != nil {
			if !named && apperr.CodeOf(err) == apperr.FileMissing {
				continue
			}
			if first == nil {
				first = err
			}
			continue
		}
		found = append(found, at)
	}
	there := slices.DeleteFunc(slices.Clone(found), func(a *At) bool { return a.Info == nil })
	if len(there) == 0 && !named && need != New && len(spots[0].steps) == 1 {
		list, err := b.byName(ctx, spots[0].steps[0])
		if err != nil {
			closeAll(found, nil)
			return nil, err
		}
		there = list
		found = append(found, list...)
	}
	at, err := choose(path, found, there, need, named, first)
	closeAll(found, at)
	if err != nil {
		return nil, err
	}
	return at, at.fits(need)
}

// choose takes the one place that is meant.
func choose(path string, found, there []*At, need Need, named bool, first error) (*At, error) {
	switch {
	case len(there) > 1:
		var list []string
		for _, a := range there[:min(len(there), 5)] {
			list = append(list, a.Path)
		}
		return nil, apperr.New(apperr.FileUnclear, "path", path, "list", strings.Join(list, ", "))
	case len(there) == 1:
		return there[0], nil
	case need != Free && need != New:
		if first != nil {
			return nil, first
		}
		return nil, apperr.New(apperr.FileMissing, "path", path)
	}
	writable := slices.DeleteFunc(slices.Clone(found), func(a *At) bool { return !named && !a.Place.Write })
	switch {
	case len(writable) == 1:
		return writable[0], nil
	case len(writable) > 1:
		var list []string
		for _, a := range writable[:min(len(writable), 5)] {
			list = append(list, a.Path)
		}
		return nil, apperr.New(apperr.FileUnclear, "path", path, "list", strings.Join(list, ", "))
	case first != nil:
		return nil, first
	case len(found) > 0:
		return nil, readOnly(found[0])
	}
	return nil, apperr.New(apperr.FileMissing, "path", path)
}

func closeAll(list []*At, but *At) {
	for _, a := range list {
		if a != but {
			a.Close()
		}
	}
}

// fits says whether there is what is needed; if not, it closes the directory.
func (a *At) fits(need Need) (err error) {
	defer func() {
		if err != nil {
			a.Close()
		}
	}()
	if a.Info == nil {
		if need == Free || need == New {
			return nil
		}
		return apperr.New(apperr.FileMissing, "path", a.Path)
	}
	switch mode := a.Info.Mode(); {
	case mode&fs.ModeSymlink != 0:
		return unreadable(a.Path, "다른 곳을 가리키는 링크는 따라가지 않아요", "it is a link, and links are not followed")
	case need == New:
		return unreadable(a.Path, "그 이름으로 이미 있어요", "there is one of that name already")
	case need == Dir && !mode.IsDir():
		return unreadable(a.Path, "폴더가 아니라 파일이에요", "it is a file, not a folder")
	case (need == File || need == Free) && mode.IsDir():
		return unreadable(a.Path, "파일이 아니라 폴더예요", "it is a folder, not a file")
	case !mode.IsDir() && !mode.IsRegular():
		return unreadable(a.Path, "보통 파일이 아니에요", "it is not an ordinary file")
	}
	return nil
}

// Writable says whether something may be changed there. Errors: folder_readonly.
func (a *At) Writable() error {
	if a.Place.Write {
		return nil
	}
	return readOnly(a)
}

func readOnly(a *At) error { return apperr.New(apperr.FolderReadOnly, "folder", a.Place.Name) }

// at goes to a spot, one real directory after the other.
func (b *Book) at(s spot) (*At, error) {
	root, err := os.OpenRoot(s.place.Path)
	if err != nil {
		return nil, failed(s.display(), err)
	}
	at := &At{Place: s.place, Dir: root, Name: ".", Path: s.place.Name, Full: s.place.Path}
	for i, step := range s.steps {
		name, info, err := look(at.Dir, step)
		if err != nil {
			at.Close()
			return nil, failed(s.display(), err)
		}
		if i == len(s.steps)-1 {
			at.Name, at.Info, at.steps = name, info, append(at.steps, name)
			at.Path, at.Full = at.Path+"/"+norm.NFC.String(name), filepath.Join(at.Full, name)
			return at, nil
		}
		if info == nil {
			at.Close()
			return nil, apperr.New(apperr.FileMissing, "path", s.display())
		}
		if err := at.enter(name, info); err != nil {
			at.Close()
			return nil, err
		}
	}
	if at.Info, err = at.Dir.Lstat("."); err != nil {
		at.Close()
		return nil, failed(s.display(), err)
	}
	return at, nil
}

// enter steps into a directory of the one at hand, and makes sure that it is that very one: a link that was put in its
// place meanwhile leads nowhere.
func (a *At) enter(name string, info fs.FileInfo) error {
	below := a.Path + "/" + norm.NFC.String(name)
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return unreadable(below, "다른 곳을 가리키는 링크는 따라가지 않아요", "it is a link, and links are not followed")
	case !info.IsDir():
		return unreadable(below, "폴더가 아니라 파일이에요", "it is a file, not a folder")
	}
	dir, err := a.Dir.OpenRoot(name)
	if err != nil {
		return failed(below, err)
	}
	now, err := dir.Stat(".")
	if err != nil || !os.SameFile(now, info) {
		_ = dir.Close()
		return unreadable(below, "그 사이에 바뀌었어요", "it has changed since")
	}
	_ = a.Dir.Close()
	a.Dir, a.Path, a.Full, a.steps = dir, below, filepath.Join(a.Full, name), append(a.steps, name)
	return nil
}

// child is what stands in a directory that was stepped into. It shares that directory: only one of them is closed.
func (a *At) child(name string, info fs.FileInfo) *At {
	return &At{
		Place: a.Place, Dir: a.Dir, Name: name, Info: info, Path: a.Path + "/" + norm.NFC.String(name), Full: filepath.Join(a.Full, name),
		steps: append(slices.Clone(a.steps), name),
	}
}

// byName finds files by their name alone, wherever they are; a few are enough to say that there are several.
func (b *Book) byName(ctx context.Context, name string) (list []*At, err error) {
	var spots []spot
	_, err = b.Walk(ctx, nil, func(e Entry) bool {
		if e.Info.Mode().IsRegular() && sameName(e.Name, name) {
			spots = append(spots, spot{e.Place, e.steps})
		}
		return len(spots) < 6
	})
	for _, s := range spots {
		at, problem := b.at(s)
		switch {
		case problem != nil && err == nil:
			err = problem
		case problem == nil && at.Info == nil:
			at.Close() // it went away meanwhile
		case problem == nil:
			list = append(list, at)
		}
	}
	if err != nil {
		closeAll(list, nil)
		return nil, err
	}
	return list, nil
}

// Inside opens a folder that was found: what stands in it can then be looked at. It takes the place of a.
func (a *At) Inside() error {
	if a.Name == "." {
		return nil
	}
	path, full, done := a.Path, a.Full, a.steps
	a.Path, a.Full, a.steps = strings.TrimSuffix(path, "/"+norm.NFC.String(a.Name)), filepath.Dir(full), done[:len(done)-1]
	if err := a.enter(a.Name, a.Info); err != nil {
		return err
	}
	a.Name = "."
	return nil
}

// List gives what stands directly in the folder, folders first, without what is hidden; it is open as long as a is. whole is
// false when there is more than maxSiblings.
func (a *At) List() (list []*At, whole bool, err error) {
	if err := a.Inside(); err != nil {
		return nil, false, err
	}
	entries, err := names(a.Dir)
	if err != nil {
		return nil, false, failed(a.Path, err)
	}
	for _, e := range entries {
		if Hidden(e.Name()) {
			continue
		}
		if info, err := a.Dir.Lstat(e.Name()); err == nil {
			list = append(list, a.child(e.Name(), info))
		}
	}
	slices.SortFunc(list, func(x, y *At) int {
		if x.Info.IsDir() != y.Info.IsDir() {
			if x.Info.IsDir() {
				return -1
			}
			return 1
		}
		return strings.Compare(x.Path, y.Path)
	})
	return list, len(entries) < maxSiblings, nil
}

// In gives what stands in an opened folder under a name that a walk gave it (Rel): exactly that, nothing that is called about so. Errors:
// those of Find.
func (b *Book) In(folder, rel string, need Need) (*At, error) {
	for _, p := range b.places() {
		switch {
		case p.Path != folder:
			continue
		case p.Problem != nil:
			return nil, p.Problem
		}
		s := spot{p, strings.Split(rel, "/")}
		for _, step := range s.steps {
			if step == "" || !filepath.IsLocal(step) || Hidden(step) || len(s.steps) > maxSteps {
				return nil, apperr.New(apperr.FileMissing, "path", s.display())
			}
		}
		at, err := b.at(s)
		if err != nil {
			return nil, err
		}
		return at, at.fits(need)
	}
	return nil, apperr.New(apperr.NoFolder)
}

// Rel is the way from the opened folder to it, as every computer writes it: with slashes, and every letter put together (NFC).
func (a *At) Rel() string { return norm.NFC.String(strings.Join(a.steps, "/")) }

// maxSiblings bounds how many names of one directory are compared.
const maxSiblings = 20000

// look finds a name in a directory: as it was said, or written with its letters put together or taken apart (NFC, NFD).
// Without any, info is nil and name is how a new file would be called.
func look(dir *os.Root, said string) (name string, info fs.FileInfo, err error) {
	for _, form := range []string{said, norm.NFC.String(said), norm.NFD.String(said)} {
		info, err = dir.Lstat(form)
		if err == nil {
			return form, info, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", nil, err
		}
	}
	entries, err := names(dir)
	if err != nil {
		return "", nil, err
	}
	want := norm.NFC.String(said)
	for _, e := range entries { // mixed forms, as old archives have them
		if norm.NFC.String(e.Name()) == want {
			info, err := dir.Lstat(e.Name())
			return e.Name(), info, err
		}
	}
	return want, nil, nil
}

// names are the entries of a directory, at most maxSiblings.
func names(dir *os.Root) ([]fs.DirEntry, error) {
	f, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	list, err := f.ReadDir(maxSiblings)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return list, err
}

// Open opens the file that was found, and makes sure that it is that very one.
func (a *At) Open() (*os.File, error) {
	f, err := a.Dir.OpenFile(a.Name, openFlags, 0)
	if err != nil {
		return nil, failed(a.Path, err)
	}
	info, err := f.Stat()
	if err != nil || !os.SameFile(info, a.Info) || !info.Mode().IsRegular() {
		_ = f.Close()
		return nil, unreadable(a.Path, "그 사이에 바뀌었어요", "it has changed since")
	}
	return f, nil
}

func failed(path string, err error) error {
	var e *apperr.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, fs.ErrNotExist):
		return apperr.Wrap(err, apperr.FileMissing, "path", path)
	case errors.Is(err, fs.ErrPermission):
		return apperr.Wrap(err, apperr.FileRefused, "path", path, "detail", bilingual.WrongOf("이 컴퓨터가 허락하지 않아요", "this computer does not permit it"))
	}
	return apperr.Wrap(err, apperr.FileRefused, "path", path, "detail", bilingual.WrongOf("읽거나 쓸 수 없어요", "it cannot be read or written"))
}
