package banking

import (
	"context"

	"agentchat/backend/bank"
	"agentchat/backend/toolbox"
)

// unschedule calls off a transfer whose day has not come.
type unschedule struct{ bank *bank.Bank }

func (*unschedule) Spec() toolbox.Spec { return manual("unschedule") }

func (u *unschedule) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	var args struct {
		Target string `json:"target"`
		Date   string `json:"date"`
		Amount int64  `json:"amount"`
	}
	if err := call.Read(&args); err != nil {
		return toolbox.Result{}, err
	}
	t, err := u.bank.CallOff(ctx, bank.Planned{Target: args.Target, Date: args.Date, Amount: args.Amount}, call.Lang)
	if err != nil {
		return toolbox.Result{}, err
	}
	result, err := toolbox.ResultOf(struct {
		TransferID string `json:"transferId"`
		Target     string `json:"target"`
		Amount     int64  `json:"amount"`
		Date       string `json:"date"`
	}{t.ID, t.Target, t.Amount, t.Due}, t.CalledOff(call.Lang))
	back := map[string]any{"target": t.Target, "amount": t.Amount, "date": t.Due}
	if t.Memo != "" {
		back["memo"] = t.Memo
	}
	return result.UndoneBy("transfer", back), err
}
