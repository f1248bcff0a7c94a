package memory

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/lazyregexp"
)

// Bounds of what is listened to: a longer message is something pasted, not something said.
const (
	maxSaid = 200 // characters of a message that tells something in passing
	maxAsk  = 400 // characters of a message that asks to be remembered
)

// asks are whole messages that ask the shop to remember something; the first group is what.
var asks = []*lazyregexp.Regexp{
	lazyregexp.New(`^(?:이거|이걸|이것|이 점|다음을?|꼭|좀)?\s*기억해\s*(?:줘|둬|줘요|둬요|주세요|두세요|줄래|줄래요)?\s*[:：,]\s*(.+)$`),
	lazyregexp.New(`^(.+?)(?:이라고|라고)?[,.!]?\s*(?:이거|이걸|이것도?|꼭|잘|좀)?\s*기억해\s*(?:줘|둬|줘요|둬요|주세요|두세요)[.!~]*$`),
	lazyregexp.New(`(?i)^(?:please\s+)?remember(?:\s+this|\s+that)?\s*[:,]\s*(.+)$`),
	lazyregexp.New(`(?i)^(?:please\s+)?remember\s+that\s+(.+)$`),
	lazyregexp.New(`(?i)^(.+?)[,.!]\s*(?:please\s+)?remember\s+(?:this|that|it)[.!]*$`),
}

// tells are whole sentences by which people tell something of themselves.
var tells = []struct {
	topic string
	said  *lazyregexp.Regexp
}{
	{"name", lazyregexp.New(`^(?:내|제)\s*이름은\s*(\S.{0,19}?)(?:이야|야|이에요|예요|이예요|입니다|(?:이?라고)\s*(?:해|해요|합니다))$`)},
	{"name", lazyregexp.New(`(?i)^my name(?: is|'s) (\p{L}[\p{L} .'-]{0,40})$`)},
	{"birthday", lazyregexp.New(`^(?:내|제)\s*생일은\s*(.*\d.{0,20}?)(?:이야|야|이에요|예요|입니다)$`)},
	{"birthday", lazyregexp.New(`(?i)^my birthday is (.{3,30})$`)},
	{"home", lazyregexp.New(`^(?:나는|난|저는|전)\s+(\S.{0,30}?)에\s*(?:살아|살아요|삽니다|살고 있어|살고 있어요|살고 있습니다)$`)},
	{"home", lazyregexp.New(`(?i)^i live in (.{2,40})$`)},
	{"", lazyregexp.New(`^(?:나는|난|저는|전)\s+(\S.{0,40}?)(?:을|를|이|가)?\s*(?:정말|제일|가장|아주|너무|많이)?\s*(?:좋아해|좋아해요|좋아합니다|싫어해|싫어해요|싫어합니다)$`)},
	{"", lazyregexp.New(`(?i)^i (?:really )?(?:like|love|prefer|dislike|hate) (.{2,60})$`)},
	{"", lazyregexp.New(`^(?:나는|난|저는|전)\s+(\S.{0,30}?)\s*(?:알레르기|알러지)(?:가|도)?\s*있(?:어|어요|습니다)$`)},
	{"", lazyregexp.New(`(?i)^i(?: am|'m) allergic to (.{2,60})$`)},
}

// empty are words that say nothing by themselves: questions, and what only points at something.
var empty = lazyregexp.New(`(?i)^(?:뭐|뭔|뭘|무엇|누구|어디|언제|왜|어떤|몇|이거|이걸|이것|이건|그거|그걸|그것|저거|저것|너|너를|당신|it|this|that|them|you|him|her|what|who|which|when|to)(?:$|\s|[을를이가은는인])`)

var sentenceEnd = lazyregexp.New(`[.!~]+(?:\s+|$)`)

// LearnFrom listens to what a customer says in a chat and remembers what they tell of themselves or ask to be remembered, by a
// small grammar: whole sentences, never questions, never pasted text. When the message is nothing but such a request, the
// answer to it is given; "" means that the message still wants one. learned tells whether it told anything new. Hearing the same message
// again changes nothing.
func (m *Memory) LearnFrom(ctx context.Context, chat, message, text string, lang bilingual.Lang) (answer string, learned bool, err error) {
	facts, request := extractFacts(text)
	for n, f := range facts {
		f.ID, f.Source, f.Chat, f.Ref, f.Learned = fmt.Sprintf("said:%s:%d", message, n), SourceCustomer, chat, message, m.deps.Now()
		kept, err := m.remember(ctx, f)
		if err != nil {
			return "", false, err
		}
		learned = learned || kept.ID == f.ID
	}
	if !request {
		return "", learned, nil
	}
	return bilingual.Say(lang, "기억해 둘게요: ", "I will remember: ") + facts[0].Text, learned, nil
}

// extractFacts reads the facts out of a message, and tells whether it asks for nothing else.
func extractFacts(text string) (facts []Fact, request bool) {
	text = strings.TrimSpace(norm.NFC.String(text))
	length := utf8.RuneCountInString(text)
	if length > maxAsk || strings.ContainsAny(text, "\n?？") {
		return nil, false
	}
	for _, ask := range asks {
		if found := ask.FindStringSubmatch(text); found != nil {
			what := strings.Trim(found[1], " .!~,")
			if strings.HasSuffix(what, "다고") { // 좋아한다고 기억해 줘
				what = strings.TrimSuffix(what, "고")
			}
			if utf8.RuneCountInString(what) < 2 || empty.MatchString(what) {
				return nil, false
			}
			return []Fact{{Text: what, Topic: topicOf(what)}}, true
		}
	}
	if length > maxSaid {
		return nil, false
	}
	for _, sentence := range sentenceEnd.Split(text, -1) {
		sentence = strings.TrimSpace(sentence)
		if topic, ok := tellsOf(sentence); ok {
			facts = append(facts, Fact{Text: sentence, Topic: topic})
		}
	}
	return facts, false
}

// tellsOf tells whether a sentence says something of the customer, and what about.
func tellsOf(sentence string) (topic string, ok bool) {
	for _, t := range tells {
		if found := t.said.FindStringSubmatch(sentence); found != nil && !empty.MatchString(strings.TrimSpace(found[1])) {
			return t.topic, true
		}
	}
	return "", false
}

func topicOf(sentence string) string {
	topic, _ := tellsOf(sentence)
	return topic
}
