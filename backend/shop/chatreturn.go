package shop

import (
	"context"
	"slices"
	"time"

	"agentchat/backend/chatimport"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/manager"
	"agentchat/backend/store"
)

// returned brings in a chat that this program saved, with its versions and its place in the list. What was said is imported like any other: a file is
// nobody's word here. Its jobs are history, whatever state the file gives them.
func (s *Shop) returned(ctx context.Context, c chatimport.Conversation, n news, lang bilingual.Lang, report *ChatsImported) error {
	project, err := s.projectNamed(ctx, c.Kept.Project, c.Kept.Folder)
	if err != nil {
		return err
	}
	r := store.Returned{
		Chat:    manager.Chat{ID: c.ID, Title: titleOf(c, lang), Pinned: c.Kept.Pinned, Archived: c.Kept.Archived, Project: project},
		Created: n.created, Under: map[string]string{}, Talks: map[string][]event.ChatMessage{},
	}
	for i, m := range n.messages {
		r.Messages = append(r.Messages, s.imported(ctx, m, n.times[i], lang, report))
		r.Under[m.ID] = m.Under
	}
	first := s.jobs.Numbers(len(c.Kept.Jobs))
	for i, past := range c.Kept.Jobs {
		j := job.Job{
			ID: past.ID, Number: first + int64(i), Chat: c.ID, Title: past.Title, Turn: past.Turn, Request: past.Request, Lang: lang,
			State: job.State(past.State), Report: past.Report, Todos: []job.Todo{}, Created: past.Created, Ended: past.Ended, Imported: true,
		}
		if j.Created.IsZero() {
			j.Created = n.created
		}
		if j.Ended.IsZero() || j.Ended.After(time.Now()) || !slices.Contains([]job.State{job.Succeeded, job.Failed, job.Canceled}, j.State) { // it was under way, and nobody goes on with it here
			j.State, j.Ended = job.Canceled, j.Created
		}
		for _, m := range past.Messages {
			at := m.Time
			if at.IsZero() {
				at = j.Created
			}
			r.Talks[j.ID] = append(r.Talks[j.ID], s.imported(ctx, m, at, lang, report))
		}
		r.Jobs = append(r.Jobs, j)
	}
	return s.store.ReturnChat(ctx, r)
}

// projectNamed is the project or folder of a name, which is made when there is none; "" for no name.
func (s *Shop) projectNamed(ctx context.Context, title string, folder bool) (string, error) {
	if title == "" {
		return "", nil
	}
	list, err := s.store.Projects(ctx)
	if err != nil {
		return "", err
	}
	if i := slices.IndexFunc(list, func(p manager.Project) bool { return p.Title == title && p.Folder == folder }); i >= 0 {
		return list[i].ID, nil
	}
	p, err := s.SaveProject(ctx, ProjectView{Title: title, Folder: folder})
	return p.ID, err
}
