package shop

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"agentchat/backend/about"
	"agentchat/backend/apperr"
	"agentchat/backend/archive"
	"agentchat/backend/store"
)

// BackupReason is why a backup was made.
type BackupReason = store.Reason

// Backup is one backup of the ledger. At is RFC 3339 in UTC; Bytes is its size. Why says why it was made, "" where nobody knows. OK tells whether this program can read it.
type Backup struct {
	Name   string `json:"name"`
	At     string `json:"at"`
	Why    string `json:"why" ts_type:"store.Reason | ''"`
	Bytes  int64  `json:"bytes"`
	Schema int    `json:"schema"`
	OK     bool   `json:"ok"`
}

// Backups lists the backups, newest first. Errors: storage errors.
func (s *Shop) Backups(ctx context.Context) ([]Backup, error) {
	copies, err := s.store.Backups(ctx)
	return backupViews(copies), err
}

// BackupNow makes a backup of everything as it is. Errors: storage errors.
func (s *Shop) BackupNow(ctx context.Context) (Backup, error) {
	s.recorder.Flush()
	c, err := s.store.BackUp(ctx, store.ReasonAsked)
	return backupView(c), err
}

// house is where this shop lives.
func (s *Shop) house() archive.House {
	c := s.Config.Get()
	return archive.House{Dir: c.DataDir, Settings: c.ConfigFile}
}

// RestoreBackup examines a backup and has it take the place of everything at the next start; until then nothing changes. What is there now
// becomes a backup itself. Errors: not_found, storage_corrupt when it is damaged, storage_newer, storage errors.
func (s *Shop) RestoreBackup(ctx context.Context, name string) error {
	kept := store.FilesOf(filepath.Join(s.Config.Get().DataDir, "backups", filepath.Base(name)))
	if info, err := os.Stat(kept); err != nil || !info.IsDir() { // an old one: the ledger alone
		return errors.Join(asStorage(s.house().Unstage()), s.store.Restore(ctx, name))
	}
	if err := s.store.Unstage(); err != nil {
		return err
	}
	return asStorage(s.house().StageKept(kept, func(to string) error { return s.store.CopyBackup(ctx, name, to) }))
}

// Restoring tells whether a backup takes the place of everything at the next start.
func (s *Shop) Restoring() bool { return s.house().Staged() || s.store.Staged() }

// CallOffRestore leaves everything as it is at the next start after all. Errors: storage errors.
func (s *Shop) CallOffRestore() error {
	return errors.Join(asStorage(s.house().Unstage()), s.store.Unstage())
}

// asStorage gives what the disk says a code, and leaves what has one.
func asStorage(err error) error {
	var known *apperr.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	return apperr.Wrap(err, apperr.StorageFailed)
}

// ExportBackup writes everything as it is into one file of a person's choice, which is there whole or not at all. Errors: storage errors.
func (s *Shop) ExportBackup(ctx context.Context, path string) error {
	s.recorder.Flush()
	ledger, done, err := s.tempFile("export-*.db")
	if err != nil {
		return err
	}
	defer done()
	if err := s.store.Backup(ctx, ledger); err != nil {
		return err
	}
	m := archive.Manifest{Made: time.Now().UTC(), Program: about.Version, Keys: s.keyNames()}
	return writeWhole(path, func(w io.Writer) error { return archive.Write(ctx, w, s.house(), ledger, m) })
}

// keyNames are the keys that are kept here, and go into no backup.
func (s *Shop) keyNames() []string { return append([]string{}, s.models.keys.Names()...) }

// tempFile gives a name in the data folder, where nobody else looks; done removes what is there.
func (s *Shop) tempFile(pattern string) (path string, done func(), err error) {
	f, err := os.CreateTemp(s.Config.Get().DataDir, pattern)
	if err != nil {
		return "", nil, apperr.Wrap(err, apperr.StorageFailed)
	}
	return f.Name(), func() { _ = os.Remove(f.Name()) }, asStorage(f.Close())
}

// RestoreFile has a file that ExportBackup wrote, here or on another computer, take the place of everything at the next start; until then nothing
// changes, and what is there now becomes a backup. Errors: not_a_backup, storage_corrupt, storage_newer, storage errors.
func (s *Shop) RestoreFile(ctx context.Context, path string) error {
	if isLedger(path) { // older programs exported the ledger alone
		return errors.Join(asStorage(s.house().Unstage()), s.store.RestoreFile(ctx, path))
	}
	b, err := archive.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = b.Close() }()
	if err := s.store.Unstage(); err != nil {
		return err
	}
	return asStorage(s.house().Stage(ctx, b, func(ledger string) error { return store.Examine(ctx, ledger) }))
}

// isLedger tells whether a file is a ledger itself, by how it begins.
func isLedger(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, 15)
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == "SQLite format 3"
}

// swapIn puts a backup that was chosen in the place of everything, before anything of it is opened.
func swapIn(h archive.House) (bool, error) {
	aside := func(at time.Time) string { return store.FilesOf(store.ReplacedName(h.Dir, at)) }
	swapped, err := h.SwapIn(aside, func(ledger string) error { return store.TakeStaged(h.Dir, ledger) })
	return swapped, asStorage(err)
}

// DamagedBackup gives the newest backup that could take the place of a damaged ledger in a data folder; ok is false when
// there is none. The shop need not be open.
func DamagedBackup(ctx context.Context, dir string) (b Backup, ok bool) {
	copies, err := store.Backups(ctx, dir)
	if err != nil {
		return b, false
	}
	for _, c := range copies {
		if c.OK {
			return backupView(c), true
		}
	}
	return b, false
}

func backupViews(copies []store.Copy) []Backup {
	list := make([]Backup, len(copies))
	for i, c := range copies {
		list[i] = backupView(c)
	}
	return list
}

func backupView(c store.Copy) Backup {
	return Backup{Name: c.Name, At: c.At.UTC().Format(time.RFC3339), Why: string(c.Why), Bytes: c.Bytes, Schema: c.Schema, OK: c.OK}
}

// extracted is a file of a backup on its own, to be looked into.
func (s *Shop) extracted(ctx context.Context, b *archive.Backup, name string) (path string, done func(), err error) {
	path, done, err = s.tempFile("look-*" + filepath.Ext(name))
	if err != nil {
		return "", nil, err
	}
	out, err := os.Create(path)
	if err == nil {
		err = errors.Join(b.Copy(ctx, name, out), out.Close())
	}
	if err != nil {
		done()
		return "", nil, asStorage(err)
	}
	return path, done, nil
}
