package guest

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// beat is how often a guest that asks for progress hears that a call goes on; it is answered when that is over. Others give up after a
// minute or so, and are told before that where it stands.
const beat = 15 * time.Second

// status is how far a ticket is, for the guest.
type status string

const (
	done      status = "done"
	failed    status = "failed"
	calledOff status = "called_off"
	waits     status = "waiting_for_person"
	inLine    status = "waiting" // for a tool, or for a moment
	running   status = "running"
)

func (b *Book) handler(g Guest, spec toolbox.Spec) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		args := req.Params.Arguments
		if len(args) == 0 {
			args = json.RawMessage(`{}`)
		}
		reader := b.deps.Bus.Subscribe()
		j, err := b.call(ctx, g, spec, args, nil)
		if err != nil {
			return b.refused(err), nil
		}
		return b.await(ctx, req, g, j.ID, reader, false)
	}
}

// resume waits for a ticket of the guest's own.
func (b *Book) resume(g Guest) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var args struct {
			Ticket string `json:"ticket"`
		}
		if err := json.Unmarshal(req.Params.Arguments, &args); err != nil {
			return b.refused(wrong("ticket", bilingual.Of("표의 값이 필요해요", "it needs the value of a ticket"))), nil
		}
		return b.await(ctx, req, g, args.Ticket, b.deps.Bus.Subscribe(), false)
	}
}

// await tells how a ticket ends, or after a while where it stands; a brief one as soon as it waits for a person. reader stands before what is
// looked at.
func (b *Book) await(ctx context.Context, req *sdk.CallToolRequest, g Guest, id string, reader *event.Reader, brief bool) (*sdk.CallToolResult, error) {
	token := req.Params.GetProgressToken()
	limit := time.Now().Add(b.deps.Wait())
	step := 0.0
	for {
		j, asked, err := b.deps.Store.GuestTicket(ctx, g.ID, id)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			return b.refused(err), nil
		}
		at := statusOf(j, asked)
		if j.State.Ended() || brief && at == waits || token == nil && !time.Now().Before(limit) {
			return b.result(j, at), nil
		}
		if token != nil {
			step++
			_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: step, Message: b.words(at)})
		}
		until := limit
		if token != nil {
			until = time.Now().Add(beat)
		}
		if err := moved(ctx, reader, id, until); err != nil {
			return nil, err
		}
	}
}

// moved returns when something became of a ticket, or at a moment.
func moved(ctx context.Context, reader *event.Reader, id string, until time.Time) error {
	limited, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	for {
		batch, err := reader.Next(limited, 1024)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, event.ErrClosed):
			return err
		case err != nil:
			return nil //nolint:nilerr // the moment has come, or too much happened: it is looked at anew
		}
		for _, env := range batch {
			if env.Job == id && (env.Kind == event.KindJobState || env.Kind == event.KindAskOpened || env.Kind == event.KindAskClosed) {
				return nil
			}
		}
	}
}

func statusOf(j job.Job, asked bool) status {
	switch j.State {
	case job.Succeeded:
		return done
	case job.Failed:
		return failed
	case job.Canceled:
		return calledOff
	case job.Waiting:
		if asked {
			return waits
		}
		return inLine
	case job.Queued, job.Running:
	}
	return running
}

func (b *Book) words(s status) string {
	switch s {
	case waits:
		return bilingual.Say(b.deps.Lang(), "사람의 답을 기다려요.", "Waiting for a person's answer.")
	case inLine:
		return bilingual.Say(b.deps.Lang(), "공구나 때를 기다려요.", "Waiting for a tool, or for its moment.")
	case calledOff:
		return bilingual.Say(b.deps.Lang(), "사람이 허락하지 않았거나 그만두었어요.", "A person did not allow it, or called it off.")
	case running, done, failed:
	}
	return bilingual.Say(b.deps.Lang(), "하는 중이에요.", "It is under way.")
}

// result is a ticket as its guest gets it: what the tool answered.
func (b *Book) result(j job.Job, at status) *sdk.CallToolResult {
	t := j.Todos[0]
	structured := map[string]any{"status": at, "ticket": j.ID, "number": j.Number}
	text := b.words(at)
	switch at {
	case done, failed:
		if text = t.Text; text == "" {
			text = j.Report
		}
		if len(t.Data) > 0 {
			structured["data"] = t.Data
		}
		if at == failed {
			structured["code"] = j.Code
			if j.Code == apperr.GuestLimit { // it was within its limits when it was handed in
				structured["limit"] = b.told(b.spends(t.Tool))
			}
		}
	case waits, inLine, running:
		structured["resume"] = map[string]any{"tool": resumeTool, "arguments": map[string]any{"ticket": j.ID}}
	case calledOff:
	}
	return &sdk.CallToolResult{IsError: at == failed || at == calledOff, Content: []sdk.Content{&sdk.TextContent{Text: text}}, StructuredContent: structured}
}

// spends is what a tool spends.
func (b *Book) spends(tool string) Limit {
	if slices.ContainsFunc(b.deps.Tools(), func(s toolbox.Spec) bool { return s.Key == tool && s.Money != "" }) {
		return LimitMoney
	}
	return LimitFiles
}
