package shop_test

import (
	"fmt"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
)

// What the customer tells and what a service did is remembered with its source, carried by requests, and forgotten for good.
func TestMemoryOfTheShop(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := enter(t, dir)
	msg, err := c.Say(t.Context(), "main", "기억해 줘: 나는 땅콩 알레르기가 있어", "", "")
	if err != nil {
		t.Fatal(err)
	}
	d := until(c, "it is heard", func(_ event.Envelope, d event.TurnDone) bool { return d.MessageID == msg.ID })
	if !strings.Contains(d.Message, "땅콩") {
		t.Errorf("%q", d.Message)
	}
	for n := range 9 {
		c.say(fmt.Sprintf("고마워 %d", n))
	}
	if err := c.WaitIdle(t.Context()); err != nil {
		t.Fatal(err)
	}
	v, err := c.Memory(t.Context(), "main")
	if err != nil || v.Summary == "" || v.TurnsSummarised+v.TurnsRaw != 10 || v.TurnsRaw > 8 || len(v.Recent) != 8 || v.Budget.NumCtx != 0 || v.Budget.System == 0 {
		t.Fatalf("%+v, %v", v, err)
	}
	if len(v.Facts) != 1 || v.Facts[0].Source != "customer" || v.Facts[0].MessageID != msg.ID || v.Facts[0].Chat != "main" {
		t.Fatalf("%+v", v.Facts)
	}
	c.leave()

	c = enter(t, dir)
	again, err := c.Memory(t.Context(), "main")
	if err != nil || again.Summary != v.Summary || len(again.Facts) != 1 {
		t.Fatalf("after a restart: %+v, %v", again, err)
	}
	if err := c.ForgetFact(t.Context(), v.Facts[0].ID); err != nil {
		t.Fatal(err)
	}
	if err := c.ForgetFact(t.Context(), v.Facts[0].ID); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("forgotten twice: %v", err)
	}
	if again, err = c.Memory(t.Context(), "main"); err != nil || strings.Contains(fmt.Sprintf("%+v", again), "땅콩") {
		t.Errorf("still remembered: %+v, %v", again, err)
	}
}

// A transfer that was confirmed and made becomes a fact with its amount and name; one that was canceled does not.
func TestATransferIsRemembered(t *testing.T) {
	t.Parallel()
	c := enter(t, t.TempDir())
	for _, text := range []string{"엄마한테 1만원 보내줘", "취소", "엄마한테 2만원 보내줘", "확인"} {
		c.say(text)
	}
	if err := c.WaitIdle(t.Context()); err != nil {
		t.Fatal(err)
	}
	v, err := c.Memory(t.Context(), "main")
	if err != nil || len(v.Facts) != 1 || v.Facts[0].Source != "ledger" || !strings.Contains(v.Facts[0].Text, "엄마에게 2만원을 보냄") {
		t.Errorf("%+v, %v", v.Facts, err)
	}
}
