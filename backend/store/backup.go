package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/privatefile"
)

// Where backups lie in the data folder, and how many of them are kept.
const (
	backupsFolder = "backups"
	backupsKept   = 7
	partialSuffix = ".partial"
)

// Reason is why a backup was made; it stands in its name.
type Reason string

// The reasons.
const (
	ReasonDaily    Reason = "daily"
	ReasonAsked    Reason = "asked"    // by a person
	ReasonUpdate   Reason = "update"   // before a newer program changed the schema
	ReasonReplaced Reason = "replaced" // another backup took its place
)

// Copy is one backup. Bytes is its size. Why is empty for a name that this program never gave. OK tells whether this program can read it: it is a ledger, and of no newer schema.
type Copy struct {
	Name   string
	At     time.Time
	Why    Reason
	Bytes  int64
	Schema int
	OK     bool
}

// Backup writes a whole, consistent copy of the ledger to path while work goes on. It has that name only when it is
// whole, sound and on the disk; then it replaces what was there. Errors: storage errors.
func (s *Store) Backup(ctx context.Context, path string) error {
	partial := path + partialSuffix
	err := privatefile.Remove(partial)
	if err == nil {
		err = touch(partial) // private from its first byte on
	}
	if err == nil {
		err = s.copyTo(ctx, partial)
	}
	if err == nil {
		_, err = inspect(ctx, partial, "quick_check")
	}
	if err == nil {
		err = settle(partial, path)
	}
	if err != nil {
		_ = privatefile.Remove(partial)
	}
	return storageError(err)
}

// copyTo reads on a connection of its own, so that writers do not wait.
func (s *Store) copyTo(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite", dsn(s.path, false))
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", path)
	return errors.Join(err, db.Close())
}

// BackUp makes a backup in the folder of backups, after those that are just being made, and lets the oldest go. Errors: storage errors.
func (s *Store) BackUp(ctx context.Context, why Reason) (Copy, error) {
	s.backing.Lock() // each takes what is left of another for its own to clear away
	defer s.backing.Unlock()
	folder := filepath.Join(filepath.Dir(s.path), backupsFolder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return Copy{}, storageError(err)
	}
	if err := clearPartial(folder); err != nil {
		return Copy{}, storageError(err)
	}
	path := freeName(filepath.Join(folder, "agentchat-%s-"+string(why)+".db"), s.now())
	if s.Beside != nil {
		if err := s.Beside(FilesOf(path)); err != nil {
			return Copy{}, storageError(err)
		}
	}
	if err := s.Backup(ctx, path); err != nil {
		return Copy{}, errors.Join(err, os.RemoveAll(FilesOf(path)))
	}
	if err := forgetOldest(folder); err != nil {
		return Copy{}, storageError(err)
	}
	return look(ctx, path), nil
}

// FilesOf is the folder beside a backup of the ledger where what belongs to it is kept. Old backups have none.
func FilesOf(path string) string { return strings.TrimSuffix(path, ".db") + ".files" }

// Backups lists the backups of a data folder, newest first. Errors: storage errors.
func Backups(ctx context.Context, dir string) ([]Copy, error) {
	names, err := backupNames(filepath.Join(dir, backupsFolder))
	if err != nil {
		return nil, storageError(err)
	}
	list := make([]Copy, len(names))
	for i, name := range names {
		list[i] = look(ctx, filepath.Join(dir, backupsFolder, name))
	}
	return list, nil
}

// Backups lists the backups of this ledger, newest first. Errors: storage errors.
func (s *Store) Backups(ctx context.Context) ([]Copy, error) {
	return Backups(ctx, filepath.Dir(s.path))
}

// backupNames gives the names of all backups in a folder, newest first.
func backupNames(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if _, err := stampOf(e.Name()); err == nil && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	slices.Reverse(names)
	return names, nil
}

// stampOf reads from a backup's name when it was made.
func stampOf(name string) (time.Time, error) {
	rest, own := strings.CutPrefix(name, "agentchat-")
	rest, db := strings.CutSuffix(rest, ".db")
	if !own || !db || len(rest) < len(stampLayout) {
		return time.Time{}, fmt.Errorf("%q is no backup", name)
	}
	return time.Parse(stampLayout, rest[:len(stampLayout)])
}

// reasonOf reads from a backup's name why it was made.
func reasonOf(name string) Reason {
	why := Reason(strings.TrimSuffix(name[strings.LastIndex(name, "-")+1:], ".db"))
	switch why {
	case ReasonDaily, ReasonAsked, ReasonUpdate, ReasonReplaced:
		return why
	}
	return ""
}

func look(ctx context.Context, path string) Copy {
	c := Copy{Name: filepath.Base(path)}
	c.At, _ = stampOf(c.Name)
	c.Why = reasonOf(c.Name)
	if info, err := os.Stat(path); err == nil {
		c.Bytes = info.Size()
	}
	schema, err := inspect(ctx, path, "")
	c.Schema = schema
	c.OK = err == nil && schema <= newestSchema()
	return c
}

func newestSchema() int {
	list, err := loadMigrations()
	if err != nil {
		return 0 // a program that was built wrong; Open says so
	}
	return len(list)
}

// clearPartial removes the files of interrupted backups.
func clearPartial(folder string) error {
	left, err := filepath.Glob(filepath.Join(escapeGlob(folder), "*"+partialSuffix))
	for _, path := range left {
		err = errors.Join(err, privatefile.Remove(path))
	}
	return err
}

func forgetOldest(folder string) error {
	names, err := backupNames(folder)
	for _, name := range names[min(backupsKept, len(names)):] {
		for _, part := range []string{"", "-wal", "-shm"} {
			err = errors.Join(err, privatefile.Remove(filepath.Join(folder, name+part)))
		}
		err = errors.Join(err, os.RemoveAll(FilesOf(filepath.Join(folder, name))))
	}
	return err
}

// inspect reads a ledger that nobody writes to and gives its schema. check is the pragma by which it is examined: none,
// quick_check or integrity_check. Nothing is changed. Errors: storage_corrupt for what is no sound ledger.
func inspect(ctx context.Context, path, check string) (schema int, err error) {
	db, err := sql.Open("sqlite", "file:"+(&urlPath{path}).String()+"?mode=ro&immutable=1")
	if err != nil {
		return 0, storageError(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&schema); err != nil {
		return 0, storageError(err)
	}
	var tables int
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE name IN ('chats', 'jobs')").Scan(&tables); err != nil {
		return 0, storageError(err)
	}
	if schema == 0 || tables != 2 {
		return 0, apperr.Wrap(fmt.Errorf("%s is no ledger", filepath.Base(path)), apperr.StorageCorrupt)
	}
	if check != "" {
		err = examine(ctx, db, check)
	}
	return schema, err
}

// examine has the engine look for damage. Errors: storage_corrupt with what was found first.
func examine(ctx context.Context, db *sql.DB, check string) error {
	var found string
	if err := db.QueryRowContext(ctx, "PRAGMA "+check+"(1)").Scan(&found); err != nil {
		return storageError(err)
	}
	if found != "ok" {
		corruptions.Add(1)
		return apperr.Wrap(fmt.Errorf("%s: %s", check, found), apperr.StorageCorrupt)
	}
	return nil
}
