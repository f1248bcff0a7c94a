package filing

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/folders"
	"agentchat/backend/rename"
	"agentchat/backend/trash"
)

// What each step does. All of them look first whether it happened already, before the journal could say so.

func (w *work) move(row Row) (Step, Reason, error) {
	s := row.Step
	from, name, is, why := w.place(s.Path)
	if why != "" {
		return s, why, nil
	}
	to, as, there, why := w.place(s.To)
	if why != "" {
		return s, why, nil
	}
	if is == nil && there != nil && s.Was != nil && (s.Was.itself(there) || s.Begun && s.Was.alike(there)) {
		s.Is = there // it was moved before the journal could say so
		return s, "", nil
	}
	if why := s.fits(is); why != "" {
		return s, why, nil
	}
	if s.Begun {
		return w.cross(row, from, name, to, as, there)
	}
	if there != nil {
		return s, Taken, nil
	}
	if err := w.announce(s.To, is); err != nil {
		return s, "", err
	}
	move := rename.NoReplace
	if w.rename != nil {
		move = w.rename
	}
	err := move(from, name, to, as)
	if errors.Is(err, rename.ErrOtherDisk) {
		if is.Mode.IsDir() {
			return s, TooFar, nil
		}
		row.Step.Begun = true
		if err := w.Journal.Update(w.ctx, w.use, row, nil); err != nil {
			return s, "", err
		}
		return w.cross(row, from, name, to, as, nil)
	}
	if why, err := settleError(err); why != "" || err != nil {
		return s, why, err
	}
	s.Is = at(to, as)
	return s, "", nil
}

// announce says that a file is about to stand somewhere.
func (w *work) announce(path string, m *Mark) error {
	if w.Made == nil || m.Mode.IsDir() {
		return nil
	}
	return w.Made(w.ctx, path, m.Size, time.Unix(0, m.Mod))
}

// at is what stands at a name now.
func at(dir *os.Root, name string) *Mark {
	info, err := dir.Lstat(name)
	if err != nil {
		return nil
	}
	return MarkOf(info)
}

func (w *work) copy(row Row) (Step, Reason, error) {
	s := row.Step
	at0, why := w.seat(filepath.Dir(s.Path))
	if why != "" {
		return s, why, nil
	}
	name := filepath.Base(s.Path)
	if why := s.fits(at(at0.Dir, name)); why != "" {
		return s, why, nil
	}
	to, as, there, why := w.place(s.To)
	switch {
	case why != "":
		return s, why, nil
	case there != nil && s.Was.alike(there) && w.equal(at0.Dir, name, to, as):
		s.Is = there // it was copied before the journal could say so
		return s, "", nil
	case there != nil:
		return s, Taken, nil
	}
	why, err := w.duplicate(at0.Dir, name, to, as, s)
	s.Is = at(to, as)
	return s, why, err
}

func (w *work) make(row Row) (Step, Reason, error) {
	s := row.Step
	dir, name, is, why := w.place(s.Path)
	switch {
	case why != "":
		return s, why, nil
	case is != nil && is.Mode.IsDir() && s.Begun:
		s.Is = is // it was made before the journal could say so
		return s, "", nil
	case is != nil: // by somebody else: then it is not this step's to take back
		return s, Taken, nil
	}
	s.Begun, row.Step.Begun = true, true
	if err := w.Journal.Update(w.ctx, w.use, row, nil); err != nil {
		return s, "", err
	}
	mode := fs.FileMode(0o755)
	if s.Like != nil {
		mode = s.Like.Mode.Perm()
	}
	err := dir.Mkdir(name, mode)
	if err == nil && s.Like != nil {
		err = dir.Chmod(name, mode)
	}
	if why, err := settleError(err); why != "" || err != nil {
		return s, why, err
	}
	s.Is = at(dir, name)
	return s, "", nil
}

func (w *work) unmake(s Step) (Step, Reason, error) {
	dir, name, is, why := w.place(s.Path)
	if why != "" {
		return s, why, nil
	}
	if is == nil {
		return s, "", nil // it is gone, as it should be
	}
	if why := s.fits(is); why != "" {
		return s, why, nil
	}
	if old := w.seats[s.Path]; old != nil {
		old.Close()
		delete(w.seats, s.Path)
	}
	if sub, err := dir.Open(name); err == nil {
		list, _ := sub.ReadDir(1)
		_ = sub.Close()
		if len(list) > 0 {
			return s, NotEmpty, nil
		}
	}
	s.Was = is
	why, err := settleError(dir.Remove(name))
	return s, why, err
}

func (w *work) discard(row Row) (Step, Reason, error) {
	s := row.Step
	dir, name, is, why := w.place(s.Path)
	if why != "" {
		return s, why, nil
	}
	if is == nil && s.Begun { // it may have gone before the journal could say so; the newest is listed first
		if items, err := w.Trash.List([]string{filepath.Dir(s.Path)}); err == nil {
			for _, it := range items {
				if it.Path == s.Path {
					s.Item = &it
					return s, "", nil
				}
			}
		}
	}
	if why := s.fits(is); why != "" {
		return s, why, nil
	}
	info, err := dir.Lstat(name)
	if err != nil {
		return s, Gone, nil //nolint:nilerr // it went away meanwhile
	}
	s.Begun, row.Step.Begun = true, true
	if err := w.Journal.Update(w.ctx, w.use, row, nil); err != nil {
		return s, "", err
	}
	item, err := w.Trash.Move(dir, name, s.Path, info)
	if err != nil {
		return s, Refused, nil //nolint:nilerr // it stays where it is
	}
	s.Item = &item
	return s, "", nil
}

func (w *work) restore(s Step) (Step, Reason, error) {
	dir, name, is, why := w.place(s.Path)
	if why != "" {
		return s, why, nil
	}
	if is != nil {
		if s.Like.itself(is) {
			s.Is = is // it came back before the journal could say so
			return s, "", nil
		}
		return s, Taken, nil
	}
	switch err := w.Trash.Restore(*s.Item, dir, name); {
	case errors.Is(err, trash.ErrTaken):
		return s, Taken, nil
	case errors.Is(err, trash.ErrGone):
		return s, NotKept, nil
	case err != nil:
		return s, Refused, nil //nolint:nilerr // it stays in the trash
	}
	s.Is = at(dir, name)
	return s, "", nil
}

func (w *work) write(row Row) (Step, Reason, error) {
	s := row.Step
	found, err := w.Folders.Find(w.ctx, s.Path, folders.File)
	if err != nil {
		return s, reasonOf(err), nil
	}
	defer found.Close()
	is, err := found.Read(MaxKept)
	if err != nil {
		return s, Changed, nil //nolint:nilerr // it is larger than what was ever written
	}
	data, err := w.Journal.Content(w.ctx, s.Content)
	if err != nil {
		return s, NotKept, nil //nolint:nilerr // nobody has it any more
	}
	if s.Old == "" || !bytes.Equal(is, data) { // else it was written before the journal could say so
		if why := s.fits(MarkOf(found.Info)); why != "" {
			return s, why, nil
		}
		s.Old, row.Step.Old = Hash(is), Hash(is)
		if err := w.Journal.Update(w.ctx, w.use, row, is); err != nil {
			return s, "", err
		}
		if w.Made != nil {
			found.Before = func(size int64, mod time.Time) error { return w.Made(w.ctx, s.Path, size, mod) }
		}
		if err := found.Write(is, data); err != nil {
			if apperr.CodeOf(err) == apperr.StorageFull {
				return s, "", err
			}
			return s, reasonOf(err), nil
		}
	}
	if s.Like != nil {
		_ = found.Dir.Chmod(found.Name, s.Like.Mode.Perm())
		_ = found.Dir.Chtimes(found.Name, time.Time{}, time.Unix(0, s.Like.Mod))
	}
	s.Is = at(found.Dir, found.Name)
	return s, "", nil
}
