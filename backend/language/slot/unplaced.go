package slot

import (
	"strings"

	"agentchat/backend/lazyregexp"
)

const (
	koOrdinalDay = `(?:(?:첫|둘|두|셋|세|넷|네|다섯)\s?번?째|마지막)\s?(?:주\s?)?[월화수목금토일]요일(?:마다|에)?`
	enOrdinalDay = `\b(?:on\s+)?(?:the\s+)?(?:first|second|third|fourth|fifth|last)\s+(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:\s+of\s+(?:the|every|each)\s+month)?\b`

	// severalTimes is more than once in a time, without saying when.
	severalTimes = `(?:하루|일주일|한\s?주|한\s?달|일년)에?\s?(?:두|세|네|다섯|[2-9]|\d\d)\s?번씩?|\b(?:twice|(?:two|three|four|five|\d+)\s+times)\s+(?:a|per|every)\s+(?:day|week|month|year|hour)\b`
)

var (
	// besideMoments is what says more of the moments of something that is done again and again, and is nobody's value.
	besideMoments = lazyregexp.New(koOrdinalDay + `|` + enOrdinalDay +
		`|\S*[월화수목금토일]요일(?:은|을|만)?\s?(?:빼고|제외하고|말고)|\b(?:except|excluding|but not)(?:\s+on)?\s+\S+` +
		`|(?:^|\s)(?:과|와|하고)?\s?\d{1,2}\s?시(?:\s?\d{1,2}\s?분|\s?반)?에|(?:^|\s)at\s+\d{1,2}(?::\d\d)?(?:\s?[ap]m)?\b` +
		`|(?:^|\s)(?:` + koCount + `\s)?\S*(?:마다|매시)(?:\s|$)|(?:^|\s)\d{1,2}\s?시(?:부터|까지)|\bfrom\s+\d{1,2}(?:\s?[ap]m)?\s+(?:to|until|till)\s+\d{1,2}(?:\s?[ap]m)?` +
		`|^(?:(?:와|과|하고|랑)\s?)?(?:` + koNumber + `\s?일|말일)(?:과|와|하고|,|에|마다)\s?|^(?:and|,)\s(?:on\s)?(?:the\s)?(?:\d{1,2}(?:st|nd|rd|th)|last day)\b` +
		`|^(?:` + koCount + `)\s?번씩?(?:\s|$)|` + severalTimes + `|(?:^|\s)\S*(?:월|년|주|달|말)까지|\b(?:until|till)\s+\S+(?:\s\S+)?` +
		`|(?:^|\s)0\s?번만|\b0 times\b|(?:^|\s)(?:어제|그저께|지난\s?\S+)까지|\buntil (?:yesterday|last \S+)`)
	// noMoments says that something is done again and again at moments that do not come, or come too often.
	noMoments = lazyregexp.New(severalTimes + `|(?:^|\s)매시\s?\d+\s?분(?:마다|에)?|(?:^|\s)(?:\d+\s?(?:초|분|시간|일|주|달|개월|년)\s?마다|매\s?초(?:마다)?|매년\s?\d+월\s?\d+일(?:마다|에)?)` +
		`|\bevery\s+(?:\d+\s+(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)|second(?:$|[\s,.]+(?:tell|show|play|read|send|give)))` +
		`|\bevery\s+(?:first|third|fourth|fifth|last)\s+(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:\s+of\s+(?:the|every|each)\s+month)?`)
)

// Unplaced is what a text says of when something happens again and again that said, which was read of it, does not have, and the text without
// any of that; "" when there is nothing. Who kept an order without it would keep another than was meant.
func Unplaced(text string, said Recurrence) (words, rest string) {
	find := noMoments
	if rest = text; said.Repeats() {
		find, rest = besideMoments, said.Rest(text)
	}
	read := Read(rest)
	s := withoutQuotes(read.Text)
	at := find.FindStringIndex(s)
	if at == nil {
		return "", rest
	}
	from, to := read.Span(at[0], at[1])
	return strings.TrimSpace(rest[from:to]), strings.TrimSpace(rest[:from] + " " + rest[to:])
}
