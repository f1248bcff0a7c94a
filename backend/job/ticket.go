package job

import (
	"reflect"
	"slices"
	"strings"

	"agentchat/backend/event"
)

// Ticket is a job as the list of all jobs has it. Times are RFC 3339 in UTC.
type Ticket struct {
	ID       string `json:"id"`
	Number   int64  `json:"number"`
	Title    string `json:"title"`
	Chat     string `json:"chat"`
	Turn     string `json:"turn,omitempty"`     // the customer's message of that chat that it stands below
	Request  string `json:"request,omitempty"`  // the customer's words; "" where they only confirmed it at the counter
	Standing string `json:"standing,omitempty"` // the standing order whose run handed it out
	State    string `json:"state" ts_type:"job.State"`
	// Text is the beginning of what came of it, or why it waits.
	Text    string   `json:"text,omitempty"`
	Code    string   `json:"code,omitempty"` // the error code of a failed job
	Tools   []string `json:"tools"`
	Created string   `json:"created"`
	Started string   `json:"started,omitempty"`
	Ended   string   `json:"ended,omitempty"`
	// Imported says that it is what an imported file says of a job: the shop did nothing of it.
	Imported bool `json:"imported,omitempty"`
}

// TicketFilter says which jobs are wanted; an empty field wants all. From and To are days (2006-01-02) in the person's time zone, both
// of them included.
type TicketFilter struct {
	State    State  `json:"state,omitempty"`
	From     string `json:"from,omitempty"`
	To       string `json:"to,omitempty"`
	Tool     string `json:"tool,omitempty"`
	Chat     string `json:"chat,omitempty"`
	Standing string `json:"standing,omitempty"`
	Words    string `json:"words,omitempty"` // the title holds every one of them
	// IDs narrows a page to these jobs: which of them the list has, and as what. How many jobs there are in all it leaves alone.
	IDs []string `json:"ids,omitempty"`
}

// All tells whether nothing is left out of the list.
func (f TicketFilter) All() bool {
	f.IDs = nil
	return reflect.ValueOf(f).IsZero()
}

// ticketText bounds what a ticket of the list says of a job, in characters.
const ticketText = 200

// Ticket draws the job for the list of all jobs.
func (j Job) Ticket() Ticket {
	text := j.Report
	if text == "" || !j.State.Ended() {
		text = j.Reason
	}
	if r := []rune(strings.TrimSpace(text)); len(r) > ticketText {
		text = string(r[:ticketText]) + "…"
	}
	request := j.Request
	if j.Counter {
		request = ""
	}
	return Ticket{
		ID: j.ID, Number: j.Number, Title: j.Title, Chat: j.Chat, Turn: j.Turn, Standing: j.standing(), State: string(j.State), Text: text, Code: string(j.Code),
		Request: request, Tools: j.Tools(), Created: event.Stamp(j.Created), Started: event.Stamp(j.Started), Ended: event.Stamp(j.Ended), Imported: j.Imported,
	}
}

// Tools lists the tools of the job's steps, planned or run, each once.
func (j Job) Tools() []string {
	tools := []string{}
	for _, t := range j.Todos {
		for _, tool := range append([]string{t.Tool}, t.Used...) {
			if tool != "" && !slices.Contains(tools, tool) {
				tools = append(tools, tool)
			}
		}
	}
	return tools
}
