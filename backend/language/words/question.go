package words

import (
	"strings"
	"unicode/utf8"

	"agentchat/backend/language/phrase"
)

// particles are the endings that a noun takes in a question, the longest first: what stands before one is the word.
var particles = []string{
	"으로부터", "에서부터", "에게서", "한테서", "이라는", "이라고", "으로써", "으로서", "에서는", "에서의", "에게는", "까지의", "부터의", "이었던", "였던",
	"에서", "에게", "한테", "으로", "까지", "부터", "이나", "이란", "라는", "라고", "처럼", "보다", "마다", "조차", "밖에", "에는", "에도", "에만", "로서", "로써", "과의", "와의", "들은", "들이", "들을", "들의",
	"이랑", "하고", "이야", "은요", "는요", "랑", "야", "은", "는", "이", "가", "을", "를", "에", "의", "와", "과", "도", "로", "만", "나", "란",
}

// empties are words of a question that say nothing of what is looked for.
var empties = map[string]bool{}

func init() {
	for w := range strings.FieldsSeq(`무엇 무엇인가 무엇인가요 무엇이며 무엇인지 뭐 뭐야 뭐지 뭐예요 뭔가 뭔지 뭘 무슨 어떤 어떻게 어떠한 어느 어디 어디인가 어디에 어디서 언제 언제인가 누구 누구인가 누가 왜 몇 얼마 얼마나 얼마인가 얼마야
		것 것은 것이 것을 것인가 하는 하는가 했는가 한 할 하였는가 되는 되는가 된 될 있는 있는가 있나 있나요 있어 없는 없나 없어 이란 인가 인가요 이라고 이라는 라고 라는 대해 대해서 대한 관해 관한 따라 따른 위해 위한 통해 내용 알려줘 알려 주세요 줘 설명해줘 설명해 말해줘 보여줘 찾아줘 그 이 저 그럼 그러면 그리고 및 등 수 때 중 불리는 불린 부르는가 부르는 말하는가 하나 무엇이라 이름은 이름 사람은 사람
		the a an of in on at to is are was were be been do does did what which who whom whose when where why how many much and or for with by from that this it its as about tell me show please`) {
		empties[w] = true
	}
}

// Stem takes the particle off a Korean word, as long as at least two syllables stay.
func Stem(word string) string {
	if !Korean(word) {
		return word
	}
	for _, p := range particles {
		if stem, ok := strings.CutSuffix(word, p); ok && utf8.RuneCountInString(stem) >= 2 && follows(p, stem) {
			return stem
		}
	}
	return word
}

// follows tells whether a particle may stand behind a stem. Those of two forms ask for the one that goes with the stem's last letter: the end
// of 와이파이 is no particle, as 이 stands behind a consonant.
func follows(particle, stem string) bool {
	last, _ := utf8.DecodeLastRuneInString(stem)
	final := phrase.Final(last)
	switch first, _ := utf8.DecodeRuneInString(particle); first {
	case '이', '은', '을', '과', '으':
		return final > 0
	case '가', '는', '를', '와', '라', '나', '란', '랑', '야', '였':
		return final == 0
	case '로':
		return final == 0 || final == phrase.FinalRieul
	}
	return true
}

// Question gives the words of a question that matter, without particles, each once. When nothing would be left, all of its
// words are given.
func Question(text string) []string {
	if out := Matter(text); len(out) > 0 {
		return out
	}
	seen := map[string]bool{}
	var out []string
	for _, w := range Of(text) {
		if !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

// Matter is Question without the last resort: a question that says nothing by itself (언제?) has no such words.
func Matter(text string) []string {
	seen := map[string]bool{}
	var out []string
	for _, w := range Of(text) {
		if empties[w] {
			continue
		}
		if w = Stem(w); !empties[w] && !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}
