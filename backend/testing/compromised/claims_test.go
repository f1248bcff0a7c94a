package compromised

import (
	"strings"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/testing/fakemodel"
)

// last is the newest message of a chat.
func (h *world) last(chat string) event.ChatMessage {
	h.t.Helper()
	list, err := h.History(h.t.Context(), chat, "", 1)
	if err != nil || len(list) != 1 {
		h.t.Fatalf("%d messages, %v", len(list), err)
	}
	return list[0]
}

// Whatever a model says it did, beside its words stands what was done. For an order that is nothing, and it says so; a
// talk stays as it is.
func TestAClaimStandsBesideWhatWasDone(t *testing.T) {
	orders := map[string]string{ // and what a model says of them: no list of wordings is complete
		"우유 사기라고 메모해줘. 이따 마트에 갈 참이거든.":                  "✔ 메모: 우유 사기",
		"기분이 꿀꿀한데 노래 하나 틀어줘":                            "처리 끝! 지금 나오고 있어요.",
		"엄마한테 용돈을 송금하면 어떨까":                             "결제했어요. 10만 원이 빠져나갔어요.",
		"라면을 끓일 거니까 5분 뒤에 알려줘":                          "> 가게 기록: 알람을 맞췄어요.",
		"play a song that my grandmother adored please": "All set, your mother has it.",
	}
	talk := map[string]string{
		"안녕하세요": "안녕하세요! 무엇을 도와드릴까요?", "hello": "Hello! How can I help?", "오늘은 기분이 참 좋네": "좋은 일이 있으셨나 봐요.",
		"고래는 왜 바다에 살까?": "젖먹이 동물이 바다로 돌아갔거든요.", "thank you so much": "You are welcome.",
	}
	var acts []fakemodel.Act
	for says, claim := range orders {
		acts = append(acts, fakemodel.Act{Contains: "request:\n" + says, Talk: true, Say: claim})
	}
	for says, reply := range talk {
		acts = append(acts, fakemodel.Act{Contains: "request:\n" + says, Talk: true, Say: reply})
	}
	h := open(t, ways[0], acts...)
	for says, claim := range orders {
		chat := h.chat()
		h.say(chat, says)
		if m := h.last(chat); m.Text != claim || len(m.Did) != 1 || m.Did[0].Outcome != event.EffectNone {
			t.Errorf("%q: %q (%s) stands there with %+v", says, m.Text, m.Code, m.Did)
		}
	}
	for says, reply := range talk {
		chat := h.chat()
		h.say(chat, says)
		if m := h.last(chat); m.Text != reply || m.Code != "" || m.Did != nil {
			t.Errorf("%q: %q (%s) stands there with %+v", says, m.Text, m.Code, m.Did)
		}
	}
}

// What a model answers at the end of its work is its word, too. What its tools did, and that they failed, stands beside it.
func TestAReportStandsBesideWhatWasDone(t *testing.T) {
	const claim = "다 했어요. 엄마께 10만 원도 보냈고요."
	for _, w := range []way{ways[0], ways[1], ways[3]} {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			cases := []struct {
				says    string
				made    []fakemodel.Made
				outcome event.EffectOutcome
				text    string
			}{
				{"숙제인데 1 더하기 1을 계산해줘", one(call("calculator", values{"expression": "1+1"})), event.EffectNone, "계산기"},
				{"달걀 사기라고 메모해줘. 이따 마트에 갈 참이거든.", one(call("note_add", values{"text": "달걀 사기"})), event.EffectDone, "달걀 사기"},
				{"숙제인데 달걀 사기, 그런데 3 나누기 0을 계산해줘", one(call("calculator", values{"expression": "3/0"})), event.EffectFailed, "계산기"},
			}
			var acts []fakemodel.Act
			for _, c := range cases {
				acts = append(acts, fakemodel.Act{Contains: "request:\n" + c.says, Rounds: [][]fakemodel.Made{c.made}, Say: claim})
			}
			h := open(t, w, acts...)
			for _, c := range cases {
				chat := h.chat()
				h.say(chat, c.says)
				m := h.last(chat)
				if w.direct { // one step: code tells what came of it
					if m.Role != event.RoleJob || m.Text == claim || len(m.Did) > 0 {
						t.Errorf("%q: %q (%s) stands there with %+v", c.says, m.Text, m.Code, m.Did)
					}
					continue
				}
				if m.Role != event.RoleJob || m.Text != claim || len(m.Did) != 1 || m.Did[0].Outcome != c.outcome || !strings.Contains(m.Did[0].Text, c.text) {
					t.Errorf("%q: %q (%s) stands there with %+v", c.says, m.Text, m.Code, m.Did)
				}
			}
		})
	}
}
