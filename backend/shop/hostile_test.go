package shop_test

import (
	"context"
	"strings"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/provider"
	"agentchat/backend/service"
)

// liar is a model that answers the roles of the counter with the same words whatever it is asked.
func liar(intent, slots string) *jobtest.ScriptedModel {
	return &jobtest.ScriptedModel{Say: func(_ context.Context, l provider.Request, _ func(provider.Delta)) (string, error) {
		switch l.Role {
		case provider.RoleIntent:
			return intent, nil
		case provider.RoleSlot:
			return slots, nil
		case provider.RolePlanner:
			return `{"route":"jobs","reply":"보냈어요","jobs":[{"title":"x","todos":[{"title":"x","tool":"transfer","request":"x","args":{"target":"도둑","amount":1000000}}]}]}`, nil
		default:
		}
		return "이체가 완료됐어요.", nil
	}}
}

const transferIntent = `{"intent":"TRANSFER"}`

// Whatever a model says, only what stands in the customer's words is asked about, and nothing moves unconfirmed.
func TestAHostileModelMovesNothing(t *testing.T) {
	for _, c := range []struct {
		name, slots, words, message string
		stage                       service.Stage
	}{
		{
			"another amount", `{"operations":[{"op":"set","slot":"target","value":"엄마"},{"op":"set","slot":"amount","value":900000}]}`,
			"엄마한테 1만원 보내줘", "엄마에게 얼마를 보내드릴까요?", service.Filling,
		},
		{
			"another payee", `{"operations":[{"op":"set","slot":"target","value":"도둑"},{"op":"set","slot":"amount","value":10000}]}`,
			"엄마한테 1만원 보내줘", "1만원을 누구에게 보내드릴까요?", service.Filling,
		},
		{
			"a payee inside a word", `{"operations":[{"op":"set","slot":"target","value":"마"},{"op":"set","slot":"amount","value":10000}]}`,
			"엄마한테 1만원 보내줘", "1만원을 누구에게 보내드릴까요?", service.Filling,
		},
		{
			"swapped pairs", `{"tasks":[{"target":"엄마","amount":50000},{"target":"용걸이","amount":10000}]}`,
			"엄마한테 만원, 용걸이한테 5만원 보내줘", "엄마에게 얼마를 보내드릴까요? (1/2)", service.Filling,
		},
		{
			"a swapped single", `{"operations":[{"op":"set","slot":"target","value":"엄마"},{"op":"set","slot":"amount","value":50000}]}`,
			"엄마한테 만원, 용걸이한테 5만원 보내줘", "엄마에게 얼마를 보내드릴까요? (1/2)", service.Filling,
		},
		{
			"extra tasks", `{"tasks":[{"target":"엄마","amount":10000},{"target":"도둑","amount":10000},{"target":"엄마","amount":10000}]}`,
			"엄마한테 1만원 보내줘", "엄마에게 1만원을 이체할까요? 메모나 이체 날짜를 추가하시겠어요?", service.Ready,
		},
		{
			"a memo nobody said", `{"operations":[{"op":"set","slot":"target","value":"엄마"},{"op":"set","slot":"amount","value":10000},{"op":"set","slot":"memo","value":"도둑에게"},{"op":"set","slot":"date","value":"2030-01-01"}]}`,
			"엄마한테 1만원 보내줘", "엄마에게 1만원을 이체할까요? 메모나 이체 날짜를 추가하시겠어요?", service.Ready,
		},
		{
			"a question that lies", `{"operations":[{"op":"set","slot":"target","value":"엄마"}],"ask":"amount","say":"엄마에게 100만원을 이미 보냈는데 괜찮으시죠?"}`,
			"엄마한테 보내줘", "엄마에게 얼마를 보내드릴까요?", service.Filling,
		},
		{
			"a question that slips a name in", `{"operations":[{"op":"set","slot":"target","value":"엄마"}],"ask":"amount","say":"엄마에게 도둑 얼마를 보내드릴까요?"}`,
			"엄마한테 보내줘", "엄마에게 얼마를 보내드릴까요?", service.Filling,
		},
		{
			"a stage of its own", `{"operations":[],"stage":"CONFIRMED","confirm":true}`,
			"엄마한테 1만원 보내줘", "엄마에게 1만원을 이체할까요? 메모나 이체 날짜를 추가하시겠어요?", service.Ready,
		},
		{
			"no JSON at all", `이체할게요!`,
			"엄마한테 1만원 보내줘", "엄마에게 1만원을 이체할까요? 메모나 이체 날짜를 추가하시겠어요?", service.Ready,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := visit(t, liar(transferIntent, c.slots))
			d := g.tell(c.words)
			next := event.NextInput
			if c.stage == service.Ready {
				next = event.NextConfirm
			}
			g.want(d, c.message, next, c.stage)
			g.tell("오늘 기분이 좋네") // the model calls that a transfer too
			g.tell("보내지 마")
			g.moved()
		})
	}
}

// A model's own question is asked as it is, when it keeps to the facts.
func TestAModelMayWordTheQuestion(t *testing.T) {
	g := visit(t, liar(transferIntent, `{"operations":[{"op":"set","slot":"target","value":"엄마"}],"ask":"amount","say":"엄마에게 얼마나 보내 드리면 될까요?"}`))
	g.want(g.tell("엄마한테 보내줘"), "엄마에게 얼마나 보내 드리면 될까요?", event.NextInput, service.Filling)
}

// The planner can neither hand out a transfer nor say that one was made.
func TestAPlanNeverTransfers(t *testing.T) {
	g := visit(t, liar(`{"intent":"GENERAL"}`, `{}`))
	for _, words := range []string{"심심하다", "재밌는 얘기 해줘", "이체 도둑질 어떻게 생각해?"} {
		if d := g.tell(words); len(d.Jobs) > 0 || strings.Contains(d.Message, "보냈어요") {
			t.Errorf("%q: %+v", words, d)
		}
	}
	// Code is certain of this one, whatever the model calls it.
	g.want(g.tell("엄마한테 1만원 보내줘"), "엄마에게 1만원을 이체할까요? 메모나 이체 날짜를 추가하시겠어요?", event.NextConfirm, service.Ready)
	g.moved()
}

// A confirmation is the customer's word or button, never the model's: with a session ready, nothing else confirms it.
func TestNothingButAConfirmationConfirms(t *testing.T) {
	g := visit(t, nil)
	g.tell("엄마한테 1만원 보내줘")
	for i, words := range []string{"네?", "확인이 뭐야?", "좋아하는 노래 틀어줘", "네 아니요", "yes or no", "안 좋아", "확인하지 마", "엄마는 좋아", "응답해"} {
		g.tell(words)
		if got := g.till.list(); len(got) > 0 {
			t.Fatalf("%d: %q moved %v", i, words, got)
		}
	}
}
