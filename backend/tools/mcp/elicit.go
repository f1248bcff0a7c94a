package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/apperr"
	"agentchat/backend/background"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// What a question of a server may weigh.
const (
	maxQuestion = 1000 // characters
	maxFields   = 30
	maxChoices  = 100
	mostAsked   = 20 // questions of one call
)

// Question is what a server asks a person in the middle of a call (elicitation). Its words are a stranger's. Calls is how many calls it may belong to: of
// several, Chat is that of the newest, and JobID, TodoID and Tool are empty unless they are those of all.
type Question struct {
	Server, Chat, JobID, TodoID string
	Tool                        string
	Calls                       int
	Lang                        bilingual.Lang
	Message                     string
	Fields                      []event.AskField
	Prompt                      *event.AskPrompt // of words that a model shall write (sampling); nil: a form
}

// property is one property of the flat schemas that the protocol allows for questions.
type property struct {
	Type        string          `json:"type"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Default     json.RawMessage `json:"default"`
	Enum        []string        `json:"enum"`
	EnumNames   []string        `json:"enumNames"`
	OneOf       []titled        `json:"oneOf"`
	AnyOf       []titled        `json:"anyOf"`
	Items       *property       `json:"items"`
	Minimum     *float64        `json:"minimum"`
	Maximum     *float64        `json:"maximum"`
	MinLength   *float64        `json:"minLength"`
	MaxLength   *float64        `json:"maxLength"`
	MinItems    *float64        `json:"minItems"`
	MaxItems    *float64        `json:"maxItems"`
}

type titled struct {
	Const string `json:"const"`
	Title string `json:"title"`
}

// fieldsOf reads the form that a server wants filled in. False: it is none that can be shown.
func fieldsOf(schema any) ([]event.AskField, bool) {
	var whole struct {
		Properties map[string]property `json:"properties"`
		Required   []string            `json:"required"`
	}
	if schema == nil {
		return []event.AskField{}, true
	}
	if text := mustJSON(schema); len(text) > maxSchema || json.Unmarshal(text, &whole) != nil || len(whole.Properties) > maxFields {
		return nil, false
	}
	fields := []event.AskField{}
	for _, name := range slices.Sorted(maps.Keys(whole.Properties)) {
		p := whole.Properties[name]
		f := event.AskField{
			Name: name, Title: plain(p.Title, 100), About: plain(p.Description, maxLine), Required: slices.Contains(whole.Required, name), Default: p.Default,
			Choices: p.choices(), Min: p.Minimum, Max: p.Maximum,
		}
		if f.Title == "" {
			f.Title = plain(name, 100)
		}
		switch {
		case p.Type == "string" && len(f.Choices) > 0:
			f.Kind = event.FieldOne
		case p.Type == "string":
			f.Kind, f.Min, f.Max = event.FieldText, p.MinLength, p.MaxLength
		case p.Type == "number":
			f.Kind = event.FieldNumber
		case p.Type == "integer":
			f.Kind = event.FieldInteger
		case p.Type == "boolean":
			f.Kind = event.FieldYesNo
		case p.Type == "array" && p.Items != nil && len(p.Items.choices()) > 0:
			f.Kind, f.Choices, f.Min, f.Max = event.FieldSome, p.Items.choices(), p.MinItems, p.MaxItems
		default:
			return nil, false
		}
		if len(f.Choices) > maxChoices || len(f.Default) > maxQuestion {
			return nil, false
		}
		fields = append(fields, f)
	}
	slices.SortStableFunc(fields, func(a, b event.AskField) int { // the order that they were written in is lost on the way
		switch {
		case a.Required == b.Required:
			return 0
		case a.Required:
			return -1
		}
		return 1
	})
	return fields, true
}

func (p property) choices() (list []event.FieldChoice) {
	for i, v := range p.Enum {
		c := event.FieldChoice{Value: v, Title: plain(v, 100)}
		if i < len(p.EnumNames) {
			c.Title = plain(p.EnumNames[i], 100)
		}
		list = append(list, c)
	}
	for _, t := range append(slices.Clone(p.OneOf), p.AnyOf...) {
		list = append(list, event.FieldChoice{Value: t.Const, Title: plain(t.Title, 100)})
	}
	return list
}

// Fill checks what a person filled in against what was asked for. Error: invalid_args, naming the field.
func (q Question) Fill(values map[string]any) (map[string]any, error) {
	out := map[string]any{}
	for _, f := range q.Fields {
		v, given := values[f.Name]
		if s, ok := v.(string); ok && s == "" && f.Kind != event.FieldText || v == nil {
			given = false
		}
		if !given {
			if f.Required {
				return nil, wrongField(f, "넣어 주세요", "please fill it in")
			}
			continue
		}
		if ko, en := wrongValue(f, v); ko != "" {
			return nil, wrongField(f, ko, en)
		}
		out[f.Name] = v
	}
	return out, nil
}

func wrongField(f event.AskField, ko, en string) error {
	return apperr.New(apperr.InvalidArgs, "detail", bilingual.Text{KO: "‘" + f.Title + "’: " + ko, EN: "“" + f.Title + "”: " + en})
}

// wrongValue says why a value does not suit, "" when it does.
func wrongValue(f event.AskField, v any) (ko, en string) {
	within := func(n float64, what bilingual.Text) (string, string) {
		if f.Min != nil && n < *f.Min {
			return fmt.Sprintf("%s %v 이상이어야 해요", what.KO, *f.Min), fmt.Sprintf("%s at least %v", what.EN, *f.Min)
		}
		if f.Max != nil && n > *f.Max {
			return fmt.Sprintf("%s %v 이하여야 해요", what.KO, *f.Max), fmt.Sprintf("%s at most %v", what.EN, *f.Max)
		}
		return "", ""
	}
	one := func(v any) bool {
		s, ok := v.(string)
		return ok && slices.ContainsFunc(f.Choices, func(c event.FieldChoice) bool { return c.Value == s })
	}
	switch f.Kind {
	case event.FieldText:
		if s, ok := v.(string); ok {
			return within(float64(utf8.RuneCountInString(s)), bilingual.Text{KO: "글자 수가", EN: "its length is"})
		}
	case event.FieldNumber, event.FieldInteger:
		if n, ok := v.(float64); ok && (f.Kind == event.FieldNumber || n == math.Trunc(n)) {
			return within(n, bilingual.Text{KO: "값이", EN: "it is"})
		}
		return "숫자를 넣어 주세요", "please enter a number"
	case event.FieldYesNo:
		if _, ok := v.(bool); ok {
			return "", ""
		}
	case event.FieldOne:
		if one(v) {
			return "", ""
		}
	case event.FieldSome:
		if list, ok := v.([]any); ok && !slices.ContainsFunc(list, func(v any) bool { return !one(v) }) {
			return within(float64(len(list)), bilingual.Text{KO: "고른 개수가", EN: "choose"})
		}
	}
	return "보기에 없는 값이에요", "this is not one of the choices"
}

// asker is a call that runs: whom a question is shown to.
type asker struct {
	ctx   context.Context //nolint:containedctx // a question ends with the call that it belongs to
	tool  string
	call  toolbox.Call
	mark  string // what a question of it carries behind an address
	asked int    // questions that were shown
}

// elicit shows a person what the server asks, as long as a call runs that it may belong to. Outside of a call, while another question of the
// server waits, after many of one call, and what cannot be shown as a form, is declined.
func (v *server) elicit(ctx context.Context, x *session, p *sdk.ElicitParams) (*sdk.ElicitResult, error) {
	declined := &sdk.ElicitResult{Action: "decline"}
	fields, ok := fieldsOf(p.RequestedSchema)
	var of []*asker
	if ok && v.opt.Ask != nil && (p.Mode == "" || p.Mode == "form") {
		mark, _ := p.Meta[markName].(string)
		of = x.asks(mark)
	}
	if len(of) == 0 {
		v.log.Info().Str("mode", plain(p.Mode, 20)).Msg("a question of an outside server was declined")
		return declined, nil
	}
	ctx, q, over := v.question(ctx, x, of)
	defer over()
	q.Message, q.Fields = shorten(strings.TrimSpace(v.cover().known(visible(p.Message))), maxQuestion), fields
	values, err := v.opt.Ask(ctx, q)
	switch {
	case err != nil:
		return &sdk.ElicitResult{Action: "cancel"}, nil //nolint:nilerr // whoever asked is told that nobody answers
	case values == nil:
		return declined, nil
	}
	return &sdk.ElicitResult{Action: "accept", Content: values}, nil
}

// question begins a question of calls that run, which ends with the last of them, and over with it.
func (v *server) question(ctx context.Context, x *session, of []*asker) (_ context.Context, q Question, over func()) {
	ctx, cancel := context.WithCancel(ctx)
	ends := []func(){cancel, x.answered}
	var left atomic.Int64
	left.Store(int64(len(of)))
	newest := of[len(of)-1]
	q = Question{
		Server: v.called(), Chat: newest.call.Chat, JobID: newest.call.JobID, TodoID: newest.call.TodoID, Tool: newest.tool, Lang: newest.call.Lang, Calls: len(of),
	}
	for _, a := range of {
		stop := context.AfterFunc(a.ctx, func() {
			if left.Add(-1) == 0 {
				cancel()
			}
		})
		ends = append(ends, func() { stop() })
		q.JobID, q.TodoID, q.Tool = shared(q.JobID, a.call.JobID), shared(q.TodoID, a.call.TodoID), shared(q.Tool, a.tool)
	}
	return ctx, q, func() {
		for _, end := range slices.Backward(ends) {
			end()
		}
	}
}

// shared is what two have in common, "" for nothing.
func shared(a, b string) string {
	if a != b {
		return ""
	}
	return a
}

// asks begins a question of the call that is marked so, or, where nobody knows, of any that runs, the newest last; none when there may be none now. It ends
// with answered.
func (x *session) asks(mark string) []*asker {
	x.mu.Lock()
	defer x.mu.Unlock()
	of := slices.DeleteFunc(slices.Clone(x.askers), func(a *asker) bool { return mark != "" && a.mark != mark })
	if len(of) == 0 || !x.since.IsZero() {
		return nil
	}
	newest := of[len(of)-1]
	if newest.asked >= mostAsked {
		return nil
	}
	newest.asked++
	x.since = time.Now()
	return of
}

// answered ends a question. The server has as long as ever to go on from here.
func (x *session) answered() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.asked += time.Since(x.since)
	x.since = time.Time{}
	for _, alive := range x.alive {
		background.Wake(alive)
	}
}

// runs notes that a call runs, until done.
func (x *session) runs(a *asker) (done func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.askers = append(x.askers, a)
	return func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.askers = slices.DeleteFunc(x.askers, func(o *asker) bool { return o == a })
	}
}
