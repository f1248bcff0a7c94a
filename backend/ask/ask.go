// Package ask holds the questions that only a person may decide. A question never expires and is never answered by the program; it survives
// a restart and takes exactly one answer.
package ask

import (
	"encoding/json"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/policy"
	"agentchat/backend/toolbox"
)

// Kind says what a question is about.
type Kind string

// The kinds of questions.
const (
	KindApproval Kind = "approval" // may this call run?
	KindLock     Kind = "lock"     // the tool is taken: wait, cancel or stop the other?
	KindInput    Kind = "input"    // a value is missing
	KindRecovery Kind = "recovery" // did this happen before the crash?
	KindService  Kind = "service"  // a service wants a decision
	KindOutside  Kind = "outside"  // an outside server wants something filled in; it ends with the call, so no row keeps it
)

// The choices. Which of them a question offers stands in Ask.Choices.
const (
	ChoiceApprove   = "approve"
	ChoiceEdit      = "edit"
	ChoiceReject    = "reject"
	ChoiceWait      = "wait"
	ChoiceCancel    = "cancel"
	ChoiceStopOther = "stop_other"
	ChoiceValue     = "value"
	ChoiceRunAgain  = "run_again"
	ChoiceHappened  = "happened"
	ChoiceStop      = "stop"
	// ChoiceNone closes a question that has become pointless because its job ended.
	ChoiceNone = "none"
)

// State is the state of a question.
type State string

// A question is open, then answered, then consumed by the job that asked (or closed because the job ended).
const (
	StateOpen     State = "open"
	StateAnswered State = "answered"
	StateConsumed State = "consumed"
	StateClosed   State = "closed"

	// StateUnreadable marks a question whose record is damaged: only its id and its job can be read.
	StateUnreadable State = "unreadable"
)

// Ask is one question. Args is canonical JSON; Digest binds an answer to exactly what was shown.
type Ask struct {
	ID       string          `json:"id"`
	Kind     Kind            `json:"kind"`
	State    State           `json:"state"`
	Chat     string          `json:"chat"`
	JobID    string          `json:"jobId,omitempty"`
	JobTitle string          `json:"jobTitle,omitempty"`
	TodoID   string          `json:"todoId,omitempty"`
	Question string          `json:"question"`
	Choices  []string        `json:"choices"`
	Tool     string          `json:"tool,omitempty"`
	Args     json.RawMessage `json:"args,omitempty"`
	Digest   string          `json:"digest,omitempty"`
	Effect   string          `json:"effect,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	Place    int             `json:"place,omitempty"`
	Holders  []event.Holder  `json:"holders,omitempty"`
	Opened   time.Time       `json:"opened"`
	Near     []string        `json:"near,omitempty"` // for an unknown name: the nearest known names, each of them a possible answer
	Answer   *Answer         `json:"answer,omitempty"`

	// Of approvals, see event.AskOpened. Pattern is what an approval for more than once covers.
	Preview *event.AskPreview  `json:"preview,omitempty"`
	Scopes  []event.AskScope   `json:"scopes,omitempty"`
	Origins []event.Origin     `json:"origins,omitempty"`
	Why     string             `json:"why,omitempty"`
	Group   string             `json:"group,omitempty"`
	Like    int                `json:"like,omitempty"`
	Pattern []policy.Condition `json:"pattern,omitempty"`

	Form *event.AskForm `json:"form,omitempty"` // of an outside server: what it wants filled in

	Order string `json:"order,omitempty"` // the standing order whose run asks
}

// Answer is a person's decision. Args are set for edit, Text for a correction or a value, Holder for stop_other, Scope for
// approve, and Grant when the scope is more than once: it is kept in the same write.
type Answer struct {
	Choice string          `json:"choice"`
	Text   string          `json:"text,omitempty"`
	Args   json.RawMessage `json:"args,omitempty"`
	Holder string          `json:"holder,omitempty"`
	Scope  string          `json:"scope,omitempty"`
	Grant  *policy.Grant   `json:"-"`
	// For a plan that was approved in part: the lines that remain, and the digest of exactly these.
	Pick   *toolbox.Pick `json:"pick,omitempty"`
	Digest string        `json:"digest,omitempty"`
	By     string        `json:"by"`
	Via    string        `json:"via,omitempty"` // the name of the phone it was given on
	At     time.Time     `json:"at"`
}

// Who closed a question.
const (
	ByPerson = "person"
	ByPolicy = "policy"
	BySystem = "system"
)

// Reply is an answer as it arrives from a front.
type Reply struct {
	Ask    string          `json:"ask"`
	Choice string          `json:"choice"`
	Digest string          `json:"digest,omitempty"`
	Args   json.RawMessage `json:"args,omitempty" ts_type:"any"`
	Text   string          `json:"text,omitempty"`
	Holder string          `json:"holder,omitempty"`
	Scope  string          `json:"scope,omitempty"` // of approve: once, chat, always or order, as far as offered; "": the default
	Pick   *toolbox.Pick   `json:"pick,omitempty"`  // of approve: what is left of the plan that was shown
	Via    string          `json:"-"`               // the phone it comes from; no front can say so itself
}

// OpenedEvent is the event that shows the question.
func (a Ask) OpenedEvent() event.Event {
	return event.Of(a.Chat, a.JobID, a.Opening())
}

// Opening is the question as fronts see it, in events and snapshots alike.
func (a Ask) Opening() event.AskOpened {
	return event.AskOpened{
		ID: a.ID, Kind: string(a.Kind), Chat: a.Chat, JobID: a.JobID, JobTitle: a.JobTitle, TodoID: a.TodoID,
		Question: a.Question, Choices: a.Choices, Tool: a.Tool, Args: a.Args, Digest: a.Digest, Effect: a.Effect,
		Reason: a.Reason, Place: a.Place, Holders: a.Holders, Time: event.Stamp(a.Opened),
		Preview: a.Preview, Scopes: a.Scopes, Origins: a.Origins, Why: a.Why, Group: a.Group, Like: a.Like, Near: a.Near,
		Form: a.Form,
	}
}

// ClosedEvent is the event that ends the question.
func (a Ask) ClosedEvent(choice, by, reason string) event.Event {
	closed := event.AskClosed{ID: a.ID, JobID: a.JobID, Choice: choice, By: by, Reason: reason}
	if a.Answer != nil {
		closed.Via = a.Answer.Via
	}
	return event.Of(a.Chat, a.JobID, closed)
}
