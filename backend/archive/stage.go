package archive

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"agentchat/backend/privatefile"
)

// A backup that is to take the place of everything waits in the data folder under this name until the next start.
const (
	staged  = "restore"
	partial = staged + ".partial"
	// none stands behind the name of a belonging that the backup does not have: what is there then goes, too.
	none = ".none"
)

// Stage puts a backup beside everything, to take its place at the next start; until then nothing changes. What stood there before is given
// up. It is there whole or not at all. Errors: not_a_backup, what the disk says.
func (h House) Stage(ctx context.Context, b *Backup, check func(ledger string) error) error {
	return h.stage(func(to string) error {
		for _, f := range b.Files {
			at := filepath.Join(to, filepath.FromSlash(f.Name))
			if err := create(at, func(out *os.File) error { return b.Copy(ctx, f.Name, out) }); err != nil {
				return err
			}
			if b.runs(f.Name) {
				if err := os.Chmod(at, program); err != nil {
					return err
				}
			}
		}
		return check(filepath.Join(to, Ledger))
	})
}

// StageKept is Stage of what was kept beside a backup of the ledger, see Keep. ledger puts the backup itself where it is told.
func (h House) StageKept(kept string, ledger func(to string) error) error {
	return h.stage(func(to string) error { return errors.Join(linkAll(kept, to), ledger(filepath.Join(to, Ledger))) })
}

func (h House) stage(fill func(to string) error) (err error) {
	to := filepath.Join(h.Dir, partial)
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(to))
		}
	}()
	if err := errors.Join(h.Unstage(), os.MkdirAll(to, 0o700)); err != nil {
		return err
	}
	if err := fill(to); err != nil {
		return err
	}
	for _, b := range belongings {
		at := filepath.Join(to, b.name)
		if _, err := os.Lstat(at); errors.Is(err, fs.ErrNotExist) && !b.stays {
			if err := create(at+none, func(*os.File) error { return nil }); err != nil {
				return err
			}
		}
	}
	if err := syncAll(to); err != nil {
		return err
	}
	if err := os.Rename(to, filepath.Join(h.Dir, staged)); err != nil {
		return err
	}
	return privatefile.SyncFolder(h.Dir)
}

// removeAll is os.RemoveAll; tests break it off halfway.
var removeAll = os.RemoveAll

// Unstage gives up what was staged, in one step: half of it left would look like something to do.
func (h House) Unstage() error {
	gone := filepath.Join(h.Dir, partial)
	if err := removeAll(gone); err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(h.Dir, staged), gone); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	if err := privatefile.SyncFolder(h.Dir); err != nil {
		return err
	}
	return removeAll(gone)
}

// Staged tells whether something is.
func (h House) Staged() bool { return privatefile.Exists(filepath.Join(h.Dir, staged)) }

// SwapIn puts what was staged in the place of what is there, which is kept in the folder aside(at) gives, at being when it was staged.
// takeLedger is handed the staged ledger last. If it is interrupted at any point, the next start finishes it: whoever opens the shop finds all of
// the old or all of the new. It tells whether there was anything to do.
func (h House) SwapIn(aside func(at time.Time) string, takeLedger func(path string) error) (bool, error) {
	moves, err := h.moves(aside, takeLedger)
	if len(moves) == 0 || err != nil {
		return false, err
	}
	for _, move := range moves {
		if err := move(); err != nil {
			return false, err
		}
	}
	return true, nil
}

// moves are the steps that are left, each of which may be the last.
func (h House) moves(aside func(at time.Time) string, takeLedger func(path string) error) (moves []func() error, err error) {
	from := filepath.Join(h.Dir, staged)
	info, err := os.Stat(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	stamp := filepath.Join(from, "stamp") // the folder's own time changes while it is emptied
	at := info.ModTime()
	if s, err := os.Stat(stamp); err == nil {
		at = s.ModTime()
	}
	kept := aside(at)
	moves = append(moves, func() error {
		if err := create(stamp, func(*os.File) error { return nil }); err != nil {
			return err
		}
		return errors.Join(os.Chtimes(stamp, at, at), os.MkdirAll(kept, 0o700))
	})
	for _, b := range belongings {
		place, wanted := h.place(b.name), filepath.Join(from, b.name)
		away := func() error {
			if !privatefile.Exists(wanted) && !privatefile.Exists(wanted+none) { // it has its place already
				return nil
			}
			return moveIfThere(place, filepath.Join(kept, b.name))
		}
		moves = append(moves, away, func() error { return moveIfThere(wanted, place) }, func() error { return privatefile.Remove(wanted + none) })
	}
	return append(moves,
		func() error {
			if ledger := filepath.Join(from, Ledger); privatefile.Exists(ledger) {
				return errors.Join(os.Chtimes(ledger, at, at), takeLedger(ledger))
			}
			return nil
		},
		h.Unstage,
		func() error { return errors.Join(privatefile.SyncFolder(h.Dir), privatefile.SyncFolder(kept)) },
	), nil
}

// Keep puts what belongs to the ledger into a folder beside a backup of it. What was attached never changes, so it takes no room: it is linked
// where the disk can.
func (h House) Keep(to string) error {
	files, err := h.files()
	if err != nil {
		return err
	}
	half := to + ".partial"
	if err := os.RemoveAll(half); err != nil {
		return err
	}
	if err := os.MkdirAll(half, 0o700); err != nil {
		return err
	}
	for name, from := range files {
		err := place(from, filepath.Join(half, filepath.FromSlash(name)), fixed(name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(err, os.RemoveAll(half))
		}
	}
	return errors.Join(os.RemoveAll(to), os.Rename(half, to), privatefile.SyncFolder(filepath.Dir(to)))
}
