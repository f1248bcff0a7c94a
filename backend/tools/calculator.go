package tools

import (
	"context"
	"errors"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
	"agentchat/backend/tools/expr"
)

// calculator works out one expression exactly.
type calculator struct{}

func (*calculator) Spec() toolbox.Spec { return manual("calculator") }

func (*calculator) Run(_ context.Context, call toolbox.Call) (toolbox.Result, error) {
	var args struct {
		Expression string `json:"expression"`
	}
	if err := call.Read(&args); err != nil {
		return toolbox.Result{}, err
	}
	value, err := expr.Eval(args.Expression)
	if err != nil {
		detail := err.Error()
		if bad, ok := errors.AsType[*expr.Error](err); ok {
			detail = bilingual.Say(call.Lang, bad.KO, bad.EN)
		}
		return toolbox.Result{}, apperr.Wrap(err, apperr.BadExpression, "detail", detail)
	}
	answer := value.Answer()
	text := args.Expression + " = " + expr.Grouped(answer.Text)
	switch {
	case answer.Repeating != "":
		text = args.Expression + " ≈ " + expr.Grouped(answer.Text) + bilingual.Say(call.Lang, " (순환소수 ", " (repeating ") + answer.Repeating + ")"
	case !answer.Exact:
		text = args.Expression + " ≈ " + expr.Grouped(answer.Text)
	}
	return toolbox.ResultOf(struct {
		Expression string `json:"expression"`
		Value      string `json:"value"`
		Exact      bool   `json:"exact"`
		Repeating  string `json:"repeating,omitempty"`
	}{args.Expression, answer.Text, answer.Exact, answer.Repeating}, text)
}
