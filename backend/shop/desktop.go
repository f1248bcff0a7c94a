package shop

import (
	"context"

	"agentchat/backend/desktop"
	"agentchat/backend/folders"
	desktoptools "agentchat/backend/tools/desktop"
)

// desktop is what the tools of the desktop work with: the one that was given, or the system's own helpers, and the folders
// the person opened.
func (s *Shop) desktop(given desktoptools.Desktop) desktoptools.Deps {
	if given == nil {
		given = desktop.New()
	}
	given = guardedDesktop{given, s}
	s.opener = given
	return desktoptools.Deps{Desktop: given, File: func(ctx context.Context, path string) (full, name string, err error) {
		at, err := s.files.book.Find(ctx, path, folders.File)
		if err != nil {
			return "", "", err
		}
		defer at.Close()
		return at.Full, at.Path, nil
	}}
}
