package manager

import (
	"context"
	"strings"
	"time"
	"unicode"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/library/agent"
	"agentchat/backend/provider"
	"agentchat/backend/service"
)

// JobChat is the prefix of a job's own chat: what is said there steers that job.
const JobChat = "job:"

// Turn is the state of one turn's graph: one customer message and what becomes of it. It is journaled after every node.
type Turn struct {
	ID     string      `json:"id"` // the customer's message
	Chat   string      `json:"chat"`
	Text   string      `json:"text"`
	Action string      `json:"action,omitempty"` // the button that was pressed instead of words
	Lang   apperr.Lang `json:"lang"`

	Plan    *provider.Plan   `json:"plan,omitempty"`
	Reply   string           `json:"reply,omitempty"`
	Message string           `json:"message,omitempty"`   // the id of the shop's message: what streams of it and what becomes of it are one
	Thought string           `json:"reasoning,omitempty"` // what the model thought before it answered
	Code    apperr.Code      `json:"code,omitempty"`
	Buttons []event.Button   `json:"buttons,omitempty"`
	Jobs    []string         `json:"jobs,omitempty"`
	Next    event.NextAction `json:"next,omitempty"`

	Seen   string `json:"seen,omitempty"`   // what the counter asked to confirm when the customer wrote this
	Resume string `json:"resume,omitempty"` // the counter's job whose outcome this turn tells; nobody wrote it
	Visit  *Visit `json:"visit,omitempty"`  // what the turn does at the service counter

	Inquiry *agent.Inquiry `json:"inquiry,omitempty"` // what the library is asked, and how far it is

	out *TurnStep
}

// TurnStep is one transaction of a turn: its new state and all that must be true with it.
type TurnStep struct {
	Turn    *Turn
	Node    string
	Next    string
	Done    bool
	Sync    bool               // survive power loss, not only a crash
	Jobs    []job.Job          // tickets handed out
	Counter *service.Counter   // what stands open at the chat's counter from now on; nil: unchanged
	Message *event.ChatMessage // the shop's reply
	Events  []event.Event
}

// Chat is one conversation.
type Chat struct {
	ID      string
	Title   string
	Updated time.Time
}

// Pending is a turn that is not over, with the node it goes on at.
type Pending struct {
	Turn Turn
	Next string
}

// Store keeps conversations and turns. Safe for concurrent use; errors are *apperr.Error.
type Store interface {
	// AddTurn stores a customer's message and opens its turn, in one transaction; it creates the chat when there is none
	// and tells so.
	AddTurn(ctx context.Context, turn Turn, msg event.ChatMessage, title string) (created bool, err error)
	// SaveTurn commits one step whole, or nothing of it.
	SaveTurn(ctx context.Context, step TurnStep) error
	// PendingTurns gives every turn that is not over, oldest first.
	PendingTurns(ctx context.Context) ([]Pending, error)
	// History gives up to limit messages of a chat before a message id ("" for the newest), oldest first.
	History(ctx context.Context, chat, before string, limit int) ([]event.ChatMessage, error)
	// AddResume opens a turn that nobody wrote; one with the same ID is there already and changes nothing.
	AddResume(ctx context.Context, turn Turn) (added bool, err error)
	// Counter gives what stands open at a chat's counter, Counters that of every chat where something does.
	Counter(ctx context.Context, chat string) (service.Counter, error)
	Counters(ctx context.Context) (map[string]service.Counter, error)
	// LoadRun gives a job as the ledger has it; not_found when there is none.
	LoadRun(ctx context.Context, id string) (job.Record, error)
	// ChatJobs gives up to limit jobs of a chat that have not ended, newest first; "" for all chats.
	ChatJobs(ctx context.Context, chat string, limit int) ([]job.Job, error)
}

func (t *Turn) say(ko, en string) string {
	if t.Lang == apperr.KO {
		return ko
	}
	return en
}

// fail makes an error the turn's reply; nothing it was about to hand out is handed out.
func (t *Turn) fail(err error) {
	e := apperr.From(err)
	t.Jobs, t.Buttons = nil, nil
	t.Reply, t.Code, t.Next = e.Text(t.Lang), e.Code, event.NextNone
	t.out.Events = append(t.out.Events, event.Of(t.Chat, "", event.Error{
		Code: string(e.Code), Message: t.Reply, Fields: e.Fields,
	}))
}

func (t *Turn) jobID() string { return strings.TrimPrefix(t.Chat, JobChat) }

func (t *Turn) steers() bool { return strings.HasPrefix(t.Chat, JobChat) }

// language tells which language a message is in, by its letters; fallback when it has none.
func language(text string, fallback apperr.Lang) apperr.Lang {
	latin := false
	for _, r := range text {
		if unicode.Is(unicode.Hangul, r) {
			return apperr.KO
		}
		latin = latin || unicode.Is(unicode.Latin, r)
	}
	if latin {
		return apperr.EN
	}
	return fallback
}

// titleOf makes a conversation's title of its first message.
func titleOf(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	runes := []rune(line)
	if len(runes) > 40 {
		return string(runes[:40]) + "…"
	}
	return line
}
