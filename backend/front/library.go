package front

import (
	"context"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/shop"
)

// libraryCommand does what concerns the library.
func libraryCommand(ctx context.Context, s *shop.Shop, c command) (any, error) {
	switch c.Cmd {
	case "import":
		if c.Path == "" {
			return nil, apperr.New(apperr.BadCommand, "detail", "import needs path")
		}
		i, err := s.ImportDocuments(ctx, c.Path, c.Kind)
		return struct {
			Import event.LibraryImport `json:"import"`
		}{i}, err
	case "cancel_import":
		return struct {
			Import string `json:"import"`
		}{c.Import}, s.CancelImport(c.Import)
	case "resume_import":
		i, err := s.ResumeImport(ctx, c.Import)
		return struct {
			Import event.LibraryImport `json:"import"`
		}{i}, err
	case "mark_document":
		return struct {
			Document string `json:"document"`
			Kind     string `json:"kind"`
		}{c.document(), c.Kind}, s.MarkDocument(ctx, c.document(), c.Kind)
	case "documents":
		return s.Library(ctx)
	case "document":
		return s.Document(ctx, c.document(), 0, 0)
	default:
		use, err := s.RemoveDocument(ctx, c.document())
		return struct {
			Document string `json:"document"`
			Use      string `json:"use"`
		}{c.document(), use}, err
	}
}
