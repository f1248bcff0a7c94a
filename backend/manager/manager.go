// Package manager is the general manager: takes every message, has it planned, hands out jobs, and never blocks.
package manager

import (
	"context"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/graph"
	"agentchat/backend/interpreter"
	"agentchat/backend/job"
	"agentchat/backend/provider"
	"agentchat/backend/service"
)

// MaxMessage is how many characters one message may have.
const MaxMessage = 16000

// mostNotes is how many of the newest messages of a job's own chat its letters carry.
const mostNotes = 12

// Planner is what the manager asks the interpreter for.
type Planner interface {
	Plan(ctx context.Context, brief interpreter.Brief) (provider.Plan, error)
}

// Jobs is what the manager needs of the job manager.
type Jobs interface {
	Prepare(chat, request string, lang apperr.Lang, plans []provider.JobPlan) ([]job.Job, error)
	Created(j job.Job, n int) event.Event
	Crowded(n int) (place int, crowded bool)
	Submit(jobs []job.Job)
	CancelJob(id string) error
}

// Desk is what the manager needs of the question desk.
type Desk interface {
	Open(ctx context.Context) ([]ask.Ask, error)
	Answer(ctx context.Context, reply ask.Reply) (ask.Ask, error)
}

// Memory is what the manager needs of the shop's memory.
type Memory interface {
	// Turn says that a turn of a chat begins; done that it is over.
	Turn(chat string) (done func())
	// Background is what letters about a chat begin with, without the messages whose turn is not over.
	Background(ctx context.Context, chat string) interpreter.Background
	// Hear learns what a customer's message tells; the answer, when it asks for nothing else, is not empty.
	Hear(ctx context.Context, chat, message, text string, lang apperr.Lang) (answer string, err error)
}

// Deps are the parts a Manager works with. All but the counter's are required.
type Deps struct {
	Store     Store
	Memory    Memory
	Planner   Planner
	Jobs      Jobs
	Desk      Desk
	Counter   *Counter  // the service counter; nil: there is none
	Orders    Orders    // hands out its jobs
	Library   Librarian // nil: there is none
	Publisher event.Publisher
	Lang      func() apperr.Lang
	Now       func() time.Time
	NewID     func() string
	Log       zerolog.Logger
}

// Manager is the general manager (seed: GeneralManager). Turns of one chat run in order; chats run side by side. Safe
// for concurrent use.
type Manager struct {
	deps  Deps
	graph *graph.Graph[*Turn]
	base  context.Context
	stop  context.CancelFunc
	wg    sync.WaitGroup

	mu      sync.Mutex
	queues  map[string]*queue
	idle    chan struct{} // closed and replaced when no turn is left
	closed  bool
	opened  bool                     // Start has run
	shown   map[string]string        // by chat, what the counter asks to confirm on the screen
	watched map[string]chan struct{} // by job, the turn that waits for its end
}

// queue is one chat's line of turns.
type queue struct {
	turns  []Pending
	cancel context.CancelFunc // stops the turn that is being answered
}

// New makes a manager. Start goes on with turns that a crash interrupted.
func New(deps Deps) (*Manager, error) {
	m := &Manager{
		deps: deps, queues: map[string]*queue{}, idle: make(chan struct{}), shown: map[string]string{}, watched: map[string]chan struct{}{},
	}
	m.base, m.stop = context.WithCancel(context.Background())
	return m, m.compile()
}

// Start takes up every turn that was not over when the program last ended.
func (m *Manager) Start(ctx context.Context) error {
	pending, err := m.deps.Store.PendingTurns(ctx)
	if err != nil {
		return err
	}
	was, err := m.takeStock(ctx, pending) // before the first turn runs and changes any of it
	if err != nil {
		return err
	}
	for _, p := range pending {
		m.enqueue(p)
	}
	return m.takeUp(ctx, was)
}

// OnUserInput takes one message, or the id of a pressed button, and returns as soon as it is stored: nothing else happens
// on this call. Errors: empty_message, message_too_long, storage errors.
func (m *Manager) OnUserInput(ctx context.Context, chat, text, action string) (event.ChatMessage, error) {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	if text == "" && action == "" {
		return event.ChatMessage{}, apperr.New(apperr.EmptyMessage)
	}
	if n := utf8.RuneCountInString(text); n > MaxMessage {
		return event.ChatMessage{}, apperr.New(apperr.MessageTooLong, "size", n, "limit", MaxMessage)
	}
	if chat == "" {
		chat = "main"
	}
	if len(chat) > 128 || len(action) > 256 {
		return event.ChatMessage{}, apperr.New(apperr.InvalidArgs, "detail", "chat or action is too long")
	}
	if text == "" {
		text = action
		if verb, _ := service.Pressed(action); verb != service.VerbNone {
			text = service.Label(verb, m.deps.Lang())
		}
	}
	now := m.deps.Now()
	turn := Turn{ID: m.deps.NewID(), Chat: chat, Text: text, Action: action, Lang: language(text, m.deps.Lang()), Message: m.deps.NewID()}
	if action != "" {
		turn.Lang = m.deps.Lang()
	}
	msg := event.ChatMessage{
		ID: turn.ID, Role: event.RoleCustomer, Text: text, Time: now.UTC().Format(time.RFC3339Nano),
	}
	m.mu.Lock()
	turn.Seen = m.shown[chat]
	m.mu.Unlock()
	title := titleOf(text)
	created, err := m.deps.Store.AddTurn(ctx, turn, msg, title)
	if err != nil {
		return event.ChatMessage{}, err
	}
	if created && !turn.steers() {
		m.deps.Publisher.Publish(event.Of(chat, "", event.ChatCreated{ID: chat, Title: title}))
	}
	job := ""
	if turn.steers() {
		job = turn.jobID()
		msg.JobID = job
	}
	m.deps.Publisher.Publish(event.Of(chat, job, msg))
	m.enqueue(Pending{Turn: turn})
	return msg, nil
}

func (m *Manager) enqueue(p Pending) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return // it stays in the store and is taken up at the next start
	}
	q := m.queues[p.Turn.Chat]
	if q == nil {
		q = &queue{}
		m.queues[p.Turn.Chat] = q
		m.wg.Add(1)
		go m.serve(p.Turn.Chat, q)
	}
	q.turns = append(q.turns, p)
}

// serve answers one chat's turns until none is left.
func (m *Manager) serve(chat string, q *queue) {
	defer m.wg.Done()
	for {
		m.mu.Lock()
		if len(q.turns) == 0 || m.closed {
			delete(m.queues, chat)
			if len(m.queues) == 0 {
				close(m.idle)
				m.idle = make(chan struct{})
			}
			m.mu.Unlock()
			return
		}
		p := q.turns[0]
		q.turns[0] = Pending{}
		q.turns = q.turns[1:]
		ctx, cancel := context.WithCancel(m.base)
		q.cancel = cancel
		m.mu.Unlock()
		m.remembered(ctx, p)
		cancel()
	}
}

// remembered answers a turn that memory knows of. What is said to a job is no turn of a conversation.
func (m *Manager) remembered(ctx context.Context, p Pending) {
	if !p.Turn.steers() {
		defer m.deps.Memory.Turn(p.Turn.Chat)()
	}
	m.answer(ctx, p)
}

// answer walks one turn. A turn that breaks still ends: the customer is told and turn.done is published.
func (m *Manager) answer(ctx context.Context, p Pending) {
	t := p.Turn
	t.out = &TurnStep{}
	_, at, err := m.graph.Run(ctx, &t, p.Next, m, nil)
	if err == nil || m.base.Err() != nil {
		return
	}
	if ctx.Err() == nil {
		m.deps.Log.Error().Err(err).Str("turn", t.ID).Msg("turn broke")
	}
	t.out = &TurnStep{}
	switch {
	case at == nodeSave:
		// Everything was decided and done; only the end is missing.
	case ctx.Err() != nil:
		t.fail(apperr.New(apperr.Canceled))
		t.out.Events = nil
		t.Reply = t.say("답을 멈췄어요.", "Stopped the reply.")
	default:
		t.fail(err)
	}
	if _, _, err := m.graph.Run(context.WithoutCancel(ctx), &t, nodeSave, m, nil); err != nil {
		// It stays in the store and is taken up at the next start; meanwhile the customer is not left waiting.
		m.deps.Log.Error().Err(err).Str("turn", t.ID).Msg("the end of a turn could not be saved")
		m.deps.Publisher.Publish(t.out.Events...)
	}
}

// StopReply stops the reply being written in a chat; false when none is.
func (m *Manager) StopReply(chat string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	q := m.queues[chat]
	if q == nil || q.cancel == nil {
		return false
	}
	q.cancel()
	return true
}

// Busy tells whether a turn of the chat ("" for any) is being answered or waits for it.
func (m *Manager) Busy(chat string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if chat == "" {
		return len(m.queues) > 0
	}
	return m.queues[chat] != nil
}

// WaitIdle returns when no turn is left, or with the context's error.
func (m *Manager) WaitIdle(ctx context.Context) error {
	for {
		m.mu.Lock()
		n, ch := len(m.queues), m.idle
		m.mu.Unlock()
		if n == 0 {
			return nil
		}
		select {
		case <-ch:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Stop interrupts what is being answered and returns when all turns are put down; they are taken up at the next start.
// Stopping twice is fine.
func (m *Manager) Stop() {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	m.stop()
	m.wg.Wait()
}

// Background collects what a letter about a chat needs to know: what memory has of it, and for a job what was said to it.
func (m *Manager) Background(ctx context.Context, chat, jobID string) interpreter.Background {
	b := m.deps.Memory.Background(ctx, chat)
	if jobID == "" {
		return b
	}
	msgs, err := m.deps.Store.History(ctx, JobChat+jobID, "", mostNotes)
	if err != nil {
		m.deps.Log.Warn().Err(err).Str("job", jobID).Msg("what was said to the job could not be read; its letter goes without it")
	}
	for _, msg := range msgs {
		if msg.Role == event.RoleCustomer {
			b.Notes = append(b.Notes, msg.Text)
		}
	}
	return b
}

// Mermaid draws the turn graph.
func (m *Manager) Mermaid() string { return m.graph.Mermaid() }
