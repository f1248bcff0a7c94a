package shop_test

import (
	"encoding/json"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
)

// A public server asks a person in the middle of a call; the question is a card like any other, and takes one answer.
func TestAPublicServerAsksAPerson(t *testing.T) {
	c, _ := withServers(t, map[string]any{"everything": node(publicServers(t), "server-everything", "stdio")})
	asks := func(id string) event.AskOpened {
		t.Helper()
		c.answer(id, "approve", "")
		return until(c, "the server asks", func(_ event.Envelope, a event.AskOpened) bool {
			return a.JobID == id && a.Kind == string(ask.KindOutside)
		})
	}
	const tool = "everything__trigger_elicitation_request"
	id := c.uses(tool, map[string]any{})
	a := asks(id)
	if a.Form == nil || a.Form.Server != "everything" || len(a.Form.Fields) != 13 || a.Form.Fields[0].Name != "name" || a.Tool != tool || a.JobTitle == "" {
		t.Fatalf("%+v", a)
	}
	snap, err := c.Snapshot(t.Context())
	if err != nil || len(snap.Asks) != 1 || snap.Asks[0].ID != a.ID {
		t.Fatalf("%+v, %v", snap.Asks, err)
	}
	say := func(r ask.Reply) error { _, err := c.Answer(t.Context(), r); return err }
	wants := func(err error, code apperr.Code) {
		t.Helper()
		if apperr.CodeOf(err) != code {
			t.Errorf("%v, want %s", err, code)
		}
	}
	wants(say(ask.Reply{Ask: a.ID, Choice: ask.ChoiceValue, Digest: "another", Args: json.RawMessage(`{"name":"김"}`)}), apperr.DigestMismatch)
	wants(say(ask.Reply{Ask: a.ID, Choice: ask.ChoiceValue, Digest: a.Digest, Args: json.RawMessage(`{"integer":7}`)}), apperr.InvalidArgs)
	wants(say(ask.Reply{Ask: a.ID, Choice: ask.ChoiceApprove, Digest: a.Digest}), apperr.InvalidArgs)
	if err := say(ask.Reply{Ask: a.ID, Choice: ask.ChoiceValue, Digest: a.Digest, Args: json.RawMessage(`{"name":"김","integer":7}`)}); err != nil {
		t.Fatal(err)
	}
	until(c, "the question is closed", func(_ event.Envelope, e event.AskClosed) bool {
		return e.ID == a.ID && e.Choice == ask.ChoiceValue && e.By == ask.ByPerson
	})
	wants(say(ask.Reply{Ask: a.ID, Choice: ask.ChoiceReject}), apperr.StaleAnswer)
	c.state(id, "succeeded")
	if text := c.outcome(id); !strings.Contains(text, "Name: 김") || !strings.Contains(text, "Favorite Integer: 7") {
		t.Errorf("%q", text)
	}

	id = c.uses(tool, map[string]any{})
	a = asks(id)
	if err := say(ask.Reply{Ask: a.ID, Choice: ask.ChoiceReject}); err != nil {
		t.Fatal(err)
	}
	c.state(id, "succeeded")
	if text := c.outcome(id); !strings.Contains(text, "declined") {
		t.Errorf("%q", text)
	}

	// Called off, the job takes its question along.
	id = c.uses(tool, map[string]any{})
	a = asks(id)
	if err := c.CancelJob(id); err != nil {
		t.Fatal(err)
	}
	until(c, "the question is closed", func(_ event.Envelope, e event.AskClosed) bool {
		return e.ID == a.ID && e.Choice == ask.ChoiceNone && e.By == ask.BySystem
	})
	if snap, err := c.Snapshot(t.Context()); err != nil || len(snap.Asks) != 0 {
		t.Errorf("%+v, %v", snap.Asks, err)
	}
}
