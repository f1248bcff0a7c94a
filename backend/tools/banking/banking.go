// Package banking holds the tools of the practice bank: transfer and unschedule, which only the service counter hands out, and
// statement, which reads. Each is one .go file with its manual beside it.
package banking

import (
	"embed"

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
