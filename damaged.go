package main

import (
	"context"
	"fmt"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"agentchat/backend/apperr"
	"agentchat/backend/config"
	"agentchat/backend/shop"
)

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
