package banking

import (
	"context"
	"encoding/json"

	"agentchat/backend/bank"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// transfer sends money. Running it again for the same step moves nothing: the step is the order's key. It has no capacity
// of its own, because the ledger takes one transfer after the other anyway, in a millisecond; a lock would only ask people
// whether they want to wait for that long.
type transfer struct{ bank *bank.Bank }

func (*transfer) Spec() toolbox.Spec { return manual("transfer") }

func (t *transfer) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	var args struct {
		Target string `json:"target"`
		Amount int64  `json:"amount"`
		Memo   string `json:"memo"`
		Date   string `json:"date"`
	}
	if err := call.Read(&args); err != nil {
		return toolbox.Result{}, err
	}
	made, err := t.bank.Transfer(ctx, bank.Order{
		Key: call.TodoID, Target: args.Target, Amount: args.Amount, Memo: args.Memo, Date: args.Date,
		Chat: call.Chat, JobID: call.JobID, Lang: call.Lang,
	})
	if err != nil {
		return toolbox.Result{}, err
	}
	result, err := toolbox.ResultOf(struct {
		TransferID string `json:"transferId"`
		Target     string `json:"target"`
		Amount     int64  `json:"amount"`
		Balance    int64  `json:"balance"`
		Scheduled  bool   `json:"scheduled,omitempty"`
		Date       string `json:"date,omitempty"`
	}{made.ID, made.Target, made.Amount, made.Known, made.Due != "", made.Due}, made.Answer())
	if made.Due != "" { // what has been sent cannot be had back
		result = result.UndoneBy("unschedule", map[string]any{"target": made.Target, "amount": made.Amount, "date": made.Due})
	}
	return result, err
}

// plan is what of a transfer can be looked at beforehand.
type plan struct {
	Target string `json:"target"`
	Amount int64  `json:"amount"`
	Date   string `json:"date"`
}

// Foretell implements toolbox.Foreteller: what will be left.
func (t *transfer) Foretell(ctx context.Context, raw json.RawMessage, lang bilingual.Lang) string {
	var args plan
	if json.Unmarshal(raw, &args) != nil {
		return ""
	}
	return t.bank.Foretell(ctx, args.Amount, args.Date, lang)
}

// Examine implements toolbox.Examiner by the bank's own rules.
func (t *transfer) Examine(ctx context.Context, raw json.RawMessage) map[string]error {
	var args plan
	if json.Unmarshal(raw, &args) != nil {
		return nil
	}
	return t.bank.Examine(ctx, args.Target, args.Amount, args.Date)
}
