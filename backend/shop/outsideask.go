package shop

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
	"agentchat/backend/tools/mcp"
)

// outsideAsk begins the id of a question that an outside server asks in the middle of a call. Such a question lives as long as the call: a restart
// ends both, and the call is in doubt.
const outsideAsk = "outside-"

// outsideAsks are those that wait for a person.
type outsideAsks struct {
	mu   sync.Mutex
	list []*outsideQuestion // oldest first
}

type outsideQuestion struct {
	ask.Ask
	of   mcp.Question
	came chan map[string]any // what was filled in, nil when it was declined
}

// askOutside shows what a server asks and waits for a person, or for the end of the call.
func (s *Shop) askOutside(ctx context.Context, q mcp.Question) (map[string]any, error) {
	shown := &event.AskForm{Server: q.Server, Message: q.Message, Fields: q.Fields, Prompt: q.Prompt}
	form, err := json.Marshal(shown)
	if err != nil {
		return nil, apperr.Wrap(err, apperr.Internal)
	}
	title := ""
	if rec, err := s.store.LoadRun(ctx, q.JobID); err == nil {
		title = rec.Run.Job.Title
	}
	one := &outsideQuestion{of: q, came: make(chan map[string]any, 1), Ask: ask.Ask{
		ID: outsideAsk + uuid.NewString(), Kind: ask.KindOutside, State: ask.StateOpen, Chat: q.Chat, JobID: q.JobID, JobTitle: title, TodoID: q.TodoID,
		Question: asksOutside(q).In(q.Lang) + q.Message,
		Choices:  []string{ask.ChoiceValue, ask.ChoiceReject}, Tool: q.Tool, Form: shown, Digest: toolbox.Digest(q.Tool, form), Opened: time.Now(),
	}}
	s.asked.mu.Lock()
	s.asked.list = append(s.asked.list, one)
	s.asked.mu.Unlock()
	s.Bus.Publish(one.OpenedEvent())
	choice, by := ask.ChoiceNone, ask.BySystem
	defer func() { s.Bus.Publish(one.ClosedEvent(choice, by, "")) }()
	decided := func(values map[string]any) (map[string]any, error) {
		if choice, by = ask.ChoiceValue, ask.ByPerson; values == nil {
			choice = ask.ChoiceReject
		}
		return values, nil
	}
	select {
	case values := <-one.came:
		return decided(values)
	case <-ctx.Done():
		if !s.asked.take(one) { // a person was faster
			return decided(<-one.came)
		}
		return nil, ctx.Err()
	}
}

// asksOutside begins a question, and says so when nobody knows which call it belongs to.
func asksOutside(q mcp.Question) bilingual.Text {
	if q.Prompt != nil {
		return bilingual.Textf("바깥 서버 ‘%s’가 모델에게 글을 하나 부탁하려고 해요.", "The outside server “%s” wants to ask the model for words.", q.Server)
	}
	if q.Calls > 1 {
		return bilingual.Textf("바깥 서버 ‘%[1]s’의 물음(지금 이 서버에 맡긴 일 %[2]d개 가운데 어느 것에 쓰려는지는 알 수 없어요): ",
			"The outside server “%[1]s” asks, and which of its %[2]d calls under way this is for is not known: ", q.Server, q.Calls)
	}
	return bilingual.Textf("바깥 서버 ‘%s’의 물음: ", "The outside server “%s” asks: ", q.Server)
}

// take closes a question; false when it was closed before.
func (o *outsideAsks) take(one *outsideQuestion) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	i := slices.Index(o.list, one)
	if i < 0 {
		return false
	}
	o.list = slices.Delete(o.list, i, i+1)
	return true
}

// open are the questions that wait, oldest first.
func (o *outsideAsks) open() (list []ask.Ask) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, one := range o.list {
		list = append(list, one.Ask)
	}
	return list
}

// answer takes a person's answer: values by their fields' names, or, where one field is asked for, a word for it. Errors: stale_answer,
// digest_mismatch, invalid_args.
func (o *outsideAsks) answer(reply ask.Reply) (ask.Ask, error) {
	o.mu.Lock()
	i := slices.IndexFunc(o.list, func(one *outsideQuestion) bool { return one.ID == reply.Ask })
	var one *outsideQuestion
	if i >= 0 {
		one = o.list[i]
	}
	o.mu.Unlock()
	switch {
	case one == nil:
		return ask.Ask{}, apperr.New(apperr.StaleAnswer)
	case reply.Digest != one.Digest && reply.Choice != ask.ChoiceReject:
		return ask.Ask{}, apperr.New(apperr.DigestMismatch)
	}
	var filled map[string]any
	switch reply.Choice {
	case ask.ChoiceReject:
	case ask.ChoiceValue:
		if word := reply.Text; one.of.Prompt != nil && word != "" { // words are no leave
			return ask.Ask{}, apperr.New(apperr.InvalidArgs, "detail", word)
		}
		values := map[string]any{}
		if len(reply.Args) > 0 {
			if err := json.Unmarshal(reply.Args, &values); err != nil {
				return ask.Ask{}, apperr.Wrap(err, apperr.InvalidArgs, "detail", "{…}")
			}
		} else if word := strings.TrimSpace(reply.Text); word != "" && len(one.of.Fields) == 1 {
			values[one.of.Fields[0].Name] = word
		}
		var err error
		if filled, err = one.of.Fill(values); err != nil {
			return ask.Ask{}, err
		}
	default:
		return ask.Ask{}, apperr.New(apperr.InvalidArgs, "detail", reply.Choice)
	}
	if !o.take(one) {
		return ask.Ask{}, apperr.New(apperr.StaleAnswer)
	}
	one.came <- filled
	return one.Ask, nil
}
