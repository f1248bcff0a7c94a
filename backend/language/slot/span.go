package slot

import (
	"strings"
	"unicode"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/wordlist"
	"agentchat/backend/lazyregexp"
)

// FunctionWord tells words that only hold a sentence together and are never a name.
func FunctionWord(w string) bool { return functionWords[w] }

// NamesNothing tells that all words of a text are of those that never belong to a name, or that only point.
func NamesNothing(text string) bool {
	for _, w := range phrase.Words(text) {
		if stem, _ := phrase.Stem(w.Lower); !FunctionWord(w.Lower) && !FunctionWord(stem) && !Points(w.Lower) && !Points(stem) {
			return false
		}
	}
	return true
}

// WithoutTimes gives text without its spans of time and times of day.
func WithoutTimes(text string) string {
	return strings.TrimSpace(timePhrase.ReplaceAllString(text, " "))
}

// Points tells a word that points at what was said or shown before: a demonstrative, or a moment of the talk.
func Points(w string) bool { return pointing[w] }

var pointing = wordlist.Of(`
그 그거 그것 그걸 그건 그게 거기 거기로 거기서 거기에 이거 이것 이걸 이건 이게 저거 저것 저걸 저건 저게 저기 방금 아까 그때 같은
it that there those these them this same again
`)

// functionWords never belong to a name: fillers, askings, times, pronouns, measures.
var functionWords = wordlist.Of(`
음 그 저 저기 야 아니 아니야 아니요 아냐 첫째 첫째로 둘째 둘째로 마지막 현지 시인지 시인지랑 되는지 인지 그렇고 그건 미안 미안한데 죄송한데 실례지만 있잖아 있지 뭐냐 뭐더라 좀 혹시 아 어 네 응 예 자 그럼 그러면 이제 지금 당장 바로 빨리 얼른 어서 제발 그냥 일단 먼저 우선 다음 다음에 그다음 그다음에 그리고 또 또한 다시 한번 한 번 더 하나 하나만 하나더 둘 두 세 곡 개 편 편만 곡만 개만 번만 응 다 전부 모두
나 나를 나는 내 내가 나한테 우리 너 네가 저는 제가 저한테 저를 이거 그거 저거 이것 그것 여기 거기 여기서 여기까지 현재 위치 현위치 근처 주변 동네 이 저 그런 이런 좀더 조금 많이 너무 진짜 정말 아주 꼭 잘 잠깐 잠시 혼자 같이 함께
오늘 내일 모레 어제 글피 낼 이번 이번주 다음주 담주 주말 주말에 아침 점심 저녁 전에 안 못 밤 밤에 낮에 아침에 저녁에 새벽에 오전에 오후에 중에 변경 변경해 변경해줘 바꿔 바꿔줘 수정 내일모레 낼모레 엊그제 새벽 오전 오후 낮 요즘 최근 날 요일 월요일 화요일 수요일 목요일 금요일 토요일 일요일 주 주중 평일 이따 이따가 최저 최고 평균 체감 실시간 나중에 방금 아까 시간 시 분 초 년 월 일 뒤 뒤에 뒤로 후 후에 후로 동안 전
뭐 무엇 뭘 어디 언제 누가 누구 왜 어떻게 어떤 무슨 어느 몇 얼마 얼마나 어때 어떄 어떨까 어떤지 어떠냐 어때요 궁금해 궁금한데 궁금 알고 싶어 싶어요 싶은데 싶다 싶네 싶습니다 할 수 있어 있나 있니 있을까 있을까요 있어요 있나요 있지 될까 될까요 되나 되나요 돼 돼요
줘 줘요 주세요 주라 주세여 주실래요 주시겠어요 줄래 줄래요 줄 주시면 주면 주십시오 해 해요 해줘 해줘요 해주세요 해줄래 해줄 해라 하자 할래 할래요 하고 하는 해서 해야 부탁 부탁해 부탁해요 부탁드려요 부탁드립니다 부탁할게 부탁할게요 고마워 고마워요 감사 감사합니다 감사해요 알았지 오케이 플리즈
가 가요 가자 가줘 가주세요 가야 가야해 가야돼 가고 갈래 갈 가려면 가려고 가는 가는데 가볼까 갑시다 가라 가봐 갈게 출발 출발해 출발하자 고고 ㄱㄱ 고 ㄱ 데려다 데려가 데리고 모셔다 안내 안내해 안내좀 찍어 찍고 켜 켜줘 켜고 켜라 켜봐 켜서 켤래 틀어 틀어줘 틀고 틀어라 틀어봐 틀자 틀래
알려 알려줘 알려줘요 알려주세요 말해 말해줘 보여 보여줘 들려 들려줘 불러 불러줘 재생 재생해 재생해줘 시작 시작해 시작해줘 실행 실행해 돌려 깔아 봐 보자 볼래 볼까 보고 보게 볼 들을래 들을 듣자 듣고 듣게 들어 들을까 찾아 찾아줘 확인 확인해 확인해줘 체크 체크해 검색 검색해 설정 설정해 맞춰 맞춰줘
제일 가장 빠른 빠르게 최단 쉬운 길 길로 길을 길이 길좀 방법 방향 쪽 쪽으로 자동차 자동차로 차로 차 버스 버스로 지하철로 도보로 걸어서 택시로 운전 운전해서 어떻게든 정도 쯤 정보 소식 상황 상태 것 거 거야 건데 때 때문에 하는데 인데 이랑 랑 와 과 및 에서 에 까지 로 으로 까지요 요 은 는 을 를 의 도 만 심심한데 심심해 심심하니까
please pls plz hey hi hello um uh umm uhh er hmm well ok okay so yo dude man buddy mate just now right away quickly quick asap then first next after also too and or but again another one more some any a an me us my your i i'm you we it's it is are was were be been am do does did can could would will shall should
may might must want wanna need like would'd i'd i'll let's lets let gonna gotta got have has get getting go going take bring drive guide lead show tell give gimme put turn on off up start open launch run play playing hear listen listening watch watching see what what's whats how how's hows when where who which why the of for from with by at in to as about into onto
am pm a.m p.m o'clock min mins sec secs hr hrs today tonight tomorrow yesterday morning afternoon evening night weekend week this next coming day days hour hours minute minutes second seconds time date later soon there here current currently outside out if that those these thanks thank there's anything something someone tell check look find know mind sure really actually maybe kind sort bit little feel mood fancy love
fast fastest shortest best way route via home's ya u yall y'all bro
monday tuesday wednesday thursday friday saturday sunday
`)

var quoted = lazyregexp.New(`"([^"]{1,80})"|(?:^|\s)'([^']{1,80})'(?:$|[\s,.?!은는이가을를라도])`)

// Quoted finds the first quoted text.
func Quoted(text string) (string, bool) {
	m := quoted.FindStringSubmatch(strings.ReplaceAll(phrase.Normalize(text), "\n", " "))
	if m == nil {
		return "", false
	}
	s := strings.TrimSpace(m[1] + m[2])
	return s, s != ""
}

// piece is one word of a clause seen by the name grammars.
type piece struct {
	phrase.Word
	stem, particle string
	brk            bool // not part of a name
	pause          bool // punctuation stands after the word
}

// pieces cuts a clause into words, with dates and times of day marked as not part of a name.
func pieces(text string, carrier func(string) bool) []piece {
	ws := phrase.Words(text)
	mask, korean := timeMask(text), phrase.Korean(text)
	out := make([]piece, 0, len(ws))
	for i, w := range ws {
		p := piece{Word: w, stem: w.Text}
		if strings.ContainsFunc(w.Text, phrase.Hangul) {
			p.stem, p.particle = phrase.Stem(w.Text)
		}
		low, stem := w.Lower, strings.ToLower(p.stem)
		p.brk = !foreign(korean, p.stem) && (functionWords[low] || functionWords[stem] || functionWords[strings.TrimSuffix(low, "'s")]) || carrier != nil && (carrier(low) || carrier(stem)) || mask(w.Start) || ending(low)
		next := len(text)
		if i+1 < len(ws) {
			next = ws[i+1].Start
		}
		if call := strings.TrimSuffix(strings.TrimSuffix(low, "야"), "아"); call != low && carrier != nil && carrier(call) {
			p.brk = true // 네비야
		}
		if i > 0 && ws[i-1].Text == "몇" || next == len(text) && finalPredicate.MatchString(w.Text) {
			p.brk = true
		}
		p.pause = strings.ContainsAny(text[w.End:next], ",.!?;\n")
		out = append(out, p)
	}
	return out
}

// foreign tells Latin words in a Korean sentence, and single capital letters: they are names even where English has them as a
// function word (목적지 A로, let it be 틀어줘).
func foreign(korean bool, w string) bool {
	for _, r := range w {
		if !isLatin(r) {
			return false
		}
	}
	return (korean || len(w) == 1 && w >= "A" && w <= "Z" && w != "I") && w != "" && !strings.EqualFold(w, "please")
}

// verbStems begin the predicates of asking, whatever ending follows.
var verbStems = []string{"틀어", "틀면", "들려", "불러", "보여", "재생", "알려", "안내", "깨워", "추가", "며칠", "몇일", "부탁", "데려다", "연주", "트러", "켜줘", "켜주", "들을", "볼만", "들어", "듣고", "듣기", "보고", "말해", "찾아", "몇", "요일", "필요", "궁금", "시작", "계산", "설정", "울려", "맞춰", "뽑아", "띄워", "골라", "올라", "내려", "고른", "심심", "스타트", "어때", "어떄", "어떤", "어떻", "어떠", "어뗘", "우떻", "우때", "우째", "우예", "어째", "어케", "입어", "입을", "챙겨", "챙길", "가져", "들고", "널어", "나가도"}

// finalPredicate matches a last word that is a predicate, not a name: 올까, 필요해, 요일이지, 틀어조.
var finalPredicate = lazyregexp.New(`(는가|은가|한가|오나|있나|되나|춥나|덥나|인가|인고|시고|구려|구먼|게나|주게|시게|보게|가노|떻노|었노|겠노|주쇼|이소|해유|줘유|까|까요|나요|니|냐|죠|네|네요|구나|다|래|래요|온대|줘|줘요|조|봐|봐요|해|해요|세요|데|데요|하지|이지|일지|올지|을지|ㄹ지|인지|는지|지요|임|됨|려나|안돼|안되나|돼|예요|에요|이야|시야|와|와요|어때|싶어|주라|하자|보자|될까|겠어|겠지)$`)

// adnominal matches words that describe the noun after them: 신나는, 듣기 좋은, 운동할.
var adnominal = lazyregexp.New(`(는|은|운|한|던|할|볼|을|픈|쁜|른|적인|있는|없는|같은|오는|날|때|전에|후에|말고|용|용으로)$`)

// ending tells Korean words that are predicates by their look.
func ending(w string) bool {
	for _, s := range verbStems {
		if strings.HasPrefix(w, s) {
			return true
		}
	}
	if rs := []rune(w); len(rs) == 2 && rs[1] == '래' && phrase.Final(rs[0]) == phrase.FinalRieul {
		return true // 잘래, 갈래
	}
	for _, r := range w { // a past tense, or nothing but letters (ㅇㅇ)
		if phrase.Final(r) == phrase.FinalSsSiot || r >= 0x3131 && r <= 0x318E {
			return true
		}
	}
	for _, s := range []string{
		"가야", "아야", "어야", "해야", "는지", "은지", "한지", "히기", "하기", "가기", "오기", "리기", "해도", "어도", "아도", "시면", "으면", "하면", "되면", "지만", "으니", "하니", "더니", "면서", "느라", "도록", "나러", "보러", "으러", "하러", "사러", "주세요", "줘요", "줄래", "줄래요", "세요", "십시오", "습니다", "습니까", "해줘", "어줘", "아줘", "려줘", "할까", "할래", "싶어", "인데", "는데", "은데", "한데", "니까", "어서", "해서",
		"려고", "려면", "하자", "할게", "까요", "나요", "가요", "ㅂ니다", "네요", "어요", "아요", "해요", "에요", "예요", "거야", "건데", "다가", "었어", "았어", "했어", "야지", "해야", "줘라", "주라", "하다", "하네", "프다", "파서", "하네요", "오네", "오는데", "야하는", "야해", "야돼", "주고", "틀고", "켜고", "끄고", "주면서", "틀면서",
	} {
		if strings.HasSuffix(w, s) && len(w) >= len(s) {
			return true
		}
	}
	return false
}

var timePhrase = lazyregexp.New(`(?:[0-9][0-9,.:]*|[일이삼사오육칠팔구십백한두세네다섯여섯일곱여덟아홉열스물무서른마흔쉰]+)\s?(?:시간|시|분|초|일|주일|달|개월|도)(?:\s?[0-9일이삼사오육칠팔구십]+\s?(?:분|초))?(?:\s?반)?(?:\s?(?:정도|쯤|뒤|후|있다가|이따가|이따|동안|안|마다|전|짜리))*(?:에|으로|까지|만|만에|에는)?(?:\s|$)` +
	`|\b(?:in )?(?:an?|three) quarters? of an hour\b|\b(?:in|at|for|after|within|every)?\s?(?:[0-9][0-9.:]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|twenty[- ]five|thirty|forty|forty[- ]five|fifty|sixty|ninety|half an?|half)[\s-]?(?:hours?|hrs?|minutes?|mins?|seconds?|secs?|days?|weeks?|am|pm|a\.m\.?|p\.m\.?|o'?clock)(?:\s(?:and a half|from now|later))?\b`)

// timeMask tells which byte offsets belong to a date or a time.
func timeMask(text string) func(int) bool {
	low := strings.ToLower(text)
	if len(low) != len(text) {
		low = text
	}
	spans := timePhrase.FindAllStringIndex(low, 20)
	for _, re := range []*lazyregexp.Regexp{isoDate, koDate, koDayOnly, enDate, enDate2, koWeekday, enWeekday, inDays} {
		spans = append(spans, re.FindAllStringIndex(low, 5)...)
	}
	return func(i int) bool {
		for _, s := range spans {
			if i >= s[0] && i < s[1] {
				return true
			}
		}
		return false
	}
}

// runs gives the stretches of neighbouring words that may be a name, as index pairs. A particle or a pause ends a run.
func runs(ps []piece) [][2]int {
	var out [][2]int
	start := -1
	for i := range ps {
		if ps[i].brk || !nameLike(ps[i].Text) {
			if start >= 0 {
				out = append(out, [2]int{start, i})
				start = -1
			}
			continue
		}
		if start < 0 {
			start = i
		}
		if ends := ps[i].particle != "" && ps[i].particle != "의" && ps[i].particle != "이" || ps[i].pause; ends {
			out = append(out, [2]int{start, i + 1})
			start = -1
		}
	}
	if start >= 0 {
		out = append(out, [2]int{start, len(ps)})
	}
	return out
}

func nameLike(w string) bool {
	for _, r := range w {
		if unicode.IsLetter(r) {
			return true
		}
	}
	for _, r := range w {
		return unicode.IsDigit(r)
	}
	return false
}

// spanText is the text of words [a, b) as written, without the last one's particle.
func spanText(text string, ps []piece, a, b int) string {
	s := text[ps[a].Start : ps[b-1].End-len(ps[b-1].particle)]
	return strings.Trim(s, ` "',.`)
}

// knownSpan is the longest stretch of a run of words that is a name somebody knows, with or without the last word's particle.
func (in Input) knownSpan(text string, ps []piece, r [2]int) (string, bool) {
	if in.Known == nil {
		return "", false
	}
	for n := r[1] - r[0]; n > 0; n-- {
		for a := r[0]; a+n <= r[1]; a++ {
			for _, s := range []string{spanText(text, ps, a, a+n), strings.Trim(text[ps[a].Start:ps[a+n-1].End], ` "',.`)} {
				if in.known(s) {
					return s, true
				}
			}
		}
	}
	return "", false
}
