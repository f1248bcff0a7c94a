package service

import (
	"fmt"
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
)

// Verb is what a whole message means at the counter, whichever service it is about.
type Verb string

// The verbs. A sentence that merely contains such a word is none: 아니 5만원으로 is a correction.
const (
	VerbNone      Verb = ""
	VerbConfirm   Verb = "confirm"
	VerbCancel    Verb = "cancel"
	VerbSkip      Verb = "skip"
	VerbCancelAll Verb = "cancel_all"
)

// The ids of the counter's buttons begin with these; the token of what is on show follows.
const (
	ActionConfirm = "service:confirm:"
	ActionCancel  = "service:cancel:"
)

var (
	yesWords    = set("확인 확인했습니다 확인했음 확인입니다 확인함 맞네 맞네요 맞음 그럼요 그렇지 그러자 그러죠 그러세요 굿 굳 오케 콜콜 good great perfect fine absolutely definitely exactly looksgood soundsgood goforit doit pleasedo yup yea 확인요 확인이요 확인했어 확인했어요 확인할게요 네 네네 넵 넹 넴 예 예예 응 응응 어 어어 엉 웅 네엡 옙 넵넵 ㅇ ㅇㅇ ㅇㅋ ㅇㅋㅇㅋ ㄱㄱ 고고 물론 물론이지 물론이죠 당연하지 그래 그래요 그렇게 좋아 좋아요 좋습니다 맞아 맞아요 맞습니다 오케이 오키 콜 yes y yeah yep yup ok okay okey sure confirm confirmed correct right alright goahead")
	yesFillers  = set("아 음 그거 이거 그럼 그러면 그냥 해 줘 줘요 주세요 해줘 해줘요 해주세요 할게 할게요 보내 보내줘 보내줘요 보내주세요 진행 진행해 진행해줘 진행해주세요 부탁해 부탁해요 부탁드려요 이체해줘 이체해주세요 예약해줘 예약해주세요 please do it go ahead that's that is send proceed with")
	noWords     = set("싫다 싫음 싫은데 싫은데요 안해요 안할래요 안할게 안할게요 안하고싶어요 안한다 말래 말래요 그만하자 그만두자 그만둘게 그만둘게요 없던일로 없던일로해줘 forgetit forgetaboutit notanymore rathernot i'drathernot 하지마 하지마세요 하지말아줘 나중에 나중에할게 나중에할게요 나중에할래 나중에하자 다음에할게 다음에할게요 다음에하자 관둬 관둘래 notnow maybelater 취소 취소요 취소해 취소해요 취소해줘 취소해주세요 취소할게 취소할게요 취소할래 취소할래요 취소하기 아니 아니요 아니오 아뇨 아냐 아니야 싫어 싫어요 됐어 됐어요 그만 그만해 그만둘래 그만할래 안할래 안해 안 할래 ㄴ ㄴㄴ no nope nah n cancel canceled cancelled stop nevermind never don't quit abort")
	noFillers   = set("아 음 그럼 역시 아무래도 이제 일단 해 해줘 해주세요 할래 할게 할게요 그거 이거 그냥 it that this mind thanks please do the one")
	skipWords   = set("건너뛰기 건너뛰어 건너뛰어줘 건너뛸게 건너뛸게요 건너뛰자 다음 다음거 다음걸로 다음으로 넘어가 넘어가줘 넘어가자 넘겨 넘겨줘 패스 skip next pass")
	skipFillers = set("해 해줘 할게 할게요 이건 이거 거 것 this it one to the that please")
	allWords    = set("나머지 나머지는 나머지도 rest remaining 모두 전부 다 전체 all everything both")
)

func set(list string) map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(list) {
		words[w] = true
	}
	return words
}

// Says are the words of a service for its own yes and no, beside those of every service: at a transfer 보내줘 confirms.
type Says struct {
	Yes   []string `yaml:"yes"`
	No    []string `yaml:"no"`
	About []string `yaml:"about"` // may stand beside either: 이체 취소해줘

	yes, no, about map[string]bool
}

// compile reads the lists; phrases are known by their words put together.
func (s *Says) compile() {
	compact := func(list []string) map[string]bool {
		words := map[string]bool{}
		for _, w := range list {
			words[strings.ToLower(strings.Join(strings.Fields(w), ""))] = true
		}
		return words
	}
	s.yes, s.no, s.about = compact(s.Yes), compact(s.No), compact(s.About)
}

// Said tells what a whole message means to a session of the service.
func (m *Manifest) Said(s Session, text string) Verb {
	return said(text, m.Says, m.already(s))
}

// already are the words that ask for what holds anyway: 지금, while no date is set.
func (m *Manifest) already(s Session) map[string]bool {
	words := map[string]bool{}
	for _, slot := range m.Slots {
		if _, filled := s.Slots[slot.Name]; filled {
			continue
		}
		for _, w := range slot.Without {
			words[strings.ToLower(w)] = true
		}
	}
	return words
}

// Said tells what a whole message means. Only messages made of nothing but such words count.
func Said(text string) Verb { return said(text, Says{}, nil) }

func said(text string, own Says, already map[string]bool) Verb {
	words := strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(text, "’", "'")), func(r rune) bool {
		return r == ' ' || r == '\t' || r == '\n' || strings.ContainsRune(".,!~?…·^;:)(\"", r)
	})
	if len(words) == 0 || len(words) > 6 || strings.ContainsAny(text, "?？") {
		return VerbNone
	}
	all := false
	rest := words[:0:0]
	for _, w := range words {
		if allWords[w] {
			all = true
			continue
		}
		rest = append(rest, w)
	}
	switch {
	case len(rest) == 0:
		return VerbNone
	case made(rest, []wordSet{noWords, own.no}, noFillers, own.about) && all:
		return VerbCancelAll
	case all: // 다 보내줘: more than the one task that is on show
		return VerbNone
	case made(rest, []wordSet{yesWords, own.yes}, yesFillers, own.about, already):
		return VerbConfirm
	case made(rest, []wordSet{noWords, own.no}, noFillers, own.about):
		return VerbCancel
	case made(rest, []wordSet{skipWords}, skipFillers):
		return VerbSkip
	}
	return VerbNone
}

type wordSet = map[string]bool

// made tells whether words are all core words or fillers, with a core word among them. What is left behind leading fillers
// may also be one core phrase: 그냥 안 보낼래.
func made(words []string, core []wordSet, fillers ...wordSet) bool {
	in := func(sets []wordSet, w string) bool {
		return slices.ContainsFunc(sets, func(s wordSet) bool { return s[w] })
	}
	found := false
	for i, w := range words {
		switch {
		case !found && in(core, strings.Join(words[i:], "")):
			return true
		case in(core, w), glued(w, core):
			found = true
		case !in(fillers, w):
			return false
		}
	}
	return found
}

// glued tells whether a word is two core words without the space between them: ㅇㅇ보내.
func glued(word string, core []wordSet) bool {
	for i := range word {
		if i > 0 && slices.ContainsFunc(core, func(s wordSet) bool { return s[word[:i]] }) && core[len(core)-1][word[i:]] {
			return true
		}
	}
	return false
}

// Pressed tells what a button of the counter means, and the token of what was on show when it was offered.
func Pressed(action string) (verb Verb, token string) {
	if token, ok := strings.CutPrefix(action, ActionConfirm); ok {
		return VerbConfirm, token
	}
	if token, ok := strings.CutPrefix(action, ActionCancel); ok {
		return VerbCancel, token
	}
	return VerbNone, ""
}

// Label is what stands on the button of a verb.
func Label(verb Verb, lang apperr.Lang) string {
	if verb == VerbConfirm {
		return words["confirm"].In(lang)
	}
	return words["cancel"].In(lang)
}

// button offers an action on exactly what is on show.
func (m *Manifest) button(s Session, action string) event.Button {
	label := "confirm"
	if action == ActionCancel {
		label = "cancel"
	}
	return event.Button{ID: action + s.mark(), Label: m.common(s.Lang, label)}
}

// mark names what a button is about: the token, or the task while there is nothing to confirm.
func (s Session) mark() string {
	if t := s.Token(); t != "" {
		return t
	}
	return fmt.Sprintf("%s.%d", s.ID, s.Progress)
}

// Mark tells whether a button that carries the mark is about what stands open now.
func (s Session) Mark(mark string) bool { return mark != "" && mark == s.mark() }
