package agent

import (
	"strings"

	"agentchat/backend/language/words"
	"agentchat/backend/lazyregexp"
)

// What a question says by its form. This is the seed's LightweightClassifier: code's own first suggestion.
var (
	articleRef = lazyregexp.New(`(?i)제\s*(\d{1,4})\s*조(?:\s*의\s*(\d{1,3}))?|(?:^|\s)(\d{1,4})\s*조(?:\s*의\s*(\d{1,3}))?(?:[\s의에는은가를]|$)|\b(?:article|section|clause)\s+(\d{1,4}(?:\.\d{1,3})*)`)
	money      = lazyregexp.New(`\d+\s*조\s*[\d천백십억만 ]*(?:원|달러)`) // 5조 원 is no article
	compares   = lazyregexp.New(`(?i)표준\s?(계약서|문서|약관)?\S{0,3}\s?.*(비교|다르|다른|달라|차이|같)|(비교|다르|다른|달라|차이|같)\S*.*표준|\b(compare|differ\w*|different|same)\b.*\bstandard\b|\bstandard\b.*\b(compare|differ\w*|different|same)\b`)
	aboutDocs  = lazyregexp.New(`(?i)계약서|계약\s?기간|계약\s?조건|조항|조문|약관|규정집|문서(에|를|는|가|들|에서)|도서관|별표|부칙|서류에|\b(contract|agreement|clause|article \d|documents?|my files)\b`)
	titled     = lazyregexp.New(`(?i)([가-힣A-Za-z ]{1,40}?)\s*(?:조항|조문|규정)|\b([a-z ]{3,40}?)\s+(?:clause|article)\b`)
	leans      = lazyregexp.New(`(?i)^\s*(그럼|그러면|그리고|그런데|그건|그것|그거|그 조항|그 계약|아까|방금|거기|이건|이것|또|then|and |what about|how about|that one|it |its |there )|(그것|그거|그 조항|그 내용|아까|방금|위에서|앞에서)|\b(that|it|those|the same)\b`)
	asks       = lazyregexp.New(`(?i)[?？]\s*$|(뭐|뭔|무엇|무슨|언제|얼마|어디|누구|누가|왜|어떻게|어때|어떤|몇|있어|있나|인가|인지|알려|설명|찾아|보여|비교)|^\s*(what|when|where|who|why|how|which|is|are|does|do|can|tell|show|find|compare)\b`)
	commands   = lazyregexp.New(`(틀어|켜|꺼|멈춰|재생|안내해|보내줘|(?:이체|송금)(?:해|할|하)|예약해|추가해|메모해|지워|타이머|알람)|^\s*(메모|노트|클립보드)|내\s?메모|(?i:^\s*(note|take a note|make a note|add a note|write down)\b|\bmy notes?\b|\bclipboard\b)`)
)

// Concerns tells how sure it is, without looking into the documents, that a message asks about them: 2 sure, 1 it could be
// because it leans on an earlier answer from them, 0 no.
func Concerns(text string, after bool) int {
	text = money.ReplaceAllString(text, " ")
	switch {
	case commands.MatchString(text):
		return 0
	case articleRef.MatchString(text) && asks.MatchString(text), compares.MatchString(text), aboutDocs.MatchString(text) && asks.MatchString(text):
		return 2
	case after && leans.MatchString(text) && asks.MatchString(text):
		return 2
	case after && asks.MatchString(text):
		return 1
	}
	return 0
}

// numbers are the articles that a question names.
func numbers(text string) []string {
	var list []string
	for _, m := range articleRef.FindAllStringSubmatch(money.ReplaceAllString(text, " "), 4) {
		switch {
		case m[1] != "" && m[2] != "":
			list = append(list, m[1]+"의"+m[2])
		case m[1] != "":
			list = append(list, m[1])
		case m[3] != "" && m[4] != "":
			list = append(list, m[3]+"의"+m[4])
		case m[3] != "":
			list = append(list, m[3])
		case m[5] != "":
			list = append(list, m[5])
		}
	}
	return list
}

// title is the title of an article that a question names, "" for none.
func title(text string) string {
	m := titled.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	ws := words.Question(m[1] + " " + m[2])
	if len(ws) == 0 || len(ws) > 4 {
		return ""
	}
	return strings.Join(ws, " ")
}

// contentWords are the words of a question that say what is looked for.
func contentWords(text string) []string {
	var list []string
	for _, w := range words.Question(text) {
		if !hollow[w] {
			list = append(list, w)
		}
	}
	return list
}

// hollow are words that a question about documents always may have.
var hollow = map[string]bool{
	"표준": true, "표준계약서": true, "계약서": true, "문서": true, "조항": true, "조문": true, "비교": true, "비교해줘": true, "달라": true, "다른": true, "차이": true,
	"그럼": true, "그러면": true, "그건": true, "그것": true, "아까": true, "뭐가": true, "어떻게": true, "찾아줘": true, "보여줘": true, "있어": true,
	"contract": true, "standard": true, "compare": true, "different": true, "document": true, "documents": true, "clause": true, "article": true,
	"say": true, "says": true, "mean": true, "means": true,
}
