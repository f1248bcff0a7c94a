package shop_test

import (
	"strings"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/service"
	"agentchat/backend/shop"
)

// bankGuest is a customer at the counter of the real practice bank.
func bankGuest(t *testing.T, dir string) *guest {
	t.Helper()
	s, err := shop.Open(t.Context(), options(dir))
	if err != nil {
		t.Fatal(err)
	}
	c := &customer{Shop: s, t: t, reader: s.Bus.SubscribeFrom(1)}
	t.Cleanup(c.leave)
	return &guest{customer: c, till: &till{}}
}

// Seed 002, section 6: what was sent is answered from the books.
func TestHowMuchWasSent(t *testing.T) {
	dir := t.TempDir()
	g := bankGuest(t, dir)
	g.want(g.tell("총 얼마 보냈어?"), "지금까지 보낸 돈이 없어요.", event.NextNone, "")
	g.tell("엄마한테 만원, 용걸이한테 5만원 보내줘")
	g.tell("확인")
	g.want(g.tell("확인"), "2건 이체가 모두 완료됐어요.", event.NextDone, service.Executed)
	d := g.tell("총 얼마 보냈어?")
	g.want(d, "이번에 총 6만원을 보내셨어요. 엄마에게 1만원, 용걸이에게 5만원이었어요.", event.NextNone, "")
	g.wantSteps("start intent 의도 파악 중", "done intent true GENERAL", "message", "turn.done")
	if d := g.tell("엄마한테 얼마 보냈어?"); !strings.Contains(d.Message, "엄마에게 총 1만원을 보내셨어요.") {
		t.Errorf("%q", d.Message)
	}
	if d := g.tell("how much have I sent?"); !strings.Contains(d.Message, "60,000 won") {
		t.Errorf("%q", d.Message)
	}
	if d := g.tell("잔액 얼마야?"); !strings.Contains(d.Message, "잔액은") {
		t.Errorf("%q", d.Message)
	}
}

// What the bank would refuse cannot be confirmed, and why is said at once.
func TestWhatTheBankRefuses(t *testing.T) {
	g := bankGuest(t, t.TempDir())
	before, err := g.Bank(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{"홍길동전한테 1만원 보내줘", "엄마한테 9억원 보내줘"} {
		d := g.tell(words)
		if d.State.Stage != string(service.Filling) || d.NextAction != event.NextInput || !strings.Contains(d.Message, "주소록에 없는 분이에요: 홍길동전") && !strings.Contains(d.Message, "한도") {
			t.Errorf("%+v", d)
		}
		if d := g.tell("확인"); d.State.Stage != string(service.Filling) {
			t.Errorf("%+v", d)
		}
	}
	after, err := g.Bank(t.Context())
	if err != nil || after.Accounts[0].Balance != before.Accounts[0].Balance {
		t.Errorf("%+v, before %+v: %v", after.Accounts, before.Accounts, err)
	}
}
