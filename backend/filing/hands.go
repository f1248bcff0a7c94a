package filing

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/failpoint"
	"agentchat/backend/folders"
	"agentchat/backend/rename"
	"agentchat/backend/trash"
)

// Hands do the steps of a use, in opened folders only. Made hears which file is about to stand where, how large it is and when it was
// written, and may prevent it; nil: nobody does. Safe for concurrent use.
type Hands struct {
	Folders *folders.Book
	Trash   trash.Bin
	Journal Journal
	Made    func(ctx context.Context, path string, size int64, mod time.Time) error

	rename func(from *os.Root, name string, to *os.Root, as string) error // nil: the system's
	gate   func(point string) error                                       // nil: everything passes
}

// hit passes a point at which a test may end the program.
func (h Hands) hit(point string) error {
	if failpoint.Enabled {
		failpoint.Hit("filing." + point)
	}
	if h.gate != nil {
		return h.gate(point)
	}
	return nil
}

// Hash names a content.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// freshEach is after how many steps the folders are opened anew, so that one that is closed is closed at once.
const freshEach = 64

// Do does the steps of a use in their order, or goes on with them where they were broken off, and gives what became of each. tell
// hears how many of them are behind. It stops between two steps when ctx ends. A step that cannot be done is left, and the next
// goes on.
func (h Hands) Do(ctx context.Context, use string, steps []Step, tell func(n, of int)) ([]Row, error) {
	of, err := h.Journal.Begin(ctx, use, steps, nil)
	if err != nil {
		return nil, err
	}
	w := work{Hands: h, ctx: ctx, use: use, seats: map[string]*folders.At{}}
	defer w.close()
	for {
		w.close()
		rows, err := h.Journal.Intended(ctx, use, freshEach)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := w.one(row); err != nil {
				return nil, err
			}
			if tell != nil {
				tell(row.N+1, of)
			}
		}
		if len(rows) < freshEach {
			break
		}
	}
	w.sync()
	return h.Journal.Steps(context.WithoutCancel(ctx), use)
}

// Record does one step that somebody else carries out, and keeps what it replaces.
func (h Hands) Record(ctx context.Context, use string, s Step, replaced []byte, do func() (Step, error)) error {
	if replaced != nil {
		s.Old = Hash(replaced)
	}
	if _, err := h.Journal.Begin(ctx, use, []Step{s}, replaced); err != nil {
		return err
	}
	row := Row{Step: s}
	done, err := do()
	done.Old = s.Old
	if row.State, row.Step = Done, done; err != nil {
		row.State, row.Step, row.Why = Left, s, Refused
	}
	return errors.Join(err, h.Journal.Settle(context.WithoutCancel(ctx), use, row))
}

// work is one run of a use.
type work struct {
	Hands
	ctx   context.Context
	use   string
	seats map[string]*folders.At
	dirty []string // directories whose names have changed
}

func (w *work) close() {
	for _, at := range w.seats {
		at.Close()
	}
	clear(w.seats)
}

// sync makes the names in the directories durable that were changed.
func (w *work) sync() {
	slices.Sort(w.dirty)
	for _, dir := range slices.Compact(w.dirty) {
		if at, why := w.seat(dir); why == "" {
			if f, err := at.Dir.Open("."); err == nil {
				_ = f.Sync()
				_ = f.Close()
			}
		}
	}
}

// one does a step and writes down what became of it.
func (w *work) one(row Row) error {
	if err := w.hit("step before"); err != nil {
		return err
	}
	row.State = Done
	done, why, err := w.do(row)
	switch {
	case err != nil:
		return err
	case why != "":
		row.State, row.Why = Left, why
	default:
		row.Step = done
		w.dirty = append(w.dirty, filepath.Dir(done.Path), filepath.Dir(done.End()))
	}
	if err := w.hit("step after"); err != nil {
		return err
	}
	return w.Journal.Settle(context.WithoutCancel(w.ctx), w.use, row)
}

// do does a step; an error ends the use, for neither the step nor the next can be done now.
func (w *work) do(row Row) (Step, Reason, error) {
	switch row.Step.Op {
	case Move:
		return w.move(row)
	case Copy:
		return w.copy(row)
	case Make:
		return w.make(row)
	case Unmake:
		return w.unmake(row.Step)
	case Trash:
		return w.discard(row.Step)
	case Restore:
		return w.restore(row.Step)
	case Write:
		return w.write(row)
	}
	return row.Step, Refused, nil
}

// seat opens a directory.
func (w *work) seat(dir string) (*folders.At, Reason) {
	if at := w.seats[dir]; at != nil {
		return at, ""
	}
	at, err := w.Folders.Find(w.ctx, dir, folders.Dir)
	if err != nil {
		return nil, reasonOf(err)
	}
	if err := at.Inside(); err != nil {
		at.Close()
		return nil, reasonOf(err)
	}
	w.seats[dir] = at
	return at, ""
}

// place is a directory that is open for writing, and a name in it, with what stands there; nil: nothing.
func (w *work) place(path string) (dir *os.Root, name string, is *Mark, why Reason) {
	name = filepath.Base(path)
	if folders.Hidden(name) || !filepath.IsLocal(name) || strings.ContainsRune(name, 0) {
		return nil, name, nil, Misnamed
	}
	at, why := w.seat(filepath.Dir(path))
	switch {
	case why != "":
		return nil, name, nil, why
	case !at.Place.Write:
		return nil, name, nil, Closed
	}
	info, err := at.Dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return at.Dir, name, nil, ""
	case err != nil:
		return nil, name, nil, Refused
	}
	return at.Dir, name, MarkOf(info), ""
}

func reasonOf(err error) Reason {
	switch apperr.CodeOf(err) {
	case apperr.FileMissing:
		return Gone
	case apperr.PathOutside, apperr.NoFolder, apperr.FolderRefused, apperr.FolderReadOnly:
		return Closed
	}
	return Refused
}

// fate sorts what befell a system call: a reason to leave the step, or, where nothing more can be done, an error.
func fate(err error) (Reason, error) {
	switch {
	case err == nil:
		return "", nil
	case errors.Is(err, fs.ErrExist):
		return Taken, nil
	case errors.Is(err, fs.ErrNotExist):
		return Gone, nil
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "", err
	case noRoom(err):
		return "", apperr.Wrap(err, apperr.StorageFull)
	}
	return Refused, nil
}

// fits says whether what stands at a step's path is what it is about.
func (s Step) fits(is *Mark) Reason {
	switch {
	case is == nil:
		return Gone
	case s.Was == nil || !s.Was.itself(is) || !s.Loose && !s.Was.alike(is):
		return Changed
	}
	return ""
}

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
	if why, err := fate(err); why != "" || err != nil {
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
	if why, err := fate(err); why != "" || err != nil {
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
	why, err := fate(dir.Remove(name))
	return s, why, err
}

func (w *work) discard(s Step) (Step, Reason, error) {
	dir, name, is, why := w.place(s.Path)
	if why != "" {
		return s, why, nil
	}
	if is == nil { // it may have gone before the journal could say so
		if items, err := w.Trash.List([]string{filepath.Dir(s.Path)}); err == nil {
			for _, it := range items {
				if it.Path == s.Path {
					s.Item = &it
					return s, "", nil
				}
			}
		}
		return s, Gone, nil
	}
	if why := s.fits(is); why != "" {
		return s, why, nil
	}
	info, err := dir.Lstat(name)
	if err != nil {
		return s, Gone, nil //nolint:nilerr // it went away meanwhile
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
