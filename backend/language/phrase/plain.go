package phrase

import "agentchat/backend/lazyregexp"

// able is the end of a request that asks whether one could do a favour: 잡아줄 수 있어?, 보내주실 수 없을까요. What may also be a statement (빌려줄 수
// 없어) is one only with its question mark.
var able = lazyregexp.New(`(?:주실|줄)\s?수\s?(?:있|없)(?:(?:어|으세요|겠어)(?:요)?\s*\?|(?:나|니|냐|을까|는지|으실까|으신가|겠니)(?:요)?)[\s.?!~]*$`)

// Plain says a polite request as it is said plainly, so that whoever looks for its words need not know each way to be polite: 잡아줄 수 있어? is
// 잡아줘. Everything else stays as it is.
func Plain(text string) string { return able.ReplaceAllString(text, "줘") }
