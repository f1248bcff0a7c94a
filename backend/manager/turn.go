package manager

import (
	"context"
	"strings"
	"time"
	"unicode"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/provider"
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
	Code    apperr.Code      `json:"code,omitempty"`
	Buttons []event.Button   `json:"buttons,omitempty"`
	Jobs    []string         `json:"jobs,omitempty"`
	Next    event.NextAction `json:"next,omitempty"`

	out *TurnStep
}

// TurnStep is one transaction of a turn: its new state and all that must be true with it.
type TurnStep struct {
	Turn    *Turn
	Node    string
	Next    string
	Done    bool
	Jobs    []job.Job          // tickets handed out
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
