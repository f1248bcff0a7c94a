// Package banking holds the tools of the practice bank: transfer and unschedule, which only the service counter hands out, and
// statement, which reads. Each is one .go file with its manual beside it.
package banking

import (
	"embed"
	"encoding/json"

	"agentchat/backend/apperr"
	"agentchat/backend/bank"
	"agentchat/backend/toolbox"
)

// Tools are the tools of a bank, sorted by key.
func Tools(b *bank.Bank) []toolbox.Tool {
	return []toolbox.Tool{&statement{b}, &transfer{b}, &unschedule{b}}
}

//go:embed *.json
var manuals embed.FS

var manual = toolbox.Manuals(manuals)

// readArgs decodes a call's arguments. They were validated against the schema, so a failure here is the caller's fault.
func readArgs(call toolbox.Call, into any) error {
	if len(call.Args) == 0 {
		return nil
	}
	if err := json.Unmarshal(call.Args, into); err != nil {
		return apperr.Wrap(err, apperr.InvalidArgs, "detail", err.Error())
	}
	return nil
}

// result packs what a tool brought. The data are our own plain structs, which always encode.
func result(data any, text string) (toolbox.Result, error) {
	raw, err := json.Marshal(data)
	if err != nil {
		return toolbox.Result{}, apperr.Wrap(err, apperr.Internal)
	}
	return toolbox.Result{Data: raw, Text: text}, nil
}

// say picks the sentence of the customer's language.
func say(lang apperr.Lang, ko, en string) string { return toolbox.Text{KO: ko, EN: en}.In(lang) }
