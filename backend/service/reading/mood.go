package reading

import (
	"regexp"

	"agentchat/backend/language/told"
)

// tells are sentences that hold the words of a request and ask for nothing: they forbid it, give thanks for it, or say
// what somebody else asked for.
var tells = regexp.MustCompile(`(?i)지\s?(마|말)(아\s?(줘|주|요|라)?|라|자|도록|길|세요|십시오|요|줘)?\S{0,3}[.!~ㅠㅜ ]*$|` +
	`[줘셔해내쳐쏴]서\s?((너무|정말|진짜|넘|많이)\s)*(고마|고맙|감사|땡큐|ㄱㅅ|잘\s?(받|썼|쓸))|` +
	`(달라|하라|[줘해내]라|[한은는온]다|[하보]자)(고|구)\s?(했|하더|하던|하네|하시|그랬|그러|말했|들었|한다|했었|난리|조르)\S*(\s\S{1,3})?[.!~ㅠㅜ ]*$|` +
	`(달래|달래요|달랬어\S*|달라던데\S*|달라네\S*|보냈대\S*|보낸대\S*|보내래\S*)[.!~ㅠㅜ ]*$|` +
	`\b(don't|don’t|do not|never)\b|\bthank(s| you) for\b|\b(asked|told|wants?) (me|him|her|us|them) to\b`)

// dictates are messages that have words written down or copied as they are: what those words say is not asked for.
var dictates = regexp.MustCompile(`(?i)^\s*((나|내|제|새|혹시|좀|please|can you|could you)\s+)*(메모|노트|클립보드|take a note|make a note|note|new note|write down|jot|add a note|copy)\S*(\s\S{1,12}){0,4}\s?[:：]|` +
	`메모\s?(해|하)\s?\S{0,2}\s?(줘|주세요|둬|놔|줄래|고|부탁)\S{0,3}[.!~ ]*$|^\s*(please )?(take|make|add) a note\b`)

// Tells tells whether a message that holds the words of a request asks for nothing all the same: 만원 보내줘서 고마워,
// 보내지 마, 보내달라고 했어. So do words that are to be written down: 메모해줘: 엄마한테 만원 보내기.
// What tells of what was (보내려다 말았어), or of what somebody else does, asks for nothing, too.
func Tells(text string) bool {
	return tells.MatchString(text) || dictates.MatchString(text) || told.Message(text)
}
