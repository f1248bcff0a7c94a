package trash

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"agentchat/backend/rename"
)

// The names the specification gives.
const (
	filesDir  = "files"
	infoDir   = "info"
	infoEnd   = ".trashinfo"
	infoHead  = "[Trash Info]"
	timestamp = "2006-01-02T15:04:05"
)

// maxItems bounds how many items are listed.
const maxItems = 1000

// can is one trash directory. Paths in its notes are below base when they are not full.
type can struct{ dir, base string }

// Move puts what dir holds under name, seen before as info, into the trash. full is its path, for the note that tells where it
// was; it is never opened by it. Errors: ErrChanged, ErrNoTrash, those of the file system.
func (b Bin) Move(dir *os.Root, name, full string, info fs.FileInfo) (Item, error) {
	home, err := b.home()
	if err != nil {
		return Item{}, err
	}
	item, err := b.into(can{dir: home}, dir, name, full, info)
	if !errors.Is(err, rename.ErrOtherDisk) {
		return item, err
	}
	top, ok := topOf(filepath.Dir(full))
	if !ok {
		return Item{}, fmt.Errorf("%w: %w", ErrNoTrash, err)
	}
	item, err = b.into(can{dir: top.dir, base: top.base}, dir, name, full, info)
	if err != nil && !errors.Is(err, ErrChanged) {
		err = fmt.Errorf("%w: %w", ErrNoTrash, err)
	}
	return item, err
}

// into moves it into one trash directory: first the note is written, under a name that is free, then the thing is moved.
func (b Bin) into(c can, dir *os.Root, name, full string, info fs.FileInfo) (Item, error) {
	files, infos, err := c.open()
	if err != nil {
		return Item{}, err
	}
	defer func() { _, _ = files.Close(), infos.Close() }()
	at := b.now()
	path := full
	if c.base != "" {
		if path, err = filepath.Rel(c.base, full); err != nil {
			return Item{}, err
		}
	}
	note := infoHead + "\nPath=" + (&url.URL{Path: path}).EscapedPath() + "\nDeletionDate=" + at.Format(timestamp) + "\n"
	kept, err := reserve(infos, files, name, note)
	if err != nil {
		return Item{}, err
	}
	if err := moved(dir, name, files, kept); err != nil {
		_ = infos.Remove(kept + infoEnd)
		return Item{}, err
	}
	if !same(files, kept, info) { // something else was put in its place: it goes back
		err := moved(files, kept, dir, name)
		if err == nil {
			_ = infos.Remove(kept + infoEnd)
		}
		return Item{}, errors.Join(ErrChanged, err)
	}
	return Item{ID: filepath.Join(c.dir, kept), Path: full, When: at, Dir: info.IsDir()}, nil
}

// Keep puts a content of the file at a full path into the trash, from where it is put back beside the file, under its name and
// the moment. Of one file the newest few stay.
func (b Bin) Keep(full string, data []byte) error {
	home, err := b.home()
	if err != nil {
		return err
	}
	c := can{dir: home}
	files, infos, err := c.open()
	if err != nil {
		return err
	}
	defer func() { _, _ = files.Close(), infos.Close() }()
	at := b.now()
	name := keptName(filepath.Base(full), at)
	note := infoHead + "\nPath=" + (&url.URL{Path: filepath.Join(filepath.Dir(full), name)}).EscapedPath() + "\nDeletionDate=" + at.Format(timestamp) + "\n"
	kept, err := reserve(infos, files, name, note)
	if err != nil {
		return err
	}
	f, err := files.OpenFile(kept, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = f.Write(data)
		if err == nil {
			err = f.Sync()
		}
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		_ = files.Remove(kept)
		_ = infos.Remove(kept + infoEnd)
		return err
	}
	c.thin(files, infos, full)
	return nil
}

// thin throws away the oldest earlier contents of a file beyond the newest few.
func (c can) thin(files, infos *os.Root, full string) {
	list, err := c.list([]string{filepath.Dir(full)})
	if err != nil {
		return // more than a few stay
	}
	list = slices.DeleteFunc(list, func(it Item) bool {
		return it.Dir || filepath.Dir(it.Path) != filepath.Dir(full) || !isKept(filepath.Base(it.Path), filepath.Base(full))
	})
	slices.SortStableFunc(list, func(a, b Item) int { return strings.Compare(b.Path, a.Path) })
	for _, it := range list[min(len(list), keptMost):] {
		kept := filepath.Base(it.ID)
		_ = files.Remove(kept)
		_ = infos.Remove(kept + infoEnd)
	}
}

// open opens the two directories of a trash and makes them if need be.
func (c can) open() (files, infos *os.Root, err error) {
	for _, sub := range []string{filesDir, infoDir} {
		if err := os.MkdirAll(filepath.Join(c.dir, sub), 0o700); err != nil {
			return nil, nil, err
		}
	}
	if files, err = os.OpenRoot(filepath.Join(c.dir, filesDir)); err != nil {
		return nil, nil, err
	}
	if infos, err = os.OpenRoot(filepath.Join(c.dir, infoDir)); err != nil {
		_ = files.Close()
	}
	return files, infos, err
}

// reserve writes the note under a name that neither directory has yet.
func reserve(infos, files *os.Root, name, note string) (string, error) {
	end := filepath.Ext(name)
	stem := strings.TrimSuffix(name, end)
	for n := 1; n < 10000; n++ {
		kept := name
		if n > 1 {
			kept = stem + "." + strconv.Itoa(n) + end
		}
		f, err := infos.OpenFile(kept+infoEnd, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		if _, e := files.Lstat(kept); e == nil {
			_ = f.Close()
			_ = infos.Remove(kept + infoEnd)
			continue
		}
		_, err = f.WriteString(note)
		if err == nil {
			err = f.Sync()
		}
		return kept, errors.Join(err, f.Close())
	}
	return "", fs.ErrExist
}

// moved moves a name from one open directory into another, over nothing, and makes that durable.
func moved(from *os.Root, name string, to *os.Root, kept string) error {
	err := rename.NoReplace(from, name, to, kept)
	if err == nil {
		for _, dir := range []*os.Root{to, from} {
			if f, e := dir.Open("."); e == nil {
				_ = f.Sync()
				_ = f.Close()
			}
		}
	}
	return err
}

// topOf finds the trash of the disk that a directory lies on: .Trash/UID where an administrator made one, else .Trash-UID.
func topOf(dir string) (can, bool) {
	dev, ok := device(dir)
	if !ok {
		return can{}, false
	}
	top := dir
	for {
		up := filepath.Dir(top)
		if d, ok := device(up); up == top || !ok || d != dev {
			break
		}
		top = up
	}
	uid := strconv.Itoa(os.Getuid())
	if shared, err := os.Lstat(filepath.Join(top, ".Trash")); err == nil && shared.IsDir() && shared.Mode()&fs.ModeSticky != 0 {
		own := filepath.Join(top, ".Trash", uid)
		if err := os.Mkdir(own, 0o700); err == nil || errors.Is(err, fs.ErrExist) {
			return can{own, top}, true
		}
	}
	own := filepath.Join(top, ".Trash-"+uid)
	if info, err := os.Lstat(own); err == nil && !info.IsDir() {
		return can{}, false
	}
	return can{own, top}, true
}

func device(dir string) (uint64, bool) {
	info, err := os.Stat(dir)
	if err != nil {
		return 0, false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return st.Dev, true
}

// List gives what was thrown away out of these folders and is still there, the newest first.
func (b Bin) List(folders []string) ([]Item, error) {
	home, err := b.home()
	if err != nil {
		return nil, err
	}
	cans := []can{{dir: home}}
	for _, f := range folders {
		if c, ok := topOf(f); ok && !slices.Contains(cans, c) {
			cans = append(cans, c)
		}
	}
	var items []Item
	for _, c := range cans {
		list, err := c.list(folders)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		items = append(items, list...)
	}
	slices.SortStableFunc(items, func(a, b Item) int { return b.When.Compare(a.When) })
	return items[:min(len(items), maxItems)], nil
}

func (c can) list(folders []string) (items []Item, err error) {
	infos, err := os.OpenRoot(filepath.Join(c.dir, infoDir))
	if err != nil {
		return nil, err
	}
	defer func() { _ = infos.Close() }()
	names, err := fs.ReadDir(infos.FS(), ".")
	if err != nil {
		return nil, err
	}
	for _, e := range names {
		kept, ok := strings.CutSuffix(e.Name(), infoEnd)
		if !ok {
			continue
		}
		path, when, ok := c.note(infos, e.Name())
		if !ok || !below(folders, path) {
			continue
		}
		info, err := os.Lstat(filepath.Join(c.dir, filesDir, kept))
		if err != nil {
			continue
		}
		items = append(items, Item{ID: filepath.Join(c.dir, kept), Path: path, When: when, Dir: info.IsDir()})
	}
	return items, nil
}

// note reads where an item was, and since when it is here.
func (c can) note(infos *os.Root, name string) (path string, when time.Time, ok bool) {
	f, err := infos.Open(name)
	if err != nil {
		return "", when, false
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(io.LimitReader(f, 16<<10))
	for lines.Scan() {
		key, value, _ := strings.Cut(lines.Text(), "=")
		switch key {
		case "Path":
			if path, err = url.PathUnescape(value); err != nil {
				return "", when, false
			}
		case "DeletionDate":
			when, _ = time.ParseInLocation(timestamp, value, time.Local)
		}
	}
	switch {
	case path == "":
		return "", when, false
	case !filepath.IsAbs(path):
		if c.base == "" {
			return "", when, false
		}
		path = filepath.Join(c.base, path)
	}
	return filepath.Clean(path), when, true
}

// Restore puts an item, as List gave it, back under name into dir, over nothing. Errors: ErrGone, ErrTaken, those of the file
// system.
func (b Bin) Restore(item Item, dir *os.Root, name string) error {
	can, kept := filepath.Split(item.ID)
	files, err := os.OpenRoot(filepath.Join(can, filesDir))
	if err != nil {
		return errors.Join(ErrGone, err)
	}
	defer func() { _ = files.Close() }()
	switch err := moved(files, kept, dir, name); {
	case errors.Is(err, fs.ErrExist):
		return ErrTaken
	case errors.Is(err, fs.ErrNotExist):
		return ErrGone
	case err != nil:
		return err
	}
	_ = os.Remove(filepath.Join(can, infoDir, kept+infoEnd)) // without it, the next list passes it over as well
	return nil
}
