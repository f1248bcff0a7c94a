package builtin

import (
	"slices"
	"strings"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/language/wordlist"
	"agentchat/backend/lazyregexp"
)

// allowed decides whether a clause that mentions a tool asks for it. Talk about songs, films or the weather starts nothing.
func (p *part) allowed() bool {
	if len(p.found.tool.acts) == 0 || p.read == nil || p.narrated() {
		return p.grammatical()
	}
	return p.act != actNegative && p.found.tool.wants(p.read) >= p.least()
}

// grammatical is what the form of a clause says of that.
func (p *part) grammatical() bool {
	t, v := p.found.tool, p.v
	if p.found.exact {
		return p.act != actNegative
	}
	if v.discusses(t) {
		return false
	}
	if p.act != actNegative && p.conversion() {
		return true
	}
	switch p.act {
	case actRequest:
		return true
	case actWish:
		return !t.answers || v.containsKO("알고", "궁금", "알려", "필요", "계산") || !v.korean
	case actQuestion:
		return t.answers || p.expression() || v.asksTheWay() && t.hasSense("route") || t.asksFor(v, p.found.args)
	case actFragment:
		return t.choice() != nil || p.found.noun && p.fragment()
	case actTalk:
		return p.toldFormula()
	case actNegative:
	}
	return false
}

// toldFormula tells a formula that stands alone or is told in words, which is all that asks for it: 7 더하기 8, 100에서 30을 빼면.
func (p *part) toldFormula() bool {
	return p.expression() && (bareFormula.MatchString(p.v.text) || p.v.containsKO("빼면", "더하면", "곱하면", "나누면"))
}

// fragment tells whether a fragment asks for the thing that it names.
func (p *part) fragment() bool {
	if p.v.korean {
		return p.closes()
	}
	return p.onlyNames()
}

// closes tells whether a Korean fragment ends as one that asks does: with the thing, an amount, a goal, a place or a day.
func (p *part) closes() bool {
	if p.v.nounEnd() || p.expression() || len(p.v.words) == 1 {
		return true
	}
	if p.found.tool.plays {
		_, named := slot.Quoted(p.v.text)
		return named || koStart.MatchString(p.v.compact)
	}
	return len(p.found.args) > 0
}

var koStart = lazyregexp.New(`(스타트|플레이|고|ㄱ|ㄱㄱ|온|재생|시작|켜기|신청|주문|요청|응)$`)

// onlyNames tells whether an English fragment holds nothing but names and words of asking. An unknown word that neither follows a
// preposition nor stands beside the thing itself is a predicate: "movies make me cry".
func (p *part) onlyNames() bool {
	carries := func(w string) bool { return p.found.tool.carrier(w) && !slot.FunctionWord(w) }
	known := func(w string) bool {
		return slot.FunctionWord(w) || carries(w) || slot.GenericTitle(w) || w[0] >= '0' && w[0] <= '9'
	}
	if p.expression() {
		return true
	}
	for i, w := range p.v.words {
		if i == 0 || known(w.Lower) || w.Text != w.Lower {
			continue
		}
		prev, next := p.v.words[i-1].Lower, ""
		if i+1 < len(p.v.words) {
			next = p.v.words[i+1].Lower
		}
		switch prev {
		case "in", "to", "for", "at", "of", "the", "a", "an", "some", "my":
			continue
		}
		if !carries(prev) && (next == "" || !carries(next)) && (known(prev) || i < 2) {
			return false
		}
	}
	return true
}

// bareFormula matches a sentence that is nothing but a formula: it ends with a number or the name of a result.
var bareFormula = lazyregexp.New(`(?i)([0-9일이삼사오육칠팔구십백천만]|나머지|값|결과|합|곱|차|=)\s*$`)

func (p *part) expression() bool {
	has, must := p.found.tool.kind(slot.KindExpression)
	return has && must && p.found.args[exprName(p.found.tool)] != nil
}

// conversion tells whether the tool turns units into others and the clause names an amount and both: 500mL는 몇 컵.
func (p *part) conversion() bool {
	has, must := p.found.tool.kind(slot.KindUnit)
	return has && must && slot.Converts(p.v.text)
}

func exprName(t *tool) string {
	for _, p := range t.props {
		if p.Kind == slot.KindExpression {
			return p.Name
		}
	}
	return ""
}

func (t *tool) hasSense(name string) bool {
	i, ok := senseIndex[name]
	return ok && t.affinity[i] >= 0.5
}

var quotedText = lazyregexp.New(`"[^"]*"|(?:^|\s)'[^']*'`)

// dates tells a question about the time of something else: 회의가 몇 시야? 생일이 며칠이야?
func (v *view) dates() bool {
	for i, w := range v.words {
		stem, particle := phrase.Stem(w.Lower)
		if events[stem] || (particle == "이" || particle == "가") && i < len(v.words)-1 && !slot.FunctionWord(stem) {
			return true
		}
	}
	return false
}

var events = wordlist.Of("회의 생일 시험 약속 수업 기차 버스 비행기 막차 첫차 마감 퇴근 출근 결혼식 모임 공연 경기 방송 개봉 예약 잔치 제사 휴일 월급 월급날 방학 개학 졸업 졸업식 면접 행사 축제 콘서트 점심시간 예식 미팅 체크인 체크아웃 영업 오픈 문")

// purpose matches going somewhere to do something: 밥 먹으러 가자, 영화 보러 갈래.
var purpose = lazyregexp.New(`\S러\s?(가자|갈래|갈까|가야|가고|가는|가기|갈|나가|다녀|와)`)

// asksTheWay: 어떻게 가?, how do I get to …? are wishes to be shown the way.
func (v *view) asksTheWay() bool {
	return v.containsKO("어떻게가", "어케가", "우째가", "어째가", "우예가", "어찌가", "가는길", "가는법", "가는방법", "가려면", "어떻게갈", "가려는데") ||
		v.containsEN(" how do i get ", " how can i get ", " how do we get ", " way to ", " how to get ", " how would i get ", " how should i get ", " route to ", " directions ", " how do you get ", " how can we get ")
}

// canI: 노래 들을 수 있을까요? is a polite wish.
func (v *view) canI() bool {
	return v.containsKO("수있을까", "수있나", "수있어", "수있니", "수있어요", "줄래", "줄수", "될까", "되나", "되니") && !v.containsKO("어떻게", "몇")
}

// discusses tells sentences that ask about a work or a matter, not for it.
func (v *view) discusses(t *tool) bool {
	if v.korean && t.hasSense("clock") && v.dates() {
		return true
	}
	if strings.ContainsAny(v.text, `"'`) {
		v = newView(quotedText.ReplaceAllString(v.text, " "))
	}
	if v.korean {
		if _, waits := t.kind(slot.KindDuration); !waits && purpose.MatchString(v.text) {
			return true
		}
		if !t.plays {
			return v.containsKO("뜻이", "뜻은", "원리", "무슨뜻", "발명", "누가만들", "어떻게만들")
		}
		return v.containsKO(about...)
	}
	return anyIn(v.english, aboutEN)
}

// Stopping.

var (
	stopWordsKO = []string{"꺼", "끄", "끌래", "멈춰", "멈추", "멈출", "멈쳐", "정지", "중지", "그만", "스톱", "스탑", "중단", "취소", "종료", "끝내", "닫아", "해제"}
	stopFirstEN = []string{" stop ", " pause ", " cancel ", " turn off ", " shut off ", " switch off ", " kill ", " quit ", " halt ", " abort ", " end ", " close ", " shut down ", " mute ", " cut the ", " enough ", " dismiss "}
)

// isStop tells an order to stop something.
func (p *part) isStop() bool {
	v := p.v
	if v.korean {
		hit := false
		for _, w := range stopWordsKO {
			if v.has(term{form: w, korean: true}) {
				hit = true
			}
		}
		if !hit || v.containsKO("꺼내", "끝내주", "끝내준", "끝내줬", "끄덕", "그만큼", "정지선", "취소선", "왜", "그만두", "멈추지", "끄지", "꺼지", "그만뒀", "취소수수료", "꺼림", "그만하지마", "라고알려", "라고말해", "라고해", "라고얘기") {
			return false
		}
		if v.question && !v.containsKO("줄래", "줘", "줄수", "주실") {
			return false
		}
		if v.past() {
			return false
		}
		// 꺼, 멈춰, 그만 end the sentence themselves; the others ask with 해, 줘 or nothing.
		if p.act == actNegative {
			return false
		}
		if p.act == actTalk && openEnd.MatchString(v.compact) {
			return false // 알람 끄고 다시 잤어
		}
		last := v.words[len(v.words)-1].Lower
		before := v.words[max(0, len(v.words)-2)].Lower
		return p.act != actTalk && p.act != actQuestion || stopWord(last) || strings.HasPrefix(before, "그만")
	}
	if !anyIn(turnedOff(v), stopFirstEN) {
		return false
	}
	switch p.act {
	case actRequest, actFragment, actWish:
		return stopLead.MatchString(v.english)
	case actTalk, actNegative, actQuestion:
	}
	return false
}

// stopLead matches an English order to stop: the stopping is the first thing said, after the courtesies.
var stopLead = lazyregexp.New(`^ (?:(?:please|ok|okay|hey|yo|now|just|kindly|alright|right|so|oh|well|um|uh|can|could|would|will|you|i|i'd|we|want|need|like|to|mind|let's|go|ahead|and|time|computer|also|then|first|finally|enough|i'm|that's|it's|please,) )*` +
	`(?:stop|stopping|pause|cancel|kill|quit|halt|abort|end|close|mute|dismiss|cut|enough|(?:turn|switch|shut)(?: \S+){0,4} (?:off|down)|(?:turn|switch|shut) (?:off|down)|shut everything) `)

// turnedOff brings the two halves of "turn the music off" together.
func turnedOff(v *view) string {
	e := v.english
	for _, verb := range []string{" turn ", " switch ", " shut "} {
		if strings.Contains(e, verb) && strings.Contains(e, " off ") {
			return e + "turn off "
		}
		if strings.Contains(e, " shut ") && strings.Contains(e, " down ") {
			return e + "shut down "
		}
	}
	return e
}

var stopAllowed = wordlist.Of("이제 이젠 좀 그거 이거 저거 다 전부 전부다 모두 모든 그냥 지금 하던 하는 하고 있는 거 것 걸 일 일들 작업 작업들 방금 아까 시킨 야 저기 음 돌아가는 실행 중인 중 진행 재생 잠깐 일단 빨리 당장 바로 제발 얼른 이것 그것 싹 싹다 몽땅 틀어놓은 켜놓은 켜 둔 틀어 재생중인 실행중인 진행중인 나 안 들을래 틀지 해 해라 해줘 해주세요 하자 하세요 줘 주세요 줄래 주라 부탁 부탁해 부탁해요 됐어 됐고 하라고 모조리 현재 " +
	"it that this them everything all please now the playing right ok okay just can you could would job jobs task tasks work running current thing things doing whatever you're what is are already like to i want up down off hey stop pause cancel turn shut switch kill quit halt abort end close mute enough that's of every single one and my me for no more here we be a minute second sec both any other let's lets gonna what's going on dismiss whatever's last")

// stopTarget says what to stop: a tool's key, everything, or nothing that is here (불 꺼줘).
func (p *part) stopTarget(c *catalog) (key string, all, ok bool) {
	best := 0.0
	for _, t := range c.tools {
		for i, a := range t.affinity {
			if !t.card.Long {
				break // what answers at once is never running
			}
			if s := a * p.v.strength(&senses[i]); senses[i].name != "play" && s > best && s >= 0.55 {
				best, key = s, t.card.Key
			}
		}
	}
	all = p.v.containsEN(" everything ", " all ", " every ", " both ")
	for _, w := range p.v.words {
		switch stem, _ := phrase.Stem(w.Lower); stem {
		case "다", "전부", "모두", "모든", "싹", "싹다", "몽땅", "전부다", "모조리":
			all = true
		}
	}
	if key != "" {
		return key, false, true
	}
	for _, w := range p.v.words[p.v.complaint():] {
		stem, _ := phrase.Stem(w.Lower)
		if stopAllowed[w.Lower] || stopAllowed[stem] || stopWord(w.Lower) {
			continue
		}
		return "", false, all && !devices[stem]
	}
	return "", all, true
}

// complaint is how many words of the view say why and not what: up to the last predicate before the order (너무 시끄러워 꺼줘).
func (v *view) complaint() (n int) {
	for i, w := range v.words[:max(len(v.words)-1, 0)] {
		if v.korean && !stopWord(w.Lower) && !stopAllowed[w.Lower] && (phrase.Describes(w.Lower) || newView(w.Text).act() == actTalk) {
			n = i + 1
		}
	}
	return n
}

func stopWord(w string) bool {
	return slices.ContainsFunc(stopWordsKO, func(s string) bool { return strings.HasPrefix(w, s) })
}
