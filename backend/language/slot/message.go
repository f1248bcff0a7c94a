package slot

import (
	"slices"
	"strings"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/wordlist"
	"agentchat/backend/lazyregexp"
)

var (
	saidKO   = lazyregexp.New(`(?:^|\s)(\S.*?)(하라고|하라구|이라고|으라고|으라구|라고|라구|자고|다고|다구|냐고|는 거|는거|는 것|하게|하도록|할 거|할거|기로 한 거)\s?(?:좀|꼭|다시|나한테|저한테|내게|한번|한 번)?\s?(?:알려|말해|얘기|이야기|깨워|알림|알람|전해|리마인드|울려|톡|상기|기억|까먹지|잊지|메시지|일러|챙겨|해줘|해주|해라|해\s|해$)`)
	remindEN = lazyregexp.New(`(?i)\b(?:remind|tell|notify|alert|nudge|ping|wake|buzz|warn|call)\s+(?:me|us)\s+(?:up\s+)?(?:[^"]*?\s)?(?:to|about|that|of)\s+(.+)$`)
	saying   = lazyregexp.New(`(?i)\b(?:saying|called|labell?ed|named|with the message|message)\s+(.+)$`)
	timerFor = lazyregexp.New(`(?i)\b(?:timer|alarm|reminder)\s+(?:for|to)\s+(.+)$|\bfor\s+(?:the|my)\s+(.+)$`)
	tailAsk  = lazyregexp.New(`(?i)[\s,]*(?:please|pls|thanks|thank you|ok|okay|(?:would|will|could|can) (?:you|ya|u))?[\s.?!,]*$`)
)

// Message finds what a reminder shall say: 5분 뒤에 라면 확인하라고 알려줘 is "라면 확인", remind me to call mom in 20 minutes is "call mom".
func Message(text string) (string, bool) {
	text = oneLine(text)
	if q, ok := Quoted(text); ok {
		return q, true
	}
	if !phrase.Korean(text) {
		return englishMessage(text)
	}
	text = dropTimes(text)
	if m := saidKO.FindStringSubmatch(text); m != nil {
		if s := strings.TrimSpace(Nominal(dropLead(m[1]), m[2])); s != "" {
			return s, true
		}
	}
	return residualMessage(text)
}

// Nominal turns "약 먹" + "으라고" into "약 먹기", and leaves a noun alone, and what has no ending.
func Nominal(s, ending string) string {
	s = strings.TrimSpace(s)
	switch {
	case s == "" || ending == "":
		return s
	case strings.HasPrefix(ending, "이라"), strings.HasPrefix(ending, "하"), ending == "할 거", ending == "할거":
		return s
	case strings.HasSuffix(s, "하") && (strings.HasPrefix(ending, "라") || strings.HasPrefix(ending, "자") || strings.HasPrefix(ending, "는")):
		return strings.TrimSuffix(s, "하")
	case strings.HasPrefix(ending, "다"):
		return strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(s, " 있"), "이"), "한")
	case strings.HasPrefix(ending, "라") && endsInNoun(s) && !rieulVerb(s):
		return strings.TrimSuffix(s, "이")
	}
	return s + "기"
}

// rieulVerb: 널라고, 만들라고 come from verbs, whose stem ends in ㄹ; nouns take 이라고 there.
func rieulVerb(s string) bool {
	rs := []rune(s)
	return len(rs) > 0 && phrase.Final(rs[len(rs)-1]) == phrase.FinalRieul
}

// endsInNoun: "회의라고" names a noun, "돌리라고" a verb; a noun before 라고 that ends in a vowel is known only by a list of common verb ends.
func endsInNoun(s string) bool {
	return !slices.ContainsFunc([]string{"리", "치", "가", "오", "보", "주", "자", "나", "끄", "켜", "키", "내", "사", "타", "쓰", "매", "마시", "기", "우", "추", "꾸", "지", "두", "서", "세", "히", "이", "떠나", "하"}, func(v string) bool { return strings.HasSuffix(s, v) })
}

func dropTimes(text string) string {
	text = timePhrase.ReplaceAllString(text, " ")
	for _, w := range []string{"오늘", "내일", "모레", "이따가", "이따", "오전", "오후", "아침", "저녁", "새벽", "정오", "자정", "밤", "낮", "지금부터", "지금으로부터"} {
		text = strings.ReplaceAll(" "+text, " "+w+" ", " ")
		text = strings.ReplaceAll(" "+text, " "+w+"에 ", " ")
	}
	return strings.Join(strings.Fields(text), " ")
}

func dropLead(s string) string {
	fields := strings.Fields(s)
	for len(fields) > 0 {
		w := strings.Trim(fields[0], ",.")
		stem, _ := phrase.Stem(w)
		if !leadWords[w] && !(len([]rune(stem)) > 1 && leadWords[stem]) {
			break
		}
		fields = fields[1:]
	}
	return strings.Join(fields, " ")
}

var leadWords = wordlist.Of("음 그 저 저기 야 좀 혹시 아 어 나 나한테 저한테 내게 그럼 그리고 타이머 알람 알림 뒤에 뒤 후에 후 에 있다가 이따가 이따 반 좀있다가 맞춰서 설정해서 쯤 정도 타이머로 꼭 , 나중에")

var messageCarrier = wordlist.Of("타이머 알람 알림 알리미 리마인더 리마인드 메시지 톡 카운트다운 스톱워치 깨워 깨워줘 재 재줘 재어줘 맞춰 맞춰줘 울려 울려줘 울리게 걸어 걸어줘 예약 예약해 지나면 되면 있다 있으면 세팅 세팅해 켜 얘기 얘기해 얘기해줘 소리 정확히 딱 잊지 않게 까먹지 말고 후 뒤 알림줘 세 세줘 까먹지않게 알려주라 해놔 해놔줘 걸어놔 맞춰놔 맞추어 하나 타임 시간 몇 쉬었다가 기억 상기 상기시켜 시켜줘 줘봐 잡아줘 잡아 set timer alarm")

// residualMessage takes what is left when times and the words of asking are gone: 회의 알림 10분 뒤.
func residualMessage(text string) (string, bool) {
	ps := pieces(text, func(w string) bool { return messageCarrier[w] })
	rs := runs(ps)
	if len(rs) != 1 || rs[0][1]-rs[0][0] > 3 {
		return "", false
	}
	s := spanText(text, ps, rs[0][0], rs[0][1])
	last := ps[rs[0][1]-1].Text
	if p := ps[rs[0][1]-1].particle; strings.HasSuffix(last, "에") || p == "에" || p == "에서" || p == "까지" {
		return "", false
	}
	for _, verbal := range []string{"게", "면", "고", "서", "러", "지", "야", "자", "해", "줘", "라", "어", "워"} {
		if strings.HasSuffix(last, verbal) {
			return "", false
		}
	}
	if len([]rune(s)) < 2 {
		return "", false
	}
	return s, true
}

func englishMessage(text string) (string, bool) {
	bare := strings.Join(strings.Fields(timePhrase.ReplaceAllString(text, " ")), " ")
	for _, re := range []*lazyregexp.Regexp{saying, remindEN, timerFor} {
		m := re.FindStringSubmatch(bare)
		if m == nil {
			continue
		}
		s := m[1]
		if s == "" && len(m) > 2 {
			s = m[2]
		}
		s = tailAsk.ReplaceAllString(s, "")
		s = trimEN.ReplaceAllString(s, "")
		if re == timerFor {
			s = artEN.ReplaceAllString(s, "")
		}
		low := strings.ToLower(strings.TrimSpace(s))
		if low == "" || functionWords[low] || low == "wake up" || HasSpan(low) {
			continue
		}
		return strings.TrimSpace(s), true
	}
	return "", false
}

var trimEN = lazyregexp.New(`(?i)\s+(?:in|at|after|for|tomorrow|tonight|today|later|from now|this (?:morning|afternoon|evening))$`)
