package event

import "encoding/json"

// AskOpened is a question only a person may decide. Args is canonical JSON and Digest binds an answer to it.
// Effect says in one sentence what approving does.
type AskOpened struct {
	ID       string          `json:"id"`
	Kind     string          `json:"kind" ts_type:"ask.Kind"`
	Chat     string          `json:"chat,omitempty"`
	JobID    string          `json:"jobId,omitempty"`
	JobTitle string          `json:"jobTitle,omitempty"`
	TodoID   string          `json:"todoId,omitempty"`
	Question string          `json:"question"`
	Choices  []string        `json:"choices"`
	Tool     string          `json:"tool,omitempty"`
	Args     json.RawMessage `json:"args,omitempty" ts_type:"any"`
	Digest   string          `json:"digest,omitempty"`
	Effect   string          `json:"effect,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	Place    int             `json:"place,omitempty"`
	Holders  []Holder        `json:"holders,omitempty"`
	Time     string          `json:"time,omitempty"`

	// What an approval also shows: what the call would change, the scopes an approval may have, where the values came from, the reason if a
	// rule and not the tool requires the question, and how many questions of the same Group the job has asked.
	Preview *AskPreview `json:"preview,omitempty"`
	Scopes  []AskScope  `json:"scopes,omitempty"`
	Origins []Origin    `json:"origins,omitempty"`
	Why     string      `json:"why,omitempty"`
	Group   string      `json:"group,omitempty"`
	Like    int         `json:"like,omitempty"`

	Near []string `json:"near,omitempty"` // for an unknown name: the nearest known names, each of them a possible answer

	// Of a question that an outside server asks: what it wants filled in.
	Form *AskForm `json:"form,omitempty"`
}

// AskPreview is what a call would do: a sentence, and a unified diff of what would be written. Cut says that Diff is not all
// of it. Plan names a list of Lines things that would be done, of which a person may leave some out.
type AskPreview struct {
	Text  string `json:"text"`
	Diff  string `json:"diff,omitempty"`
	Cut   bool   `json:"cut,omitempty"`
	Plan  string `json:"plan,omitempty"`
	Lines int    `json:"lines,omitempty"`
}

// AskScope is how far an approval may reach (once, chat, always), in words. Default is the one that holds when none is named.
type AskScope struct {
	Scope   string `json:"scope" ts_type:"toolbox.Scope"`
	Words   string `json:"words"`
	Default bool   `json:"default,omitempty"`
}

// Origin says where one consequential value of a call came from: customer, manual, tool, memory, chat or model (nowhere).
// Text says it in words; Quote is the place it was found at, with nothing in it that cannot be seen.
type Origin struct {
	Arg     string `json:"arg"`
	Value   string `json:"value"`
	From    string `json:"from"`
	Trusted bool   `json:"trusted"`
	Text    string `json:"text"`
	Tool    string `json:"tool,omitempty"`
	Name    string `json:"name,omitempty"`
	Step    int    `json:"step,omitempty"`
	Quote   string `json:"quote,omitempty"`
}

// AskClosed ends a question. By is person, policy or system; Via names the phone that a person answered on.
type AskClosed struct {
	ID     string `json:"id"`
	JobID  string `json:"jobId,omitempty"`
	Choice string `json:"choice"`
	By     string `json:"by"`
	Via    string `json:"via,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// AskForm is what an outside server wants filled in. Its words are a stranger's.
type AskForm struct {
	Server  string     `json:"server"`
	Message string     `json:"message"`
	Fields  []AskField `json:"fields"`
	// Prompt is what it wants a model to be asked instead; nil: it wants something filled in.
	Prompt *AskPrompt `json:"prompt,omitempty"`
}

// AskPrompt is what an outside server wants the model to be asked (sampling), whole. Most is how many tokens the answer may have.
type AskPrompt struct {
	System   string             `json:"system,omitempty"`
	Messages []AskPromptMessage `json:"messages"`
	Most     int                `json:"most"`
}

// AskPromptMessage is one message of it. Assistant says that the server puts it into the model's mouth.
type AskPromptMessage struct {
	Assistant bool   `json:"assistant,omitempty"`
	Text      string `json:"text"`
}

// FieldKind is what is filled in.
type FieldKind string

// The kinds of fields.
const (
	FieldText    FieldKind = "text"
	FieldNumber  FieldKind = "number"
	FieldInteger FieldKind = "integer"
	FieldYesNo   FieldKind = "yes_no"
	FieldOne     FieldKind = "one"  // of Choices
	FieldSome    FieldKind = "some" // of Choices
)

// AskField is one thing that a form asks for.
type AskField struct {
	Name     string          `json:"name"`
	Kind     FieldKind       `json:"kind"`
	Title    string          `json:"title"`
	About    string          `json:"about,omitempty"`
	Required bool            `json:"required,omitempty"`
	Choices  []FieldChoice   `json:"choices,omitempty"`
	Default  json.RawMessage `json:"default,omitempty" ts_type:"any"`
	Min      *float64        `json:"min,omitempty"` // of a number; of a text or of what is chosen how many at least
	Max      *float64        `json:"max,omitempty"`
}

// FieldChoice is one value that may be chosen, and how it is called.
type FieldChoice struct {
	Value string `json:"value"`
	Title string `json:"title"`
}
