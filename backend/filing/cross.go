package filing

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"agentchat/backend/rename"
	"agentchat/backend/stream"
)

// cross moves a file to another disk: it is copied, what was written is read again and compared, and only then does the first one go.
func (w *work) cross(row Row, from *os.Root, name string, to *os.Root, as string, there *Mark) (Step, Reason, error) {
	s := row.Step
	switch {
	case there == nil:
		if why, err := w.duplicate(from, name, to, as, s); why != "" || err != nil {
			return s, why, err
		}
	case !s.Was.alike(there) || !w.equal(from, name, to, as):
		return s, Taken, nil
	}
	if err := w.hit("copied"); err != nil {
		return s, "", err
	}
	if why := s.fits(at(from, name)); why != "" { // it was written to meanwhile: both stay
		return s, why, nil
	}
	if why, err := settleError(from.Remove(name)); why != "" || err != nil {
		return s, why, err
	}
	s.Is = at(to, as)
	return s, "", nil
}

// duplicate copies a file: beside its place first, compared, and then under its name, over nothing. It keeps its mode and time.
func (w *work) duplicate(from *os.Root, name string, to *os.Root, as string, s Step) (Reason, error) {
	is := at(from, name)
	if is == nil {
		return Gone, nil
	}
	if !is.Mode.IsRegular() {
		return TooFar, nil
	}
	if err := w.announce(s.To, is); err != nil {
		return "", err
	}
	beside := ".agentchat-" + Hash([]byte(as))[:16] + ".tmp"
	if err := to.Remove(beside); err != nil && !errors.Is(err, fs.ErrNotExist) { // a crash left it
		return settleError(err)
	}
	err := w.fill(from, name, to, beside, is)
	if err == nil && !s.Was.Same(at(from, name)) && !s.Loose {
		err = errDrifted
	}
	if err == nil {
		if err := w.hit("beside"); err != nil {
			return "", err
		}
		err = rename.NoReplace(to, beside, to, as)
	}
	if err != nil {
		_ = to.Remove(beside)
		if errors.Is(err, errDrifted) {
			return Changed, nil
		}
		return settleError(err)
	}
	if f, e := to.Open("."); e == nil {
		_ = f.Sync()
		_ = f.Close()
	}
	return "", nil
}

var errDrifted = errors.New("filing: it changed while it was read")

// fill writes a copy, and reads it again.
func (w *work) fill(from *os.Root, name string, to *os.Root, beside string, like *Mark) error {
	in, err := from.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := to.OpenFile(beside, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	read := sha256.New()
	_, err = io.Copy(out, io.TeeReader(stream.Until(w.ctx, in), read))
	if err == nil {
		err = out.Chmod(like.Mode.Perm())
	}
	if err == nil {
		err = out.Sync()
	}
	if err == nil {
		_, err = out.Seek(0, io.SeekStart)
	}
	if err == nil {
		err = compared(read, stream.Until(w.ctx, out))
	}
	err = errors.Join(err, out.Close())
	if err != nil {
		return err
	}
	return to.Chtimes(beside, time.Time{}, time.Unix(0, like.Mod))
}

func compared(want hash.Hash, in io.Reader) error {
	sum := sha256.New()
	if _, err := io.Copy(sum, in); err != nil {
		return err
	}
	if !bytes.Equal(sum.Sum(nil), want.Sum(nil)) {
		return errDrifted
	}
	return nil
}

// equal tells whether two files hold the same.
func (w *work) equal(a *os.Root, name string, b *os.Root, as string) bool {
	sums := [2][]byte{}
	for i, f := range []struct {
		dir  *os.Root
		name string
	}{{a, name}, {b, as}} {
		in, err := f.dir.Open(f.name)
		if err != nil {
			return false
		}
		sum := sha256.New()
		_, err = io.Copy(sum, stream.Until(w.ctx, in))
		_ = in.Close()
		if err != nil {
			return false
		}
		sums[i] = sum.Sum(nil)
	}
	return bytes.Equal(sums[0], sums[1])
}

// noRoom tells a full disk from other failures.
func noRoom(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }
