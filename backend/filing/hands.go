package filing

import (
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
			if err := w.one(row); err != nil { //nolint:contextcheck // the work carries ctx
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
		return w.discard(row)
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
	code := apperr.CodeOf(err)
	switch {
	case code == apperr.FileMissing:
		return Gone
	case slices.Contains(closed, code):
		return Closed
	}
	return Refused
}

// closed are the errors of a folder that is not open for writing.
var closed = []apperr.Code{apperr.PathOutside, apperr.NoFolder, apperr.FolderRefused, apperr.FolderReadOnly}

// settleError sorts what befell a system call: a reason to leave the step, or, where nothing more can be done, an error.
func settleError(err error) (Reason, error) {
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
