package refer

import (
	"strings"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/told"
	"agentchat/backend/language/verdict"
	"agentchat/backend/language/wordlist"
	"agentchat/backend/lazyregexp"
)

// Sequel is what a message says of a list that was spoken of: one more thing for it, one that is done, or that all of it goes.
type Sequel struct {
	Step  Step
	Name  string // what it is called
	Plain bool   // More: the words say that there is one more, and not only too
	Added bool   // More: the words say that it is put there
	Led   bool   // More: nothing says so but what leads in: and bread
	List  string // Clear: which list, in its own words; "" for the one spoken of
}

// Step is what a sequel asks for.
type Step string

// The steps.
const (
	More  Step = "more"
	Done  Step = "done"
	Clear Step = "clear"
)

var (
	leadIn = lazyregexp.New(`^(?:(?:그리고|또|아|참|아참|음|oh|and|also|plus|then|um|wait)[ ,]+)+`)
	// oneMore announces one more thing: 하나 더, 식빵; one more, bread. Without a pause behind it, it is about the thing: one more song.
	oneMore   = lazyregexp.New(`^(?:하나|한\s?(?:개|가지))\s?(?:만\s?)?더(?:요)?\s?[,:.]?\s+|^더\s?있(?:어|는데)\S*\s+|^(?:one more thing|one more|another one|another thing)\s?[,:.-]+\s*`)
	adds      = lazyregexp.New(`\s?(?:추가|넣어|적어|써|등록|올려)\S*(?:\s?(?:줘|주세요|줄래|둬|놔|해줘))?\S{0,2}$`)
	addsEN    = lazyregexp.New(`^(?:add|put)\s+(.+?)(?:\s+(?:to|on|onto|in) (?:it|that|that list|the list|there|the same list))?$`)
	thereKO   = lazyregexp.New(`^(?:거기|여기|그\s?(?:목록|리스트))(?:에다가?|에도?)?\s`)
	elsewhere = lazyregexp.New(`목록|리스트|할\s?일|일정|달력|캘린더|스케줄|\b(?:lists?|calendar|to-?dos?|schedule|agenda|reminders?)\b`)
	tooKO     = lazyregexp.New(`도(?:\s?(?:하나|한\s?개))?(?:요)?$|\s하나\s?더$`)
	tooEN     = lazyregexp.New(`,?\s(?:too|as well|also)$`)
	courtesy  = lazyregexp.New(`[ ,]*(?:please|부탁해요?|부탁|thanks)$`)
	closed    = wordlist.Of(`나 저 너 그 이 이것 그것 저것 이거 그거 저거 거 것 오늘 내일 어제 아무 아무것 무엇 뭐 누구 어디 언제 그래 아직 지금 혹시 하나 둘 더 그냥 너무 정말 진짜 아마 우리
		that's it's there's what's i'm i you he she it we they me him her us them this that these those what who where when why how is are was were am be been do does did can could will would shall should
		not no yes ok okay thanks thank sorry please here there now then so if but because never always more one another`)
	everyWord = wordlist.Of("이미 벌써 방금 다 아까 금방 지금 already just now")
	doneEN    = lazyregexp.New(`^(?:i|we|i've|we've|i have|we have)\s+(?:already\s+|just\s+)?(?:got|bought|did|done|finished|made|took|paid|sent|wrote|had|have|called|cleaned|\w+ed)\s+(?:with\s+)?(.+?)(?:\s+(?:already|now|today|just now))?$` +
		`|^(?:already\s+)?(?:got|bought|did|finished|done with|paid|sent|picked up|took care of|check off|tick off)\s+(.+?)(?:\s+(?:already|now|today))?$` +
		`|^(.+?)\s+(?:is|are|has been|have been|'s)?\s*(?:already\s+)?(?:done|bought|finished|taken care of|paid|checked off|sorted)(?:\s+(?:already|now))?$`)
	ours    = lazyregexp.New(`^(?:the|my|our|some|a|an) `)
	negates = lazyregexp.New(`(?:^|\s)(?:안|못)\s|지\s?(?:않|못|말)|\b(?:not|n't|never)\b|n't\b`)

	clears   = lazyregexp.New(`(?:지워|지우|지울|삭제|없애|비워|비우|빼|치워)\S*(?:\s?(?:줘|주세요|줄래|해줘))?\S{0,2}$`)
	empties  = lazyregexp.New(`비워|비우`)
	clearsEN = lazyregexp.New(`^(clear|wipe|empty)\b(.*)$|^(?:delete|remove|erase|drop|take|cross|scratch)\b(.*)$`)
	ofList   = wordlist.Of("목록 리스트 할 일 거 것 내 그 거기 있는 적힌 적은 좀 싹 the my whole that this of it them list to-do todo to do out off from on and please")
	allWords = wordlist.Of("다 전부 모두 모조리 싹 몽땅 전체 all everything whole")
)

// ReadSequel reads a message as a sequel; ok is false when it cannot be one. Whether it is one is for those to say who know the list.
func ReadSequel(text string) (s Sequel, ok bool) {
	said := strings.Trim(strings.ToLower(phrase.Normalize(text)), " .!~")
	if said == "" || len(said) > 120 || strings.ContainsAny(said, "\n?") || verdict.Of(text, verdict.Own{}, nil) != verdict.None {
		return s, false
	}
	plain := strings.TrimSpace(courtesy.ReplaceAllString(said, ""))
	for _, read := range []func(string) (Sequel, bool){clearing, finished, another} {
		if s, ok = read(plain); ok {
			if at := strings.Index(strings.ToLower(text), s.Name); at >= 0 && len(strings.ToLower(text)) == len(text) { // as it was written
				s.Name = text[at : at+len(s.Name)]
			}
			return s, true
		}
	}
	return s, false
}

// clearing reads that all of a list goes: 다 지워줘, 장보기 목록 비워줘, clear it, take everything off.
func clearing(said string) (s Sequel, ok bool) {
	s.Step = Clear
	said = leadIn.ReplaceAllString(said, "")
	rest, all := "", false
	if m := clearsEN.FindStringSubmatch(said); m != nil {
		rest, all = m[2]+m[3], m[1] != ""
	} else if at := clears.FindStringIndex(said); at != nil {
		rest, all = said[:at[0]], empties.MatchString(said[at[0]:])
	} else {
		return s, false
	}
	var name []string
	for _, w := range phrase.Words(rest) {
		stem, _ := phrase.Stem(w.Lower)
		switch {
		case allWords[w.Lower] || allWords[stem]:
			all = true
		case !ofList[w.Lower] && !ofList[stem]:
			name = append(name, stem)
		}
	}
	s.List = strings.Join(name, " ")
	return s, all
}

// finished reads that something is done: 우유는 샀어, I got the milk already.
func finished(said string) (s Sequel, ok bool) {
	s.Step = Done
	if negates.MatchString(said) {
		return s, false
	}
	if m := doneEN.FindStringSubmatch(said); m != nil {
		s.Name = strings.TrimSpace(ours.ReplaceAllString(matched(m), ""))
		return s, s.Name != "" && !closed[s.Name]
	}
	words := phrase.Words(said)
	last := len(words) - 1
	if last < 1 || !told.Ended(words[last].Lower) {
		return s, false
	}
	var name []string
	for _, w := range words[:last] {
		if !everyWord[w.Lower] {
			name = append(name, w.Lower)
		}
	}
	if len(name) > 0 {
		name[len(name)-1], _ = phrase.Stem(name[len(name)-1])
	}
	s.Name = strings.Join(name, " ")
	return s, s.Name != "" && !closed[s.Name]
}

// another reads one more thing: 하나 더, 식빵; 빵도; and bread too; also add bread.
func another(said string) (s Sequel, ok bool) {
	s.Step = More
	rest := leadIn.ReplaceAllString(said, "")
	led := rest != said
	if cut := oneMore.ReplaceAllString(rest, ""); cut != rest {
		rest, s.Plain = cut, true
	}
	too := false
	for _, tail := range []*lazyregexp.Regexp{tooEN, tooKO} {
		if cut := tail.ReplaceAllString(rest, ""); cut != rest && cut != "" {
			rest, too = cut, true
		}
	}
	added := false
	if m := addsEN.FindStringSubmatch(rest); m != nil {
		rest, added = m[1], true
	} else if cut := adds.ReplaceAllString(rest, ""); cut != rest && phrase.Korean(said) {
		rest, added = cut, true
	}
	rest = thereKO.ReplaceAllString(rest, "")
	if cut := tooKO.ReplaceAllString(rest, ""); added && cut != rest && cut != "" { // 빵도 추가해줘
		rest, too = cut, true
	}
	if !s.Plain && !too && !led && !added {
		return s, false
	}
	s.Name = strings.TrimSpace(ours.ReplaceAllString(strings.Trim(rest, " ,"), ""))
	words := phrase.Words(s.Name)
	if len(words) == 0 || len(words) > mostWords*2 {
		return s, false
	}
	for _, w := range words {
		if stem, _ := phrase.Stem(w.Lower); closed[w.Lower] || closed[stem] && stem != w.Lower || told.Ended(w.Lower) {
			return s, false
		}
	}
	s.Added, s.Led = added, !added && !too && !s.Plain
	return s, !added || !elsewhere.MatchString(rest)
}

// matched is the first group that matched.
func matched(groups []string) string {
	for _, g := range groups[1:] {
		if g != "" {
			return g
		}
	}
	return ""
}
