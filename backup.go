package main

import (
	"context"
	"fmt"
	"time"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"agentchat/backend/apperr"
	"agentchat/backend/config"
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
		path, err := runtime.SaveFileDialog(ctx, runtime.SaveDialogOptions{
			Title: title, DefaultFilename: "agentchat-" + time.Now().Format("2006-01-02") + ".db", CanCreateDirectories: true,
		})
		if err != nil || path == "" {
			return "", err
		}
		return path, s.ExportBackup(ctx, path)
	})
}

// openShop opens the shop. Where the ledger is damaged it asks the person what to do, as often as it takes: their files are
// theirs.
func openShop(ctx context.Context, options shop.Options, ask func(ctx context.Context, title, question string) bool) (*shop.Shop, error) {
	s, err := shop.Open(ctx, options)
	if apperr.CodeOf(err) != apperr.StorageCorrupt {
		return s, err
	}
	settings, _, bad := config.Load(options.Config)
	if bad != nil {
		return nil, err
	}
	title := "Agent Chat"
	if b, ok := shop.DamagedBackup(ctx, settings.Get().DataDir); ok && ask(ctx, title, fmt.Sprintf(
		"저장 파일이 손상됐어요. %s에 만든 백업으로 이어서 할까요? 손상된 파일은 옆에 그대로 남겨 둬요.\n\n"+
			"The data file is damaged. Go on with the backup made at %s? The damaged file is kept beside it.", b.At, b.At)) {
		options.Damaged = shop.RemedyRestore
		if s, err := shop.Open(ctx, options); apperr.CodeOf(err) != apperr.StorageCorrupt {
			return s, err
		}
	}
	if ask(ctx, title, "저장 파일이 손상됐어요. 빈 파일로 새로 시작할까요? 손상된 파일은 옆에 그대로 남겨 둬요.\n\n"+
		"The data file is damaged. Begin anew with an empty one? The damaged file is kept beside it.") {
		options.Damaged = shop.RemedyFresh
		return shop.Open(ctx, options)
	}
	return nil, err
}

// askPerson shows a question of the system's own; the window behind it has nothing to show yet.
func askPerson(ctx context.Context, title, question string) bool {
	answer, err := runtime.MessageDialog(ctx, runtime.MessageDialogOptions{
		Type: runtime.QuestionDialog, Title: title, Message: question, DefaultButton: "No", CancelButton: "No",
	})
	return err == nil && answer == "Yes"
}
