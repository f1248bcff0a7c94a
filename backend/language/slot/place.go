package slot

import (
	"cmp"
	"slices"
	"strings"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/wordlist"
	"agentchat/backend/lazyregexp"
)

// Place finds where to, or where: 서울역까지, 목적지 A로, 부산 날씨, in Busan, to the airport. Particles, articles and the words of the wish
// itself are left out.
func Place(in Input) (string, bool) {
	in.Text = oneLine(in.Text)
	if q, ok := Quoted(in.Text); ok {
		return q, true
	}
	if !phrase.Korean(in.Text) {
		return in.englishPlace()
	}
	in.Text = withoutDays(in.Text)
	return in.koreanPlace()
}

// withoutDays has spaces where a text names days: no word of them is a place (내일부터 3주 뒤는).
func withoutDays(text string) string {
	small := strings.ToLower(text)
	if len(small) != len(text) {
		return text
	}
	bytes := []byte(text)
	for _, d := range daySpans(small) {
		for i := d.Start; i < d.End; i++ {
			bytes[i] = ' '
		}
	}
	return string(bytes)
}

var originEN = lazyregexp.New(`(?i)\b(?:from|starting (?:at|from|in))\s+(.+?)(?:\s+(?:to|towards?|by|via|please)\b|[,.?!]|$)`)

// Origin finds where a journey starts: 서울역에서 부산까지, from Seoul to Busan.
func Origin(text string) (string, bool) {
	text = oneLine(text)
	if m := originEN.FindStringSubmatch(text); m != nil {
		if p := trimPlace(m[1]); p != "" && !hereWord(p) {
			return p, true
		}
		return "", false
	}
	ps := pieces(text, nil)
	for i, p := range ps {
		if p.brk || p.particle != "에서" && p.particle != "에서부터" && p.particle != "부터" || i+1 >= len(ps) {
			continue
		}
		a := i
		for a > 0 && !ps[a-1].brk && ps[a-1].particle == "" && !ps[a-1].pause {
			a--
		}
		if s := spanText(text, ps, a, i+1); s != "" && !hereWord(s) && !notPlace[s] {
			return s, true
		}
	}
	return "", false
}

func oneLine(text string) string {
	return phrase.Respace(strings.ReplaceAll(phrase.Normalize(text), "\n", " "))
}

// hereWord tells words that mean where the customer is.
func hereWord(s string) bool {
	switch strings.ToLower(s) {
	case "여기", "지금", "현재", "현위치", "현재 위치", "here", "my location", "current location", "my place", "where i am", "there", "거기", "저기", "어디", "work out", "밖", "바깥", "outside", "우리":
		return true
	}
	return false
}

// toward are particles of a goal, best first.
var toward = map[string]int{"까지": 4, "까지만": 4, "까지는": 4, "까지요": 4, "쪽으로": 3, "으로": 3, "로": 3, "에": 2, "에는": 2, "에도": 2, "한테": 1, "의": 1}

func (in Input) koreanPlace() (string, bool) {
	text, carrier := in.Text, in.Carrier
	ps := pieces(text, carrier)
	best, value := 0, ""
	for n, r := range runs(ps) {
		last := ps[r[1]-1]
		s := spanText(text, ps, r[0], r[1])
		if s == "" || hereWord(s) || intended(ps, r) || notPlace[s] || notPlace[strings.ToLower(last.stem)] {
			continue
		}
		if fromWhere[last.particle] {
			// Where a journey starts is not where it goes, but "부산에서 날씨" names a place too.
			if best == 0 {
				best, value = 1, s
			}
			continue
		}
		if toward[last.particle] == 0 && !aboutWhere[last.particle] && !besides(ps, r, carrier) || namesDay(s) { // 크리스마스까지 며칠 남았어?
			continue
		}
		score := placeScore(ps, r)
		if n == 0 {
			score++
		}
		if known, ok := in.knownSpan(text, ps, r); ok {
			s, score = known, score+sure
		}
		if score > best {
			best, value = score, s
		}
	}
	return value, best > 0
}

// intended tells a verb of what is to be done, by the noun that it leans on: 나갈 건데, 먹을 거.
func intended(ps []piece, r [2]int) bool {
	verb := []rune(ps[r[1]-1].Text)
	if r[1] >= len(ps) || phrase.Final(verb[len(verb)-1]) != phrase.FinalRieul {
		return false
	}
	return slices.ContainsFunc([]string{"건", "거", "것", "때", "수", "예정", "생각"}, func(noun string) bool { return strings.HasPrefix(ps[r[1]].Text, noun) })
}

var (
	fromWhere  = wordlist.Of("에서 에서부터 부터")
	aboutWhere = wordlist.Of("은 는 도 이요 요")
	subject    = wordlist.Of("이 가 을 를")
)

// placeScore weighs a run by its particle and the word before it.
func placeScore(ps []piece, r [2]int) int {
	particle := ps[r[1]-1].particle
	score := 2 + toward[particle]*2
	if a := r[0]; a > 0 && (strings.HasPrefix(ps[a-1].Text, "목적지") || strings.HasPrefix(ps[a-1].Text, "도착지")) {
		score += 9
	}
	if subject[particle] {
		score--
	}
	return score
}

// sure is more than any place in the sentence says for a name: what is there goes before what may be.
const sure = 100

// besides tells whether a run without a particle stands where a place does: first, last, or next to the thing asked for.
func besides(ps []piece, r [2]int, carrier func(string) bool) bool {
	if carrier == nil {
		return true
	}
	a := r[0] - 1
	for a >= 0 && ps[a].brk && functionWords[ps[a].Lower] && !carrier(ps[a].Lower) {
		a--
	}
	b := r[1]
	for b < len(ps) && ps[b].brk && functionWords[ps[b].Lower] && !carrier(ps[b].Lower) {
		b++
	}
	carries := func(i int) bool { return carrier(ps[i].Lower) || carrier(strings.ToLower(ps[i].stem)) }
	return a < 0 || b >= len(ps) && a >= 0 && carries(a) || b < len(ps) && carries(b) || carries(a)
}

// notPlace are nouns that stand where a place could and are none.
var notPlace = wordlist.Of("애들 아이들 애 아이 친구 엄마 아빠 우리 남편 아내 손님 사람 학교소풍 네비 내비 네비게이션 내비게이션 목적지 도착지 출발지 위치 경로 지도 화면 모니터 소리 목소리 한국어 영어 섭씨 화씨 비 눈 우산 기온 온도 습도 바람 미세먼지 날씨 일기예보 예보 하늘 해 구름 태풍 시각 시계 날짜 회의 약속 운전 길안내 길찾기 여행 출근 퇴근 빨래 세차 소풍 산책 운동 옷 코트 패딩 반팔 마스크 " +
	"지도앱 티맵 카카오맵 앱 폰 핸드폰 sunscreen umbrella jacket coat navigation directions map gps weather forecast rain snow temperature degrees celsius fahrenheit clock hot cold warm humid windy sunny cloudy rainy raining snowing")

var (
	toEN   = lazyregexp.New(`(?i)\b(?:to|towards?|destination(?:\s+is|:)?|reach|get me|take me|drive me|heading)\s+(.+)$`)
	inEN   = lazyregexp.New(`(?i)\b(?:in|for|at|near|around|over|of|like in)\s+(.+)$`)
	stopEN = lazyregexp.New(`(?i)\s+(?:the day after|day after|from|please|pls|plz|now|right now|today|tonight|tomorrow|this|next|on|by|via|for me|at|in the (?:morning|afternoon|evening)|as soon|asap|will|is|be|like|thanks?|thank|then|and|when|while|quickly|fast|with|using|right away|if|later|currently|these days|would|weather|because|so|cause|coz|through|(?:mon|tues|wednes|thurs|fri|satur|sun)day|o'clock|over|again|look|going|rain|snow)\b.*$|[,.?!;].*$`)
	artEN  = lazyregexp.New(`(?i)^(?:the|a|an|destination|my|our|this|that|some|to|in|nearest|closest)\s+`)
)

func (in Input) englishPlace() (string, bool) {
	text, carrier := in.Text, in.Carrier
	said := "" // the first that could be one, though nobody knows it
	// The last "to X" wins: "I want to go to the airport".
	for _, re := range []*lazyregexp.Regexp{toEN, inEN} {
		rest := text
		value := ""
		for {
			m := re.FindStringSubmatch(rest)
			if m == nil {
				break
			}
			if p := trimPlace(m[1]); p != "" && !blockedPlace(p, carrier) {
				value = p
				if re == inEN {
					break
				}
			}
			rest = m[1]
		}
		if in.Known == nil && value != "" || in.known(value) {
			return value, true
		}
		said = cmp.Or(said, value)
	}
	ps := pieces(text, carrier)
	rs := runs(ps)
	for _, r := range slices.Backward(rs) {
		if s := spanText(text, ps, r[0], r[1]); s != "" && !blockedPlace(s, carrier) && likelyEN(ps, r, carrier) {
			if known, ok := in.knownSpan(text, ps, r); ok {
				return known, true
			}
			said = cmp.Or(said, strings.TrimSuffix(s, "'s"))
		}
	}
	if said != "" {
		return said, true
	}
	for _, p := range ps {
		if p.Lower == "home" {
			return "home", true
		}
	}
	return "", false
}

// likelyEN: without a preposition a place is a capitalised name, or stands next to the thing asked for (busan weather).
func likelyEN(ps []piece, r [2]int, carrier func(string) bool) bool {
	if w := ps[r[0]].Text; w != ps[r[0]].Lower && w != "I" {
		return true
	}
	beside := func(i int) bool {
		return i >= 0 && i < len(ps) && carrier != nil && carrier(ps[i].Lower) && !functionWords[ps[i].Lower]
	}
	return beside(r[0]-1) || beside(r[1]) || r[1] == len(ps) && len(ps) <= 4 || r[1] < len(ps) && (ps[r[1]].Lower == "time" || beside(r[1]+1))
}

func blockedPlace(p string, carrier func(string) bool) bool {
	if len(p) == 1 && p >= "A" && p <= "Z" {
		return false // destination A
	}
	low := strings.ToLower(p)
	if hereWord(low) || notPlace[low] || low == "me" {
		return true
	}
	first := strings.Fields(low)
	if len(first) == 0 || len(first) > 6 {
		return true
	}
	if functionWords[strings.TrimSuffix(first[0], "'s")] && first[0] != "home" || carrier != nil && carrier(first[0]) && len(first) == 1 {
		return true
	}
	_, date := Date(low, refDay)
	return date || HasSpan(low) || verbEN[first[0]]
}

// verbEN are verbs after "to" that begin an action, not a place.
var verbEN = wordlist.Of("bed hell go get hear listen play watch see know navigate drive travel head visit be find have bring buy eat make sleep check call wear leave set take put do use start stop work")

func trimPlace(s string) string {
	s = strings.TrimSpace(stopEN.ReplaceAllString(" "+strings.TrimSpace(s), ""))
	for artEN.MatchString(s) {
		s = artEN.ReplaceAllString(s, "")
	}
	return strings.Trim(s, ` "'.,?!`)
}
