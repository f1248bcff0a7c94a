package front

import (
	"context"

	"agentchat/backend/apperr"
	"agentchat/backend/shop"
)

// folderCommand does what concerns the folders that the file tools may enter.
func folderCommand(ctx context.Context, s *shop.Shop, c command) (any, error) {
	switch {
	case c.Cmd == "folders":
		return s.Folders(), nil
	case c.Cmd == "restore_trashed":
		return s.RestoreTrashed(ctx, c.Trashed)
	case c.Path == "":
		return nil, apperr.New(apperr.BadCommand, "detail", c.Cmd+" needs path")
	case c.Cmd == "open_folder":
		return s.OpenFolder(c.Path, c.Write)
	}
	return s.CloseFolder(c.Path)
}
