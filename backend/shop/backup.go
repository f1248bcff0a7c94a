package shop

import (
	"context"
	"time"

	"agentchat/backend/attachment"
	"agentchat/backend/store"
)

// Backup is one backup of the ledger. At is RFC 3339 in UTC; Bytes is its size. OK tells whether this program can read it.
type Backup struct {
	Name   string `json:"name"`
	At     string `json:"at"`
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

// RestoreBackup examines a backup and has it take the ledger's place at the next start; until then nothing changes. What is
// there now becomes a backup itself. Errors: not_found, storage_corrupt when it is damaged, storage_newer, storage errors.
func (s *Shop) RestoreBackup(ctx context.Context, name string) error {
	return s.store.Restore(ctx, name)
}

// ExportBackup writes a copy of everything as it is to a file of a person's choice, and what was attached to messages into a
// folder beside it. Errors: storage errors.
func (s *Shop) ExportBackup(ctx context.Context, path string) error {
	s.recorder.Flush()
	if err := s.store.Backup(ctx, path); err != nil {
		return err
	}
	return s.attachments.CopyTo(ctx, path+"."+attachment.Folder)
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
	return Backup{Name: c.Name, At: c.At.UTC().Format(time.RFC3339), Bytes: c.Bytes, Schema: c.Schema, OK: c.OK}
}
