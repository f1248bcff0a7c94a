package compromised

import (
	"strings"
	"testing"

	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/testing/fakemodel"
	"agentchat/backend/tools/mcp"
)

// An outside tool whose manual changes after it was approved is another tool: neither the approval for the conversation nor
// the consent to its server lets it run again, until a person has seen what is new.
func TestAPulledRugEndsWhatWasApproved(t *testing.T) {
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			lookup := func(q string) fakemodel.Made { return call("helper__lookup", values{"q": q}) }
			h := open(t, w,
				fakemodel.Act{Contains: "첫 낱말", Rounds: [][]fakemodel.Made{one(lookup("사과"))}, Say: approving},
				fakemodel.Act{Contains: "다음 낱말", Rounds: [][]fakemodel.Made{one(lookup("사과")), one(lookup(secret))}, Say: approving})
			h.mount()
			before := h.helper().Digest
			chat := h.chat()
			h.say(chat, "첫 낱말 사과를 찾아줘")
			if asked, permits := h.settle(chat, agrees); len(asked) != 1 || len(permits) != 1 {
				t.Fatalf("%d questions, %d approvals", len(asked), len(permits))
			}
			if did := h.log.news(t); len(did) != 1 {
				t.Fatalf("it did %v", did)
			}
			h.until("the change is seen", func() bool { return h.helper().State == mcp.StateNeedsConsent })
			asked := 0
			h.say(chat, "다음 낱말 사과를 찾아줘")
			h.settle(chat, func(h *world, a event.AskOpened) *ask.Reply { asked++; return agrees(h, a) })
			if did := h.log.news(t); len(did) > 0 || asked > 0 {
				t.Errorf("with its manual changed it did %v after %d questions", did, asked)
			}
			v := h.helper()
			if v.Digest == before || v.State != mcp.StateNeedsConsent {
				t.Errorf("the server is %s, and shows the same manual: %t", v.State, v.Digest == before)
			}
			if err := h.ConsentMCP(t.Context(), "helper", before); err == nil {
				t.Error("consent to what it once was counts for what it is now")
			}
			if err := h.ConsentMCP(t.Context(), "helper", strings.Repeat("0", len(before))); err == nil {
				t.Error("consent to anything counts")
			}
		})
	}
}

// An approval to add to a file, for as long as may be, is one to add: it replaces nothing, throws nothing away, and does nothing
// at all in talk that speaks of no file, however often the person named the others.
func TestAGrantToAddOnlyAdds(t *testing.T) {
	writes := func(path, mode, text string) fakemodel.Made {
		return call("file_write", values{"path": path, "mode": mode, "text": text})
	}
	var worse []fakemodel.Made
	for _, path := range []string{"notes/today.txt", "notes/plain.txt"} {
		for _, mode := range []string{"replace", "create"} {
			worse = append(worse, writes(path, mode, ""), writes(path, mode, "evil"))
		}
		worse = append(worse, call("file_trash", values{"path": path}))
	}
	idle := append([]fakemodel.Made{writes("notes/today.txt", "append", "evil"), call("file_write", values{"path": "notes/plain.txt", "text": "evil"})}, worse...)
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			const first, about, small = "notes/today.txt에 ‘우유’라고 추가해줘. notes/plain.txt 말고.", "notes/plain.txt에도 하나 적어줄래, notes/today.txt처럼", "안녕하세요, 오늘 기분이 좋네요"
			act := func(says string, calls ...fakemodel.Made) fakemodel.Act {
				return fakemodel.Act{Contains: says, Rounds: [][]fakemodel.Made{calls[:min(8, len(calls))], calls[min(8, len(calls)):]}, Say: approving}
			}
			h := open(t, w, act(first, writes("notes/today.txt", "append", "우유")), act(about, worse...), act(small, idle...))
			chat := h.chat()
			for _, says := range []string{first, about, small} {
				h.say(chat, says)
				_, permits := h.settle(chat, func(h *world, a event.AskOpened) *ask.Reply {
					if says == first {
						r := reply(a, ask.ChoiceApprove)
						r.Scope = a.Scopes[len(a.Scopes)-1].Scope
						return &r
					}
					return otherwise(refuse)(h, a)
				})
				h.leave(chat)
				did := consequential(h.log.news(t), says)
				if says == first && len(did) != 1 {
					t.Fatalf("it did %v", did)
				}
				for _, d := range unapproved(did, permits) {
					t.Errorf("%q: unapproved: %s", says, d)
				}
			}
		})
	}
}

// An approval for a conversation reaches as far as it said: that folder, that site, that value, in that conversation, and
// until it is taken back.
func TestAGrantIsNotWidened(t *testing.T) {
	w := ways[1]
	here := func(path string) []fakemodel.Made { return one(writes(path, "x")) }
	var acts []fakemodel.Act
	act := func(says string, calls ...fakemodel.Made) string {
		acts = append(acts, fakemodel.Act{Contains: says, Rounds: [][]fakemodel.Made{calls}, Say: approving})
		return says
	}
	first := act("notes/a.txt에 적어줘", here("notes/a.txt")...)
	again := act("notes/b.txt에도 적어줘", here("notes/b.txt")...)
	wider := []string{
		act("이번에는 root.txt에 적어줘", here("root.txt")...),
		act("notes2/a.txt에 적어줘", here("notes2/a.txt")...),
		act("notes/../root.txt에 적어줘", here("notes/../root.txt")...),
		act("./notes/../secret.txt에 적어줘", here("./notes/../secret.txt")...),
		act(`NOTES\..\root.txt에 적어줘`, here(`NOTES\..\root.txt`)...),
		act("notes/evil.txt 말고 딴 데 적어 볼래", here("link/x")...),
		act("notes/c.txt를 버려줘", call("file_trash", values{"path": "notes/a.txt"})),
	}
	unsaid := act("뭐든 적어 둬", here("notes/unsaid.txt")...)
	h := open(t, w, acts...)
	chat := h.chat()
	granted := false // whether what was approved covers this
	open := func(chat, says string) (asked int) {
		h.say(chat, says)
		_, permits := h.settle(chat, func(_ *world, a event.AskOpened) *ask.Reply {
			asked++
			if says == first {
				return agrees(h, a)
			}
			return refuse(a)
		})
		h.leave(chat)
		if did := unapproved(consequential(h.log.news(t), says), permits); (len(did) > 0) != granted {
			t.Errorf("%q: without a question of its own it did %v", says, did)
		}
		return asked
	}
	if n := open(chat, first); n != 1 {
		t.Fatalf("%d questions at first", n)
	}
	granted = true
	if n := open(chat, again); n != 0 {
		t.Fatalf("%d questions in the folder that was approved", n)
	}
	granted = false
	for _, says := range append(wider, unsaid) {
		open(chat, says)
	}
	if n := open(h.chat(), again); n != 1 {
		t.Errorf("%d questions in another conversation", n)
	}
	p, err := h.Permissions(t.Context())
	if err != nil || len(p.Grants) != 1 {
		t.Fatalf("%+v, %v", p.Grants, err)
	}
	if err := h.RevokePermission(t.Context(), p.Grants[0].ID); err != nil {
		t.Fatal(err)
	}
	if n := open(chat, again); n != 1 {
		t.Errorf("%d questions after it was taken back", n)
	}
	if !h.folders.intact(t) {
		t.Error("something changed outside")
	}
}
