package slot

import (
	"strings"

	"agentchat/backend/language/phrase"
	"agentchat/backend/lazyregexp"
)

// The grammars of a question that is put to a table: which file it is in, and the question itself, whose words mean something only to
// who knows the table's columns.
const (
	KindTable    = "table"
	KindTableAsk = "table_ask"
)

func init() {
	readers[KindTable] = func(_ Property, in Input) (any, bool) { return found(ReadTable(in.Text)) }
	readers[KindTableAsk] = func(_ Property, in Input) (any, bool) {
		return phrase.Normalize(in.Text), AsksTable(in.Text)
	}
}

var (
	tableFile = lazyregexp.New(`(?i)\.(?:xlsx|xlsm|ods|csv|tsv|tab)$`)
	// What is asked of a table: to compute, to take together, to put in order, to pick rows.
	tableAsks = lazyregexp.New(`(?i)합계|총합|총계|총액|합산|평균|최댓값|최솟값|최대\s?값|최소\s?값|최고(?:값|액)|최저(?:값|액)|개수|갯수|건수|몇\s?(?:개|건|명|줄|행|곳)|중복\s?없이|[가-힣)](?:별|마다)(?:로|로는|은|는)?(?:\s|[?.!]|$)|상위\s?\S|하위\s?\S|가장\s?(?:큰|많은|높은|작은|적은|낮은|비싼|싼|많이)|제일\s?(?:큰|많은|높은|작은|적은|낮은|비싼|싼|많이)|(?:이상|초과|이하|미만|넘는)\S{0,2}\s|(?:높은|낮은|큰|작은|많은|적은)\s?순|내림차순|오름차순|[A-Za-z]\s?열|(?:행|줄)만|인\s?(?:행|줄|것|건)|처음\s?\S+\s?(?:줄|행)|(?:무슨|어떤)\s?(?:열|항목|칸)|\b(?:sum|totals?|average|mean|max(?:imum)?|min(?:imum)?|count|distinct|unique|how many|number of)\b|\b(?:by|per|for each|grouped by)\s+(?:the\s+)?\S|\b(?:top|bottom)\s+\S|\b(?:highest|lowest|largest|smallest|biggest|most|fewest|least)\b|\b(?:over|above|below|under|more than|less than|at least|at most|between)\s+[$₩€£]?\d|\bcolumns?\b|\brows?\b|\bwhere\b.*\b(?:is|contains)\b`)
	// What is done with a file as a whole is not asked of the table in it.
	tableDeeds = lazyregexp.New(`(?i)지워|삭제|버려|옮겨|옮기|이동|복사|복제|이름\S*\s(?:바꿔|바꾸|변경)|읽어|열어|추가|적어|저장|요약|보내|넣어|\b(?:delete|remove|trash|move|copy|duplicate|rename|open|read|append|write|save|summari[sz]e|send|put)\b`)
	tableLeans = lazyregexp.New(`(?i)^(?:그럼\s|그러면\s|그중에?서?\s|그 중에?서?\s)?(?:\S+\s){0,2}\S+(?:만(?:요|\s보여줘|\s알려줘)?\s*[?.]?|(?:은|는|도)(?:요)?\s*\?)$|^(?:only|what about|how about|and (?:by|for|in|of|per))\s(?:\S+\s?){1,5}[?.]?$`)
)

// ReadTable finds the table that a request puts a question to, by its file's name.
func ReadTable(text string) (file string, ok bool) {
	file = ReadPaths(text).File
	if !tableFile.MatchString(file) {
		return "", false
	}
	return file, AsksTable(strings.Replace(phrase.Normalize(text), file, " ", 1))
}

// AsksTable tells whether a text asks what can be asked of a table.
func AsksTable(text string) bool {
	text = phrase.Normalize(text)
	return tableAsks.MatchString(text) && !tableDeeds.MatchString(text)
}

// LeansOnTable tells whether a short text only changes a part of what was asked before: 부산은?, only chairs.
func LeansOnTable(text string) bool {
	text = phrase.Normalize(text)
	return tableLeans.MatchString(text) && !tableDeeds.MatchString(text)
}
