package refer

import (
	"strings"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/lazyregexp"
)

// Listing is what was listed last: things of one kind, by the names by which tools take them, in the order in which they were shown.
type Listing struct {
	Kind  Kind
	Names []string
}

// The kinds of things that tools list.
const (
	Note Kind = "note"
	File Kind = "file"
)

// ordinals match a place in a list together with what stands for the thing: 둘째 메모, 두 번째 거, the second note, file number 2. The groups
// are the place, and the word for the thing or nothing.
var (
	ordinalsKO = lazyregexp.New(`(?:^|\s)((?:첫|두|세|네|다섯|여섯|일곱|여덟|아홉|열)\s?번째|[첫둘셋넷]째|\d{1,2}번(?:째)?|(?:맨\s)?(?:마지막|처음|끝|위))(?:에\s?있는)?\s?(거|것|걸|건|메모|노트|파일|문서)?`)
	ordinalsEN = lazyregexp.New(`(?:^|\s)(?:the )?(?:(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last) (one|note|memo|file)|(note|memo|file) (?:number )?(\d{1,2}))\b`)
	listed     = map[Kind]string{Note: "메모 노트 note memo", File: "파일 문서 file"}
)

// Counts tells whether a message names a place in a list at all.
func Counts(text string) bool {
	said, _, _, _ := ordinal(phrase.Normalize(text))
	return said != ""
}

// Spell puts the name of a thing in the place of words that only say where in a list it stands: 둘째 메모 지워줘. ok is false when the message
// names no place in the list; short tells that the list has no such place.
func (l Listing) Spell(text string) (spelled string, short, ok bool) {
	text = phrase.Normalize(text)
	said, noun, start, end := ordinal(text)
	if said == "" || noun != "" && !strings.Contains(listed[l.Kind], noun) {
		return "", false, false
	}
	if noun == "" && !removes.MatchString(text) && !opens.MatchString(text) {
		return "", false, false // 두 번째로 좋아
	}
	at := len(l.Names)
	if n, counts := slot.Ordinal(said); counts {
		at = n
	} else if strings.HasSuffix(said, "처음") || strings.HasSuffix(said, "위") {
		at = 1
	}
	if at < 1 || at > len(l.Names) {
		return "", true, false
	}
	return text[:start] + l.called(at, phrase.Korean(text)) + text[end:], false, true
}

// opens are the words with which something is looked at.
var opens = lazyregexp.New(`(?:열어|보여|읽어|봐|볼래)\S*|\b(?:open|show|read)\b`)

// ordinal finds the first place that a message names, the word for the thing beside it, and where both stand.
func ordinal(text string) (said, noun string, start, end int) {
	low := strings.ToLower(text)
	if len(low) != len(text) {
		return "", "", 0, 0 // letters whose small form is longer: no place would be the same
	}
	if at := ordinalsKO.FindStringSubmatchIndex(low); at != nil {
		if said, start, end = low[at[2]:at[3]], at[2], at[3]; at[4] >= 0 {
			noun, end = low[at[4]:at[5]], at[5]
		}
		if strings.Contains("거것걸건", noun) {
			noun = ""
		}
		return said, noun, start, end
	}
	at := ordinalsEN.FindStringSubmatchIndex(low)
	if at == nil {
		return "", "", 0, 0
	}
	start = at[1] - len(strings.TrimLeft(low[at[0]:at[1]], " \t\n"))
	if at[2] < 0 {
		return low[at[8]:at[9]], low[at[6]:at[7]], start, at[1]
	}
	if noun = low[at[4]:at[5]]; noun == "one" {
		noun = ""
	}
	return low[at[2]:at[3]], noun, start, at[1]
}

// called is what one thing of the list is called in a message.
func (l Listing) called(at int, korean bool) string {
	name := l.Names[at-1]
	mark := `'`
	if strings.Contains(name, mark) {
		mark = `"`
	}
	switch {
	case l.Kind == File && !strings.ContainsAny(name, " \t"):
		return name
	case l.Kind == File:
		return mark + name + mark
	case korean:
		return mark + name + mark + " 메모"
	}
	return "the " + mark + name + mark + " note"
}
