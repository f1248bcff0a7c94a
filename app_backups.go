package main

import (
	"context"
	"time"

	"github.com/wailsapp/wails/v2/pkg/runtime"

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

// Restoring tells whether a backup takes the place of everything at the next start.
func (a *App) Restoring() (bool, error) {
	return call(a, func(_ context.Context, s *shop.Shop) (bool, error) { return s.Restoring(), nil })
}

// CallOffRestore leaves everything as it is at the next start after all.
func (a *App) CallOffRestore() error {
	return run(a, func(_ context.Context, s *shop.Shop) error { return s.CallOffRestore() })
}

// LookAtBackup says what a file that holds everything is, and what it would take the place of. Without a path it asks for one, with title above the dialog and what of the
// kind of file; the path is "" when the person closed the dialog. Nothing changes.
func (a *App) LookAtBackup(path, title, what string) (shop.BackupFile, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.BackupFile, error) {
		if path == "" {
			chosen, err := runtime.OpenFileDialog(ctx, runtime.OpenDialogOptions{
				Title: title, Filters: []runtime.FileFilter{{DisplayName: what + " (*.zip, *.db)", Pattern: "*.zip;*.db"}},
			})
			if err != nil || chosen == "" {
				return shop.BackupFile{}, err
			}
			path = chosen
		}
		return s.LookAtBackup(ctx, path)
	})
}

// RestoreFile has a file that was looked at take the place of everything at the next start; until then nothing changes.
func (a *App) RestoreFile(path string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.RestoreFile(ctx, path) })
}

// ExportBackup shows the system's save dialog and writes everything there, in one file. It gives the chosen path, "" when the
// person closed the dialog.
func (a *App) ExportBackup(title string) (string, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (string, error) {
		path, err := chosen(ctx, "", title, "agentchat-"+time.Now().Format("2006-01-02")+".zip", runtime.FileFilter{DisplayName: "ZIP (*.zip)", Pattern: "*.zip"})
		if err != nil || path == "" {
			return "", err
		}
		return path, s.ExportBackup(ctx, path)
	})
}
