// Package manager is the general manager: it takes every message, has it planned, hands out jobs, and never blocks.
package manager

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/frontdesk"
	"agentchat/backend/graph"
	"agentchat/backend/interpreter"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/refer"
	"agentchat/backend/provider"
	"agentchat/backend/service"
	"agentchat/backend/toolbox"
)

// MaxMessage is how many characters one message may have.
const MaxMessage = 16000

// mostNotes is how many of the newest messages of a job's own chat its requests carry.
const mostNotes = 12

// Planner is what the manager asks the interpreter for.
type Planner interface {
	Plan(ctx context.Context, brief interpreter.Brief) (provider.Plan, error)
	// Reads is what code alone makes of a request; ok is false where nothing can.
	Reads(ctx context.Context, brief interpreter.Brief) (plan provider.Plan, ok bool)
	// Knows is Reads where a model is on duty and could only say the same.
	Knows(ctx context.Context, brief interpreter.Brief) (plan provider.Plan, ok bool)
}

// Jobs is what the manager needs of the job manager.
type Jobs interface {
	Prepare(chat, request string, lang bilingual.Lang, plans []provider.JobPlan) ([]job.Job, error)
	Created(j job.Job, n int) event.Event
	Crowded(n int) (place int, crowded bool)
	Submit(jobs []job.Job)
	CancelJob(id string) error
	// Unwritten tells whether the end of some job was reported and is not stored yet.
	Unwritten() bool
	CancelChat(chat string) (stopped int)
	Disown(jobs []string)
	Alive(id string) bool
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
	// Background is what requests about a chat begin with, without the messages whose turn is not over.
	Background(ctx context.Context, chat string) interpreter.Background
	// LearnFrom learns what a customer's message tells; the answer, when it asks for nothing else, is not empty.
	LearnFrom(ctx context.Context, chat, message, text string, lang bilingual.Lang) (answer string, learned bool, err error)
}

// Deps are the parts a Manager works with. All but the counter's are required.
type Deps struct {
	Store    Store
	Memory   Memory
	Planner  Planner
	Jobs     Jobs
	Desk     Desk
	Counter  *Counter       // the service counter; nil: there is none
	Orders   Orders         // hands out its jobs
	Library  Librarian      // nil: there is none
	Standing StandingOrders // nil: there are none
	// Favourites are the favourite orders; nil: there are none.
	Favourites Favourites
	// Attachments gives files that were handed in, by their ids, for a message that comes with them; nil: there are none.
	Attachments func(ctx context.Context, named []event.Attachment) ([]event.Attachment, error)
	// Prompts answers prompts of outside servers, whose texts AttachedText gives; nil: there is no model for them.
	Prompts      Prompter
	AttachedText AttachedText
	// Tables says which tables a message may ask, which TableTool is asked with; nil: there are none.
	Tables    Tables
	TableTool string
	// Playing gives the title of what a job plays; "" when it plays nothing. nil: nothing is known of that.
	Playing func(job string) string
	// Changes tells whether a tool changes anything. nil: each of them may.
	Changes func(tool string) bool
	// Listed gives what a tool's result lists, by the names by which tools take it; nothing where it lists none. nil: this is unknown.
	Listed func(tool string, data json.RawMessage) refer.Listing
	// BrokenOff gives the call that takes back what a step did before it was stopped; ok is false when it did nothing. nil: this is unknown.
	BrokenOff func(ctx context.Context, ticket, step string) (call toolbox.Undo, ok bool)
	// Kept says in words what a use changed in the ledger; ok is false when that is nothing, or not kept any more. LastUse gives a chat's
	// last use since a moment that is no step of a ticket. nil: nothing is kept.
	Kept    func(ctx context.Context, use string, lang bilingual.Lang) (what string, ok bool)
	LastUse func(ctx context.Context, chat string, since time.Time) (use string, at time.Time, ok bool, err error)
	// Ordered gives the parts of a message that order something, in their own words; nil: a message goes to one place whole.
	Ordered func(text string) []string
	// Unlearned tells whether there are tools of which the front desk has learned nothing. nil: there are none.
	Unlearned func() bool
	Front     frontdesk.Rooms // says what a message wants; nil: the rooms' own patterns decide
	Readings  Readings        // keeps how messages were read; nil: nobody does
	Publisher event.Publisher
	Lang      func() bilingual.Lang
	English   func(word string) bool // knows a lower-case English word; nil: every word in Latin letters is one
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

	steps   sync.RWMutex      // held to read while a step is stored, told and its tickets are put in line; see AwaitTold
	sayings [16]chan struct{} // each holds one while somebody says something in one of its chats; see saying

	mu      sync.Mutex
	queues  map[string]*queue
	idle    chan struct{} // closed and replaced when no turn is left
	shut    bool
	opened  bool                      // Start has run
	open    int                       // turns whose end was told, or may have been, and is not written down
	told    map[string][]Turn         // those of this run, by chat
	writing map[string]bool           // chats for which somebody writes them down
	watched map[string]chan struct{}  // by job, the turn that waits for its end
	spoken  map[string]bilingual.Lang // by chat, the language that was last told by a message

	mentions map[string][]mention // by chat, what turns spoke of, the newest first
}

// queue is one chat's line of turns.
type queue struct {
	turns  []Pending
	turn   string             // the turn that is being answered
	cancel context.CancelFunc // stops it
}

// New makes a manager. Start goes on with turns that a crash interrupted.
func New(deps Deps) (*Manager, error) {
	m := &Manager{
		deps: deps, queues: map[string]*queue{}, idle: make(chan struct{}), watched: map[string]chan struct{}{}, spoken: map[string]bilingual.Lang{}, told: map[string][]Turn{}, mentions: map[string][]mention{}, writing: map[string]bool{},
	}
	for i := range m.sayings {
		m.sayings[i] = make(chan struct{}, 1)
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
	pending = m.putAside(pending)
	m.lookBack(pending)
	was, err := m.takeStock(ctx, pending) // before the first turn runs and changes any of it
	if err != nil {
		return err
	}
	for _, p := range pending {
		m.enqueue(p)
	}
	return m.takeUp(ctx, was)
}

// tongue is the language in which a message is answered: its own, or if its words do not show one, that of the chat so far, or else the
// window's.
func (m *Manager) tongue(chat, text string) bilingual.Lang {
	m.mu.Lock()
	defer m.mu.Unlock()
	if lang := language(text, "", m.deps.English); lang != "" {
		m.spoken[chat] = lang
		return lang
	}
	if lang, known := m.spoken[chat]; known && language(text, "", nil) != "" {
		return lang
	}
	return m.deps.Lang()
}

// OnUserInput takes one message, or the id of a pressed button, and returns as soon as it is stored: nothing else happens
// on this call. seen is the mark of the confirmation that the front was showing when the customer said it; a typed yes counts
// for that one alone. Errors: empty_message, message_too_long, storage errors.
func (m *Manager) OnUserInput(ctx context.Context, chat, text, action, seen string) (event.ChatMessage, error) {
	text, err := said(text)
	if err != nil && (action == "" || apperr.CodeOf(err) != apperr.EmptyMessage) {
		return event.ChatMessage{}, err
	}
	if chat == "" {
		chat = "main"
	}
	if len(chat) > 128 || len(action) > 256 || len(seen) > 256 {
		return event.ChatMessage{}, apperr.New(apperr.InvalidArgs, "detail", "chat, action or seen is too long")
	}
	if text == "" {
		text = action
		if verb, _ := service.Pressed(action); verb != service.VerbNone {
			text = service.Label(verb, m.deps.Lang())
		}
	}
	var about *event.DocumentRef
	var attachments []event.Attachment
	if words, says := strings.CutPrefix(action, sayAction); says {
		text, action = words, "" // as if the customer had typed them
	}
	if text == action && action != "" {
		if text, err = m.pressed(ctx, chat, action); err != nil {
			return event.ChatMessage{}, err
		}
	}
	if id, again := strings.CutPrefix(action, againAction); again {
		said, err := m.said(ctx, chat, id)
		if err != nil {
			return event.ChatMessage{}, err
		}
		text, action, about, attachments = said.Text, "", said.About, said.Attachments
	}
	turn := Turn{Chat: chat, Text: text, Action: action, Seen: seen, About: about, Attachments: attachments}
	if err := m.spell(ctx, &turn); err != nil {
		return event.ChatMessage{}, err
	}
	if turn.Lang = m.tongue(chat, turn.Text); action != "" {
		turn.Lang = m.deps.Lang()
	}
	return m.take(ctx, turn)
}

// take stores a message and puts its turn in line.
func (m *Manager) take(ctx context.Context, turn Turn) (event.ChatMessage, error) {
	chat, text := turn.Chat, turn.Text
	turn.ID, turn.Message = m.deps.NewID(), m.deps.NewID()
	msg := m.message(turn)
	done, err := m.saying(ctx, chat)
	if err != nil {
		return event.ChatMessage{}, err
	}
	defer done()
	title := titleOf(text, turn.Attachments)
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

// message is what the customer said, as it is kept and told.
func (m *Manager) message(t Turn) event.ChatMessage {
	return event.ChatMessage{
		ID: t.ID, Role: event.RoleCustomer, Text: t.Text, Time: m.deps.Now().UTC().Format(time.RFC3339Nano), About: t.About,
		Attachments: t.Attachments,
	}
}

// saying is a lock per chat, held until done is called. It keeps messages in one order: that in which they are stored, published and
// answered. Errors: those of ctx.
func (m *Manager) saying(ctx context.Context, chat string) (done func(), err error) {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(chat))
	one := m.sayings[hash.Sum32()%uint32(len(m.sayings))]
	select {
	case one <- struct{}{}:
		return func() { <-one }, nil
	case <-ctx.Done():
		return nil, apperr.From(ctx.Err())
	}
}

// heardOut returns when whatever was being said by now is in line, or with the context's error.
func (m *Manager) heardOut(ctx context.Context) error {
	for _, one := range m.sayings {
		select {
		case one <- struct{}{}:
			<-one
			continue
		default:
		}
		select {
		case one <- struct{}{}:
			<-one
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (m *Manager) enqueue(p Pending) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.shut {
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
		if len(q.turns) == 0 || m.shut {
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
		q.turn, q.cancel = p.Turn.ID, cancel
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

// WaitIdle returns when no turn is left, or with the context's error. A turn that is stored and not in line yet counts: who saw
// what it says, or that an order runs, waits for what comes of it.
func (m *Manager) WaitIdle(ctx context.Context) error {
	for said := false; ; {
		m.mu.Lock()
		n, ch := len(m.queues), m.idle
		m.mu.Unlock()
		if n == 0 && said {
			return nil
		}
		if n == 0 {
			if err := m.heardOut(ctx); err != nil {
				return err
			}
			said = true
			continue
		}
		said = false
		select {
		case <-ch:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Stop interrupts the running turns and returns when none runs any more; they are continued at the next start. It may be called twice.
func (m *Manager) Stop() {
	m.mu.Lock()
	m.shut = true
	m.mu.Unlock()
	m.stop()
	m.wg.Wait()
	m.writeDownAll()
}

// Background collects what a request about a chat needs to know: what memory has of it, and for a job what was said to it.
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
