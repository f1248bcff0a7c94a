package manager

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"

	"agentchat/backend/apperr"
	"agentchat/backend/brief"
	"agentchat/backend/event"
	"agentchat/backend/favourite"
	"agentchat/backend/frontdesk"
	"agentchat/backend/interpreter"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/lazyregexp"
	"agentchat/backend/library"
	"agentchat/backend/library/agent"
	"agentchat/backend/provider"
	"agentchat/backend/service"
	"agentchat/backend/standing"
)

// JobChat is the prefix of a job's own chat: what is said there steers that job.
const JobChat = "job:"

// Turn is the state of one turn's graph: one customer message and what becomes of it. It is journaled after every node.
type Turn struct {
	ID     string         `json:"id"` // the customer's message
	Chat   string         `json:"chat"`
	Text   string         `json:"text"`
	Action string         `json:"action,omitempty"` // the button that was pressed instead of words
	Lang   bilingual.Lang `json:"lang"`

	Plan    *provider.Plan   `json:"plan,omitempty"`
	Reply   string           `json:"reply,omitempty"`
	Message string           `json:"message,omitempty"`   // the id of the shop's message: what streams of it and what becomes of it are one
	Thought string           `json:"reasoning,omitempty"` // what the model thought before it answered
	Worded  bool             `json:"worded,omitempty"`    // a model worded the reply
	Code    apperr.Code      `json:"code,omitempty"`
	Buttons []event.Button   `json:"buttons,omitempty"`
	Jobs    []string         `json:"jobs,omitempty"`
	Next    event.NextAction `json:"next,omitempty"`

	// About is the one document of the library that the message asks about. Then it is for the library, whatever its words say.
	About *event.DocumentRef `json:"about,omitempty"`
	// Asked is what is asked of it where the words name the place as well; "": all of Text.
	Asked string `json:"asked,omitempty"`

	// Attachments are the files that the message came with; Carried are those of an earlier one, about which the talk goes on.
	Attachments []event.Attachment `json:"attachments,omitempty"`
	Carried     []event.Attachment `json:"carried,omitempty"`

	Seen    string       `json:"seen,omitempty"`   // the mark of what the front was showing to confirm when the customer wrote this
	Resume  string       `json:"resume,omitempty"` // the counter's job whose outcome this turn tells; nobody wrote it
	Counter *CounterTurn `json:"visit,omitempty"`  // what the turn does at the service counter

	Inquiry *agent.Inquiry `json:"inquiry,omitempty"` // what the library is asked, and how far it is
	Work    string         `json:"work,omitempty"`    // the words of the message that order work, where the library answers the rest
	Lead    string         `json:"lead,omitempty"`    // what is said before the library's answer: of the work that the message also asked for

	Standing *standingRun     `json:"standing,omitempty"` // the run of a standing order that the turn is; nobody said it now
	Command  *standingCommand `json:"deed,omitempty"`     // what the turn does with standing orders

	Prompt  bool               `json:"prompt,omitempty"`  // the reply is about a prompt of an outside server that the message came with
	Filling *favourite.Filling `json:"filling,omitempty"` // the favourite that the message says, with blanks to look at
	Model   string             `json:"model,omitempty"`   // the one that is to answer this, as provider/model; "": whichever answers in the chat
	Quiet   bool               `json:"quiet,omitempty"`   // nothing is said: what the message made whole is a message of its own
	Aside   string             `json:"aside,omitempty"`   // is said behind the reply

	Given *given `json:"given,omitempty"` // the values code found for what the message points at

	Meaning *meaning `json:"meaning,omitempty"` // what the customer said, or is asked, of what a message means

	Awaits []library.Reading `json:"awaits,omitempty"` // the imports that were under way when the library was asked

	offered struct { // what the rooms offered
		of   *frontdesk.Reading
		list []frontdesk.Offer
	}
	spoke   mention              // what the turn speaks of
	learned *referent            // what it had the shop remember
	reading *frontdesk.Reading   // what the front desk makes of the message; nil when it was not asked
	at      time.Time            // when that was
	tables  []provider.TableCard // that the message may ask, where it was looked for them
	alone   bool                 // the model could not say what to do: code decides as where none is on duty

	out  *TurnStep
	kept string // the node at which the ledger has it
	told bool   // its end has been published already
}

// TurnStep is one transaction of a turn: its new state and all that must be true with it.
type TurnStep struct {
	Turn    *Turn
	Node    string
	Next    string
	Done    bool
	Sync    bool               // survive power loss, not only a crash
	Jobs    []job.Job          // tickets handed out
	Stop    []string           // jobs that these take the place of: called off with this step
	Counter *service.Counter   // what stands open at the chat's counter from now on; nil: unchanged
	Message *event.ChatMessage // the shop's reply
	Filling *favourite.Filling // what is asked of a favourite in the chat from now on; nil: unchanged
	Say     *Turn              // opens with this step: the customer's words, made whole
	Said    event.ChatMessage  // and the message that says them
	Events  []event.Event
}

// ErrTurnOver says that a turn is over: nothing more can be written for it. Its chat was deleted, or its message is gone. It has no code,
// by which it would be any error of what was stopped.
var ErrTurnOver = errors.New("manager: the turn is over")

// Cut is what went out of a chat: messages, the turns that were ended and the jobs that were called off by it. Title is the
// chat's new title, if it got one; Versions are those of the request from now on.
type Cut struct {
	Messages, Turns, Jobs []string
	Title                 string
	Versions              []string
}

// Place is where a message goes that is said in the place of an earlier one. Keep are jobs of it that go on. A chat whose title is Was gets
// Title.
type Place struct {
	Request    string
	Keep       []string
	Was, Title string
}

// Version is one of the things that a request was, with the work that it started.
type Version struct {
	Message event.ChatMessage
	Shown   bool
	Jobs    []job.Job
}

// Chat is one conversation.
type Chat struct {
	ID      string
	Title   string
	Updated time.Time
	Pinned  bool

	Archived bool // put away
	// Project is the one it belongs to, "" for none; Instructions and Model are its own.
	Project, Instructions, Model string

	// Unread says that something was said in it that nobody has looked at; Line and Offset are where a person was in it (store.Place).
	Unread bool
	Line   string
	Offset float64
}

// Project is what groups chats. What it carries holds in every one of them; a folder carries nothing.
type Project struct {
	ID, Title    string
	Instructions string
	Model        string   // provider/model; "": whichever is on duty
	Folders      []string // opened folders that its chats see; none: all
	Shelves      []string // ids of the shelves that its chats are answered from; none: all
	Folder       bool     // a name that keeps chats together, and nothing more
	Folded       bool     // its chats are not shown in the list
}

// Pending is a turn that is not over, with the node it goes on at.
type Pending struct {
	Turn Turn
	Next string

	// Unreadable says why what is stored of it cannot be read: it stays as it is, and nothing is done with it.
	Unreadable error

	left bool // by the last run, which could not write down all that it told
}

// Store keeps conversations and turns. Safe for concurrent use; errors are *apperr.Error.
type Store interface {
	// AddTurn stores a customer's message and opens its turn, in one transaction; it creates the chat when there is none
	// and tells so.
	AddTurn(ctx context.Context, turn Turn, msg event.ChatMessage, title string) (created bool, err error)
	// AddTurnInstead does the same in the place of an earlier request of the chat: that one, with all that came of it and
	// after it, goes out of sight as a version in the same transaction. Errors: not_found, storage errors.
	AddTurnInstead(ctx context.Context, turn Turn, msg event.ChatMessage, in Place) (Cut, error)
	// ShowVersion shows another version of a request, with all that followed it, in the place of the one that is shown. Errors: not_found,
	// chat_busy, storage errors.
	ShowVersion(ctx context.Context, request string) (chat string, cut Cut, err error)
	// Versions gives all versions of a request, oldest first.
	Versions(ctx context.Context, request string) ([]Version, error)
	// ForkChat makes a chat of what stands in another up to a message, which stays as it is; it gives that chat. Errors: not_found, storage
	// errors.
	ForkChat(ctx context.Context, message, id, title string) (chat string, err error)
	// DropChat lets go for good of a chat that was deleted. Errors: not_found, storage errors.
	DropChat(ctx context.Context, id string) error
	// Request gives a customer's message that can be seen, and its chat; not_found when there is none.
	Request(ctx context.Context, message string) (chat string, msg event.ChatMessage, err error)
	// DeleteChat hides a conversation; it ends its turns and calls its jobs off in the same transaction. Errors: not_found,
	// storage errors.
	DeleteChat(ctx context.Context, chat string) (Cut, error)
	// RestoreChat brings a conversation back that was deleted after a moment, and gives its title; what was called off stays so.
	// DeletedChats lists those that could come back, the last first. Errors: not_found, storage errors.
	RestoreChat(ctx context.Context, chat string, after time.Time) (title string, err error)
	DeletedChats(ctx context.Context, after time.Time) ([]DeletedChat, error)
	// AddRun claims a moment of a standing order and opens the turn that runs it, with what it says, in one transaction; a chat that is
	// gone is replaced by the main one, in turn. claimed is false when the moment was dealt with already.
	AddRun(ctx context.Context, c standing.Claim, turn *Turn, msg event.ChatMessage) (claimed bool, err error)
	// SaveTurn commits one step whole, or nothing of it. ErrTurnOver when the turn is over.
	SaveTurn(ctx context.Context, step TurnStep) error
	// PendingTurns gives every turn that is not over, oldest first.
	PendingTurns(ctx context.Context) ([]Pending, error)
	// Distrusted tells whether people were told something that may not stand in the ledger. Distrust leaves that word, which
	// needs no room, and makes some; Trust takes it back.
	Distrusted() bool
	Distrust() error
	Trust() error
	// History gives up to limit messages of a chat before a message id ("" for the newest), oldest first.
	History(ctx context.Context, chat, before string, limit int) ([]event.ChatMessage, error)
	// AddResume opens a turn that nobody wrote; one with the same ID that is not over changes nothing.
	AddResume(ctx context.Context, turn Turn) (added bool, err error)
	// Filling gives the favourite whose blanks are asked for in a chat; open is false for none.
	Filling(ctx context.Context, chat string) (f favourite.Filling, open bool, err error)
	// Counter gives what stands open at a chat's counter, Counters that of every chat where something does.
	Counter(ctx context.Context, chat string) (service.Counter, error)
	Counters(ctx context.Context) (map[string]service.Counter, error)
	// LoadRun gives a job as the ledger has it; not_found when there is none.
	LoadRun(ctx context.Context, id string) (job.Record, error)
	// ChatJobs gives up to limit jobs (0: all) of a chat that have not ended, newest first; "" for all chats.
	ChatJobs(ctx context.Context, chat string, limit int) ([]job.Job, error)
	// EndedJobs gives up to limit jobs of a chat that ended after a moment, the newest first.
	EndedJobs(ctx context.Context, chat string, since time.Time, limit int) ([]job.Job, error)
}

func (t *Turn) say(ko, en string) string { return bilingual.Say(t.Lang, ko, en) }

// fail makes an error the turn's reply, whose code says so; nothing it was about to hand out is handed out.
func (t *Turn) fail(err error) {
	e := apperr.From(err)
	t.Jobs, t.Buttons = nil, nil
	t.Reply, t.Code, t.Next, t.Worded = e.Text(t.Lang), e.Code, event.NextNone, false
}

// stopped ends the turn with what had been written when the customer stopped it.
func (t *Turn) stopped(err error) {
	t.fail(apperr.New(apperr.Canceled))
	t.Reply = t.say("답을 멈췄어요.", "Stopped the reply.")
	var told interpreter.Words
	if broken := (*interpreter.Interrupted)(nil); errors.As(err, &broken) {
		told = broken.Told
	}
	switch {
	case t.Inquiry != nil && t.Inquiry.Broken(told.Text):
		t.Reply, t.Thought, t.Code, t.Worded = t.Inquiry.Answer, t.Inquiry.Reasoning, apperr.Stopped, true
	case told.Text != "":
		t.Reply, t.Thought, t.Code, t.Worded = told.Text, told.Reasoning, apperr.Stopped, true
	}
}

func (t *Turn) jobID() string { return strings.TrimPrefix(t.Chat, JobChat) }

func (t *Turn) steers() bool { return strings.HasPrefix(t.Chat, JobChat) }

// properNames are what stands in quotation marks, and files: in whatever language they are, the customer speaks their own.
var properNames = lazyregexp.New(`(?:^|[\s:])(?:'[^']*'|"[^"]*")|[^\s'"]+\.[A-Za-z][A-Za-z0-9]{0,7}(?:$|[\s,!?]|\.(?:$|\s))`)

// language tells which language a message is in: Korean by its letters, English by a word of it that is known to be
// English (any will do where english is nil); fallback when neither says so, as of a name or of keys hit at random.
func language(text string, fallback bilingual.Lang, english func(word string) bool) bilingual.Lang {
	said := properNames.ReplaceAllString(text, " ")
	if hangul := func(r rune) bool { return unicode.Is(unicode.Hangul, r) }; strings.ContainsFunc(said, hangul) {
		return bilingual.KO
	} else if strings.ContainsFunc(text, hangul) && language(said, "", english) == "" {
		return bilingual.KO // nothing is said but a name
	}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.Is(unicode.Latin, r) }) {
		if english == nil || english(strings.ToLower(word)) {
			return bilingual.EN
		}
	}
	return fallback
}

// titleOf makes a conversation's title of its first message: of what it says, or else of what came with it.
func titleOf(text string, attachments []event.Attachment) string {
	if text == "" && len(attachments) > 0 {
		text = attachments[0].Name
	}
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return brief.Cut(line, 40)
}
