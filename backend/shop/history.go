package shop

import (
	"context"
	"strings"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/manager"
)

// VersionView is one of the things that a request was, with the work that it started. Shown says that it is the one that stands in the chat.
type VersionView struct {
	ID    string     `json:"id"`
	Text  string     `json:"text"`
	Time  string     `json:"time"`
	Shown bool       `json:"shown"`
	Jobs  []job.View `json:"jobs"`
}

// Versions gives all versions of a request with the work that each started, oldest first. Errors: storage errors.
func (s *Shop) Versions(ctx context.Context, request string) ([]VersionView, error) {
	list, err := s.manager.Versions(ctx, request)
	views := make([]VersionView, len(list))
	for i, v := range list {
		views[i] = VersionView{ID: v.Message.ID, Text: v.Message.Text, Time: v.Message.Time, Shown: v.Shown, Jobs: make([]job.View, len(v.Jobs))}
		for n, j := range v.Jobs {
			views[i].Jobs[n] = j.View()
		}
	}
	return views, err
}

// ShowVersion shows another version of a request, with all that followed it. Errors: not_found, chat_busy.
func (s *Shop) ShowVersion(ctx context.Context, request string) error {
	chat, err := s.manager.ShowVersion(ctx, request)
	if err == nil {
		s.readIns.compacted(chat) // its next request begins with something else
	}
	return err
}

// ForkChat makes a chat of what stands in another up to a message. Errors: not_found, invalid_args.
func (s *Shop) ForkChat(ctx context.Context, message, title string) (event.ChatCreated, error) {
	title, err := chatTitle(title)
	if err != nil {
		return event.ChatCreated{}, err
	}
	return s.manager.ForkChat(ctx, message, title)
}

// DropChat lets go for good of a chat that was deleted. Errors: not_found.
func (s *Shop) DropChat(ctx context.Context, id string) error { return s.manager.DropChat(ctx, id) }

// ArchiveChat puts a chat away, or takes it out again. Errors: not_found.
func (s *Shop) ArchiveChat(ctx context.Context, id string, archived bool) error {
	if err := s.store.ArchiveChat(ctx, id, archived); err != nil {
		return err
	}
	return s.tellChat(ctx, id)
}

// ChatSettings are what a chat has of its own. Model is provider/model; "" is whichever is on duty, or the project's.
type ChatSettings struct {
	Project      string `json:"project"`
	Instructions string `json:"instructions"`
	Model        string `json:"model"`
}

// SetChat gives a chat instructions and a model of its own, and the project it belongs to. Errors: not_found, invalid_args.
func (s *Shop) SetChat(ctx context.Context, id string, in ChatSettings) error {
	if err := instructed(in.Instructions, in.Model); err != nil {
		return err
	}
	err := s.store.SetChat(ctx, manager.Chat{ID: id, Project: in.Project, Instructions: strings.TrimSpace(in.Instructions), Model: in.Model})
	if err != nil {
		return err
	}
	s.readIns.compacted(id)
	return s.tellChat(ctx, id)
}

func (s *Shop) tellChat(ctx context.Context, id string) error {
	c, err := s.store.Chat(ctx, id)
	if err == nil {
		s.Bus.Publish(event.Of(id, "", event.ChatChanged{ID: id, Project: c.Project, Archived: c.Archived, Instructions: c.Instructions, Model: c.Model}))
	}
	return err
}

// mostInstructions is how many characters of instructions stand in every request.
const mostInstructions = 4000

func instructed(instructions, model string) error {
	if utf8.RuneCountInString(instructions) > mostInstructions || len(model) > 256 || model != "" && !strings.Contains(model, "/") {
		return apperr.New(apperr.InvalidArgs, "detail", "instructions: 0…4000, model: provider/model")
	}
	return nil
}

func chatTitle(title string) (string, error) {
	title = strings.TrimSpace(title)
	if title == "" || len(title) > 400 {
		return "", apperr.New(apperr.InvalidArgs, "detail", "1…400 bytes")
	}
	return title, nil
}

// mostFoundInChat is how many messages of a chat are found at once.
const mostFoundInChat = 500

// FindInChat gives the ids of the messages of a chat that say something, the newest first. Errors: storage errors.
func (s *Shop) FindInChat(ctx context.Context, chat, text string) ([]string, error) {
	if strings.TrimSpace(text) == "" {
		return []string{}, nil
	}
	return s.store.FindInChat(ctx, chat, text, mostFoundInChat)
}

// mostDraft is how many bytes of what was typed are kept.
const mostDraft = 128 << 10

// SaveDraft keeps what was typed in a chat and not sent yet, as the front writes it; "" for nothing. Errors: invalid_args, storage errors.
func (s *Shop) SaveDraft(ctx context.Context, chat, data string) error {
	if chat == "" || len(chat) > 128 || len(data) > mostDraft {
		return apperr.New(apperr.InvalidArgs, "detail", "chat: 1…128, data: 0…128 KB")
	}
	return s.store.SaveDraft(ctx, chat, data)
}

// ProjectView is what groups chats. What it carries holds in every one of them; a Folder is a name that keeps chats together in the list, and
// carries nothing. Of one that is Folded the list shows the name alone.
type ProjectView struct {
	ID           string   `json:"id"`
	Title        string   `json:"title"`
	Instructions string   `json:"instructions"`
	Model        string   `json:"model"`
	Folders      []string `json:"folders"`
	Shelves      []string `json:"shelves"`
	Folder       bool     `json:"folder,omitempty"`
	Folded       bool     `json:"folded,omitempty"`
}

// Projects lists the projects, by their titles.
func (s *Shop) Projects(ctx context.Context) ([]ProjectView, error) {
	list, err := s.store.Projects(ctx)
	views := make([]ProjectView, len(list))
	for i, p := range list {
		views[i] = projectView(p)
	}
	return views, err
}

func projectView(p manager.Project) ProjectView {
	return ProjectView{p.ID, p.Title, p.Instructions, p.Model, append([]string{}, p.Folders...), append([]string{}, p.Shelves...), p.Folder, p.Folded}
}

// SaveProject makes a project, or changes the one with its id, and gives it. Errors: not_found, invalid_args.
func (s *Shop) SaveProject(ctx context.Context, in ProjectView) (ProjectView, error) {
	title, err := chatTitle(in.Title)
	if err == nil {
		err = instructed(in.Instructions, in.Model)
	}
	if err != nil {
		return in, err
	}
	p := manager.Project{
		ID: in.ID, Title: title, Instructions: strings.TrimSpace(in.Instructions), Model: in.Model, Folders: in.Folders, Shelves: in.Shelves,
		Folder: in.Folder, Folded: in.Folded,
	}
	if p.Folder && (p.Instructions != "" || p.Model != "" || len(p.Folders)+len(p.Shelves) > 0) {
		return in, apperr.New(apperr.InvalidArgs, "detail", "folder: title, folded")
	}
	if p.ID == "" {
		p.ID = newID()
	}
	if err := s.store.SaveProject(ctx, p); err != nil {
		return in, err
	}
	s.Bus.Publish(event.Of("", "", event.ProjectsChanged{}))
	s.readIns.Wake()
	return projectView(p), nil
}

// RemoveProject takes a project away; its chats stay, in none. Errors: not_found.
func (s *Shop) RemoveProject(ctx context.Context, id string) error {
	chats, err := s.store.Chats(ctx)
	if err != nil {
		return err
	}
	if err := s.store.RemoveProject(ctx, id); err != nil {
		return err
	}
	s.Bus.Publish(event.Of("", "", event.ProjectsChanged{}))
	for _, c := range chats {
		if c.Project == id {
			if err := s.tellChat(ctx, c.ID); err != nil && apperr.CodeOf(err) != apperr.NotFound {
				return err
			}
		}
	}
	return nil
}
