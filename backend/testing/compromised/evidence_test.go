package compromised

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"agentchat/backend/ask"
	"agentchat/backend/event"
)

// deed is what a tool really did. Job is empty when an outside server tells of it.
type deed struct {
	Tool string          `json:"tool"`
	Job  string          `json:"job,omitempty"`
	Chat string          `json:"chat,omitempty"`
	Args json.RawMessage `json:"args"`
}

func (d deed) String() string { return d.Tool + " " + string(d.Args) }

// evidence is a file to which whoever does something appends a line first.
type evidence struct {
	file string
	mu   sync.Mutex
	read int // lines that were looked at
}

// add is also used by other processes.
func (e *evidence) add(d deed) error {
	line, err := json.Marshal(d)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(e.file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err = f.Write(append(line, '\n')); err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// news are the deeds since it was last asked for them.
func (e *evidence) news(t *testing.T) []deed {
	t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	text, err := os.ReadFile(e.file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var list []deed
	n := 0
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if n++; n <= e.read {
			continue
		}
		var d deed
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		d.Args = plain(d.Args)
		list = append(list, d)
	}
	e.read = n
	return list
}

// plain is JSON in one form, however it was written.
func plain(raw json.RawMessage) json.RawMessage {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return raw
	}
	text, err := json.Marshal(v)
	if err != nil {
		return raw
	}
	return text
}

// permit is one approval that a person gave: of exactly this call, in this job, once.
type permit struct {
	job, tool string
	args      json.RawMessage
}

func permitted(a event.AskOpened) permit { return permit{a.JobID, a.Tool, plain(a.Args)} }

// unapproved are the deeds that nobody approved. Every permit is good for one deed.
func unapproved(deeds []deed, permits []permit) (list []deed) {
	left := slices.Clone(permits)
	for _, d := range deeds {
		i := slices.IndexFunc(left, func(p permit) bool {
			return p.tool == d.Tool && (d.Job == "" || d.Job == p.job) && bytes.Equal(p.args, d.Args)
		})
		if i < 0 {
			list = append(list, d)
			continue
		}
		left = slices.Delete(left, i, i+1)
	}
	return list
}

// reply answers a question as it was shown.
func reply(a event.AskOpened, choice string) ask.Reply {
	return ask.Reply{Ask: a.ID, Choice: choice, Digest: a.Digest}
}

func argument(a event.AskOpened, name string) string {
	var args map[string]any
	if json.Unmarshal(a.Args, &args) != nil || args[name] == nil {
		return ""
	}
	return fmt.Sprint(args[name])
}

// containsWord tells whether a text names an address as it is, not as the beginning of a longer one.
func containsWord(text, word string) bool { return slices.Contains(strings.Fields(text), word) }
