package shop_test

import (
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/manager"
	"agentchat/backend/testing/realollama"
	"agentchat/backend/testing/tinygguf"
)

// A request is answered again by another model of the real server, once: the first answer stays as a version, and the next request goes to the model
// that is on duty.
func TestAnotherModelAnswersAgain(t *testing.T) {
	server := realollama.Start(t)
	say := func(reply string) []tinygguf.Script {
		return []tinygguf.Script{{Say: reply}, {Role: "role: planner", Say: `{"route":"answer","reply":"` + reply + `"}`}}
	}
	server.Create(t, "first", tinygguf.Scripted(say("첫째가 답해요.")), tinygguf.Template)
	server.Create(t, "second", tinygguf.Scripted(say("둘째가 답해요.")), tinygguf.Template)
	c := enterAs(t, t.TempDir(), nil, "AGENTCHAT_LANG=ko", "AGENTCHAT_PROVIDER=ollama", "AGENTCHAT_MODEL=first", "AGENTCHAT_NUM_CTX=32768", "AGENTCHAT_OLLAMA_HOST=http://"+server.Addr)
	answered := func(msg event.ChatMessage, err error, reply string) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		c.again()
		m := until(c, "an answer: "+reply, func(_ event.Envelope, m event.ChatMessage) bool { return m.Role == event.RoleShop && m.Turn == msg.ID })
		if m.Text != reply {
			t.Errorf("%q, not %q", m.Text, reply)
		}
		until(c, "the turn is done", func(_ event.Envelope, d event.TurnDone) bool { return d.MessageID == msg.ID })
	}
	const question = "별은 왜 반짝이는지 시처럼 이야기해 볼래?"
	asked, err := c.speak(question, "")
	answered(asked, err, "첫째가 답해요.")
	again, err := c.SayInstead(t.Context(), asked.ID, manager.Instead{Text: question, Model: "ollama/second"})
	answered(again, err, "둘째가 답해요.")
	versions, err := c.Versions(t.Context(), again.ID)
	if err != nil || len(versions) != 2 || versions[0].Shown || !versions[1].Shown {
		t.Errorf("%+v, %v", versions, err)
	}
	next, err := c.speak("그럼 달은 왜 그렇게 조용한지 이야기해 볼래?", "")
	answered(next, err, "첫째가 답해요.")
}
