package tools

import (
	"context"
	"encoding/json"
	"math/big"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/toolbox"
	"agentchat/backend/tools/expr"
	"agentchat/backend/unit"
)

// unitConvert turns an amount of one unit into another.
type unitConvert struct{}

// places is how many decimals an answer keeps.
const places = 6

func (*unitConvert) Spec() toolbox.Spec { return manual("unit_convert") }

func (*unitConvert) Run(_ context.Context, call toolbox.Call) (toolbox.Result, error) {
	var args struct {
		Value json.Number `json:"value"`
		From  string      `json:"from"`
		To    string      `json:"to"`
	}
	if err := call.Read(&args); err != nil {
		return toolbox.Result{}, err
	}
	value, ok := new(big.Rat).SetString(args.Value.String())
	if !ok {
		return toolbox.Result{}, apperr.New(apperr.InvalidArgs, "detail", args.Value.String())
	}
	from, known := unit.Named(args.From)
	to, also := unit.Named(args.To)
	if known && from.Kind == unit.Money || also && to.Kind == unit.Money {
		return toolbox.Result{}, apperr.New(apperr.RatesUnknown)
	}
	converted, ok := unit.Convert(value, from, to)
	if !known || !also || !ok {
		return toolbox.Result{}, apperr.New(apperr.NoConversion, "from", args.From, "to", args.To)
	}
	text, exact := decimal(converted)
	given, _ := decimal(value)
	given, found := expr.Grouped(given)+" "+from.Symbol, expr.Grouped(text)+" "+to.Symbol
	sign := " = "
	if !exact {
		sign = " ≈ "
	}
	return toolbox.ResultOf(struct {
		Value string `json:"value"`
		Unit  string `json:"unit"`
		Exact bool   `json:"exact"`
	}{text, to.Symbol, exact}, given+sign+found)
}

// decimal writes r with places decimals, or as many as its first digits need when it is small; exact tells whether nothing was cut off.
func decimal(r *big.Rat) (text string, exact bool) {
	digits := places
	for tiny := new(big.Rat).Abs(r); tiny.Sign() != 0 && digits < 30 && tiny.Cmp(big.NewRat(1, 1)) < 0; digits++ {
		tiny.Mul(tiny, big.NewRat(10, 1))
	}
	text = r.FloatString(digits)
	text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	back, ok := new(big.Rat).SetString(text)
	return text, ok && back.Cmp(r) == 0
}
