package bank

import (
	"agentchat/backend/apperr"
	"agentchat/backend/slot"
)

// Won is an amount of money as sentences name it: 1만5천원, 15,000 won. In JSON it is a number.
type Won int64

// In writes the amount in a language.
func (w Won) In(lang apperr.Lang) string {
	if lang == apperr.KO {
		return slot.Won(int64(w))
	}
	return slot.Commas(int64(w)) + " won"
}

// text is a word in both languages, for the fields of errors.
type text struct {
	KO string `json:"ko"`
	EN string `json:"en"`
}

// In gives the word in a language.
func (t text) In(lang apperr.Lang) string {
	if lang == apperr.KO {
		return t.KO
	}
	return t.EN
}
