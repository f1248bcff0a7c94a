package front

import (
	"context"

	"agentchat/backend/apperr"
	"agentchat/backend/shop"
)

// modelCommand does something with one model. load_model and unload_model answer when it is done; the others at once, and
// what follows travels as events. pull also goes on with a download that was paused or has failed; import_model makes a model of the GGUF file
// at path.
func modelCommand(ctx context.Context, s *shop.Shop, c command) error {
	if c.Cmd == "import_model" {
		_, err := s.ImportModel(ctx, c.Path)
		return err
	}
	do := map[string]func(context.Context, string) error{
		"pull": s.PullModel, "pause_pull": s.PausePull, "cancel_pull": s.CancelPull,
		"delete_model": s.DeleteModel, "load_model": s.LoadModel, "unload_model": s.UnloadModel,
	}[c.Cmd]
	if do == nil {
		return apperr.New(apperr.BadCommand, "detail", "unknown cmd "+quote(c.Cmd))
	}
	return do(ctx, c.Model)
}
