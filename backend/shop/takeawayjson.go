package shop

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"agentchat/backend/chatimport"
	"agentchat/backend/event"
	"agentchat/backend/manager"
)

// asJSON is the format of a conversation for programs. The zip has the same beside what people read.
const asJSON = "json"

// What begins every conversation as JSON. A version is a new one when a key means something else; keys that come, come within it.
const (
	takenFormat  = chatimport.OwnFormat
	takenVersion = chatimport.OwnVersion
)

// takenChat is a conversation as JSON: what was said in it, and what a person set for it. docs/rooms/window.md describes it.
type takenChat struct {
	Format       string              `json:"format"`
	Version      int                 `json:"version"`
	ID           string              `json:"id"`
	Title        string              `json:"title"`
	Updated      time.Time           `json:"updated"`
	Pinned       bool                `json:"pinned"`
	Archived     bool                `json:"archived"`
	Instructions string              `json:"instructions,omitempty"`
	Model        string              `json:"model,omitempty"` // provider/model
	Project      *takenProject       `json:"project,omitempty"`
	Messages     []event.ChatMessage `json:"messages"`
	// Versions are what earlier requests were that were said anew, with what followed each: what is not shown.
	Versions []takenVersionOf `json:"versions,omitempty"`
	Jobs     []takenJob       `json:"jobs,omitempty"`
	// Files says where in the zip an attachment lies, by its id.
	Files map[string]string `json:"files,omitempty"`
}

// takenProject is the project of a conversation. Facts are what only its chats are told.
type takenProject struct {
	ID           string   `json:"id"`
	Title        string   `json:"title"`
	Instructions string   `json:"instructions,omitempty"`
	Model        string   `json:"model,omitempty"`
	Folders      []string `json:"folders,omitempty"`
	Shelves      []string `json:"shelves,omitempty"` // as they are called
	Facts        []string `json:"facts,omitempty"`
	Folder       bool     `json:"folder,omitempty"` // a name alone
}

// takenVersionOf is a version of a request that is not shown, and what followed it; the request is the first of its messages.
type takenVersionOf struct {
	Request  string              `json:"request"`
	Messages []event.ChatMessage `json:"messages"`
}

// takenJob is a job that a message of the conversation names or asked for. Messages are what was said to it and by it. Request and Report are left out
// where the message that said so is not there.
type takenJob struct {
	ID       string              `json:"id"`
	Number   int64               `json:"number"`
	Turn     string              `json:"turn,omitempty"`
	Title    string              `json:"title"`
	State    string              `json:"state"`
	Request  string              `json:"request,omitempty"`
	Report   string              `json:"report,omitempty"`
	Created  string              `json:"created"`
	Ended    string              `json:"ended,omitempty"`
	Imported bool                `json:"imported,omitempty"` // a file said so: not done here
	Messages []event.ChatMessage `json:"messages,omitempty"`
}

// said gives all that is to be seen in a chat, oldest first.
func (s *Shop) said(ctx context.Context, chat string) (list []event.ChatMessage, err error) {
	for before := ""; ; before = list[0].ID {
		page, err := s.store.History(ctx, chat, before, 1000)
		if err != nil || len(page) == 0 {
			return list, err
		}
		list = append(page, list...)
	}
}

// takenChat makes a conversation's JSON. One in which nothing was said has no messages.
func (s *Shop) takenChat(ctx context.Context, c manager.Chat) (taken takenChat, err error) {
	taken = takenChat{
		Format: takenFormat, Version: takenVersion, ID: c.ID, Title: c.Title, Updated: c.Updated.UTC(), Pinned: c.Pinned, Archived: c.Archived,
		Instructions: c.Instructions, Model: c.Model,
	}
	if taken.Messages, err = s.said(ctx, c.ID); err != nil {
		return taken, err
	}
	requests, aside, err := s.store.AsideMessages(ctx, c.ID)
	if err != nil {
		return taken, err
	}
	for _, request := range requests {
		taken.Versions = append(taken.Versions, takenVersionOf{request, aside[request]})
	}
	if taken.Project, err = s.takenProject(ctx, c); err != nil {
		return taken, err
	}
	there := map[string]bool{} // messages, and jobs that they name
	for _, m := range slices.Concat(taken.said()...) {
		there[m.ID], there[m.JobID] = true, true
	}
	delete(there, "") // of those that name none
	jobs, err := s.store.JobsOf(ctx, c.ID)
	for _, j := range jobs {
		asked := there[j.Turn]
		if !asked && !there[j.ID] {
			continue
		}
		if j.Turn != "" && !asked {
			j.Request = ""
		}
		if j.Message != "" && !there[j.Message] {
			j.Report = ""
		}
		v := j.View()
		talk, err := s.said(ctx, manager.JobChat+j.ID)
		if err != nil {
			return taken, err
		}
		taken.Jobs = append(taken.Jobs, takenJob{v.ID, v.Number, v.Turn, v.Title, v.State, j.Request, v.Report, v.Created, v.Ended, v.Imported, talk})
	}
	return taken, err
}

// takenProject is the project that a chat belongs to, nil for none.
func (s *Shop) takenProject(ctx context.Context, c manager.Chat) (*takenProject, error) {
	p, has, err := s.store.ProjectOf(ctx, c.ID)
	if err != nil || !has {
		return nil, err
	}
	taken := &takenProject{ID: p.ID, Title: p.Title, Instructions: p.Instructions, Model: p.Model, Folders: p.Folders, Folder: p.Folder}
	facts, err := s.store.Facts(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range facts {
		if f.Project == p.ID {
			taken.Facts = append(taken.Facts, f.Text)
		}
	}
	shelves, err := s.Shelves(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range p.Shelves {
		name := id // one that is gone
		for _, shelf := range shelves {
			if shelf.ID == id {
				name = shelf.Title
			}
		}
		taken.Shelves = append(taken.Shelves, name)
	}
	return taken, nil
}

// said is what is shown of a conversation, and each of its versions that are not.
func (t *takenChat) said() [][]event.ChatMessage {
	all := [][]event.ChatMessage{t.Messages}
	for _, v := range t.Versions {
		all = append(all, v.Messages)
	}
	return all
}

// attached are all files of a conversation, those of versions that are not shown among them.
func (t *takenChat) attached() (list []event.Attachment) {
	all := t.said()
	for _, j := range t.Jobs {
		all = append(all, j.Messages)
	}
	for _, messages := range all {
		for _, m := range messages {
			list = append(list, m.Attachments...)
		}
	}
	return list
}

// chatJSON is a conversation as JSON. Errors: not_found, nothing_to_export, storage errors.
func (s *Shop) chatJSON(ctx context.Context, of Takeaway) ([]byte, error) {
	chats, err := s.chatsOf(ctx, of)
	if err != nil {
		return nil, err
	}
	taken, err := s.takenChat(ctx, chats[0])
	if err != nil {
		return nil, err
	}
	if len(taken.Messages) == 0 {
		return nil, nothingSaid()
	}
	return json.MarshalIndent(taken, "", "  ")
}
