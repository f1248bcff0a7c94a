package builtin

import (
	"slices"
	"strings"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/language/told"
	"agentchat/backend/lazyregexp"
)

// mood is what the customer does with a sentence.
type mood int

const (
	actTalk     mood = iota // tells, muses, quotes: nothing to start
	actNegative             // asks not to
	actRequest              // asks for something to be done
	actWish                 // says what they would like or need
	actQuestion             // asks to know something
	actFragment             // names a thing and leaves the rest to the listener
)

func (v *view) act() mood {
	if v.korean {
		return v.actKorean()
	}
	return v.actEnglish()
}

// Korean puts what a sentence does into its last predicate. These match the end of the compact text.
var (
	koPolite   = lazyregexp.New(`(제발|플리즈|고마워요?|감사합니다|감사해요|감사|땡큐|알았지|알겠지|알았죠|오케이|ㅇㅋ|ㅇㅇ|응|급해요?|급함|급합니다|심심해요?|빨리요?|얼른|어서|당장|지금요?|바로|요청|please|pls)$`)
	koForbid   = lazyregexp.New(`(지마|지마라|지마요|지마세요|지말아|지말아요|지말아라|지말라고|지말라|지말자|지말아줘|지말아줘요|지말아주세요|지말아줄래|지말도록|말아줘|말아주세요|도돼|도되|도됩니다|도되는데|필요없어|필요없어요|필요없다|필요없음|됐어|됐어요|됐다|싫어|싫어요|싫다|안할래|안볼래|안들을래|안갈래)$`)
	koMay      = lazyregexp.New(`\S도(돼|되|됩니까|될까|되나|되니|되죠|되지|괜찮)\S{0,2}$`)
	koAsk      = lazyregexp.New(`(줘|줘요|줘라|줘봐|줘봐요|주라|주라고|주세요|주세여|주세용|주셔|주셔요|주십시오|주십쇼|주삼|줄래|줄래요|줄래여|주실래요|주실래|주실래여|줄수있\S*|주실수있\S*|주실수\S*|줄수\S{0,4}|주시겠\S*|주겠(니|어|어요|나|나요|소|습니까)|줬으면\S*|주면(돼|안|좋|고맙|감사)\S*|주시면\S*|줘야지|줘야겠\S*|주시죠|주쇼|주이소|주소|줘유|줘용|줘잉|쥬|줘어|주구려|주게|주게나|주시게|주시게나|보게|보게나|[아어해려켜러워]게나|주렴|주길\S*|주기바\S*|주시길\S*|주실분\S*|줄사람\S*|줄분|주실수|[어아해려켜러워여춰]조|[어아해려켜러워여춰]죠|[어아해려켜러워여춰]주|[어아해려켜러워여춰]됴|해줭|워줭|어줭|줭|달라|달라고|달라니까|다오|부탁\S{0,6}|부탁)$`)
	koWish     = lazyregexp.New(`(고싶(어|어요|은데|은데요|네|네요|습니다|다|당|음|어라|구나|단말이야|은걸|어서)|고파|고픈데|고싶|면좋겠\S{0,5}|었으면\S{0,5}|았으면\S{0,5}|했으면\S{0,5}|필요해|필요해요|필요한데|필요합니다|필요함|원해|원해요|원합니다|땡겨|땡기네|땡긴다|땡기는데|땡기는걸|당긴다|당기네|당기는데)$`)
	koNeed     = lazyregexp.New(`(야해|야해요|야돼|야돼요|야되|야됨|야함|야하는데|야되는데|야돼서|야해서|야한다|야합니다|야됩니다|야하거든|야되거든|야돼거든|야하는데요|야되는데요|려고|려고해|려고하는데|려고요|려고합니다|려는데|갈건데|갈건데요|갈예정|갈려고|갈려는데|가는중|가는데)$`)
	koImper    = lazyregexp.New(`(틀어|틀어봐|틀어봐라|틀어라|틀자|틀어놔|틀어볼까|틀래|켜|켜라|켜봐|켜자|켜놔|재생|재생해|재생해봐|재생하자|재생시켜|플레이|플레이해|시작|시작해|시작하자|시작해라|시작해봐|출발|출발해|출발하자|출발합시다|안내|안내해|안내해봐|안내해라|안내하라|안내바람|안내바랍니다|바람|바랍니다|불러|불러봐|불러라|들려|보여|알려|알려라|알려봐|찾아|찾아봐|깨워|깨워라|맞춰|맞춰라|맞춰놔|맞춰봐|설정|설정해|설정해라|예약|예약해|계산|계산해|계산해봐|계산하자|계산해라|계산좀|가자|가자고|가자구|가즈아|갑시다|가보자|가볼까|가볼까요|고고|고고고|ㄱㄱ|ㄱㄱㄱ|ㄱ|해봐|해보자|하자|때리자|때려|해라|하라|합시다|보자|보자고|볼까|볼까요|볼래|볼래요|봅시다|듣자|듣자고|들을래|들을래요|들을까|들어보자|들어볼까|들읍시다|갈래|갈래요|말해|말해봐|말해라|울려|울려라|세팅|세팅해|데려다|데려가|확인|확인해|확인해봐|확인좀|체크|체크해|검색|검색해|봐봐|봐라|해놔|걸어|걸어놔|걸어둬|찍어|찍어봐|찍어라|가라|가줘라|해둬|맞춰둬|켜둬|깔아|깔아봐|틀어둬|돌려|돌려봐|재|재봐|시켜|추가|추가해|켜기|보기|듣기|재생하기|쏴|쏘자|달려|달리자|말하라|알리라|하시오|하십시오|하세요|틀으소|켜소|틀그라|켜그라|하이소|보이소|가입시더|가유|틀어유|켜유|혀|혀봐|해유|해라이|다고|주라잉|가세|하세)$`)
	koQuestion = lazyregexp.New(`(어때|어떄|어떠한가|어떠한가요|인고|신고|는고|던가|겠는가|가노|하노|있노|어떠냐|어떠니|어떠려나|어떤가|어떤가요|어떤지|어떨까|어떨까요|어떻대|어떻노|어뗘|어떻습니까|어떤데|어떠세요|어떤교|우때|뭐야|뭐니|뭐임|뭐지|뭔가요|얼마|얼마야|얼마예요|얼마에요|얼마지|얼마니|얼마냐|얼마인가요|얼마임|얼마죠|얼만가요|얼마인지|얼만데|얼마고|얼마노|얼마여|얼마입니까|몇이게|얼마게|몇이야|몇이지|몇이죠|몇이에요|몇이냐|몇이니|몇인가요|몇이노|몇임|몇인지|몇인데|몇이여|몇입니까|몇시|몇시야|몇시지|몇시니|몇시냐|몇시에요|몇시예요|몇시죠|몇신가요|몇시인가요|몇시임|몇시고|몇시노|몇시여|몇시인지|몇시쯤|몇시쯤이야|몇시쯤됐어|몇시됐어|몇도|몇도야|몇도지|몇도나돼|몇도쯤|몇도쯤이야|며칠|며칠이야|며칠이지|며칠이에요|며칠이죠|며칠인가요|며칠이냐|몇일이야|몇일|요일이야|요일이지|요일|요일이에요|요일이죠|요일인가요|요일이냐|요일인지|까|까요|나요|는가|인가|인가요|은가요|는가요|한가요|운가요|니|냐|려나|을라나|라나|궁금|궁금해|궁금해요|궁금한데|궁금하네|궁금합니다|궁금하다|궁금하네요|있나|있니|있을까|올까|오나|오니|오냐|와요|와|온대|온다니|추워|더워|추워요|더워요|추울까|더울까|춥나|춥니|덥나|덥니|맑아|흐려|필요할까|필요해|될까|되나|돼요|습니까|입니까|ㅂ니까|나노|오노|춥노|덥노|할지|올지|좋을지|입어야해|입어야돼|입지|입을까|입어야하나|챙겨야해|챙겨야돼|챙겨야하나|챙겨야되나|챙길까|가져가야해|가져가야돼|가져가야하나|들고가야해|들고가야돼|들고가야되나|되겠어|되겠지|알고싶어|알고싶어요|알고싶은데|알고싶습니다|알수있을까|알수있을까요|알수있어|알수있나)(요|여|용)?$`)
	koWeather  = lazyregexp.New(`(온대|추워|더워|추워요|더워요|맑아|흐려|와|와요|챙겨야해|챙겨야돼|가져가야해|가져가야돼|들고가야해|들고가야돼|입어야해|입어야돼|필요해|입지|되겠지|온다니)$`)
	koFact     = lazyregexp.New(`(더라|더라고|더라고요|던데|던데요|는데|은데|거든|거든요|잖아|잖아요|구나|군|군요|네|네요|습니다|다|지|지요|죠|대|래|음|함|듯|듯해|어|아|해|요|야|서|니까|데|고|걸|긴해|는중|임|됨|봄|감|왔음|옴|재밌당|당|랍니다|랬어|하던데)$`)
)

func (v *view) actKorean() mood {
	c := v.compact
	for range 3 {
		if t := koPolite.ReplaceAllString(c, ""); t != "" && !koAsk.MatchString(c) {
			c = t
		}
	}
	if act, sure := v.plainly(c); sure {
		return act
	}
	switch {
	case v.question:
		if koImper.MatchString(c) {
			return actRequest
		}
		return actQuestion
	case koImper.MatchString(c):
		if v.describes() {
			return actTalk
		}
		return actRequest
	case koQuestion.MatchString(c):
		if koWeather.MatchString(c) && !v.openQuestion() {
			return actTalk
		}
		return actQuestion
	case v.askedBefore() && !told.Past(v.spaced(c)):
		return actRequest
	case v.nounEnd():
		return actFragment
	case koFact.MatchString(c):
		return actTalk
	}
	if len(v.words) <= 4 && !v.narrates() && !v.judges() {
		return actFragment
	}
	return actTalk
}

// plainly is what the end of the compact text says beyond doubt, whatever else the sentence holds; a question mark alone does not.
func (v *view) plainly(c string) (act mood, sure bool) {
	switch {
	case strings.HasSuffix(c, "니까") && !formalAsk(c):
		return actTalk, true // 계산해 보니까: a reason
	case v.question && koMay.MatchString(c):
		return actQuestion, true // 말로 바꿔도 돼?: whether one may
	case koForbid.MatchString(c) && !strings.HasSuffix(c, "까먹지말아줘") && !strings.Contains(c, "몇시"):
		return actNegative, true
	case koAsk.MatchString(c):
		return actRequest, true
	case koWishOK(c):
		return actWish, true
	case told.Past(v.spaced(c)) && !v.asksAmount(), told.Offers(v.spaced(c)):
		return actTalk, true
	case koNeed.MatchString(c):
		return actWish, true
	}
	return act, false
}

// judges tells a verdict: 영화 최고, 날씨 대박.
func (v *view) judges() bool {
	last := v.words[len(v.words)-1].Lower
	return slices.ContainsFunc([]string{"최고", "최악", "대박", "굿", "별로", "짱", "헐", "노잼", "개노잼", "핵노잼", "꿀잼", "쩐다", "미쳤", "실화", "인정", "망함", "좋음", "싫음", "나쁨", "재밌음", "슬픔", "그닥", "예술", "레전드", "명곡", "명작", "띵곡", "띵작", "감동", "취저", "ㄷㄷ", "ㅉㅉ", "없음", "있음", "심함", "몰라", "모르", "알아", "같아", "없어", "있어", "없다", "아니야", "맞아", "그래", "이상해", "힘들", "안나", "나와", "안돼", "싫", "좋"}, func(w string) bool { return strings.HasPrefix(last, w) })
}

// narrates tells a sentence with a subject or an object: it has a predicate, and that one asks for nothing.
func (v *view) narrates() bool {
	for i, w := range v.words {
		_, particle := phrase.Stem(w.Lower)
		switch particle {
		case "이", "가", "은", "는", "을", "를":
			if i < len(v.words)-1 && !strings.HasPrefix(w.Lower, "목적지") && !strings.HasPrefix(w.Lower, "도착지") {
				return true
			}
		}
	}
	return false
}

var askWord = lazyregexp.New(`(줘|줘요|줘라|주세요|줄래|줄래요|주라|부탁해|부탁해요|부탁드려요|부탁드립니다|부탁할게|부탁할게요)$`)

// askedBefore finds a request with a few words said after it: 길 좀 찾아주세요 남원역이요.
func (v *view) askedBefore() bool {
	for i := max(0, len(v.words)-4); i < len(v.words)-1; i++ {
		if askWord.MatchString(v.words[i].Lower) {
			return true
		}
	}
	return false
}

// formalAsk tells 합니까 (a question) from 하니까 (a reason).
func formalAsk(c string) bool {
	rs := []rune(strings.TrimSuffix(c, "니까"))
	return len(rs) > 0 && phrase.Final(rs[len(rs)-1]) == phrase.FinalBieup
}

// describes tells that a bare verb, which could be an order (불러, 들려), tells of somebody: it has a subject or a habit.
func (v *view) describes() bool {
	for i, w := range v.words {
		switch w.Lower {
		case "혼자", "매일", "항상", "늘", "자주", "가끔", "맨날", "잘", "원래", "주로", "보통":
			return true
		}
		stem, particle := phrase.Stem(w.Lower)
		if i == len(v.words)-1 {
			break
		}
		if (particle == "이" || particle == "가") && !slot.FunctionWord(stem) {
			return true
		}
	}
	return false
}

var koSelf = lazyregexp.New(`(듣|보|켜|틀|가|맞추|설정하|계산하|받|찾|재생하|시작하|감상하|즐기|출발하)고(싶|파|픈)`)

// koWishOK keeps what people would like to do themselves (노래를 잘 부르고 싶다) apart from wishes: 노래 듣고 싶다.
func koWishOK(c string) bool {
	return koWish.MatchString(c) && (!strings.Contains(c, "고싶") || koSelf.MatchString(c))
}

// openQuestion tells present-tense endings that only ask when something marks the question: a day, a place, a measure.
func (v *view) openQuestion() bool {
	return v.containsKO("몇", "내일", "모레", "이번주", "주말", "오늘", "우산", "요즘", "지금")
}

// asksAmount tells a question how much or when, which no narration is, whatever its tense: 며칠 남았어? 언제였지?
func (v *view) asksAmount() bool {
	return v.question && v.containsKO("몇", "며칠", "얼마", "언제")
}

// past tells whether the clause tells what was, or what somebody does who is not spoken to.
func (v *view) past() bool { return told.Clause(v.text) }

// nounEnd tells whether the last word is a noun that names a thing (부산 날씨), a goal (강남역으로) or an amount (하나 더).
func (v *view) nounEnd() bool {
	if len(v.words) == 0 {
		return false
	}
	last := v.words[len(v.words)-1].Lower
	stem, particle := phrase.Stem(last)
	switch particle {
	case "까지", "으로", "로", "쪽으로", "까지요":
		return true
	}
	switch stem {
	case "하나", "더", "좀", "둘", "곡", "편", "한곡", "한편", "두곡", "하나더", "더요", "콜", "그거":
		return true
	}
	for i := range senses {
		for _, t := range senses[i].terms {
			if t.korean && t.weight >= 0.8 && stem == t.form {
				return true
			}
		}
	}
	return false
}
