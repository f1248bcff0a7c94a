package event

// ChatCreated says a conversation exists. Title is what the side bar shows.
type ChatCreated struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// ChatPinned says whether a conversation is kept before the others.
type ChatPinned struct {
	ID     string `json:"id"`
	Pinned bool   `json:"pinned"`
}

// ChatDeleted says a conversation is gone, with its messages, its tickets and its running work. Later events about it are to be ignored,
// until a new message of the customer opens it again.
type ChatDeleted struct {
	ID string `json:"id"`
	// Stopped is how many jobs went on in it and were stopped.
	Stopped int `json:"stopped,omitempty"`
	// Gone says that it cannot be taken back any more.
	Gone bool `json:"gone,omitempty"`
}

// ChatRestored says a conversation that was deleted is back, with its messages and the tickets of work that had ended in it.
type ChatRestored struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// ChatCut says that a conversation was cut: these messages went out of sight and these jobs are stopped, because an earlier request was
// changed or is answered anew. They can be seen again as a version of it (chat.version).
type ChatCut struct {
	Messages []string `json:"messages"`
	Jobs     []string `json:"jobs"`
}

// ChatVersion says that another version of a request is shown: these messages went out of sight, and what stands in the chat now is to be read anew.
type ChatVersion struct {
	Request  string   `json:"request"`
	Messages []string `json:"messages"`
}

// ChatChanged says how a conversation is kept: in which project, put away or not, and with which instructions and model of its own.
type ChatChanged struct {
	ID           string `json:"id"`
	Project      string `json:"project,omitempty"`
	Archived     bool   `json:"archived,omitempty"`
	Instructions string `json:"instructions,omitempty"`
	Model        string `json:"model,omitempty"`
}

// ProjectsChanged says that projects came, went or carry something else.
type ProjectsChanged struct{}

// Button is one choice offered under a message. ID comes back in say.action; Label is in the customer's language.
type Button struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

// Role says who wrote a chat message.
type Role string

// The speakers of a chat. What was imported was said elsewhere: whoever it was is neither the customer, whose words count, nor the shop.
const (
	RoleCustomer      Role = "customer"
	RoleShop          Role = "shop"
	RoleJob           Role = "job"
	RoleImportedAsk   Role = "imported_ask"
	RoleImportedReply Role = "imported_reply"
)

// DocumentRef names a document of the library, or a shelf of it (ShelfPlace), or what is attached in the chat (AttachedPlace). Title is what
// it was called when it was named.
type DocumentRef struct {
	DocumentID string `json:"documentId"`
	Title      string `json:"title"`
}

// AttachmentKind says what an attachment is.
type AttachmentKind string

// The kinds of attachments.
const (
	AttachmentText  AttachmentKind = "text"  // its text can be read
	AttachmentImage AttachmentKind = "image" // it is a picture
)

// Attachment is a file that a customer handed in with a message. ID is the SHA-256 of its content in hex: the same content is kept
// once, by whatever names. Width and Height are a picture's, in pixels, as it is to be seen.
type Attachment struct {
	ID     string         `json:"id"`
	Name   string         `json:"name"`
	Kind   AttachmentKind `json:"kind"`
	Format string         `json:"format"`
	Bytes  int64          `json:"bytes"`
	Pages  int            `json:"pages,omitempty"`
	Width  int            `json:"width,omitempty"`
	Height int            `json:"height,omitempty"`
	// From says which outside server it was read of; nil: it was a file.
	From *AttachmentSource `json:"from,omitempty"`
}

// AttachmentSource is the outside server and the address, or the prompt, that an attachment was read of.
type AttachmentSource struct {
	Server  string `json:"server"`
	Title   string `json:"title,omitempty"` // what people saw the server called; "": its name
	Address string `json:"address"`
	// Prompt is the prompt of the server whose words it is, as the server knows it; then there is no address. Left names what that had besides text.
	Prompt string   `json:"prompt,omitempty"`
	Left   []string `json:"left,omitempty"`
}

// ChatMessage is a whole message. Time is RFC 3339 in UTC.
type ChatMessage struct {
	ID      string   `json:"id"`
	Role    Role     `json:"role"`
	Text    string   `json:"text"`
	JobID   string   `json:"jobId,omitempty"`
	Buttons []Button `json:"buttons,omitempty"`
	Time    string   `json:"time,omitempty"`
	// About is the one document that a customer's message asks about; nil: it was said without one.
	About *DocumentRef `json:"about,omitempty"`
	// Attachments are the files that a customer's message came with.
	Attachments []Attachment `json:"attachments,omitempty"`
	// Standing is the standing order that a message belongs to: a customer's one was not said now, but when the order was kept.
	Standing *StandingRef `json:"standing,omitempty"`
	// Versions are all that a customer's request was, this one among them, oldest first; none where it was said once.
	Versions []string `json:"versions,omitempty"`
	// Turn is the customer's message that a reply answers, or whose job reports.
	Turn string `json:"turn,omitempty"`
	// Code is the stable error code when the message tells of a failure.
	Code string `json:"code,omitempty"`
	// Reasoning is what the model thought before it wrote the message: to be shown folded, never part of the text.
	Reasoning string `json:"reasoning,omitempty"`
	// Library is set when the library answered.
	Library *LibraryNote `json:"library,omitempty"`
	// Did lists what was really done, for a message that a model worded. Code fills it in, and it is to be shown apart from the text. It is
	// empty when code worded the message, or when it was talk and nothing was done.
	Did []Effect `json:"did,omitempty"`
}

// StandingRef names a standing order. Title is what it does, in the customer's words.
type StandingRef struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// Effect is one thing that was done, or was not. Text is a line of plain text in the customer's language.
type Effect struct {
	Outcome EffectOutcome `json:"outcome"`
	Text    string        `json:"text"`
}

// EffectOutcome is the outcome of an effect.
type EffectOutcome string

// The outcomes. EffectRead means that something was only looked at; it comes with EffectNone.
const (
	EffectDone    EffectOutcome = "done"
	EffectFailed  EffectOutcome = "failed"
	EffectUnknown EffectOutcome = "unknown" // nobody can tell
	EffectNone    EffectOutcome = "none"    // nothing was done
	EffectRead    EffectOutcome = "read"
)

// ChatToken is one piece of a message that is still being written. ID is that of the message, or of the todo whose answer
// a solver writes. Tokens may be dropped: the whole message follows and replaces them. Reset says that the model was asked again: the
// text so far is void, and the message begins again with Delta.
type ChatToken struct {
	ID    string `json:"id"`
	Delta string `json:"delta"`
	Reset bool   `json:"reset,omitempty"`
}

// AgentStart says a model role began (seed 002: AGENT_START).
type AgentStart struct {
	Agent string `json:"agent"`
	Label string `json:"label"`
}

// AgentQueued says that a request of a model role waits for the model. Place counts from 1. It is published again when the place changes,
// and with 0 when the request is sent.
type AgentQueued struct {
	Agent string `json:"agent"`
	Label string `json:"label"`
	Place int    `json:"place"`
}

// AgentDone says a model role ended (seed 002: AGENT_DONE). Ms is wall time in milliseconds.
type AgentDone struct {
	Agent     string `json:"agent"`
	Label     string `json:"label"`
	Success   bool   `json:"success"`
	Result    string `json:"result,omitempty"`
	Stage     string `json:"stage,omitempty"`
	Ms        int64  `json:"ms"`
	TokensIn  int    `json:"tokensIn,omitempty"`
	TokensOut int    `json:"tokensOut,omitempty"`
}

// TaskProgress is the place in a batch (seed 002: TASK_PROGRESS). Index counts from 1.
type TaskProgress struct {
	Index int            `json:"index"`
	Total int            `json:"total"`
	Slots map[string]any `json:"slots"`
}

// NextAction says what the customer is expected to do after a turn.
type NextAction string

// The next actions of the protocol.
const (
	NextNone    NextAction = "NONE"
	NextConfirm NextAction = "CONFIRM"
	NextInput   NextAction = "INPUT"
	NextDone    NextAction = "DONE"
)

// UIHint carries the buttons a front should show after a turn.
type UIHint struct {
	Buttons []Button `json:"buttons"`
}

// TurnState is the service state after a turn; empty outside services.
type TurnState struct {
	Stage string         `json:"stage"`
	Slots map[string]any `json:"slots"`
	Meta  map[string]any `json:"meta"`
}

// TurnDone ends a turn (seed 002: DONE). Every turn has exactly one, whatever its route. MessageID names the customer's
// message the turn answered.
type TurnDone struct {
	Message    string     `json:"message"`
	MessageID  string     `json:"messageId"`
	NextAction NextAction `json:"nextAction"`
	UIHint     UIHint     `json:"uiHint"`
	State      TurnState  `json:"state"`
	Jobs       []string   `json:"jobs,omitempty"`
}
