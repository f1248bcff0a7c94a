package tools

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/hangul"
	"agentchat/backend/toolbox"
)

// timer puts its job aside until a moment, and tells the customer when it has come. It needs no worker meanwhile.
type timer struct{ deps Deps }

// timerResume is what a parked timer remembers.
type timerResume struct {
	Due int64 `json:"due"` // Unix milliseconds
}

func (*timer) Spec() toolbox.Spec { return manual("timer") }

func (t *timer) Run(_ context.Context, call toolbox.Call) (toolbox.Result, error) {
	var args struct {
		Seconds int64  `json:"seconds"`
		Message string `json:"message"`
	}
	if err := call.Read(&args); err != nil {
		return toolbox.Result{}, err
	}
	wait := time.Duration(args.Seconds) * time.Second
	now := t.deps.Now()
	resume := timerResume{Due: now.Add(wait).UnixMilli()}
	if call.Resume != nil {
		if err := json.Unmarshal(call.Resume, &resume); err != nil {
			return toolbox.Result{}, apperr.Wrap(err, apperr.Internal)
		}
	} else {
		due := bilingual.ClockSeconds(now.Add(wait), call.Lang)
		call.Log("info", bilingual.Say(call.Lang, due+"에 알려 드려요.", "Due at "+due+"."))
	}
	message := strings.TrimSpace(args.Message)
	if now.UnixMilli() < resume.Due { // also after a restart, or when the clock was set back
		raw, err := json.Marshal(resume)
		if err != nil {
			return toolbox.Result{}, apperr.Wrap(err, apperr.Internal)
		}
		return toolbox.Result{Park: &toolbox.Park{UntilUnixMilli: resume.Due, Resume: raw}}, nil
	}
	english, verb := span(wait, bilingual.EN), " have passed"
	if strings.HasPrefix(english, "1 ") && !strings.Contains(english, ",") {
		verb = " has passed"
	}
	text := bilingual.Say(call.Lang, hangul.With(span(wait, bilingual.KO), "이", "가")+" 지났어요", english+verb)
	if message != "" {
		text += ": " + message
	} else {
		text += "."
	}
	return toolbox.ResultOf(struct {
		Seconds int64  `json:"seconds"`
		Message string `json:"message,omitempty"`
		Due     string `json:"due"`
	}{args.Seconds, message, time.UnixMilli(resume.Due).In(now.Location()).Format(time.RFC3339)}, text)
}
