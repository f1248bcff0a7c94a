package shop

import (
	"context"
	"encoding/json"
	"path/filepath"
	"time"

	"agentchat/backend/frontdesk"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/policy"
	"agentchat/backend/store"
	"agentchat/backend/tools/mcp"
	"agentchat/backend/tools/web"
)

// JobGraph and TurnGraph draw the graphs as Mermaid text.
func (s *Shop) JobGraph() string { return s.jobs.Mermaid() }

// TurnGraph draws the graph of one turn.
func (s *Shop) TurnGraph() string { return s.manager.Mermaid() }

// LibraryGraph draws the graph of a question to the library.
func (s *Shop) LibraryGraph() string { return s.librarian.Mermaid() }

// Why says for people what a tag of evidence says.
var Why = why

// Todos are the steps of a job as the ledger has them, with what each is to be done with.
func (s *Shop) Todos(ctx context.Context, id string) ([]job.Todo, error) {
	rec, err := s.store.LoadRun(ctx, id)
	return rec.Run.Job.Todos, err
}

// Called is what the newest tool of a job was called with, or is going to be; nil when none was chosen.
func (s *Shop) Called(ctx context.Context, id string) (json.RawMessage, error) {
	rec, err := s.store.LoadRun(ctx, id)
	if err != nil {
		return nil, err
	}
	if rec.Run.Call != nil {
		return rec.Run.Call.Args, nil
	}
	entries, err := s.store.Audit(ctx, policy.Filter{Job: id}, 0, 1)
	if err != nil || len(entries) == 0 {
		return nil, err
	}
	return entries[0].Args, nil
}

// Anew is another reader of the ledger, who knows nothing of what is kept. It has Carried and Close, and nothing else.
func (s *Shop) Anew(ctx context.Context) (*Shop, error) {
	ledger, err := store.Open(ctx, filepath.Dir(s.store.Path()), nil)
	if err != nil {
		return nil, err
	}
	return &Shop{Config: s.Config, store: ledger, closing: []func() error{ledger.Close}}, nil
}

// Carried is what a snapshot carries of the ledger's chats and jobs.
func (s *Shop) Carried(ctx context.Context) ([]ChatView, []job.View, error) {
	chats, err := s.conversations(ctx)
	if err != nil {
		return nil, nil, err
	}
	jobs, err := s.store.Board(ctx, s.Config.Get().JobKeep)
	return chats, jobs, err
}

// PicturesFrom has the pictures of answers looked up, and connected to if it is not nil, by a test.
func (s *Shop) PicturesFrom(o web.Options) {
	o.Line = s.line
	s.pictures = web.NewPictures(o)
}

// WakeStanding has the standing orders look at the clock.
func (s *Shop) WakeStanding() { s.standing.Wake() }

// WakeReminders has the reminders look at the clock.
func (s *Shop) WakeReminders() { s.reminders.Wake() }

// Near are the requests that come near to a text that nobody understood.
func (s *Shop) Near(ctx context.Context, text string, lang bilingual.Lang) []frontdesk.Request {
	m := frontdesk.Message{Text: text, Now: time.Now()}
	return s.front.Near(m, s.front.Read(ctx, m), lang)
}

// SampleOutside is what a server that may ask for words calls.
func (s *Shop) SampleOutside(ctx context.Context, q mcp.Question) (mcp.Sampled, error) {
	return s.sampleOutside(ctx, q)
}

// Telling runs what stores something of a chat and tells of it.
func (s *Shop) Telling(do func() error) error { return s.manager.Telling(do) }
