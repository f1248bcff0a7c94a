package interpreter

import (
	"encoding/json"
	"strings"

	"agentchat/backend/logging"
	"agentchat/backend/provider"
)

// shortestSecret is the shortest key that is looked for in requests: a shorter one would be found in ordinary words.
const shortestSecret = 8

// Redact takes secrets out of a text: these keys, and what can be told by its shape.
func Redact(text string, keys []string) string { return logging.Redact(hidden(text, keys)) }

func hidden(text string, keys []string) string {
	for _, key := range keys {
		if len(key) >= shortestSecret {
			text = strings.ReplaceAll(text, key, logging.Redacted)
		}
	}
	return text
}

// Redacted is the exchange without secrets: these keys, and what can be told by its shape. The cards and the schema are the
// shop's own and stay as they are.
func (x Exchange) Redacted(keys []string) Exchange {
	hide := func(text string) string { return hidden(text, keys) }
	clean := func(text string) string { return Redact(text, keys) }
	l := x.Request
	l.Summary, l.Message, l.State = clean(l.Summary), clean(l.Message), cleanState(l.State, hide)
	l.Facts = append([]string(nil), l.Facts...)
	for i := range l.Facts {
		l.Facts[i] = clean(l.Facts[i])
	}
	l.Transcript = append([]provider.Turn(nil), l.Transcript...)
	for i := range l.Transcript {
		l.Transcript[i].Text = clean(l.Transcript[i].Text)
	}
	l.Rounds = cleanRounds(l.Rounds, clean, hide)
	x.Request = l
	x.Prompt.Messages = append([]provider.PromptMessage(nil), x.Prompt.Messages...)
	for i := range x.Prompt.Messages {
		m := &x.Prompt.Messages[i]
		m.Text, m.Calls = clean(m.Text), append([]provider.PromptCall(nil), m.Calls...)
		for k := range m.Calls {
			m.Calls[k].Arguments = cleanArgs(m.Calls[k].Arguments, hide)
		}
	}
	x.Reply.Calls = append([]provider.RawCall(nil), x.Reply.Calls...)
	for i := range x.Reply.Calls {
		c := &x.Reply.Calls[i]
		c.Name, c.Arguments = clean(c.Name), clean(c.Arguments)
	}
	x.Reply.Text, x.Reply.Thinking, x.Problem = clean(x.Reply.Text), clean(x.Reply.Thinking), clean(x.Problem)
	return x
}

// cleanRounds takes secrets out of a solve loop.
func cleanRounds(rounds []provider.Round, clean, hide func(string) string) []provider.Round {
	rounds = append([]provider.Round(nil), rounds...)
	for i := range rounds {
		r := &rounds[i]
		r.Said, r.Ask, r.Answer = clean(r.Said), clean(r.Ask), clean(r.Answer)
		r.Calls, r.Results = append([]provider.CallRequest(nil), r.Calls...), append([]provider.CallResult(nil), r.Results...)
		for k := range r.Calls {
			r.Calls[k].Args, r.Calls[k].Problem = cleanArgs(r.Calls[k].Args, hide), clean(r.Calls[k].Problem)
		}
		for k := range r.Results {
			r.Results[k].Text = clean(r.Results[k].Text)
		}
	}
	return rounds
}

// cleanArgs takes secrets out of arguments. What is no JSON afterwards is left out.
func cleanArgs(args json.RawMessage, hide func(string) string) json.RawMessage {
	if len(args) == 0 {
		return args
	}
	if out := logging.RedactJSON([]byte(hide(string(args)))); json.Valid(out) {
		return out
	}
	return json.RawMessage("{}")
}

// cleanState takes secrets out of every text in a state. A state that cannot be read again afterwards is left out: better
// a gap than a secret.
func cleanState(s provider.State, hide func(string) string) (out provider.State) {
	text, err := json.Marshal(s)
	if err != nil || json.Unmarshal(logging.RedactJSON([]byte(hide(string(text)))), &out) != nil {
		return provider.State{}
	}
	return out
}
