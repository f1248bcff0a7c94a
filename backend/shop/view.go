package shop

import (
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/service"
	"agentchat/backend/toolbox"
)

// ChatView is one conversation with its newest messages, oldest first. Updated is RFC 3339 in UTC.
type ChatView struct {
	ID       string              `json:"id"`
	Title    string              `json:"title"`
	Updated  string              `json:"updated"`
	Pinned   bool                `json:"pinned,omitempty"`
	Messages []event.ChatMessage `json:"messages"`
	// Busy is true while a turn of this chat is being answered.
	Busy bool `json:"busy,omitempty"`

	Archived     bool   `json:"archived,omitempty"`
	Project      string `json:"project,omitempty"`
	Instructions string `json:"instructions,omitempty"`
	Model        string `json:"model,omitempty"`

	// Unread says that something was said in it that nobody has looked at; Line is what a person had at the top when they looked at it last,
	// "" for its end, and Offset how much of that was above the edge, in its heights.
	Unread bool    `json:"unread,omitempty"`
	Line   string  `json:"line,omitempty"`
	Offset float64 `json:"offset,omitempty"`
}

// Snapshot is the whole state of the shop as one object, true at Seq: a front that applies every envelope after Seq to
// it always shows what is.
type Snapshot struct {
	Seq       uint64              `json:"seq"`
	Chats     []ChatView          `json:"chats"`
	Workers   []event.WorkerState `json:"workers"`
	Jobs      []job.View          `json:"jobs"`
	Asks      []event.AskOpened   `json:"asks"`
	Inventory []toolbox.Rack      `json:"inventory"`
	Groups    []toolbox.GroupRack `json:"groups"`
	Provider  event.ProviderState `json:"provider"`
	Media     []event.Media       `json:"media"`
	Service   []service.View      `json:"service"` // what stands open at the service counters
	// Shelves are those of the library that follow folders.
	Shelves []event.LibraryShelf `json:"shelves"`
	// Projects group chats. Drafts are what was typed and not sent yet, by chat, as the front wrote it.
	Projects []ProjectView     `json:"projects"`
	Drafts   map[string]string `json:"drafts"`
	Version  string            `json:"version"`
	// Recovered is what was unfinished when this run of the program began; absent when nothing was.
	Recovered *event.ShopRecovered `json:"recovered,omitempty"`
	// Crashed is when the program last broke off (RFC 3339 in UTC), until somebody has looked at that.
	Crashed string `json:"crashed,omitempty"`
}

// JobDetail is one job with its questions and its log, oldest first.
type JobDetail struct {
	Job      job.View            `json:"job"`
	Asks     []event.AskOpened   `json:"asks"`
	Closed   []ClosedAsk         `json:"closed"`
	Log      []LogEntry          `json:"log"`
	Messages []event.ChatMessage `json:"messages"`
}

// ClosedAsk is a question that was answered, kept as a record.
type ClosedAsk struct {
	Ask    event.AskOpened `json:"ask"`
	Choice string          `json:"choice"`
	By     string          `json:"by"`
	Via    string          `json:"via,omitempty"` // the phone it was answered on
	Text   string          `json:"text,omitempty"`
	Time   string          `json:"time,omitempty"`
}

// LogEntry is one line of a job's log. Time is RFC 3339 in UTC.
type LogEntry struct {
	Time   string `json:"time"`
	JobID  string `json:"jobId"`
	TodoID string `json:"todoId,omitempty"`
	Level  string `json:"level" ts_type:"Exclude<logging.Line['level'], ''>"`
	Line   string `json:"line"`
}

// SearchHit is one find of the search box. Kind is chat, message, job, log, note, document, passage, fact, payee, favourite or service. A
// passage has the id of its document, and Start and End in it.
type SearchHit struct {
	Kind  string `json:"kind" ts_type:"'chat' | 'message' | 'job' | 'log' | 'note' | 'document' | 'passage' | 'fact' | 'payee' | 'favourite' | 'service'"`
	Chat  string `json:"chat,omitempty"`
	JobID string `json:"jobId,omitempty"`
	ID    string `json:"id"`
	Title string `json:"title"`
	Text  string `json:"text"`
	Start int    `json:"start,omitempty"`
	End   int    `json:"end,omitempty"`
	Time  string `json:"time"`
}
