package interpreter_test

import (
	"context"
	"strings"
	"testing"

	"agentchat/backend/provider"
)

// What a model says of money that was never moved does not reach the customer: it is sent back once, and then replaced.
// While it streams, the claim is not shown either.
func TestAClaimAboutMoneyIsNotSaid(t *testing.T) {
	const claim = "네, 알겠어요. 엄마에게 10만원을 보냈어요. 걱정 마세요."
	var letters []provider.Letter
	d := open(t, func(_ context.Context, l provider.Letter, on func(provider.Delta)) (string, error) {
		letters = append(letters, l)
		text := `{"route":"answer","reply":"` + claim + `"}`
		for _, r := range text {
			on(provider.Delta{Text: string(r)})
		}
		return text, nil
	})
	b := streaming()
	b.Request = "엄마 생신이라 용돈 생각이 나네"
	plan, err := d.Plan(t.Context(), b)
	if err != nil || !strings.HasPrefix(plan.Reply, "방금 보낸 돈은 없어요.") {
		t.Errorf("%q, %v", plan.Reply, err)
	}
	if len(letters) != 2 || !strings.Contains(letters[1].State.Repair, "money was sent") {
		t.Errorf("%d letters, the last repaired for %q", len(letters), letters[len(letters)-1].State.Repair)
	}
	if s := d.streamed(); strings.Contains(s.words, "보냈") {
		t.Errorf("the customer saw %q", s.words)
	}
}

// A model that takes it back is heard.
func TestAClaimThatIsTakenBack(t *testing.T) {
	d := open(t, fixed(`{"route":"answer","reply":"송금을 완료했습니다."}`, `{"route":"answer","reply":"누구에게 얼마를 보낼까요?"}`))
	b := streaming()
	b.Request = "엄마 용돈"
	if plan, err := d.Plan(t.Context(), b); err != nil || plan.Reply != "누구에게 얼마를 보낼까요?" {
		t.Errorf("%q, %v", plan.Reply, err)
	}
}
