package builtin_test

import (
	"encoding/json"
	"testing"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
)

// Where the rooms read a message as wanting nothing that the shop has, what one of its clauses orders is not started.
func TestTheRoomsAreHeeded(t *testing.T) {
	t.Parallel()
	p, tools := builtin.New(), cards(t)(bilingual.EN)
	starts := func(text string, evidence []string) bool {
		reply, err := p.Chat(t.Context(), provider.Request{
			Role: provider.RolePlanner, Lang: bilingual.EN, Tools: tools, Now: now, Message: text, State: provider.State{Evidence: evidence},
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var plan provider.Plan
		if err := json.Unmarshal([]byte(reply.Text), &plan); err != nil {
			t.Fatal(err)
		}
		return len(plan.Jobs) > 0
	}
	const order = "put on some jazz"
	if !starts(order, p.Evidence(tools, order, now)) {
		t.Errorf("%q starts nothing", order)
	}
	const lack = "That sounds fine. I would like to book tickets for this train and play it safe"
	if starts(lack, p.Evidence(tools, lack, now)) {
		t.Errorf("%q starts something", lack)
	}
}
