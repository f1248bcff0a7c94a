package slot

import (
	"slices"
	"strings"
	"time"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/wordlist"
	"agentchat/backend/lazyregexp"
)

// refDay is any day: some grammars only ask whether a text names a date at all.
var refDay = time.Date(2024, 1, 1, 9, 0, 0, 0, time.UTC)

// genericTitle are words that describe a wish for anything of a kind.
var genericTitle = wordlist.Of(`
아무거나 아무 아무노래나 아무거 신나는 신나게 조용한 잔잔한 좋은 인기 최신 재밌는 재미있는 재미난 슬픈 새로운 다른 랜덤 추천 기분 분위기 있는 밝은 빠른 느린 경쾌한 편안한 달달한 감성적인 유명한 무서운 웃긴 볼만한 들을만한 괜찮은 최애 내가 좋아하는 옛날 요새 노동요 자장가 배경 배경음악 브금 크게 작게 소리 볼륨 화면에 큰 화면
피아노 기타 바이올린 첼로 오르골 통기타 재즈 클래식 발라드 댄스 힙합 트로트 팝송 팝 가요 케이팝 kpop k-pop 록 랩 캐롤 동요 액션 코미디 로맨스 공포 스릴러 애니 만화 한국 외국 국내 해외 하나 둘 셋 틈 김에 마디 하나랑 하나하고 하나를 둘을 노래들 가락 짧은 긴 아무래도 곡조 가락 흥겨운 시끄러운 차분한 힐링 공부 운동 잠 일 청소 드라이브 운전 비오는 밤에 어울리는 듣기 보기
good nice great relaxing random favorite favourite new latest loud chill upbeat happy sad fun funny cool different other old short long slow fast soft quiet jazz classical pop rock ballad hip-hop hiphop dance lofi lo-fi action comedy romance horror thriller scary whatever anything something background random song's film's decent couple few two three both of calm energetic soothing bed sleep study studying work working workout dinner party mood cheerful lively kids family
`)

var (
	playEN = lazyregexp.New(`(?i)\b(?:play(?:ing)?|put on|throw on|stick on|hear|listen to|listening to|watch(?:ing)?|see|start|queue up|queue|stream|sing|spin|show(?: me)?|turn on|blast|fire up|crank up|bang on)\s+(.+)$`)
	byEN   = lazyregexp.New(`(?i)\s+(?:by|from|please|pls|plz|for me|for us|now|right now|on the (?:big )?(?:monitor|screen|speakers?|tv)|on|again|and|then|tonight|today|while|when|in the background|meanwhile|in the meantime|thanks?|thx|loudly|already|next|after|before|would (?:you|ya|u)|will (?:you|ya|u)|could (?:you|ya|u)|can you|if|instead|too|also|as well|via|using|with)\b.*$|[,.?!;].*$`)
	leadEN = lazyregexp.New(`^(?:the|a|an)\s+|(?i)^(?:me|us|some|any|that|this|my|song|songs|track|tune|music|movie|film|video|clip|called|named|titled|one|of|to|on|something|another|more|up)\s+`)
	likeEN = lazyregexp.New(`^(?:some|any)thing\s+[a-z]`) // describes what is wanted: something mellow, and not Something Mellow
	tailEN = lazyregexp.New(`(?i)\s+(?:song|songs|track|tune|music|movie|film|movies|flick|video|ost)$`)
)

// Title finds the name of a song or film: 아리랑 틀어줘, "River", play Dynamite by BTS. Words that ask for anything of the kind (노래, 아무거나,
// some music) give none.
func Title(in Input) (string, bool) {
	text, carrier := oneLine(in.Text), in.Carrier
	if q, ok := Quoted(text); ok {
		return q, true
	}
	if !phrase.Korean(text) {
		return englishTitle(text, carrier)
	}
	if m := titledKO.FindStringSubmatch(text); m != nil {
		return strings.TrimSpace(m[1]), true
	}
	ps := pieces(text, func(w string) bool {
		return genericTitle[w] || titleCarrier[w] || carrier != nil && carrier(w)
	})
	bestLen, value := 0, ""
	for _, r := range runs(ps) {
		if kindAfter(ps, r) && describes(ps, r) {
			continue
		}
		if known, ok := in.knownSpan(text, ps, r); ok {
			return known, true
		}
		s, last := spanText(text, ps, r[0], r[1]), ps[r[1]-1]
		if s == "" || counts(s) || last.particle == "에서" || last.particle == "까지" || notTitles[last.stem] {
			continue
		}
		if n := len([]rune(s)); n > bestLen && (n > 1 || isLatin([]rune(s)[0])) {
			bestLen, value = n, s
		}
	}
	return value, value != ""
}

// describes tells whether the words of a run describe the kind behind them and do not name it (아이유 노래): 가을 느낌 나는 노래, 비 오는 날
// 듣기 좋은 노래.
func describes(ps []piece, r [2]int) bool {
	if r[1] < len(ps) && ps[r[1]].brk && adnominal.MatchString(ps[r[1]].Text) {
		return true
	}
	last := ps[r[1]-1].Text
	return adnominal.MatchString(last) && !strings.HasSuffix(last, "라는")
}

// Object tells whether words stand in a clause that could name what is wanted: none of them only carries the wish or describes any of
// a kind. It is for clauses whose verb alone says little (불러줘, 돌려줘).
func Object(in Input) bool {
	ps := pieces(oneLine(in.Text), func(w string) bool {
		return genericTitle[w] || titleCarrier[w] || in.Carrier != nil && in.Carrier(w)
	})
	return len(runs(ps)) > 0
}

var titledKO = lazyregexp.New(`제목(?:이|은|:)?\s*(\S.{0,40}?)(?:이라는|라는|이란|란|인)\s`)

// GenericTitle tells words that describe a wish for anything of a kind.
func GenericTitle(w string) bool { return genericTitle[w] }

// kindAfter tells whether the words of a run describe the kind that follows: … 노래, … 영화.
func kindAfter(ps []piece, r [2]int) bool {
	for i := r[1]; i < len(ps) && i < r[1]+5; i++ {
		if titleCarrier[ps[i].Lower] || titleCarrier[ps[i].stem] {
			return true
		}
	}
	return false
}

var titleCarrier = wordlist.Of("video videos clip called named record records vinyl 노래 음악 곡 영화 무비 뮤직 필름 song songs music track tune tunes movie movies film films flick 노래나 음악이나 영화나 제목 제목이 가수 작품 파일 동영상 비디오 영상 스피커 모니터 화면 덱 볼륨 플레이 플레이리스트 재생목록 리스트 playlist bgm 브금 이름 이라는 라는 라고 이란 란 하는 멜로디 뮤비")

// counts tells whether words are nothing but how many: 2곡.
func counts(s string) bool {
	rs := []rune(s)
	_, end, ok := scanNumber(rs, 0)
	return ok && end > 0 && slices.Contains(counters, strings.TrimSpace(string(rs[end:])))
}

// notTitles are nouns that are persons or places, never a title on their own.
var notTitles = wordlist.Of("엄마 아빠 친구 여자친구 남자친구 애들 아이들 아이 손님 동생 누나 형 오빠 언니 퇴근길 출근길 집 방 거실 차 차안 심심 기분 스트레스")

func englishTitle(text string, carrier func(string) bool) (string, bool) {
	m := playEN.FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	rest := m[1]
	for {
		again := playEN.FindStringSubmatch(rest)
		if again == nil {
			break
		}
		rest = again[1]
	}
	s := strings.TrimSpace(byEN.ReplaceAllString(" "+rest, ""))
	if likeEN.MatchString(s) {
		return "", false
	}
	for range 6 {
		t := tailEN.ReplaceAllString(leadEN.ReplaceAllString(s, ""), "")
		if t == s {
			break
		}
		s = t
	}
	s = strings.Trim(s, ` "'`)
	if s == "" || allGeneric(s, carrier) {
		return "", false
	}
	return s, true
}

// allGeneric tells whether no word of s could be a name.
func allGeneric(s string, carrier func(string) bool) bool {
	words := strings.Fields(strings.ToLower(s))
	for i, w := range words {
		if orig := strings.Fields(s)[i]; orig != w && (len(words) > 1 || !genericTitle[w] && !titleCarrier[w] && len(w) > 1 && w != "me") {
			return false // written like a name: Let It Go
		}
		if !genericTitle[w] && !titleCarrier[w] && !(functionWords[w] && (len(words) == 1 || len(w) <= 3)) && !(carrier != nil && carrier(w)) {
			return false
		}
	}
	return true
}
