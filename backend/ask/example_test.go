package ask_test

import (
	"context"
	"fmt"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
)

func Example() {
	question := ask.Ask{
		ID: "q", Kind: ask.KindApproval, State: ask.StateOpen, Digest: "what was shown",
		Choices: []string{ask.ChoiceApprove, ask.ChoiceReject},
	}
	desk := ask.NewDesk(ask.Deps{
		Store: one{question}, Publisher: nobody{}, Now: time.Now,
		Answered: func(a ask.Ask) { fmt.Println("answered:", a.Answer.Choice) },
	})
	ctx := context.Background()
	_, err := desk.Answer(ctx, ask.Reply{Ask: "q", Choice: ask.ChoiceApprove, Digest: "something else"})
	fmt.Println(apperr.CodeOf(err))
	_, err = desk.Answer(ctx, ask.Reply{Ask: "q", Choice: ask.ChoiceApprove, Digest: question.Digest})
	fmt.Println(err)
	// Output:
	// digest_mismatch
	// answered: approve
	// <nil>
}
