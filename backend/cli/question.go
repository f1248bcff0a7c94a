package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
)

// option is one way to answer a question on a terminal.
type option struct {
	label bilingual.Text
	reply map[string]any // of the command answer
	wants string         // a field that what is typed behind the number fills; "": none
}

var choiceNames = map[string]bilingual.Text{
	ask.ChoiceApprove:  {KO: "승인", EN: "Approve"},
	ask.ChoiceEdit:     {KO: "값을 고쳐서 (번호 뒤에 JSON)", EN: "With other values (JSON behind the number)"},
	ask.ChoiceReject:   {KO: "거절 (번호 뒤에 이유나 고칠 말)", EN: "Turn it down (a reason or what to do instead behind the number)"},
	ask.ChoiceWait:     {KO: "기다리기", EN: "Wait"},
	ask.ChoiceCancel:   {KO: "이 일 그만두기", EN: "Cancel this job"},
	ask.ChoiceRunAgain: {KO: "다시 하기", EN: "Do it again"},
	ask.ChoiceHappened: {KO: "이미 됐어요", EN: "It happened"},
	ask.ChoiceStop:     {KO: "멈추기", EN: "Stop"},
}

// options are the ways to answer a question. A value is typed as it is.
func options(a event.AskOpened) (list []option) {
	add := func(label bilingual.Text, choice, wants string, more ...any) {
		o := option{label, map[string]any{"ask": a.ID, "choice": choice}, wants}
		if a.Digest != "" {
			o.reply["digest"] = a.Digest
		}
		for i := 0; i+1 < len(more); i += 2 {
			o.reply[fmt.Sprint(more[i])] = more[i+1]
		}
		list = append(list, o)
	}
	for _, choice := range a.Choices {
		switch choice {
		case ask.ChoiceApprove:
			if len(a.Scopes) == 0 {
				add(choiceNames[choice], choice, "")
			}
			for _, s := range a.Scopes {
				add(bilingual.Textf("승인: %s", "Approve: %s", s.Words), choice, "", "scope", s.Scope)
			}
		case ask.ChoiceStopOther:
			for _, h := range a.Holders {
				add(bilingual.Textf("‘%s’ 멈추기", "Stop “%s”", named(h)), choice, "", "holder", h.JobID)
			}
		case ask.ChoiceValue:
			for _, n := range a.Near {
				add(bilingual.Of(n, n), choice, "", "text", n)
			}
		case ask.ChoiceEdit:
			add(choiceNames[choice], choice, "args")
		case ask.ChoiceReject:
			add(choiceNames[choice], choice, "text")
		default:
			name, known := choiceNames[choice]
			if !known {
				name = bilingual.Of(choice, choice)
			}
			add(name, choice, "")
		}
	}
	return list
}

func named(h event.Holder) string {
	if h.Title != "" {
		return h.Title
	}
	return h.JobID
}

// asks tells whether a question takes a value that is typed.
func takesValue(a event.AskOpened) bool { return slices.Contains(a.Choices, ask.ChoiceValue) }

// shown is a question as a terminal shows it.
func (r *run) shown(a event.AskOpened) string {
	var b strings.Builder
	line := func(text string) {
		if text = strings.TrimSpace(text); text != "" {
			b.WriteString(text + "\n")
		}
	}
	line("\n? " + a.Question)
	if a.JobTitle != "" {
		line("  " + r.say("일: %s", "Job: %s", a.JobTitle))
	}
	line(a.Effect)
	line(a.Why)
	line(a.Reason)
	if len(a.Args) > 0 && string(a.Args) != "{}" && string(a.Args) != "null" {
		line(string(a.Args))
	}
	if p := a.Preview; p != nil {
		line(p.Text)
		line(p.Diff)
		if p.Cut {
			line(r.say("(여기까지만 보여요. 전부는 창에서 볼 수 있어요.)", "(There is more; the window shows all of it.)"))
		}
	}
	for _, o := range a.Origins {
		line("  " + o.Arg + " = " + o.Value + " (" + o.Text + ")")
	}
	for i, o := range options(a) {
		fmt.Fprintf(&b, "  %d) %s\n", i+1, o.label.In(r.lang))
	}
	if takesValue(a) {
		line(r.say("값을 적거나 번호를 고르세요.", "Type a value, or a number."))
	}
	return b.String()
}

// chosen reads what a person typed as an answer. ok is false when it is none.
func chosen(a event.AskOpened, typed string) (fields map[string]any, ok bool) {
	number, more, _ := strings.Cut(typed, " ")
	list := options(a)
	if n, err := strconv.Atoi(strings.TrimSuffix(number, ")")); err == nil && n >= 1 && n <= len(list) {
		return list[n-1].filled(strings.TrimSpace(more))
	}
	for _, o := range list { // the choice by its own name
		if o.reply["choice"] == number {
			return o.filled(strings.TrimSpace(more))
		}
	}
	if takesValue(a) && typed != "" {
		return map[string]any{"ask": a.ID, "choice": ask.ChoiceValue, "text": typed}, true
	}
	return nil, false
}

// filled is the answer with what was typed behind it.
func (o option) filled(more string) (map[string]any, bool) {
	switch {
	case o.wants == "args":
		if !json.Valid([]byte(more)) {
			return nil, false
		}
		o.reply["args"] = json.RawMessage(more)
	case o.wants == "text" && more != "":
		o.reply["text"] = more
	case more != "":
		return nil, false
	}
	return o.reply, true
}

// How much of an id, and of a digest, a handle shows.
const (
	handleID     = 6
	handleDigest = 8
)

// handle is how a person names a question: the end of its id, and behind it the beginning of the digest of what was shown, so that an
// answer is bound to that.
func handle(a event.AskOpened) string {
	h := a.ID[max(0, len(a.ID)-handleID):]
	if a.Digest != "" {
		h += "@" + bare(a.Digest)[:min(handleDigest, len(bare(a.Digest)))]
	}
	return h
}

// bare is a digest without the name of how it was made.
func bare(digest string) string {
	if _, rest, ok := strings.Cut(digest, ":"); ok {
		return rest
	}
	return digest
}

// meant finds the question that a handle or an id names. bound tells whether it names what was shown, too.
func meant(asks []event.AskOpened, name string) (found event.AskOpened, bound bool, count int) {
	id, digest, bound := strings.Cut(name, "@")
	for _, a := range asks {
		if id != "" && strings.HasSuffix(a.ID, id) && (!bound || len(digest) >= handleDigest && strings.HasPrefix(bare(a.Digest), digest)) {
			found = a
			count++
		}
	}
	return found, bound, count
}
