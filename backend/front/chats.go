package front

import (
	"context"

	"agentchat/backend/shop"
)

// historyCommand bends and orders chats: versions, forks, the trash, projects, drafts.
func historyCommand(ctx context.Context, s *shop.Shop, c command) (any, error) {
	switch c.Cmd {
	case "versions":
		list, err := s.Versions(ctx, c.Message)
		return one("versions", list), err
	case "show_version":
		return struct{}{}, s.ShowVersion(ctx, c.Message)
	case "fork_chat":
		made, err := s.ForkChat(ctx, c.Message, c.Name)
		return one("chat", made), err
	case "drop_chat":
		return struct{}{}, s.DropChat(ctx, c.Chat)
	case "rename_chat":
		return struct{}{}, s.RenameChat(ctx, chatOr(c.Chat), c.Name)
	case "archive_chat":
		return struct{}{}, s.ArchiveChat(ctx, chatOr(c.Chat), c.Archived)
	case "set_chat":
		return struct{}{}, s.SetChat(ctx, chatOr(c.Chat), shop.ChatSettings{Project: c.Project.ID, Instructions: c.Project.Instructions, Model: c.Project.Model})
	case "find_in_chat":
		list, err := s.FindInChat(ctx, chatOr(c.Chat), c.Text)
		return one("messages", list), err
	case "draft":
		return struct{}{}, s.SaveDraft(ctx, chatOr(c.Chat), c.Text)
	case "projects":
		list, err := s.Projects(ctx)
		return one("projects", list), err
	case "project_save":
		p, err := s.SaveProject(ctx, c.Project)
		return one("project", p), err
	case "project_remove":
		return struct{}{}, s.RemoveProject(ctx, c.Project.ID)
	default: // project_fact
		f, err := s.AddProjectFact(ctx, c.Project.ID, c.Text)
		return one("fact", f), err
	}
}
