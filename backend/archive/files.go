package archive

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"agentchat/backend/privatefile"
)

// moveIfThere gives something another name. What is not there was moved before, or never was.
func moveIfThere(from, to string) error {
	err := os.Rename(from, to)
	if errors.Is(err, fs.ErrNotExist) && !privatefile.Exists(from) {
		return nil
	}
	if err != nil && !privatefile.Exists(to) { // a settings file on another disk
		if copied := place(from, to, false); copied == nil {
			return os.Remove(from)
		}
	}
	return err
}

// create makes a private file, with its folders, that is on the disk when this returns.
func create(path string, write func(*os.File) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Sync(), f.Close())
}

// program is the mode of a file that may be run.
const program fs.FileMode = 0o700

func executable(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&0o111 != 0
}

// place makes a second name of a file, or a copy where that cannot be or must not: what may be written to later is copied.
func place(from, to string, link bool) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	if link && os.Link(from, to) == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	if err := create(to, func(out *os.File) error { _, err := io.Copy(out, in); return err }); err != nil || !executable(in) {
		return err
	}
	return os.Chmod(to, program)
}

func linkAll(from, to string) error {
	return filepath.WalkDir(from, func(at string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		inside, err := filepath.Rel(from, at)
		if err != nil {
			return err
		}
		return place(at, filepath.Join(to, inside), fixed(filepath.ToSlash(inside)))
	})
}

// syncAll makes the names in a folder and below it durable; the contents are.
func syncAll(dir string) error {
	return filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return privatefile.SyncFolder(at)
	})
}
