package main

import (
	"context"
	"time"

	"agentchat/backend/shop"
)

// Backups lists the backups, newest first.
func (a *App) Backups() ([]shop.Backup, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]shop.Backup, error) { return s.Backups(ctx) })
}

// BackupNow makes a backup of everything as it is.
func (a *App) BackupNow() (shop.Backup, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.Backup, error) { return s.BackupNow(ctx) })
}

// RestoreBackup has a backup take the place of everything at the next start; until then nothing changes.
func (a *App) RestoreBackup(name string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.RestoreBackup(ctx, name) })
}

// ExportBackup shows the system's save dialog and writes a copy of everything there. It gives the chosen path, "" when the
// person closed the dialog.
func (a *App) ExportBackup(title string) (string, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (string, error) {
		path, err := chosen(ctx, "", title, "agentchat-"+time.Now().Format("2006-01-02")+".db")
		if err != nil || path == "" {
			return "", err
		}
		return path, s.ExportBackup(ctx, path)
	})
}
