package shop

import (
	"context"
	"strings"

	"agentchat/backend/about"
	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/manager"
	"agentchat/backend/toolbox"
)

// How much a snapshot and a page of history carry: of so many chats the newest messages, of the first of them so many, until together
// they are snapshotWhole, and of the others as many as one sees at a glance.
const (
	snapshotChats    = 20
	snapshotMessages = 100
	snapshotWhole    = 200
	snapshotGlance   = 10
	detailLines      = 2000
)

// Say takes one customer message, or the id of a pressed button, and returns as soon as it is stored. seen is the mark of the
// confirmation that the front was showing.
func (s *Shop) Say(ctx context.Context, chat, text, action, seen string) (event.ChatMessage, error) {
	s.readIns.expect(chat)
	return s.manager.OnUserInput(ctx, chat, text, action, seen)
}

// SayAbout takes a message that asks about one document of the library. Errors: those of Say, document_gone.
func (s *Shop) SayAbout(ctx context.Context, chat, text, document string) (event.ChatMessage, error) {
	s.readIns.expect(chat)
	return s.manager.SayAbout(ctx, chat, text, document)
}

// SayInstead says something in the place of an earlier request, which goes out of sight as a version, with all that came of it and after
// it. Errors: those of SayWith, not_found.
func (s *Shop) SayInstead(ctx context.Context, request string, in manager.Instead) (event.ChatMessage, error) {
	return s.manager.SayInstead(ctx, request, in)
}

// Answer answers an open question. Errors: not_found, stale_answer, bad_choice, digest_mismatch, invalid_args.
func (s *Shop) Answer(ctx context.Context, reply ask.Reply) (ask.Ask, error) {
	if strings.HasPrefix(reply.Ask, outsideAsk) {
		return s.asked.answer(reply)
	}
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
	snap := Snapshot{Seq: s.Bus.Seq(), Version: about.Version, Crashed: s.crashed(), Recovered: s.recovered.Load()}
	s.places.Flush()
	var err error
	if snap.Chats, err = s.conversations(ctx); err != nil {
		return snap, err
	}
	for i, c := range snap.Chats {
		snap.Chats[i].Busy = s.manager.Busy(c.ID)
	}
	if snap.Jobs, err = s.store.Board(ctx, s.Config.Get().JobKeep); err != nil {
		return snap, err
	}
	if places := s.jobs.Places(); len(places) > 0 {
		for i, j := range snap.Jobs {
			snap.Jobs[i].Place = places[j.ID]
		}
	}
	if snap.Asks, err = s.waiting(ctx); err != nil {
		return snap, err
	}
	if snap.Service, err = s.manager.Sessions(ctx); err != nil {
		return snap, err
	}
	if snap.Shelves, err = s.shelves.Views(ctx); err != nil {
		return snap, err
	}
	if snap.Projects, err = s.Projects(ctx); err != nil {
		return snap, err
	}
	if snap.Drafts, err = s.store.Drafts(ctx); err != nil {
		return snap, err
	}
	box := s.box.Inventory()
	snap.Inventory, snap.Groups = box.Tools, box.Groups
	snap.Workers, snap.Provider, snap.Media = s.jobs.Workers(), s.failover.State(), s.screens.Open()
	return snap, nil
}

// conversations are the chats with as many of their newest messages as a snapshot carries.
func (s *Shop) conversations(ctx context.Context) ([]ChatView, error) {
	chats, err := s.store.Chats(ctx)
	if err != nil {
		return nil, err
	}
	views := make([]ChatView, len(chats))
	told, glance := 0, []string{}
	for i, c := range chats {
		views[i] = ChatView{
			ID: c.ID, Title: c.Title, Updated: event.Stamp(c.Updated), Pinned: c.Pinned, Messages: []event.ChatMessage{},
			Archived: c.Archived, Project: c.Project, Instructions: c.Instructions, Model: c.Model,
			Unread: c.Unread, Line: c.Line, Offset: c.Offset,
		}
		most := min(snapshotMessages, snapshotWhole-told)
		if c.ID == "main" {
			most = snapshotMessages
		}
		switch {
		case i >= snapshotChats && c.ID != "main":
		case most <= snapshotGlance:
			glance = append(glance, c.ID)
		default:
			newest, err := s.store.Newest(ctx, []string{c.ID}, most)
			if err != nil {
				return nil, err
			}
			if list := newest[c.ID]; len(list) > 0 {
				views[i].Messages = list
			}
			told += len(newest[c.ID])
		}
	}
	newest, err := s.store.Newest(ctx, glance, snapshotGlance)
	for i, c := range views {
		if list := newest[c.ID]; len(list) > 0 {
			views[i].Messages = list
		}
	}
	return views, err
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
		if a.State == ask.StateUnreadable {
			continue
		}
		if a.State == ask.StateOpen {
			d.Asks = append(d.Asks, a.Opening())
			continue
		}
		closed := ClosedAsk{Ask: a.Opening(), Choice: ask.ChoiceNone, By: ask.BySystem}
		if a.Answer != nil {
			closed.Choice, closed.By, closed.Via, closed.Text = a.Answer.Choice, a.Answer.By, a.Answer.Via, a.Answer.Text
			closed.Time = event.Stamp(a.Answer.At)
		}
		d.Closed = append(d.Closed, closed)
	}
	s.recorder.Flush()
	lines, err := s.store.JobLog(ctx, id, detailLines)
	if err != nil {
		return d, err
	}
	d.Log = entries(lines)
	d.Messages, err = s.store.History(ctx, manager.JobChat+id, "", snapshotMessages)
	return d, err
}

func entries(lines []job.LogLine) []LogEntry {
	list := make([]LogEntry, len(lines))
	for i, l := range lines {
		list[i] = LogEntry{Time: event.Stamp(l.At), JobID: l.Job, TodoID: l.Todo, Level: l.Level, Line: l.Line}
	}
	return list
}

// JobLogs gives the newest log lines of all jobs, oldest first.
func (s *Shop) JobLogs(ctx context.Context, limit int) ([]LogEntry, error) {
	s.recorder.Flush()
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
	title, err := chatTitle(title)
	if err != nil {
		return err
	}
	if err := s.store.RenameChat(ctx, id, title); err != nil {
		return err
	}
	s.manager.AwaitTold() // that the shop named it itself just before
	s.Bus.Publish(event.Of(id, "", event.ChatCreated{ID: id, Title: title}))
	return nil
}

// PinChat keeps a conversation before the others, or lets it go. Errors: not_found.
func (s *Shop) PinChat(ctx context.Context, id string, pinned bool) error {
	if err := s.store.PinChat(ctx, id, pinned); err != nil {
		return err
	}
	s.Bus.Publish(event.Of(id, "", event.ChatPinned{ID: id, Pinned: pinned}))
	return nil
}

// DeleteChat removes a conversation and ends what is under way in it. Errors: not_found.
func (s *Shop) DeleteChat(ctx context.Context, id string) error {
	return s.manager.DeleteChat(ctx, id)
}

// RestoreChat takes a conversation back that was deleted. Errors: not_found.
func (s *Shop) RestoreChat(ctx context.Context, id string) error {
	return s.manager.RestoreChat(ctx, id)
}

// DeletedChatView is a conversation that can be taken back.
type DeletedChatView struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Deleted string `json:"deleted,omitempty"`
	Updated string `json:"updated"`
}

// DeletedChats lists the conversations that can be taken back, the last deleted first.
func (s *Shop) DeletedChats(ctx context.Context) ([]DeletedChatView, error) {
	list, err := s.manager.DeletedChats(ctx)
	views := make([]DeletedChatView, len(list))
	for i, c := range list {
		views[i] = DeletedChatView{ID: c.ID, Title: c.Title, Deleted: event.Stamp(c.Deleted), Updated: event.Stamp(c.Updated)}
	}
	return views, err
}

// HideMessage takes one message out of its conversation, or puts it back. Errors: not_found.
func (s *Shop) HideMessage(ctx context.Context, id string, hidden bool) error {
	return s.store.HideMessage(ctx, id, hidden)
}

// Tools lists the manuals of all tools, with the settings in force.
func (s *Shop) Tools() []toolbox.Spec { return s.box.Specs() }

// Provider says who interprets now.
func (s *Shop) Provider() event.ProviderState { return s.failover.State() }

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

// Settled says whether this shop is there to stay, for those who find its folder taken: its doors are open, and it is not about to close.
func (s *Shop) Settled(is bool) { s.lock.Settled(is) }
