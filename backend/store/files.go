package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"agentchat/backend/privatefile"
)

// stampLayout is how a moment stands in the name of a file that is kept, in UTC.
const stampLayout = "20060102-150405"

// touch makes a file that only its owner can read, or makes one that is there so.
func touch(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Chmod(path, 0o600))
}

// secure makes the data folder if it does not exist, and removes the access of other users to it and to the program's own files in it. A
// folder that is shared by everybody is left as it is.
func secure(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if home, err := os.UserHomeDir(); info.Mode()&fs.ModeSticky == 0 && (err != nil || filepath.Clean(home) != filepath.Clean(dir)) {
		if err := narrow(dir, info); err != nil {
			return err
		}
	}
	for _, own := range []string{"agentchat.*", backupsFolder, backupsFolder + "/*", "logs", "logs/agentchat*", "settings.json", "mcp.json"} {
		found, err := filepath.Glob(filepath.Join(escapeGlob(dir), own))
		if err != nil {
			return err
		}
		for _, path := range found {
			info, err := os.Lstat(path)
			if err != nil || info.Mode()&fs.ModeSymlink != 0 { // gone meanwhile, or somebody's own arrangement
				continue
			}
			if err := narrow(path, info); err != nil {
				return err
			}
		}
	}
	return nil
}

// narrow removes the access of everybody but the owner.
func narrow(path string, info fs.FileInfo) error {
	if info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	return os.Chmod(path, info.Mode().Perm()&0o700)
}

func escapeGlob(path string) string {
	if filepath.Separator == '\\' {
		return path // there is no escaping on Windows
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// copyFile makes a private copy that is on the disk, under its name, only when it is whole.
func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	partial := to + partialSuffix
	out, err := os.OpenFile(partial, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	err = errors.Join(err, out.Sync(), out.Close())
	if err == nil {
		err = os.Rename(partial, to)
	}
	if err != nil {
		return errors.Join(err, privatefile.Remove(partial))
	}
	return privatefile.SyncFolder(filepath.Dir(to))
}

// settle syncs a finished file to disk and renames it to its final name.
func settle(partial, to string) error {
	f, err := os.OpenFile(partial, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close(), os.Chmod(partial, 0o600)); err != nil {
		return err
	}
	if err := os.Rename(partial, to); err != nil {
		return err
	}
	return privatefile.SyncFolder(filepath.Dir(to))
}

// moveAside gives a ledger, with what stands beside it, another name. A part that is not there is no error: a move that
// was broken off is finished by the next one to the same name.
func moveAside(path, to string) error {
	for _, part := range []string{"", "-wal"} { // the log belongs to this file, and must never meet another
		if err := os.Rename(path+part, to+part); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := privatefile.Remove(path + "-shm"); err != nil { // made anew from the log
		return err
	}
	return errors.Join(privatefile.SyncFolder(filepath.Dir(path)), privatefile.SyncFolder(filepath.Dir(to)))
}

// freeName is a name of the form that nothing has yet.
func freeName(form string, at time.Time) string {
	for n := 0; ; n++ {
		name := fmt.Sprintf(form, at.UTC().Add(time.Duration(n)*time.Second).Format(stampLayout))
		if !privatefile.Exists(name) {
			return name
		}
	}
}
