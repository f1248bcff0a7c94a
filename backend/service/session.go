package service

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"agentchat/backend/language/bilingual"
)

// Values are slots and what they hold: int64 or string.
type Values map[string]any

// UnmarshalJSON keeps whole numbers whole.
func (v *Values) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var raw map[string]any
	if err := dec.Decode(&raw); err != nil {
		return err
	}
	*v = make(Values, len(raw))
	for name, value := range raw {
		if n, ok := value.(json.Number); ok {
			whole, err := n.Int64()
			if err != nil {
				return fmt.Errorf("slot %s: %w", name, err)
			}
			value = whole
		}
		(*v)[name] = value
	}
	return nil
}

// Session is one conversation with a service: the service, the current task and those that wait. It is a value; the engine returns a new one.
// The zero Session is none.
type Session struct {
	ID      string         `json:"id"` // the turn that opened it
	Service string         `json:"service"`
	Order   string         `json:"order,omitempty"` // the standing order whose run opened it
	Lang    bilingual.Lang `json:"lang"`
	Stage   Stage          `json:"stage"`
	Slots   Values         `json:"slots"`
	Errors  Values         `json:"slotErrors,omitempty"` // slot: the sentence that says what is wrong
	Asked   string         `json:"asked,omitempty"`      // the slot that was asked for last
	Queue   []Values       `json:"queue,omitempty"`

	Total     int  `json:"batchTotal"`
	Progress  int  `json:"batchProgress"` // tasks that are over
	Executed  int  `json:"batchExecuted"`
	Cancelled int  `json:"batchCancelled,omitempty"`
	Failed    int  `json:"batchFailed,omitempty"`
	Skipped   bool `json:"lastCancelled,omitempty"` // the task before was canceled
	FillTurns int  `json:"fillTurns,omitempty"`

	// Job does the confirmed task; it is set from CONFIRMED until the task is over.
	Job string `json:"job,omitempty"`
}

// Open makes a session for a message that asks for a service.
func Open(id string, m *Manifest, lang bilingual.Lang) Session {
	return Session{ID: id, Service: m.ID, Lang: lang, Stage: Init, Slots: Values{}, Errors: Values{}, Total: 1}
}

// clone makes a session that shares nothing with s.
func (s Session) clone() Session {
	s.Slots, s.Errors = maps.Clone(s.Slots), maps.Clone(s.Errors)
	if s.Slots == nil {
		s.Slots = Values{}
	}
	if s.Errors == nil {
		s.Errors = Values{}
	}
	s.Queue = slices.Clone(s.Queue)
	return s
}

// batch tells whether several tasks were asked for.
func (s Session) batch() bool { return s.Total > 1 }

// Index is the place of the task at hand, from 1.
func (s Session) Index() int { return min(s.Progress+1, s.Total) }

// Token identifies exactly what the customer is asked to confirm: the session, the task and its values. It is empty when there is nothing to
// confirm. A confirmation counts only for the token that was displayed when it was given.
func (s Session) Token() string {
	if s.Stage != Ready {
		return ""
	}
	slots, err := json.Marshal(s.Slots) // keys sorted
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%s", s.ID, s.Progress, slots))
	return hex.EncodeToString(sum[:8])
}

// Counter holds the open sessions of a chat. The current one is the last; those before it wait until it is over.
type Counter []Session

// MaxOpen is how many services may be under way in one chat at once.
const MaxOpen = 3

// Top gives the session that is talked about.
func (c Counter) Top() (Session, bool) {
	if len(c) == 0 {
		return Session{}, false
	}
	return c[len(c)-1], true
}

// With puts a session on top, in place of an older state of it.
func (c Counter) With(s Session) Counter { return append(c.Without(s.ID), s) }

// Without takes a session away.
func (c Counter) Without(id string) Counter {
	return slices.DeleteFunc(slices.Clone(c), func(s Session) bool { return s.ID == id })
}

// ByJob gives the session whose task a job does.
func (c Counter) ByJob(job string) (Session, bool) {
	for _, s := range c {
		if s.Job == job && job != "" {
			return s, true
		}
	}
	return Session{}, false
}
