package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/privatefile"
)

// A backup that is to take the ledger's place waits beside it under this suffix until the next start.
const stagedSuffix = ".restore"

// Restore examines a backup from top to bottom and has it take the ledger's place at the next start; until then nothing
// changes. The ledger that is there then becomes a backup. Errors: not_found, storage_corrupt, storage_newer, storage
// errors.
func (s *Store) Restore(ctx context.Context, name string) error {
	return stage(ctx, filepath.Dir(s.path), name)
}

// CopyBackup is Restore to another place: it puts a backup that was examined there. Errors: as Restore.
func (s *Store) CopyBackup(ctx context.Context, name, to string) error {
	return copyBackup(ctx, filepath.Dir(s.path), name, to)
}

// RestoreFile is Restore of a ledger that lies anywhere. Errors: as Restore.
func (s *Store) RestoreFile(ctx context.Context, path string) error {
	if err := Examine(ctx, path); err != nil {
		return err
	}
	return storageError(copyFile(path, s.path+stagedSuffix))
}

// Unstage gives up what was to take the ledger's place. Errors: storage errors.
func (s *Store) Unstage() error { return storageError(privatefile.Remove(s.path + stagedSuffix)) }

// Staged tells whether a backup takes the ledger's place at the next start.
func (s *Store) Staged() bool { return privatefile.Exists(s.path + stagedSuffix) }

// TakeStaged has a ledger that was examined take the place of the one in a data folder when that is opened next.
func TakeStaged(dir, path string) error {
	return os.Rename(path, filepath.Join(dir, FileName+stagedSuffix))
}

// ReplacedName is what the ledger is called, among the backups of its data folder, that one staged at a moment took the place of.
func ReplacedName(dir string, at time.Time) string {
	return filepath.Join(dir, backupsFolder, "agentchat-"+at.UTC().Format(stampLayout)+"-"+string(ReasonReplaced)+".db")
}

// Examine looks a ledger over from top to bottom that nobody writes to. Errors: storage_corrupt, storage_newer, storage errors.
func Examine(ctx context.Context, path string) error {
	schema, err := inspect(ctx, path, "integrity_check")
	if err != nil {
		return storageError(err)
	}
	if newest := newestSchema(); schema > newest {
		return newer(schema, newest)
	}
	return nil
}

func stage(ctx context.Context, dir, name string) error {
	return copyBackup(ctx, dir, name, filepath.Join(dir, FileName+stagedSuffix))
}

func copyBackup(ctx context.Context, dir, name, to string) error {
	from := filepath.Join(dir, backupsFolder, name)
	if _, err := stampOf(name); err != nil || strings.ContainsAny(name, `/\`) || !privatefile.Exists(from) {
		return notFound("backup", name)
	}
	if privatefile.Exists(from + "-wal") { // it was replaced while the program was killed: part of it is still in its log
		if err := fold(ctx, from); err != nil {
			return storageError(err)
		}
	}
	if err := Examine(ctx, from); err != nil {
		return err
	}
	return storageError(copyFile(from, to))
}

func newer(schema, newest int) error {
	return apperr.Wrap(fmt.Errorf("schema %d is newer than this program's %d", schema, newest), apperr.StorageNewer)
}

// swapIn replaces the ledger by the chosen backup. If it is interrupted at any point, the next start finishes it.
func swapIn(ctx context.Context, path string) error {
	staged := path + stagedSuffix
	info, err := os.Stat(staged)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	stamp := info.ModTime().UTC().Format(stampLayout) // the same at every try
	folder := filepath.Join(filepath.Dir(path), backupsFolder)
	replaced := ReplacedName(filepath.Dir(path), info.ModTime())
	damaged := path + ".damaged-" + stamp
	if privatefile.Exists(path) && fold(ctx, path) != nil || privatefile.Exists(damaged) {
		replaced = damaged
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	if err := moveAside(path, replaced); err != nil {
		return err
	}
	if err := os.Rename(staged, path); err != nil {
		return err
	}
	return privatefile.SyncFolder(filepath.Dir(path))
}

// fold checkpoints the write-ahead log completely, so that the file alone is the ledger.
func fold(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite", dsn(path, false))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	var busy, frames, done int
	err = db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &done)
	if err == nil && busy != 0 {
		err = errors.New("the log is in use")
	}
	return errors.Join(err, db.Close())
}

// StartOver puts a damaged ledger aside, beside where it was, under a name with the date; nothing of it is lost. The next
// Open begins with the newest sound backup or, with fresh, with nothing. Nobody may have the ledger open. It gives the
// name of the backup, "" for none. Errors: not_found when there is no sound backup, storage errors; then nothing was changed.
func StartOver(ctx context.Context, dir string, fresh bool) (backup string, err error) {
	path := filepath.Join(dir, FileName)
	if !fresh {
		if backup, err = stageNewest(ctx, dir); err != nil {
			return "", err
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		return backup, storageError(err)
	}
	return backup, storageError(moveAside(path, freeName(path+".damaged-%s", info.ModTime())))
}

func stageNewest(ctx context.Context, dir string) (name string, err error) {
	names, err := backupNames(filepath.Join(dir, backupsFolder))
	if err != nil {
		return "", storageError(err)
	}
	for _, name := range names {
		err := stage(ctx, dir, name)
		switch apperr.CodeOf(err) {
		case "":
			return name, nil
		case apperr.StorageCorrupt, apperr.StorageNewer: // the one before may be sound
		default:
			return "", err
		}
	}
	return "", notFound("backup", "")
}
