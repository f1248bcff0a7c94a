package phrase

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"agentchat/backend/language/wordlist"
)

// splitters are Korean words before which a space is missing when they stand inside a longer word (부산날씨알려줘). Common predicates of
// asking and the nouns people glue to them; a noun also ends a word when a predicate or another noun follows.
var splitters = byLength(strings.Fields(`
네비게이션 내비게이션 네비 내비 길안내 길찾기 목적지 노래 음악 영화 날씨 기온 타이머 알람 계산 알림
틀어 켜줘 켜주 켜봐 켜라 재생 알려 들려줘 들려주 불러줘 불러주 보여줘 보여주 안내 데려다 해줘 해주 부탁 깨워 가자 가줘 가주 찾아줘 찾아주 멈춰 꺼줘
꺼주 정지해 그만 시작해 어때 뭐야 얼마야 얼마 몇시 몇도 어떻게 추천 말해줘 말해주 궁금 듣고싶 듣고 보고싶 가고싶 하나더 하나만 끄고 켜고 틀고 바꿔 취소해
맞춰 설정해 예약해 하고나서 끝나면 그다음 그리고 우산 울려 더하기 빼기 곱하기 나누기 송금 이체 보내줘 보내주 적어줘 적어주 검색해 찍어줘 찍어주 찍고 시켜줘 돌려줘
`))

// gluedNouns are one-syllable nouns that people glue to a predicate.
var gluedNouns = wordlist.Of("집 길 곡 비 눈 약 밥 불")

// wholeWords hold a splitter inside and are still one word.
var wholeWords = []string{
	"노래방", "영화관", "영화제", "영화사", "영화음악", "음악회", "음악실", "날씨누리", "알림장", "알람시계", "계산기", "계산서", "계산대", "안내소",
	"안내문", "안내원", "안내판", "안내데스크", "추천서", "그만큼", "그만두", "그만뒀", "노래자랑", "노래교실", "재생목록", "재생산", "얼마나", "얼마전", "얼마동안", "부탁이", "이체국", "안내견", "노래하", "계산적", "알려지", "알려진", "내비치", "갈매기", "부탁한다", "우산역",
	"영화감독", "영화배우", "음악가", "가주의", "해주시",
}

func byLength(ws []string) []string {
	sort.SliceStable(ws, func(i, j int) bool { return len(ws[i]) > len(ws[j]) })
	return ws
}

// Respace puts back the spaces people leave out of Korean, before words that ask and nouns that are asked for, and after 까지. It only adds
// spaces, and what it gives is not changed by another run.
func Respace(s string) string {
	if !strings.ContainsFunc(s, Hangul) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	quoted := false
	for i, field := range strings.Split(s, " ") {
		if i > 0 {
			b.WriteByte(' ')
		}
		if quoted || strings.Contains(field, `"`) {
			if strings.Count(field, `"`)%2 == 1 {
				quoted = !quoted
			}
			b.WriteString(field)
			continue
		}
		respaceWord(&b, field)
	}
	return b.String()
}

func respaceWord(b *strings.Builder, w string) {
	if utf8.RuneCountInString(w) < 4 || !strings.ContainsFunc(w, Hangul) {
		b.WriteString(w)
		return
	}
	from := 0
	for i := range w {
		if i == from {
			continue
		}
		if splitAt(w, from, i) {
			b.WriteString(w[from:i])
			b.WriteByte(' ')
			from = i
		}
	}
	b.WriteString(w[from:])
}

// splitAt tells whether a new word begins at w[i:], the last one having begun at from.
func splitAt(w string, from, i int) bool {
	if inWhole(w, i) {
		return false
	}
	left, right := w[from:i], w[i:]
	if strings.HasSuffix(left, "까지") && utf8.RuneCountInString(right) >= 2 && !hasAnyPrefix(right, "만", "는", "의", "도", "요") {
		return true
	}
	for _, sp := range splitters {
		if !strings.HasPrefix(right, sp) {
			continue
		}
		if utf8.RuneCountInString(left) >= 2 || gluedNouns[left] || left == "좀" || left == "더" || left == "다" {
			return true
		}
	}
	return false
}

func inWhole(w string, i int) bool {
	for _, whole := range wholeWords {
		for at := strings.Index(w, whole); at >= 0; {
			if at < i && i < at+len(whole) {
				return true
			}
			next := strings.Index(w[at+1:], whole)
			if next < 0 {
				break
			}
			at += 1 + next
		}
	}
	return false
}

func hasAnyPrefix(s string, ps ...string) bool {
	return slices.ContainsFunc(ps, func(p string) bool { return strings.HasPrefix(s, p) })
}
