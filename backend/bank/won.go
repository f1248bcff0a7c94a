package bank

import (
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/slot"
)

// Won is an amount of money as sentences name it: 1만5천원, 15,000 won. In JSON it is a number.
type Won int64

// In writes the amount in a language.
func (w Won) In(lang bilingual.Lang) string {
	return slot.SayWon(int64(w), lang)
}
