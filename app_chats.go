package main

import (
	"context"
	"strings"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"agentchat/backend/event"
	"agentchat/backend/manager"
	"agentchat/backend/shop"
)

// PinChat keeps a conversation before the others, or lets it go.
func (a *App) PinChat(chat string, pinned bool) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.PinChat(ctx, chat, pinned) })
}

// Export makes a file of a conversation, a reply or a ticket. Without a path it shows the system's save dialog, with title above it and name, with the ending of
// the format behind it, as what the file would be called. It gives the path, "" when the person closed the dialog.
func (a *App) Export(of shop.Takeaway, format, path, title, name string) (string, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (string, error) {
		path, err := chosen(ctx, path, title, name+"."+format, runtime.FileFilter{DisplayName: strings.ToUpper(format) + " (*." + format + ")", Pattern: "*." + format})
		if err != nil || path == "" {
			return "", err
		}
		return path, s.Export(ctx, of, path, format)
	})
}

// LookAtChats tells what the zip that ChatGPT or Claude handed out, or a file of chats that was saved here, would bring in. Without a path it asks for one, with title above the system's dialog and what
// of the kind of file; the path is "" when the person closed the dialog.
func (a *App) LookAtChats(path, title, what string) (shop.ChatsFound, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.ChatsFound, error) {
		if path == "" {
			chosen, err := runtime.OpenFileDialog(ctx, runtime.OpenDialogOptions{Title: title, Filters: []runtime.FileFilter{{DisplayName: what + " (*.zip, *.json)", Pattern: "*.zip;*.json"}}})
			if err != nil || chosen == "" {
				return shop.ChatsFound{Titles: []string{}}, err
			}
			path = chosen
		}
		return s.LookAtChats(ctx, path)
	})
}

// ImportChats brings in the conversations of such a file.
func (a *App) ImportChats(path string) (shop.ChatsImported, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.ChatsImported, error) { return s.ImportChats(ctx, path) })
}

// ExportFormats are the kinds of files that something can be made of.
func (a *App) ExportFormats(of shop.Takeaway) ([]string, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]string, error) { return s.ExportFormats(ctx, of) })
}

// Say takes one customer message, or the id of the button that was pressed, and returns at once. seen is the mark of the
// confirmation that the page was showing, "" for none.
func (a *App) Say(chat, text, action, seen string) (event.ChatMessage, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (event.ChatMessage, error) {
		return s.Say(ctx, chat, text, action, seen)
	})
}

// SayAbout takes a message that asks about one document of the library, and returns at once.
func (a *App) SayAbout(chat, text, document string) (event.ChatMessage, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (event.ChatMessage, error) {
		return s.SayAbout(ctx, chat, text, document)
	})
}

// Instead is what is said in the place of an earlier request: document is the one that is asked about, "" for none; attachments are the files
// it comes with; keep are jobs of what it replaces that go on; model is the one that is to answer, "" for whichever answers in the chat.
type Instead struct {
	Text        string             `json:"text"`
	Document    string             `json:"document"`
	Attachments []event.Attachment `json:"attachments"`
	Keep        []string           `json:"keep"`
	Model       string             `json:"model"`
}

// SayInstead says something in the place of an earlier request, which goes out of sight as a version, with all that came of it and after it.
func (a *App) SayInstead(request string, in Instead) (event.ChatMessage, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (event.ChatMessage, error) {
		return s.SayInstead(ctx, request, manager.Instead{Text: in.Text, Document: &in.Document, Attachments: some(in.Attachments), Keep: in.Keep, Model: in.Model})
	})
}

// Versions gives all versions of a request with the work that each started, oldest first.
func (a *App) Versions(request string) ([]shop.VersionView, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]shop.VersionView, error) { return s.Versions(ctx, request) })
}

// ShowVersion shows another version of a request, with all that followed it.
func (a *App) ShowVersion(request string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.ShowVersion(ctx, request) })
}

// ForkChat makes a chat of what stands in another up to a message.
func (a *App) ForkChat(message, title string) (event.ChatCreated, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (event.ChatCreated, error) {
		return s.ForkChat(ctx, message, title)
	})
}

// DropChat lets go for good of a chat that was deleted.
func (a *App) DropChat(chat string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.DropChat(ctx, chat) })
}

// ArchiveChat puts a chat away, or takes it out again.
func (a *App) ArchiveChat(chat string, archived bool) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.ArchiveChat(ctx, chat, archived) })
}

// SetChat gives a chat instructions and a model of its own, and the project it belongs to; "" for none.
func (a *App) SetChat(chat string, in shop.ChatSettings) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.SetChat(ctx, chat, in) })
}

// FindInChat gives the ids of the messages of a chat that say something, the newest first.
func (a *App) FindInChat(chat, text string) ([]string, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]string, error) { return s.FindInChat(ctx, chat, text) })
}

// SaveDraft keeps what was typed in a chat and not sent yet; "" for nothing.
func (a *App) SaveDraft(chat, data string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.SaveDraft(ctx, chat, data) })
}

// Projects lists the projects, by their titles.
func (a *App) Projects() ([]shop.ProjectView, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]shop.ProjectView, error) { return s.Projects(ctx) })
}

// SaveProject makes a project, or changes the one with its id, and gives it.
func (a *App) SaveProject(in shop.ProjectView) (shop.ProjectView, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.ProjectView, error) { return s.SaveProject(ctx, in) })
}

// RemoveProject takes a project away; its chats stay, in none.
func (a *App) RemoveProject(id string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.RemoveProject(ctx, id) })
}

// AddProjectFact has the chats of a project, and no others, be told something.
func (a *App) AddProjectFact(project, text string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error {
		_, err := s.AddProjectFact(ctx, project, text)
		return err
	})
}

// Looked keeps how far a person has read in a chat, to the message seen, and where they are in it: line is what stands at the top of what is
// in sight, "" for its end, and offset how much of that is above the edge, in its heights. It never waits.
func (a *App) Looked(chat, seen, line string, offset float64) error {
	return run(a, func(_ context.Context, s *shop.Shop) error { return s.Looked(chat, seen, line, offset) })
}

// StopReply stops the reply being written in a chat.
func (a *App) StopReply(chat string) error {
	return run(a, func(_ context.Context, s *shop.Shop) error { return s.StopReply(chat) })
}

// History gives up to limit messages of a chat before a message id ("" for the newest), oldest first.
func (a *App) History(chat, before string, limit int) ([]event.ChatMessage, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]event.ChatMessage, error) {
		return s.History(ctx, chat, before, limit)
	})
}

// NewChat opens a conversation.
func (a *App) NewChat() (event.ChatCreated, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (event.ChatCreated, error) { return s.NewChat(ctx) })
}

// RenameChat gives a conversation another title.
func (a *App) RenameChat(chat, title string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.RenameChat(ctx, chat, title) })
}

// DeleteChat removes a conversation; its running jobs are stopped.
func (a *App) DeleteChat(chat string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.DeleteChat(ctx, chat) })
}

// RestoreChat takes a conversation back that was deleted, without the work that was called off.
func (a *App) RestoreChat(chat string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.RestoreChat(ctx, chat) })
}

// DeletedChats lists the conversations that can be taken back, the last deleted first.
func (a *App) DeletedChats() ([]shop.DeletedChatView, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]shop.DeletedChatView, error) { return s.DeletedChats(ctx) })
}

// DeleteMessage hides one message; RestoreMessage brings it back.
func (a *App) DeleteMessage(id string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.HideMessage(ctx, id, true) })
}

// RestoreMessage undoes DeleteMessage.
func (a *App) RestoreMessage(id string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.HideMessage(ctx, id, false) })
}

// Search looks through chats, messages, jobs, logs, notes, documents, what is remembered, payees, favourites and services.
func (a *App) Search(in shop.SearchQuery) ([]shop.SearchHit, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]shop.SearchHit, error) { return s.Search(ctx, in) })
}
