package ground

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"agentchat/backend/language/slot"
	"agentchat/backend/lazyregexp"
)

var (
	quotedText = lazyregexp.New(`^[^"'\n]{0,6}("([^"\n]{1,200})"|'([^'\n]{1,200})')`)
	noText     = lazyregexp.New(`^(?:은|는|도|를|을|만)?\s*(?:없|빼|안\s|필요\s?없|지워|삭제|말고|나\s|랑\s|하고\s|말이야|취소)`)
	afterCue   = lazyregexp.New(`^(?:에는|에다|에|은|는|이|가|를|을|로|으로|란에|\s*(?:is|says?|saying|that says|of|as|should be|should say)\b)?\s*[:=-]?\s*`)
	// request is what follows free words: the request itself.
	request   = lazyregexp.New(`(?:(?:이?라고|으로|로|을|를|좀)\s*|\s+|^)(?:추가|지워|삭제|빼|적어|적고|적는|넣어|넣고|써|쓰고|등록|남겨|남기|달아|달고|해|하고|부탁|올려|보내|송금|이체)\S*(?:\s*(?:좀|서|꼭|그리고)?\s*(?:보내\S*|줘\S*|주세요|주라|둬|놔|할래|부탁\S*|이체\S*|송금\S*|해\S*))*\s*$`)
	requestEN = lazyregexp.New(`\s*(?:(?:to|on|from|off|in|onto) (?:my |the )?(?:to-?do|todo|reminders?|list)(?: list)?|please|thanks|thank you)\s*$`)
	// replaced are free words in place of others: 용돈 말고 생활비로 바꿔줘.
	replaced = lazyregexp.New(`^.+?\s?(?:말고|대신에?|에서)\s(.+?)(?:으로|로|이?라고)\s?(?:바꿔|바꾸|변경|고쳐|수정|해|적어|써)\S*(?:\s(?:줘|주세요|줄래))?\s*$`)
	changed  = lazyregexp.New(`(?:으로|로|이?라고)\s?(?:바꿔|바꾸|변경|고쳐|수정)\S*(?:\s(?:줘|주세요|줄래))?\s*$`)
	copula   = lazyregexp.New(`(?:이라고|라고|이에요|예요|입니다|이야|이요|으로)$`)
	said     = lazyregexp.New(`(?:^|[\s,])(?:"([^"\n]{1,200})"|'([^'\n]{1,200})'|([^\s,."';]+(?:\s[^\s,."';]+){0,3}?))\s?(?:이?라고|으?로)\s?(?:좀\s?)?(?:적어|써|남겨|메모)`)
	asked    = lazyregexp.New(`[?？]`)
)

// texts finds free words: behind a cue, before 라고 적어, or as the whole answer to the question for them.
func (p *parsed) texts() {
	for _, sl := range p.slots.of(Text) {
		from, to, ok := p.cued(sl)
		if !ok && memoLike(sl) {
			from, to, ok = p.quotedBefore()
		}
		if !ok && p.request.Asked == sl.Name && !asked.MatchString(p.s) {
			from, to = p.trimRequest(0, len(p.s))
			ok = from < to && utf8.RuneCountInString(p.s[from:to]) <= 200 && !p.hasValues(from, to)
		}
		if ok && from < to && (len(sl.Frame) == 0 || named(p.s[from:to], nil)) {
			p.add(item{Finding: Finding{Slot: sl.Name, Kind: Text, Value: p.free(sl, from, to, false)}, from: from, to: to})
		}
	}
}

// memoLike tells slots that are written down beside something else.
func memoLike(sl Slot) bool {
	return slices.ContainsFunc(sl.Cues, func(c string) bool {
		return c == "메모" || strings.EqualFold(c, "memo") || strings.EqualFold(c, "note")
	})
}

// hasValues tells whether an answer speaks of money and people rather than being the free words that were asked for.
func (p *parsed) hasValues(from, to int) bool {
	return len(p.slots.of(Name)) > 0 && dativeWord.MatchString(p.s[from:to]) && len(slot.Amounts(p.s[from:to])) > 0
}

// cued finds the words behind one of a slot's cues.
func (p *parsed) cued(sl Slot) (from, to int, ok bool) {
	cues := make([]string, 0, len(sl.Cues))
	for _, c := range sl.Cues {
		cues = append(cues, slot.Read(c).Text)
	}
	for _, cue := range cues {
		for at := 0; cue != ""; {
			i := strings.Index(p.s[at:], cue)
			if i < 0 {
				break
			}
			i += at
			at = i + len(cue)
			if p.mark[i] != "" || latinInside(p.s, i, at) || noText.MatchString(p.s[at:]) {
				continue
			}
			if m := quotedText.FindStringSubmatchIndex(p.s[at:]); m != nil {
				g := 4
				if m[4] < 0 {
					g = 6
				}
				return at + m[g], at + m[g+1], true
			}
			start := at + len(afterCue.FindString(p.s[at:]))
			end := len(p.s)
			if k := strings.IndexAny(p.s[start:], ",;\n"); k >= 0 && (!sl.Several || request.MatchString(p.s[start:start+k])) { // of several things it ends them behind the request alone
				end = start + k
			}
			if k := sentenceEnd.FindStringIndex(p.s[start:end]); k != nil {
				end = start + k[0]
			}
			end = p.beforeValues(start, end)
			if m := replaced.FindStringSubmatchIndex(p.s[start:end]); m != nil {
				start, end = start+m[2], start+m[3]
			}
			start = p.afterMoments(start, end)
			if start, end = p.trimRequest(start, end); start < end {
				if len(sl.Frame) > 0 {
					end = p.bareEnd(start, end)
				}
				return start, end, true
			}
		}
	}
	return 0, 0, false
}

var sentenceEnd = lazyregexp.New(`[.!?](?:\s|$)`)

// beforeValues ends free words before somebody who is sent something and before an amount: 메모 점심값으로 엄마한테 3만원 보내줘.
func (p *parsed) beforeValues(from, to int) int {
	if len(p.slots.of(Name)) == 0 {
		return to
	}
	if m := dativeWord.FindStringIndex(p.s[from:to]); m != nil {
		if strings.TrimSpace(p.s[from:from+m[0]]) == "" {
			return to // they begin with a request: all of it is free words, and nothing is read out of them
		}
		to = from + m[0]
	}
	for _, a := range slot.Amounts(p.s[from:to]) {
		if !a.Bare && a.Start > 0 {
			to = from + a.Start
			break
		}
	}
	return to
}

// afterMoments begins free words behind the day and the time that stand before them, where a service has values for those and
// nobody's name: 할 일에 내일 3시 병원 가기 추가해줘.
func (p *parsed) afterMoments(from, to int) int {
	if len(p.slots.of(Name)) > 0 {
		return from
	}
	day := false
	for begin := -1; begin != from; {
		begin = from
		if len(p.slots.of(Date)) > 0 {
			for _, d := range slot.Days(p.s[from:to], time.Time{}) {
				if d.Start != 0 {
					continue
				}
				rest := strings.TrimPrefix(p.s[from+d.End:to], "에")
				if trimmed := strings.TrimLeft(rest, " "); trimmed != "" && len(trimmed) < len(rest) {
					from, day = to-len(trimmed), true
				}
				break
			}
		}
		if len(p.slots.of(Time)) > 0 {
			from += hourAhead(p.s[from:to], day)
		}
	}
	return from
}

// trimRequest takes the request and the copula off free words.
func (p *parsed) trimRequest(from, to int) (int, int) {
	trim := func() {
		t := p.s[from:to]
		to -= len(t) - len(strings.TrimRight(t, " .,!~?\n"))
		t = p.s[from:to]
		from += len(t) - len(strings.TrimLeft(t, " \n"))
	}
	trim()
	for _, re := range []*lazyregexp.Regexp{request, requestEN, changed, copula} {
		if m := re.FindStringIndex(p.s[from:to]); m != nil && (m[0] > 0 || re == request) {
			to = from + m[0]
			trim()
		}
	}
	if t := p.s[from:to]; strings.HasSuffix(t, "로") && !final(lastRune(strings.TrimSuffix(t, "로"))) && utf8.RuneCountInString(t) > 2 {
		to -= len("로")
	}
	if t := p.s[from:to]; len(t) > 2 && (t[0] == '"' && t[len(t)-1] == '"' || t[0] == '\'' && t[len(t)-1] == '\'') {
		from, to = from+1, to-1
	}
	return from, to
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// quotedBefore finds the words before 라고 적어: 생일축하라고 적어서 보내줘. Words that are values themselves do not belong to them.
func (p *parsed) quotedBefore() (from, to int, ok bool) {
	m := said.FindStringSubmatchIndex(p.s)
	if m == nil {
		return 0, 0, false
	}
	for g := 2; g < 6; g += 2 {
		if m[g] >= 0 {
			return m[g], m[g+1], true
		}
	}
	from, to = m[6], m[7]
	list := slot.Amounts(p.s[from:to])
	for _, l := range slices.Backward(list) {
		if !l.Bare {
			from += l.End
			break
		}
	}
	if d := dativeWord.FindAllStringIndex(p.s[from:to], -1); len(d) > 0 {
		from += d[len(d)-1][1]
	}
	for _, lead := range []string{"보내면서", "보낼 때", "보내는데", "을", "를"} {
		if i := strings.LastIndex(p.s[from:to], lead+" "); i >= 0 {
			from += i + len(lead)
		}
	}
	for from < to && p.s[from] == ' ' {
		from++
	}
	return from, to, from < to
}
