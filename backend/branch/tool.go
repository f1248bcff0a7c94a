package branch

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/apperr"
	"agentchat/backend/guest"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// tool is one tool of another shop, on the board here.
type tool struct {
	link *link
	name string // what it is called there
	spec toolbox.Spec
}

// Spec implements toolbox.Tool.
func (t *tool) Spec() toolbox.Spec { return t.spec }

// Recall implements toolbox.Recaller.
func (t *tool) Recall(use string) { t.link.recall(use) }

// answer is what a call brings back.
type answer struct {
	Status string          `json:"status"`
	Fence  int64           `json:"fence"`
	Place  int             `json:"place"`
	Data   json.RawMessage `json:"data"`
	Code   apperr.Code     `json:"code"`
	Limit  struct {
		Kind guest.Limit `json:"kind"`
	} `json:"limit"`
	Message string `json:"message"`

	text string
}

// progress is what is kept of a use while it is put aside.
type progress struct {
	Sent bool `json:"sent"` // the other shop may have got the call
}

// mostLost is how many leases in a row may be lost before a use is put aside for a moment.
const mostLost = 3

// errAway says that the other shop cannot be reached; what was asked of it may have been heard.
var errAway = errors.New("the branch is away")

// Run implements toolbox.Tool. Whatever cuts it off, the same use is asked for again and is done once: where it stands is known over there.
func (t *tool) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	var kept progress
	if len(call.Resume) > 0 {
		if err := json.Unmarshal(call.Resume, &kept); err != nil {
			return toolbox.Result{}, apperr.Wrap(err, apperr.Internal)
		}
	}
	kept.Sent = kept.Sent || call.Again // that it was sent may have been forgotten with the program
	t.link.waits(call.Use, call.JobID)
	for lost := 0; ; {
		sent, began := kept.Sent, time.Now()
		got, known, err := t.once(ctx, call, &kept)
		before := sent || known // this try may not be the first that is heard
		var said *jsonrpc.Error
		switch {
		case ctx.Err() != nil:
			return toolbox.Result{}, apperr.Wrap(ctx.Err(), apperr.InDoubt)
		case errors.As(err, &said) && said.Code == jsonrpc.CodeInvalidParams: // it is not lent any more
			t.link.over(call.Use)
			return toolbox.Result{}, t.gone(said.Message, before)
		case err != nil && t.link.unpaired(): // nobody will ever answer
			t.link.over(call.Use)
			return toolbox.Result{}, t.gone(bilingual.Say(call.Lang, "지점 ‘%s’에서 이 가게를 뺐어요", "the branch “%s” unpaired this shop", t.link.name()), before)
		case err != nil:
			return t.park(kept, t.link.pause(), t.away(call.Lang)), nil
		case got.Status == "refused" && got.Limit.Kind == guest.LimitOpen: // its other tickets over there come first; this one was not made
			kept.Sent = before
			return t.park(kept, t.link.book.pace.Look, plain(got.Message)), nil
		case got.Status == "refused" && passing(got.Code):
			return t.park(kept, t.link.book.pace.Look, plain(got.Message)), nil
		}
		switch got.Status {
		case guest.LeaseLost: // it was too long on its way; the next lease has a higher fence
			if kept.Sent, lost = before, lost+1; lost >= mostLost {
				return t.park(kept, t.link.book.pace.Look, t.locked(call.Lang, got.Place)), nil
			}
			continue
		case guest.Locked:
			return t.park(kept, t.link.book.pace.Look, t.locked(call.Lang, got.Place)), nil
		case "running":
			rest(ctx, t.link.book.pace.Look-time.Since(began)) // one that says so at once would be asked without end
			continue
		case "waiting": // its ticket stands in line there, which may take hours
			return t.park(kept, t.link.book.pace.Look, t.locked(call.Lang, got.Place)), nil
		case "waiting_for_person":
			return t.park(kept, t.link.book.pace.Look, bilingual.Say(call.Lang, "지점 ‘%s’에서 사람의 답을 기다려요.", "A person at the branch “%s” has to answer.", t.link.name())), nil
		}
		t.link.over(call.Use)
		if got.Status == "refused" { // so this try made no ticket; an earlier one may have
			return toolbox.Result{}, t.refused(got, before)
		}
		return t.ended(got, kept.Sent)
	}
}

// rest waits for a while, or until ctx ends.
func rest(ctx context.Context, wait time.Duration) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// passing tells whether the other shop refused for a reason of its own that says nothing of the use and may be over soon.
func passing(c apperr.Code) bool {
	return c == apperr.StorageFull || c == apperr.StorageFailed || c == apperr.StorageBusy
}

// once asks for the lease and makes the call, if it was given one, or if the use is known to have its ticket.
func (t *tool) once(ctx context.Context, call toolbox.Call, kept *progress) (got answer, known bool, err error) {
	c := t.link.here()
	if c == nil {
		return answer{}, false, errAway
	}
	got, err = c.ask(ctx, t.link.book.pace.Within, guest.LeaseTool, guest.Wanted{Use: call.Use, Tool: t.name, Began: call.Began.UnixMilli()}, nil)
	if err != nil || got.Status != guest.Leased && got.Status != guest.Known {
		return got, false, err
	}
	kept.Sent, known = true, got.Status == guest.Known
	got, err = c.ask(ctx, 0, t.name, call.Args, sdk.Meta{guest.MetaUse: call.Use, guest.MetaFence: got.Fence})
	return got, known, err
}

// park puts a use aside until a moment. The job looks again earlier when the other shop is back.
func (t *tool) park(kept progress, wait time.Duration, why string) toolbox.Result {
	resume, _ := json.Marshal(kept) // it always encodes
	return toolbox.Result{Park: &toolbox.Park{
		UntilUnixMilli: t.link.book.deps.Now().Add(wait).UnixMilli(), Resume: resume, Why: why, Doubt: kept.Sent,
	}}
}

func (t *tool) away(lang bilingual.Lang) string {
	return apperr.New(apperr.BranchAway, "branch", t.link.name()).Text(lang)
}

func (t *tool) locked(lang bilingual.Lang, place int) string {
	return bilingual.Say(lang, "지점 ‘%s’에서 다른 일이 쓰고 있어요. %d번째로 기다려요.", "In use at the branch “%s”; number %d in line.", t.link.name(), max(place, 1))
}

// ended is what a use brought.
func (t *tool) ended(got answer, sent bool) (toolbox.Result, error) {
	switch got.Status {
	case "done":
		return toolbox.Result{Data: got.Data, Text: got.text}, nil
	case "failed":
		if got.Code == apperr.InDoubt {
			return toolbox.Result{}, apperr.New(apperr.InDoubt, "tool", t.spec.Key)
		}
		return toolbox.Result{}, t.failed(got.text)
	case "called_off", guest.TakenBack:
		text := got.text
		if text == "" {
			text = got.Message
		}
		return toolbox.Result{}, t.failed(text)
	}
	return toolbox.Result{}, t.gone(got.Status, sent)
}

// refused is a use that the other shop would not take. Those whose ticket was put away there long ago, or have another's name, may have been done.
func (t *tool) refused(got answer, sent bool) error {
	return t.gone(got.Message, sent || got.Code == apperr.NotFound || got.Code == apperr.DigestMismatch)
}

// gone is a use that the other shop does not take, or will say nothing about.
func (t *tool) gone(why string, sent bool) error {
	if sent {
		return apperr.New(apperr.InDoubt, "tool", t.spec.Key)
	}
	return t.failed(why)
}

// failed is an error in the other shop's words.
func (t *tool) failed(words string) error {
	detail := bilingual.Of("지점이 거절했어요", "the branch refused")
	if words = plain(words); words != "" {
		detail = bilingual.Text{KO: words, EN: words}
	}
	return apperr.New(apperr.ToolFailed, "tool", t.spec.Key, "detail", detail)
}
