package slot

import (
	"strings"

	"agentchat/backend/language/phrase"
	"agentchat/backend/lazyregexp"
)

var (
	untilKO = lazyregexp.New(`(?:^|\s)(\S+)까지(?:는|도)?\s(?:앞으로\s|이제\s)?(?:며칠|몇\s?일|몇\s?(?:주|달|개월)|얼마나)\S*\s?(?:남|있)`)
	untilEN = lazyregexp.New(`(?i)\b(?:how (?:many (?:days|weeks|months)|long|much time)|(?:days|weeks|time) left)\b.*?\b(?:until|till|til|before)\s+(?:the\s|my\s)?([^?!.]+)`)
)

// Until gives what a question counts the days to: 시험까지 며칠 남았어? how many days until payday?
func Until(text string) (what string, ok bool) {
	re := untilEN
	if phrase.Korean(text) {
		re = untilKO
	}
	if m := re.FindStringSubmatch(text); m != nil {
		what = strings.TrimSpace(m[1])
	}
	return what, what != ""
}
