package ask_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/toolbox"
)

// alone is a store whose question was the only open one.
type alone struct{ one }

func (alone) OpenAsks(context.Context) ([]ask.Ask, error) { return nil, nil }

// What an answer may hold, and how far an approval reaches: as far as the person said, if it was offered.
func TestWhatAnAnswerMayHold(t *testing.T) {
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	scopes := []event.AskScope{{Scope: string(toolbox.ScopeOnce)}, {Scope: string(toolbox.ScopeChat), Default: true}, {Scope: string(toolbox.ScopeAlways)}}
	question := func(edit ...func(*ask.Ask)) ask.Ask {
		a := ask.Ask{
			ID: "q", Kind: ask.KindApproval, State: ask.StateOpen, Chat: "main", Tool: "pay", Digest: "shown", Scopes: scopes,
			Choices: []string{ask.ChoiceApprove, ask.ChoiceEdit, ask.ChoiceReject, ask.ChoiceValue, ask.ChoiceStopOther},
		}
		for _, e := range edit {
			e(&a)
		}
		return a
	}
	unscoped := func(a *ask.Ask) { a.Scopes = nil }
	held := func(jobs ...string) func(*ask.Ask) {
		return func(a *ask.Ask) {
			for _, j := range jobs {
				a.Holders = append(a.Holders, event.Holder{JobID: j})
			}
		}
	}
	for name, c := range map[string]struct {
		ask   ask.Ask
		reply ask.Reply
		code  apperr.Code
		scope toolbox.Scope // of an approval
		chat  string        // of its grant
		args  string
		stops string
	}{
		"approved as far as is usual":         {ask: question(), reply: ask.Reply{Choice: ask.ChoiceApprove, Digest: "shown"}, scope: toolbox.ScopeChat, chat: "main"},
		"approved once":                       {ask: question(), reply: ask.Reply{Choice: ask.ChoiceApprove, Digest: "shown", Scope: "once"}, scope: toolbox.ScopeOnce},
		"approved for ever":                   {ask: question(), reply: ask.Reply{Choice: ask.ChoiceApprove, Digest: "shown", Scope: "always"}, scope: toolbox.ScopeAlways},
		"approved farther than is offered":    {ask: question(unscoped), reply: ask.Reply{Choice: ask.ChoiceApprove, Digest: "shown", Scope: "always"}, code: apperr.BadChoice},
		"once is always offered":              {ask: question(unscoped), reply: ask.Reply{Choice: ask.ChoiceApprove, Digest: "shown", Scope: "once"}, scope: toolbox.ScopeOnce},
		"approved where nothing is offered":   {ask: question(unscoped), reply: ask.Reply{Choice: ask.ChoiceApprove, Digest: "shown"}, scope: toolbox.ScopeOnce},
		"a scope without an approval":         {ask: question(), reply: ask.Reply{Choice: ask.ChoiceReject, Scope: "once"}, code: apperr.BadChoice},
		"rejected unseen":                     {ask: question(), reply: ask.Reply{Choice: ask.ChoiceReject}},
		"rejected from another picture of it": {ask: question(), reply: ask.Reply{Choice: ask.ChoiceReject, Digest: "another"}, code: apperr.DigestMismatch},
		"as long a text as may be":            {ask: question(), reply: ask.Reply{Choice: ask.ChoiceReject, Text: " " + strings.Repeat("t", 16<<10) + " "}},
		"a text too long":                     {ask: question(), reply: ask.Reply{Choice: ask.ChoiceReject, Text: strings.Repeat("t", 16<<10+1)}, code: apperr.InvalidArgs},
		"changed":                             {ask: question(), reply: ask.Reply{Choice: ask.ChoiceEdit, Digest: "shown", Args: json.RawMessage(`{"n":1}`)}, args: `{"n":1}`},
		"changed to what does not fit":        {ask: question(), reply: ask.Reply{Choice: ask.ChoiceEdit, Digest: "shown"}, code: apperr.InvalidArgs},
		"a value":                             {ask: question(), reply: ask.Reply{Choice: ask.ChoiceValue, Text: "five"}},
		"no value":                            {ask: question(), reply: ask.Reply{Choice: ask.ChoiceValue, Text: " \n"}, code: apperr.InvalidArgs},
		"the only one who holds it":           {ask: question(held("a")), reply: ask.Reply{Choice: ask.ChoiceStopOther}, stops: "a"},
		"one of those who hold it":            {ask: question(held("a", "b")), reply: ask.Reply{Choice: ask.ChoiceStopOther, Holder: "b"}, stops: "b"},
		"which one is not said":               {ask: question(held("a", "b")), reply: ask.Reply{Choice: ask.ChoiceStopOther}, code: apperr.InvalidArgs},
		"one who does not hold it":            {ask: question(held("a")), reply: ask.Reply{Choice: ask.ChoiceStopOther, Holder: "c"}, code: apperr.InvalidArgs},
		"what is not offered":                 {ask: question(), reply: ask.Reply{Choice: ask.ChoiceWait}, code: apperr.BadChoice},
	} {
		t.Run(name, func(t *testing.T) {
			var heard []ask.Ask
			desk := ask.NewDesk(ask.Deps{
				Store: alone{one{c.ask}}, Publisher: nobody{}, Now: func() time.Time { return now }, Answered: func(a ask.Ask) { heard = append(heard, a) },
				ValidateArgs: func(_ string, args json.RawMessage) (json.RawMessage, error) {
					if len(args) == 0 {
						return nil, apperr.New(apperr.InvalidArgs, "detail", "n")
					}
					return args, nil
				},
			})
			c.reply.Ask = "q"
			a, err := desk.Answer(t.Context(), c.reply)
			if apperr.CodeOf(err) != c.code {
				t.Fatalf("%v, want %q", err, c.code)
			}
			if c.code != "" {
				if len(heard) > 0 {
					t.Error("an answer that was refused was worked in")
				}
				return
			}
			if len(heard) != 1 || a.Answer == nil {
				t.Fatalf("worked in %d times: %+v", len(heard), a.Answer)
			}
			got := *a.Answer
			if got.Scope != string(c.scope) || string(got.Args) != c.args || got.Holder != c.stops || got.By != ask.ByPerson || !got.At.Equal(now) ||
				got.Text != strings.TrimSpace(c.reply.Text) {
				t.Errorf("%+v", got)
			}
			lasting := c.scope == toolbox.ScopeChat || c.scope == toolbox.ScopeAlways
			if (got.Grant != nil) != lasting || lasting && (got.Grant.Scope != c.scope || got.Grant.Chat != c.chat || got.Grant.Tool != "pay" || got.Grant.Ask != "q") {
				t.Errorf("the grant: %+v", got.Grant)
			}
		})
	}
}

// A question that cannot be read is shown to nobody, and its job is told to look.
func TestAnUnreadableQuestionIsNotShown(t *testing.T) {
	for state, shown := range map[ask.State]int{ask.StateOpen: 1, ask.StateUnreadable: 0} {
		told := 0
		desk := ask.NewDesk(ask.Deps{Store: one{ask.Ask{ID: "q", State: state}}, Publisher: nobody{}, Now: time.Now, Answered: func(ask.Ask) { told++ }})
		if list, err := desk.Open(t.Context()); err != nil || len(list) != shown || told != 1-shown {
			t.Errorf("%s: %d shown, %d told, %v", state, len(list), told, err)
		}
	}
}
