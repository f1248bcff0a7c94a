package manager

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/graph"
	"agentchat/backend/language/act"
	"agentchat/backend/library"
	"agentchat/backend/library/agent"
	"agentchat/backend/names"
	"agentchat/backend/provider"
)

// Librarian answers questions about the customer's documents.
type Librarian interface {
	// Answer walks an inquiry to its answer from where it stands. save journals it after every node.
	Answer(ctx context.Context, q *agent.Inquiry, save func(*agent.Inquiry) error) error
	// Plain tells whether no model is on duty: then a question that nobody understood may still be one for the library.
	Plain() bool
	// Titled gives the title of a document, not_found when there is none, or of a shelf (event.ShelfPlace), shelf_gone.
	Titled(ctx context.Context, place string) (string, error)
	// Shelves are the names of the shelves; Shelf gives the place of one.
	Shelves() names.Room
	Shelf(ctx context.Context, name string) (event.DocumentRef, bool)
	// ChatAttachments gives what is attached in a chat, the last first.
	ChatAttachments(ctx context.Context, chat string) ([]event.Attachment, error)
	// Bounds is what questions of a chat are answered from where they name nothing; ok is false for everything.
	Bounds(ctx context.Context, chat string) (place event.DocumentRef, ok bool, err error)
	// HandedIn gives what was read of attachments, to be looked in, and those that are pictures; what is gone is left out.
	HandedIn(ctx context.Context, list []event.Attachment) (documents []event.DocumentRef, pictures []event.Attachment, err error)
	// Keeping says where an inquiry is kept after each of its nodes, so that a crash in the middle loses nothing of it. own is
	// a place of its own, nil for none: then it is kept with its turn, if durable.
	Keeping(ctx context.Context) (own Checkpoints, durable bool)
	// Readings is what is being read that a question to a place may be about ("": to all of the library). Await returns when what a
	// question waits for of one has been dealt with, or with ctx's error.
	Readings(place string) []library.Reading
	Await(ctx context.Context, r library.Reading) error
}

// Checkpoints keeps how far inquiries are, by turn. Errors are storage errors.
type Checkpoints interface {
	Checkpoint(ctx context.Context, turn string) (q *agent.Inquiry, begun bool, err error)
	SaveCheckpoint(ctx context.Context, turn string, q *agent.Inquiry, now time.Time) error
	DropCheckpoint(ctx context.Context, turn string) error
}

// earlier is what a question may lean on: the last exchange of the chat, if the library answered it, and the files that it was about.
func (m *Manager) earlier(ctx context.Context, t *Turn) (last *agent.Earlier, about []event.Attachment, err error) {
	msgs, err := m.deps.Store.History(ctx, t.Chat, "", manyTurns)
	if err != nil {
		return nil, nil, err
	}
	question := ""
	for _, msg := range msgs {
		switch {
		case msg.ID == t.ID:
			return last, about, nil
		case msg.Role == event.RoleCustomer:
			question = msg.Text
			if len(msg.Attachments) > 0 {
				about = msg.Attachments
			}
		case msg.Library != nil:
			last = &agent.Earlier{Question: question, Answer: msg.Text}
			for _, s := range msg.Library.Sources {
				if s.Article != "" {
					last.Articles = append(last.Articles, s.Article)
				}
				if s.Kind != string(library.KindAttached) {
					about = nil // the talk has gone on to the library
				}
			}
		case msg.Role == event.RoleShop:
			last, about = nil, nil // the conversation has moved on
		}
	}
	return last, about, nil
}

// manyTurns is how many messages are looked back on: one may ask on and on about what is attached.
const manyTurns = 40

// asksLibrary tells how sure it is that a message asks about the documents: 2 sure, 1 possible, 0 no. It readies the
// inquiry.
func (m *Manager) asksLibrary(ctx context.Context, t *Turn) (int, error) {
	if m.deps.Library == nil || t.steers() || t.Action != "" {
		return 0, nil
	}
	before, about, err := m.earlier(ctx, t)
	if err != nil {
		return 0, err
	}
	t.inquires(before)
	if t.About != nil {
		return 2, nil
	}
	if before != nil && agent.Concerns(t.Text, true) > 0 {
		t.Carried, t.Inquiry.Loose = about, !agent.Leans(t.Text) && agent.Concerns(t.Text, false) == 2
	}
	if wants := t.wants(); wants != nil && m.worthAsking(wants(act.DocumentAsk), wants(act.Knowledge)) {
		return 2, nil
	}
	return agent.Concerns(t.Text, before != nil), nil
}

// The costs, in turns of the conversation, of asking the documents in vain and of not asking them (frontdesk's costs: 1 for an unwanted
// answer, 1.5 for having to say it again). A question of general knowledge loses less by a look into the documents, because without it
// nothing answers at all.
const (
	costInVain    = 1
	costOfLooking = 0.5
	costOfMissing = 1.5
)

// worthAsking tells whether asking the documents has the lower expected cost, given how probable it is that the documents or general
// knowledge are meant. With a model a vain look costs more, because the model may know the answer itself.
func (m *Manager) worthAsking(documents, knowledge float64) bool {
	inVain := (1 - documents) * costInVain
	if m.plain() {
		inVain -= knowledge * (costInVain - costOfLooking)
	}
	return documents*costOfMissing >= inVain
}

// SayAbout takes a message that asks about one document of the library, one shelf of it (event.ShelfPlace) or what is attached in the chat
// (event.AttachedPlace), whatever its words say. Errors: those of OnUserInput, document_gone, shelf_gone, attachment_gone.
func (m *Manager) SayAbout(ctx context.Context, chat, text, place string) (event.ChatMessage, error) {
	text, err := said(text)
	if err != nil {
		return event.ChatMessage{}, err
	}
	if chat == "" {
		chat = "main"
	}
	if len(chat) > 128 || strings.HasPrefix(chat, JobChat) {
		return event.ChatMessage{}, apperr.New(apperr.InvalidArgs, "detail", "chat")
	}
	about, err := m.titled(ctx, chat, place)
	if err != nil {
		return event.ChatMessage{}, err
	}
	return m.take(ctx, Turn{Chat: chat, Text: text, Lang: m.tongue(chat, text), About: about})
}

// titled names what a question may be put to; "" is none. Errors: document_gone, shelf_gone, attachment_gone, storage errors.
func (m *Manager) titled(ctx context.Context, chat, document string) (*event.DocumentRef, error) {
	if document == "" {
		return nil, nil
	}
	if m.deps.Library == nil {
		return nil, apperr.New(apperr.DocumentGone)
	}
	if document == event.AttachedPlace {
		return m.attachedIn(ctx, chat)
	}
	title, err := m.deps.Library.Titled(ctx, document)
	if apperr.CodeOf(err) == apperr.NotFound {
		err = apperr.New(apperr.DocumentGone)
	}
	return &event.DocumentRef{DocumentID: document, Title: title}, err
}

// divided tells whether a message asks the documents something and orders work besides. Then the work is planned by its own
// words, and the library answers the rest once it is handed out.
func (m *Manager) divided(ctx context.Context, t *Turn) bool {
	if t.Inquiry == nil || m.deps.Ordered == nil {
		return false
	}
	rest, orders := t.Text, ""
	for _, order := range m.deps.Ordered(t.Text) {
		brief := m.planning(ctx, t, nil)
		brief.Request, brief.Evidence = order, nil
		if read, ok := m.deps.Planner.Reads(ctx, brief); !ok || read.Route != provider.RouteJobs || agent.Concerns(order, false) > 0 {
			continue
		}
		rest, orders = strings.Replace(rest, order, " ", 1), strings.TrimSpace(orders+" "+order)
	}
	rest = strings.TrimSpace(rest)
	sure := agent.Concerns(rest, t.Inquiry.Before != nil)
	if orders == "" || sure == 0 || sure == 1 && !m.deps.Library.Plain() {
		return false
	}
	t.Work, t.Inquiry.Text = orders, rest
	return true
}

// named names the questions of a message that its work does not answer, unless a model worded the reply and could answer
// them there.
func (t *Turn) named() string {
	if t.Work != "" || t.Worded || len(t.Plan.Left) == 0 {
		return ""
	}
	list := make([]string, len(t.Plan.Left))
	for i, text := range t.Plan.Left {
		list[i] = t.say("‘"+text+"’", "“"+text+"”")
	}
	return "\n\n" + t.say("아직 답하지 못한 질문이니 따로 물어봐 주세요: ", "Not answered, please ask by itself: ") + strings.Join(list, ", ")
}

// afterWork is where a turn goes on whose work is handed out.
func (t *Turn) afterWork() (next string) {
	if t.Work == "" {
		return nodeSave
	}
	t.Lead = t.Reply + "\n\n"
	t.out.Events = append(t.out.Events, event.Of(t.Chat, "", event.ChatToken{ID: t.Message, Delta: "\n\n"}))
	return nodeLibrary
}

// mindReading notes the imports that are under way when the library is asked, and says what the question waits for.
func (m *Manager) mindReading(t *Turn) bool {
	if t.Awaits != nil || t.Inquiry.Next != "" || len(t.Attachments) > 0 {
		return false // they have been waited for, or the answer was begun, or what is asked is there
	}
	place := ""
	if t.About != nil {
		place = t.About.DocumentID
	}
	t.Awaits = m.deps.Library.Readings(place)
	if len(t.Awaits) == 0 {
		return false
	}
	files := 0
	for _, r := range t.Awaits {
		files += r.Files
	}
	name := t.Awaits[0].File
	text := t.say(fmt.Sprintf("‘%s’ 문서를 아직 읽고 있어요. 다 읽으면 답할게요.", name), fmt.Sprintf("“%s” is still being read. I will answer when that is done.", name))
	if files > 1 {
		text = t.say(fmt.Sprintf("‘%s’ 말고도 %d개, 모두 %d개 문서를 아직 읽고 있어요. 읽으면 답할게요.", name, files-1, files), fmt.Sprintf("“%s” and %d more documents are still being read. I will answer after that.", name, files-1))
	}
	step := event.Thinking{Step: nodeReading, Text: text, Data: map[string]any{"message": t.Message}}
	t.Inquiry.Trail = append(t.Inquiry.Trail, step)
	t.out.Events = append(t.out.Events, event.Of(t.Chat, "", step))
	return true
}

// reading waits until the documents are there that the question may be about. Only the talk of this chat waits with it.
func (m *Manager) reading(ctx context.Context, t *Turn) (graph.Move, error) {
	for _, r := range t.Awaits {
		if err := m.deps.Library.Await(ctx, r); err != nil {
			return graph.Move{}, err
		}
	}
	return graph.To(nodeLibrary), nil
}

// library answers from the documents. The inquiry is part of the turn: it goes on where it stood after a crash.
func (m *Manager) library(ctx context.Context, t *Turn) (graph.Move, error) {
	q := t.Inquiry
	if q == nil {
		t.inquires(nil)
		q = t.Inquiry
	}
	if q.About == nil {
		place, bounded, err := m.deps.Library.Bounds(ctx, t.Chat)
		if err != nil {
			return graph.Move{}, err
		}
		if bounded {
			q.About = &place
		}
	}
	if err := m.attached(ctx, t); err != nil {
		if ctx.Err() == nil {
			t.fail(err)
			return graph.To(nodeSave), nil
		}
		return graph.Move{}, err
	}
	if m.mindReading(t) {
		return graph.To(nodeReading), nil
	}
	own, durable := m.deps.Library.Keeping(ctx)
	if own != nil {
		kept, begun, err := own.Checkpoint(ctx, t.ID)
		switch {
		case err != nil: // whatever became of the place, the question can be answered
			m.deps.Log.Warn().Err(err).Msg("no checkpoint of the question can be had")
			own = nil
		case begun:
			*q = *kept
		}
	}
	err := m.deps.Library.Answer(ctx, q, func(q *agent.Inquiry) error {
		switch {
		case own != nil:
			if err := own.SaveCheckpoint(ctx, t.ID, q, m.deps.Now()); err != nil && ctx.Err() == nil {
				m.deps.Log.Warn().Err(err).Msg("the question goes on without checkpoints")
				own = nil
			}
		case durable:
			return m.deps.Store.SaveTurn(ctx, TurnStep{Turn: t, Node: nodeLibrary, Next: nodeLibrary})
		}
		return nil
	})
	if own != nil && ctx.Err() == nil {
		if lost := own.DropCheckpoint(ctx, t.ID); lost != nil { // it goes by itself in time
			m.deps.Log.Warn().Err(lost).Msg("a checkpoint stays")
		}
	}
	switch {
	case ctx.Err() != nil:
		return graph.Move{}, cmp.Or(err, ctx.Err())
	case err != nil:
		handed := t.Jobs
		t.fail(err)
		t.Jobs, t.Reply = handed, t.Lead+t.Reply
		return graph.To(nodeSave), nil
	}
	t.Reply, t.Thought, t.Worded, t.Next = t.Lead+q.Answer, q.Reasoning, t.Worded && t.Lead != "" || !m.deps.Library.Plain(), event.NextNone
	if len(q.Sources) > 0 {
		t.out.Events = append(t.out.Events, event.Of(t.Chat, "", event.Sources{MessageID: t.Message, Items: q.Sources}))
	}
	return graph.To(nodeSave), nil
}

// note is what stands with an answer from the library.
func (t *Turn) note() *event.LibraryNote {
	if t.Inquiry == nil || t.Inquiry.Answer == "" || !strings.HasPrefix(t.Reply, t.Lead+t.Inquiry.Answer) { // something may be said behind it
		return nil
	}
	n := &event.LibraryNote{Sources: t.Inquiry.Sources, Trail: t.Inquiry.Trail, Unverified: t.Inquiry.Unverified}
	if n.Sources == nil {
		n.Sources = []event.Source{}
	}
	return n
}
