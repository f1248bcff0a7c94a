package shop

import (
	"context"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/manager"
	"agentchat/backend/media"
	"agentchat/backend/store"
	"agentchat/backend/toolbox"
)

// How much a snapshot and a page of history carry.
const (
	snapshotChats    = 20
	snapshotMessages = 100
	detailLines      = 2000
	maxHits          = 50
)

// Say takes one customer message, or the id of a pressed button, and returns as soon as it is stored.
func (s *Shop) Say(ctx context.Context, chat, text, action string) (event.ChatMessage, error) {
	return s.manager.OnUserInput(ctx, chat, text, action)
}

// Answer answers an open question. Errors: not_found, stale_answer, bad_choice, digest_mismatch, invalid_args.
func (s *Shop) Answer(ctx context.Context, reply ask.Reply) (ask.Ask, error) {
	return s.desk.Answer(ctx, reply)
}

// CancelJob stops a job. Errors: not_found, job_ended.
func (s *Shop) CancelJob(id string) error { return s.jobs.CancelJob(id) }

// StopReply stops the reply being written in a chat; not_found when none is.
func (s *Shop) StopReply(chat string) error {
	if !s.manager.StopReply(chat) {
		return apperr.New(apperr.NotFound, "what", "reply", "id", chat)
	}
	return nil
}

// Snapshot is the whole state of the shop. Seq is taken first: an envelope after it may be in the state already, and
// applying it again changes nothing.
func (s *Shop) Snapshot(ctx context.Context) (Snapshot, error) {
	snap := Snapshot{Seq: s.Bus.Seq(), Version: Version, Recovered: s.recovered}
	chats, err := s.store.Chats(ctx)
	if err != nil {
		return snap, err
	}
	snap.Chats = make([]ChatView, len(chats))
	for i, c := range chats {
		view := ChatView{ID: c.ID, Title: c.Title, Updated: c.Updated.Format(time.RFC3339Nano), Messages: []event.ChatMessage{}, Busy: s.manager.Busy(c.ID)}
		if i < snapshotChats || c.ID == "main" {
			if view.Messages, err = s.store.History(ctx, c.ID, "", snapshotMessages); err != nil {
				return snap, err
			}
		}
		snap.Chats[i] = view
	}
	jobs, err := s.store.Jobs(ctx, s.Config.Get().JobKeep)
	if err != nil {
		return snap, err
	}
	places := s.jobs.Places()
	snap.Jobs = make([]job.View, len(jobs))
	for i, j := range jobs {
		snap.Jobs[i] = j.View()
		snap.Jobs[i].Place = places[j.ID]
	}
	asks, err := s.desk.Open(ctx)
	if err != nil {
		return snap, err
	}
	snap.Asks = openings(asks)
	if snap.Service, err = s.manager.Sessions(ctx); err != nil {
		return snap, err
	}
	box := s.box.Inventory()
	snap.Inventory, snap.Groups = box.Tools, box.Groups
	snap.Workers, snap.Provider, snap.Media = s.jobs.Workers(), s.duty.now(), s.screens.now()
	return snap, nil
}

func openings(asks []ask.Ask) []event.AskOpened {
	list := make([]event.AskOpened, len(asks))
	for i, a := range asks {
		list[i] = a.Opening()
	}
	return list
}

// History gives up to limit messages of a chat before a message id ("" for the newest), oldest first.
func (s *Shop) History(ctx context.Context, chat, before string, limit int) ([]event.ChatMessage, error) {
	return s.store.History(ctx, chat, before, limit)
}

// Job gives one job with its questions, its log and its own chat. Errors: not_found.
func (s *Shop) Job(ctx context.Context, id string) (JobDetail, error) {
	rec, err := s.store.LoadRun(ctx, id)
	if err != nil {
		return JobDetail{}, err
	}
	d := JobDetail{Job: rec.Run.Job.View(), Asks: []event.AskOpened{}, Closed: []ClosedAsk{}, Log: []LogEntry{}}
	d.Job.Place = s.jobs.Places()[id]
	asks, err := s.store.JobAsks(ctx, id)
	if err != nil {
		return d, err
	}
	for _, a := range asks {
		if a.State == ask.StateOpen {
			d.Asks = append(d.Asks, a.Opening())
			continue
		}
		closed := ClosedAsk{Ask: a.Opening(), Choice: ask.ChoiceNone, By: ask.BySystem}
		if a.Answer != nil {
			closed.Choice, closed.By, closed.Text = a.Answer.Choice, a.Answer.By, a.Answer.Text
			closed.Time = a.Answer.At.UTC().Format(time.RFC3339Nano)
		}
		d.Closed = append(d.Closed, closed)
	}
	s.keeper.flush()
	lines, err := s.store.JobLog(ctx, id, detailLines)
	if err != nil {
		return d, err
	}
	d.Log = entries(lines)
	d.Messages, err = s.store.History(ctx, manager.JobChat+id, "", snapshotMessages)
	return d, err
}

func entries(lines []store.LogLine) []LogEntry {
	list := make([]LogEntry, len(lines))
	for i, l := range lines {
		list[i] = LogEntry{Time: l.At.Format(time.RFC3339Nano), JobID: l.Job, TodoID: l.Todo, Level: l.Level, Line: l.Line}
	}
	return list
}

// JobLogs gives the newest log lines of all jobs, oldest first.
func (s *Shop) JobLogs(ctx context.Context, limit int) ([]LogEntry, error) {
	s.keeper.flush()
	lines, err := s.store.JobLog(ctx, "", limit)
	return entries(lines), err
}

// ClearEnded takes ended jobs off the board.
func (s *Shop) ClearEnded(ctx context.Context) error { return s.store.ClearEnded(ctx) }

// NewChat opens an empty conversation.
func (s *Shop) NewChat(ctx context.Context) (event.ChatCreated, error) {
	c := event.ChatCreated{ID: newID()}
	if err := s.store.AddChat(ctx, c.ID, ""); err != nil {
		return c, err
	}
	s.Bus.Publish(event.Of(c.ID, "", c))
	return c, nil
}

// RenameChat gives a conversation another title. Errors: not_found, invalid_args.
func (s *Shop) RenameChat(ctx context.Context, id, title string) error {
	title = strings.TrimSpace(title)
	if title == "" || len(title) > 400 {
		return apperr.New(apperr.InvalidArgs, "detail", "1…400 bytes")
	}
	if err := s.store.RenameChat(ctx, id, title); err != nil {
		return err
	}
	s.Bus.Publish(event.Of(id, "", event.ChatCreated{ID: id, Title: title}))
	return nil
}

// DeleteChat removes a conversation and stops its jobs. Errors: not_found.
func (s *Shop) DeleteChat(ctx context.Context, id string) error {
	jobs, err := s.store.ChatJobs(ctx, id, 1000)
	if err != nil {
		return err
	}
	for _, j := range jobs {
		if err := s.jobs.CancelJob(j.ID); err != nil && apperr.CodeOf(err) != apperr.JobEnded {
			return err
		}
	}
	return s.store.DeleteChat(ctx, id)
}

// HideMessage takes one message out of its conversation, or puts it back. Errors: not_found.
func (s *Shop) HideMessage(ctx context.Context, id string, hidden bool) error {
	return s.store.HideMessage(ctx, id, hidden)
}

// Search looks for text in conversations, jobs and logs.
func (s *Shop) Search(ctx context.Context, text string) ([]SearchHit, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return []SearchHit{}, nil
	}
	s.keeper.flush()
	found, err := s.store.Search(ctx, text, maxHits)
	if err != nil {
		return nil, err
	}
	hits := make([]SearchHit, len(found))
	for i, h := range found {
		hits[i] = SearchHit{Kind: h.Kind, Chat: h.Chat, JobID: h.Job, ID: h.ID, Title: h.Title, Text: h.Text, Time: h.At.Format(time.RFC3339Nano)}
	}
	return hits, nil
}

// Tools lists the manuals of all tools, with the settings in force.
func (s *Shop) Tools() []toolbox.Spec { return s.box.Specs() }

// MediaReport tells where the real player of a device is, in seconds. It is about whichever job has the device now.
func (s *Shop) MediaReport(r media.Report) {
	r.JobID = s.screens.holder(string(r.Device))
	s.player.Report(r)
}

// JobGraph and TurnGraph draw the graphs as Mermaid text.
func (s *Shop) JobGraph() string { return s.jobs.Mermaid() }

// TurnGraph draws the graph of one turn.
func (s *Shop) TurnGraph() string { return s.manager.Mermaid() }

// LibraryGraph draws the graph of a question to the library.
func (s *Shop) LibraryGraph() string { return s.librarian.Mermaid() }

// Provider says who interprets now.
func (s *Shop) Provider() event.ProviderState { return s.duty.now() }

// WaitIdle returns when no turn is being answered, no job runs or stands in line and no conversation is being summed up;
// otherwise the context's error.
// Jobs that wait for a person, a tool or a moment do not count as running.
func (s *Shop) WaitIdle(ctx context.Context) error {
	for {
		if err := s.manager.WaitIdle(ctx); err != nil {
			return apperr.Wrap(err, apperr.Timeout)
		}
		if err := s.jobs.WaitIdle(ctx); err != nil {
			return apperr.Wrap(err, apperr.Timeout)
		}
		if err := s.memory.WaitIdle(ctx); err != nil {
			return apperr.Wrap(err, apperr.Timeout)
		}
		if !s.manager.Busy("") && !s.jobs.Busy() {
			return nil
		}
	}
}
