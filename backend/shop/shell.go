package shop

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"agentchat/backend/toolbox"
	"agentchat/backend/tools/shell"
)

// openShell makes the shell tool. It reaches the folders that are open, and never the shop's own.
func (s *Shop) openShell() toolbox.Tool {
	c := s.Config.Get()
	owner := sha256.Sum256([]byte(c.DataDir))
	return shell.New(shell.Deps{
		Folders: func(ctx context.Context) []shell.Folder {
			var list []shell.Folder
			for _, p := range s.files.book.Places(ctx) {
				if p.Problem == nil {
					list = append(list, shell.Folder{Path: p.Path, Write: p.Write})
				}
			}
			return list
		},
		Owner: hex.EncodeToString(owner[:8]), Hidden: []string{c.DataDir},
	})
}
