package policy

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/spreadsheet"
)

// Decider is who decided about a call.
type Decider string

// Who may have decided.
const (
	DecidedByRule    Decider = "rule"
	DecidedByGrant   Decider = "grant"
	DecidedByPerson  Decider = "person"
	DecidedByCounter Decider = "counter"
	DecidedByManual  Decider = "manual"
	DecidedByMode    Decider = "mode"
	DecidedByLimit   Decider = "limit"
)

// AuditOutcome is what became of a call.
type AuditOutcome string

// What may have become of it.
const (
	AuditDenied   AuditOutcome = "denied"   // policy forbade it; nothing ran
	AuditRejected AuditOutcome = "rejected" // a person said no; nothing ran
	AuditStarted  AuditOutcome = "started"  // it was about to run when this was written, and nothing was heard of it yet
	AuditDone     AuditOutcome = "done"
	AuditFailed   AuditOutcome = "failed"
	AuditNever    AuditOutcome = "never"   // a person knows that it did not happen
	AuditUnknown  AuditOutcome = "unknown" // nobody can tell
)

// Entry is one line of the audit log: one call that was more than reading, or that somebody refused. It is written in the
// transaction of the step it describes. Args, what was shown and the result hold no secrets.
type Entry struct {
	N        int64             `json:"n"` // rises with every entry
	ID       string            `json:"id"`
	Time     string            `json:"time"` // RFC 3339, UTC
	Chat     string            `json:"chat"`
	Job      string            `json:"job"`
	Todo     string            `json:"todo"`
	Tool     string            `json:"tool"`
	Args     json.RawMessage   `json:"args" ts_type:"any"`
	Digest   string            `json:"digest"`
	By       Decider           `json:"by"`              // who decided
	Basis    string            `json:"basis,omitempty"` // the rule as Rule.String writes it, the id of the grant or the question
	Why      *bilingual.Text   `json:"why,omitempty"`   // the same in words, for people; files have none
	Question string            `json:"question,omitempty"`
	Preview  *event.AskPreview `json:"preview,omitempty"`
	Origins  []event.Origin    `json:"origins,omitempty"`
	Via      string            `json:"via,omitempty"` // the phone that a person answered on
	Outcome  AuditOutcome      `json:"outcome"`
	Result   string            `json:"result,omitempty"` // in words, shortened
	Code     string            `json:"code,omitempty"`   // of the error
	Millis   int64             `json:"ms,omitempty"`     // how long it ran
}

// Filter says which entries are wanted; an empty field wants all.
type Filter struct {
	Chat    string       `json:"chat,omitempty"`
	Job     string       `json:"job,omitempty"`
	Tool    string       `json:"tool,omitempty"`
	By      Decider      `json:"by,omitempty"`
	Outcome AuditOutcome `json:"outcome,omitempty"`
}

// Format is a file format of the audit log.
type Format string

// The formats.
const (
	JSONL Format = "jsonl"
	CSV   Format = "csv"
)

// Writer writes entries into a file, one after the other; Close ends it, not the file below.
type Writer interface {
	Write(e Entry) error
	Close() error
}

// NewWriter begins a file; nil for a format it does not know.
func NewWriter(f Format, w io.Writer) Writer {
	switch f {
	case JSONL:
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return jsonl{enc}
	case CSV:
		return sheet{spreadsheet.New(w, columns...)}
	}
	return nil
}

type jsonl struct{ enc *json.Encoder }

func (j jsonl) Write(e Entry) error { return j.enc.Encode(e) }
func (jsonl) Close() error          { return nil }

type sheet struct{ *spreadsheet.Writer }

var columns = []string{
	"n", "id", "time", "chat", "job", "todo", "tool", "args", "digest", "by", "basis", "question", "preview", "diff", "origins", "outcome", "result", "code", "ms",
}

func (s sheet) Write(e Entry) error {
	preview := event.AskPreview{}
	if e.Preview != nil {
		preview = *e.Preview
	}
	origins := make([]string, len(e.Origins))
	for i, o := range e.Origins {
		origins[i] = o.Arg + ": " + o.Text
	}
	return s.Row(
		strconv.FormatInt(e.N, 10), e.ID, e.Time, e.Chat, e.Job, e.Todo, e.Tool, string(e.Args), e.Digest, string(e.By), e.Basis, e.Question,
		preview.Text, preview.Diff, strings.Join(origins, "; "), string(e.Outcome), e.Result, e.Code, strconv.FormatInt(e.Millis, 10),
	)
}

// NewestFirst sorts entries.
func NewestFirst(list []Entry) {
	slices.SortFunc(list, func(a, b Entry) int { return cmp.Compare(b.N, a.N) })
}
