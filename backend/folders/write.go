package folders

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"

	"agentchat/backend/apperr"
)

// fileMode is what a new file may be, before the person's umask.
const fileMode = 0o644

// writing lets one file be written at a time, so that what a crash left behind has a known name.
var writing sync.Mutex

// Read gives the whole file, at most limit bytes. Errors: file_refused when it is bigger.
func (a *At) Read(limit int64) ([]byte, error) {
	f, err := a.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	raw, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return nil, failed(a.Path, err)
	case int64(len(raw)) > limit:
		return nil, unreadable(a.Path, "너무 커요", "it is too large")
	}
	return raw, nil
}

// Write puts data in place of old, all of it or nothing: data is written and synced beside the file, which is then
// replaced in one step and keeps its mode. It fails with changed when the file no longer holds old, or when there is one
// where there was none (Info is nil). Errors: folder_readonly, file_refused, changed, storage_full.
func (a *At) Write(old, data []byte) error {
	if err := a.Writable(); err != nil {
		return err
	}
	if a.Info != nil && a.Info.Mode().Perm()&0o200 == 0 {
		return unreadable(a.Path, "쓰지 못하게 잠긴 파일이에요", "the file is locked against writing")
	}
	writing.Lock()
	defer writing.Unlock()
	sum := sha256.Sum256([]byte(a.Name))
	beside := ".agentchat-" + hex.EncodeToString(sum[:8]) + ".tmp"
	if err := a.Dir.Remove(beside); err != nil && !errors.Is(err, fs.ErrNotExist) { // a crash left it
		return failed(a.Path, err)
	}
	if err := a.prepare(beside, data); err != nil {
		_ = a.Dir.Remove(beside)
		return full(a.Path, err)
	}
	err := a.announce(beside)
	if err == nil {
		err = a.commit(beside, old)
	}
	if err != nil {
		_ = a.Dir.Remove(beside)
		return full(a.Path, err)
	}
	syncDir(a.Dir)
	return nil
}

// announce says what is about to take the place.
func (a *At) announce(beside string) error {
	if a.Before == nil {
		return nil
	}
	info, err := a.Dir.Lstat(beside)
	if err != nil {
		return err
	}
	return a.Before(info.Size(), info.ModTime())
}

// prepare writes and syncs a file beside the one that is meant.
func (a *At) prepare(beside string, data []byte) error {
	mode := fs.FileMode(fileMode)
	if a.Info != nil {
		mode = 0o600
	}
	f, err := a.Dir.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && a.Info != nil {
		err = f.Chmod(a.Info.Mode().Perm())
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// commit puts the prepared file in its place, if that is still as it was.
func (a *At) commit(beside string, old []byte) error {
	if a.Info == nil {
		err := a.Dir.Link(beside, a.Name) // fails when there is one by now
		switch {
		case err == nil:
			return a.Dir.Remove(beside)
		case errors.Is(err, fs.ErrExist):
			return changed(a.Path)
		}
		// Some file systems know no links: the name is looked at once more instead.
		if _, err := a.Dir.Lstat(a.Name); !errors.Is(err, fs.ErrNotExist) {
			return changed(a.Path)
		}
		return a.Dir.Rename(beside, a.Name)
	}
	now, err := a.Dir.Lstat(a.Name)
	if err != nil || !os.SameFile(now, a.Info) {
		return changed(a.Path)
	}
	raw, err := a.Read(int64(len(old)))
	if err != nil || !bytes.Equal(raw, old) {
		return changed(a.Path)
	}
	return a.Dir.Rename(beside, a.Name)
}

func changed(path string) error { return apperr.New(apperr.Changed, "what", path) }

// full tells a full disk from other failures.
func full(path string, err error) error {
	var e *apperr.Error
	if !errors.As(err, &e) && (errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)) {
		return apperr.Wrap(err, apperr.StorageFull)
	}
	return failed(path, err)
}

// syncDir makes a directory's names durable where the system knows how.
func syncDir(dir *os.Root) {
	if f, err := dir.Open("."); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}
