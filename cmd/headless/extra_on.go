//go:build failpoint && unix

package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"agentchat/backend/failpoint/env"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/shop"
	"agentchat/backend/testing/baddisk"
	"agentchat/backend/toolbox"
)

// furnish adds what only crash-test builds have: a witness, whose effect must happen exactly once, a guest book, in which the
// same step may write again without a second line, a clock that can be some days ahead, and a disk that can be full.
func furnish(o *shop.Options) {
	o.Tools = []toolbox.Tool{witness{}, guestBook{}}
	if days, err := strconv.Atoi(os.Getenv(env.Days)); err == nil {
		o.Now = func() time.Time { return time.Now().AddDate(0, 0, days) }
	}
	if path := os.Getenv(env.Full); path != "" {
		baddisk.FullWhile(filepath.Dir(path), func() bool { _, err := os.Stat(path); return err == nil })
	}
}

type witness struct{}

// Spec implements toolbox.Tool.
func (witness) Spec() toolbox.Spec {
	return toolbox.Spec{
		Key: "witness", Title: bilingual.Text{KO: "증인 도장", EN: "Witness stamp"},
		Description: bilingual.Text{KO: "증인 도장을 번호와 함께 찍어요.", EN: "Stamps a number before a witness."},
		Confirm:     toolbox.ConfirmAlways, Widest: toolbox.ScopeChat, Effect: toolbox.EffectOnce,
		Params: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["n"],"properties":{"n":{"type":"integer","minimum":1,"x-slot":"number"}}}`),
		Examples: []toolbox.Example{
			{Text: "증인 도장 3번 찍어줘", Args: map[string]any{"n": 3}},
			{Text: "증인 도장 12번으로 찍어줘", Args: map[string]any{"n": 12}},
			{Text: "witness stamp number 5", Args: map[string]any{"n": 5}},
		},
	}
}

// Run implements toolbox.Tool.
func (witness) Run(_ context.Context, call toolbox.Call) (toolbox.Result, error) {
	var args struct {
		N int `json:"n"`
	}
	if err := json.Unmarshal(call.Args, &args); err != nil {
		return toolbox.Result{}, err
	}
	f, err := os.OpenFile(os.Getenv(env.Witness), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return toolbox.Result{}, err
	}
	if _, err = fmt.Fprintln(f, args.N); err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return toolbox.Result{Text: fmt.Sprintf("%d", args.N)}, err
}

type guestBook struct{}

// Spec implements toolbox.Tool.
func (guestBook) Spec() toolbox.Spec {
	return toolbox.Spec{
		Key: "guest_book", Title: bilingual.Text{KO: "손님 명부", EN: "Guest book"},
		Description: bilingual.Text{KO: "손님 명부에 번호를 올려요.", EN: "Writes a number into the guest book."},
		Confirm:     toolbox.ConfirmNever, Effect: toolbox.EffectIdempotent,
		Params: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["n"],"properties":{"n":{"type":"integer","minimum":1,"x-slot":"number"}}}`),
		Examples: []toolbox.Example{
			{Text: "손님 명부 3번 올려줘", Args: map[string]any{"n": 3}},
			{Text: "손님 명부 12번으로 올려줘", Args: map[string]any{"n": 12}},
			{Text: "guest book number 5", Args: map[string]any{"n": 5}},
		},
	}
}

// Run implements toolbox.Tool. The line of a step is a file of its own, so that it can be there only once.
func (guestBook) Run(_ context.Context, call toolbox.Call) (toolbox.Result, error) {
	var args struct {
		N int `json:"n"`
	}
	if err := json.Unmarshal(call.Args, &args); err != nil {
		return toolbox.Result{}, err
	}
	name := fmt.Sprintf("%s.book.%x", os.Getenv(env.Witness), sha256.Sum256([]byte(call.TodoID)))
	return toolbox.Result{Text: strconv.Itoa(args.N)}, os.WriteFile(name, strconv.AppendInt(nil, int64(args.N), 10), 0o600)
}
