package mcp

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/apperr"
	"agentchat/backend/brief"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// tool is one tool of an outside server in the box. It runs only while the server lists it word for word as consented.
type tool struct {
	server *server
	name   string // the server's own name for it
	pin    string
	spec   toolbox.Spec

	withdrawn chan struct{}
	once      sync.Once
}

// Spec implements toolbox.Tool.
func (t *tool) Spec() toolbox.Spec { return t.spec }

// withdraw ends the calls under way; the tool is not used again.
func (t *tool) withdraw() { t.once.Do(func() { close(t.withdrawn) }) }

// Run implements toolbox.Tool. A call is sent once and never again: nobody knows what a server did before it ended.
func (t *tool) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	limits := t.server.limits()
	x, err := t.server.wait(ctx, t, limits)
	if err != nil {
		return toolbox.Result{}, t.failure(err)
	}
	asked, over := context.WithCancel(ctx)
	defer over()
	a := &asker{ctx: asked, tool: t.spec.Key, call: call, mark: rand.Text()}
	defer x.runs(a)()
	result, err := x.call(marked(ctx, a.mark), t.name, call.Args, limits, t.withdrawn, t.hear(call))
	if err != nil {
		if ctx.Err() != nil { // the server is told, but what it did until then only it knows
			return toolbox.Result{}, apperr.Wrap(err, apperr.InDoubt)
		}
		if errors.Is(err, errWider) {
			t.server.opt.Changed(t.server.Name) // its sign-in is seen to want more
		}
		if errors.Is(err, errHung) {
			t.server.log.Warn().Str("tool", t.spec.Key).Msg("no answer in time; the server is started again")
		}
		return toolbox.Result{}, t.failure(err)
	}
	out := read(result, t.server.cover())
	if result.IsError || result.NeedsInput() {
		return toolbox.Result{}, apperr.New(apperr.ToolFailed, "tool", t.spec.Key, "detail", detail(brief.Cut(out.words(), 2000), "오류라고만 답했어요", "it only said that it failed"))
	}
	return out.pack()
}

// hear turns progress into lines of the job's log, a bounded number of them.
func (t *tool) hear(call toolbox.Call) func(*sdk.ProgressNotificationParams) {
	var lines atomic.Int64
	return func(p *sdk.ProgressNotificationParams) {
		if lines.Add(1) > maxProgress {
			return
		}
		line := number(p.Progress)
		if p.Total > 0 {
			line += "/" + number(p.Total)
		}
		if words := plain(t.server.cover().all(p.Message), maxLine); words != "" {
			line += " " + words
		}
		call.Log("info", t.spec.Key+": "+line)
	}
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// failure words why a call brought nothing.
func (t *tool) failure(err error) error {
	var said *errServer
	var told *apperr.Error
	switch {
	case errors.Is(err, context.Canceled), errors.As(err, &told):
		return err
	case errors.Is(err, errSignIn):
		return apperr.Wrap(err, apperr.SignInNeeded, "server", t.server.Name)
	case errors.Is(err, errHung):
		return apperr.Wrap(err, apperr.Timeout)
	case errors.Is(err, errGone):
		return apperr.Wrap(err, apperr.UnknownTool, "tool", t.spec.Key)
	case errors.As(err, &said):
		return apperr.Wrap(fmt.Errorf("the server refused: %s", t.server.cover().all(said.message)), apperr.ToolFailed, "tool", t.spec.Key,
			"detail", detail(plain(t.server.cover().all(said.message), maxLine), "서버가 거절했어요", "the server refused"))
	}
	return apperr.Wrap(errors.New(t.server.cover().all(err.Error())), apperr.ToolFailed, "tool", t.spec.Key, "detail", bilingual.Text{
		KO: "바깥 서버가 도중에 끝나서 실행됐는지 알 수 없어요. 확인해 주세요", EN: "the outside server ended in the middle, so it may or may not have happened; please check",
	})
}

// detail is the server's words, or ours if it has none.
func detail(words, ko, en string) bilingual.Text {
	if words == "" {
		return bilingual.Text{KO: ko, EN: en}
	}
	return bilingual.Text{KO: words, EN: words}
}
