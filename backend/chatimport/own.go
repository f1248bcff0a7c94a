package chatimport

import (
	"archive/zip"
	"encoding/json"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"agentchat/backend/event"
)

// Own is this program: the JSON that it makes of a chat, alone or in the zip of all of them.
const Own Source = "Agent Chat"

// What begins a chat as JSON (docs/rooms/window.md).
const (
	OwnFormat  = "agentchat-chat"
	OwnVersion = 1
)

// Kept is what a chat of this program has besides what was said in it. Of a project only the name comes: what it carries would speak in every request.
type Kept struct {
	From             string // the chat's id where it was
	Pinned, Archived bool
	Project          string // "": none
	Folder           bool
	Jobs             []PastJob
}

// PastJob is a job that is over, whatever became of it: nothing runs it again.
type PastJob struct {
	ID, Turn, Title, State, Request, Report string
	Created, Ended                          time.Time
	Messages                                []Message
}

// ownMessage is a message in the JSON. Of its buttons and standing orders nothing is read.
type ownMessage struct {
	event.ChatMessage
	Buttons  json.RawMessage `json:"buttons"`
	Standing json.RawMessage `json:"standing"`
}

type ownChat struct {
	Format   string `json:"format"`
	Version  int    `json:"version"`
	ID       string `json:"id"`
	Title    string `json:"title"`
	Pinned   bool   `json:"pinned"`
	Archived bool   `json:"archived"`
	Project  *struct {
		Title  string `json:"title"`
		Folder bool   `json:"folder"`
	} `json:"project"`
	Messages []ownMessage `json:"messages"`
	Versions []struct {
		Request  string       `json:"request"`
		Messages []ownMessage `json:"messages"`
	} `json:"versions"`
	Jobs []struct {
		ID       string       `json:"id"`
		Turn     string       `json:"turn"`
		Title    string       `json:"title"`
		State    string       `json:"state"`
		Request  string       `json:"request"`
		Report   string       `json:"report"`
		Created  time.Time    `json:"created"`
		Ended    time.Time    `json:"ended"`
		Messages []ownMessage `json:"messages"`
	} `json:"jobs"`
	Files map[string]string `json:"files"`
}

// ownFile reads a chat that was saved as JSON alone.
func (r *reader) ownFile(file string) error {
	in, err := os.Open(file)
	if err != nil {
		return refuse("%w", err)
	}
	defer func() { _ = in.Close() }()
	return r.own(in)
}

// ownZip reads the chats of a zip of all of them; false: it is none.
func (r *reader) ownZip(files []*zip.File) (bool, error) {
	list := slices.DeleteFunc(slices.Clone(files), func(f *zip.File) bool {
		return path.Dir(f.Name) != "chats" || path.Ext(f.Name) != ".json"
	})
	if len(list) > mostConversations {
		return true, refuse("%d conversations", len(list))
	}
	r.named = map[string]*zip.File{}
	for _, f := range files {
		if f.UncompressedSize64 <= mostFile && f.Mode().IsRegular() {
			r.named[f.Name] = f
		}
	}
	for _, f := range list {
		in, err := f.Open()
		if err != nil {
			return true, refuse("%w", err)
		}
		err = r.own(in)
		if _ = in.Close(); err != nil {
			return true, err
		}
	}
	return len(list) > 0, nil
}

func (r *reader) own(in io.Reader) error {
	raw, err := io.ReadAll(io.LimitReader(in, mostConversation+1))
	if err != nil {
		return refuse("%w", err)
	}
	if len(raw) > mostConversation {
		return refuse("it is too large")
	}
	var c ownChat
	if err := json.Unmarshal(raw, &c); err != nil {
		return refuse("%w", err)
	}
	if c.Format != OwnFormat || c.Version != OwnVersion || c.ID == "" || len(c.Messages) == 0 {
		return refuse("it is no chat of version %d: %q, %d", OwnVersion, c.Format, c.Version)
	}
	if err := r.ctx.Err(); err != nil {
		return err
	}
	r.seen++
	read, err := r.ownChat(c)
	if err != nil {
		return err
	}
	return r.take(read)
}

func (r *reader) ownChat(c ownChat) (Conversation, error) {
	o := &ownReader{reader: r, files: c.Files, ids: map[string]bool{}, jobs: map[string]bool{}}
	for _, j := range c.Jobs {
		if j.ID == "" || o.jobs[j.ID] {
			return Conversation{}, refuse("a job without an id of its own")
		}
		o.jobs[j.ID] = true
	}
	// What is shown and what was said before it, in the order in which it was said.
	lists, under := [][]ownMessage{}, []string{}
	for _, v := range c.Versions {
		lists, under = append(lists, v.Messages), append(under, v.Request)
	}
	lists, under = append(lists, c.Messages), append(under, "")
	for _, list := range lists {
		if err := o.know(list); err != nil {
			return Conversation{}, err
		}
	}
	read := Conversation{
		ID: idOf(OwnFormat, c.ID, c.Messages[0].ID), Source: Own, Title: line(c.Title),
		Kept: &Kept{From: c.ID, Pinned: c.Pinned, Archived: c.Archived},
	}
	if c.Project != nil {
		read.Kept.Project, read.Kept.Folder = line(c.Project.Title), c.Project.Folder
	}
	for {
		next := -1
		for i, list := range lists {
			if len(list) > 0 && (next < 0 || saidAt(list[0]).Before(saidAt(lists[next][0]))) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		m, err := o.message(lists[next][0], under[next])
		if err != nil {
			return read, err
		}
		read.Messages, lists[next] = append(read.Messages, m), lists[next][1:]
	}
	read.Created = read.Messages[0].Time
	for _, j := range c.Jobs {
		past := PastJob{
			ID: o.job(j.ID), Turn: o.id(j.Turn), Title: line(j.Title), State: j.State, Request: words(j.Request), Report: words(j.Report),
			Created: moment(j.Created), Ended: moment(j.Ended),
		}
		if err := o.know(j.Messages); err != nil {
			return read, err
		}
		for _, m := range j.Messages {
			said, err := o.message(m, "")
			if err != nil {
				return read, err
			}
			past.Messages = append(past.Messages, said)
		}
		read.Kept.Jobs = append(read.Kept.Jobs, past)
	}
	return read, nil
}

// saidAt is when a message was said, as far as that can be read.
func saidAt(m ownMessage) time.Time {
	at, _ := time.Parse(time.RFC3339Nano, m.Time) // who reads the message says so
	return at
}

type ownReader struct {
	*reader
	files     map[string]string
	ids, jobs map[string]bool
}

func (o *ownReader) know(list []ownMessage) error {
	for _, m := range list {
		if m.ID == "" || o.ids[m.ID] || len(o.ids) >= mostMessages {
			return refuse("a message without an id of its own, or too many")
		}
		o.ids[m.ID] = true
	}
	return nil
}

// id is what a message is called here, "" for one that is not in the file.
func (o *ownReader) id(was string) string {
	if !o.ids[was] {
		return ""
	}
	return idOf(OwnFormat, was)
}

func (o *ownReader) job(was string) string {
	if !o.jobs[was] {
		return ""
	}
	return idOf(OwnFormat, "job", was)
}

func (o *ownReader) message(m ownMessage, under string) (Message, error) {
	at, err := time.Parse(time.RFC3339Nano, m.Time)
	if err != nil {
		return Message{}, refuse("%w", err)
	}
	read := Message{ID: o.id(m.ID), Was: m.ID, Text: words(m.Text), Time: moment(at), Under: o.id(under), Said: m.ChatMessage}
	switch m.Role {
	case event.RoleCustomer, event.RoleImportedAsk:
		read.Mine = true
	case event.RoleShop, event.RoleJob, event.RoleImportedReply:
	default:
		return read, refuse("nobody is called %q", m.Role)
	}
	s := &read.Said
	s.Attachments, s.Turn, s.JobID, s.Reasoning, s.Code = nil, o.id(m.Turn), o.job(m.JobID), words(m.Reasoning), line(m.Code)
	versions := s.Versions
	s.Versions = nil
	for _, v := range versions {
		if id := o.id(v); id != "" {
			s.Versions = append(s.Versions, id)
		}
	}
	for i := range s.Did {
		s.Did[i].Text = words(s.Did[i].Text)
		switch s.Did[i].Outcome {
		case event.EffectDone, event.EffectFailed, event.EffectUnknown, event.EffectNone, event.EffectRead:
		default: // nobody can tell what it means
			s.Did[i].Outcome = event.EffectUnknown
		}
	}
	for _, a := range m.Attachments {
		name := line(path.Base(strings.ReplaceAll(a.Name, `\`, "/")))
		if f := o.named[o.files[a.ID]]; f != nil {
			read.Files = append(read.Files, File{Name: name, at: f})
		} else {
			read.Missing = append(read.Missing, name)
		}
	}
	return read, nil
}
