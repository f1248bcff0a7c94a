// Package refer reads messages that ask for something to be done with what was shown or made before, and say of it no more than that:
// 30분 미뤄줘, 두 번째 거 지워줘, undo that. What a message says besides is the name of the thing, or the message is about something else.
package refer

import (
	"strings"
	"time"

	"agentchat/backend/language/ground"
	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/language/verdict"
	"agentchat/backend/language/wordlist"
	"agentchat/backend/lazyregexp"
)

// Action is what is asked to be done.
type Action string

// The actions.
const (
	Move   Action = "move"   // to another moment
	Remove Action = "remove" // it shall not be there any more
	Stop   Action = "stop"   // it shall not go on
	Undo   Action = "undo"   // what was done last shall not have been done
	Cancel Action = "cancel" // the one or the other
)

// Kind is the sort of thing that a message says it is about.
type Kind string

// The kinds; the empty one is any.
const (
	Any   Kind = ""
	Event Kind = "event" // something on a list
	Timer Kind = "timer"
	Order Kind = "order" // a standing order
)

// Last is the place of whatever stands last in a list.
const Last = -1

// Message is what a message asks for.
type Message struct {
	Action Action
	Kind   Kind
	Place  int    // in the list that was shown, from 1; Last; 0: none is named
	Name   string // what it is called; "": it is only pointed at

	By    time.Duration // Move: so much later, or earlier
	Anew  bool          // By counts from now, instead of what it was: 아니 15분 뒤로
	Whole bool          // By is how long it is to last in all: 25분으로 늘려줘
	Ahead int64         // Move: it is told of so many minutes before
	Date  string        // or to this day, 2006-01-02
	Time  string        // and time, 15:04
	Said  string        // the day and time in the customer's words
	Near  bool          // only what was spoken of last can be meant: make it 4
}

// verbs are the words of an action, as they stand in small letters. Later and earlier need a span of time beside them.
var (
	later = lazyregexp.New(`(?:미뤄|미루|미룰|늦춰|늦추|연기|연장|늘려|늘리|추가|더\s?길게|더\s?뒤로|뒤로|더(?:$|\s))\S*` +
		`|\b(?:push|move|put|set) (.*?)\s?\bback\b|\b(?:postpone|delay|put off|snooze|extend|add|later|longer|more)\b`)
	earlier = lazyregexp.New(`(?:앞당|당겨|당기|앞으로|일찍|줄여|줄이|빼)\S*` +
		`|\b(?:bring|move|pull|push) (.*?)\s?\b(?:forward|up)\b|\btake (.*?)\s?\boff\b|\b(?:earlier|sooner|shorter|shorten)\b`)
	moves = lazyregexp.New(`(?:옮겨|옮기|옮길|바꿔|바꾸|바꿀|변경|고쳐|미뤄|미루|미룰|늦춰|늦추|연기|당겨|당기|앞당)\S*|\b(?:move|change|reschedule|shift|push|postpone|bring)\b|\bmake it\b`)
	// target is a span to which, and not by which, something is made longer or shorter: 25분으로 늘려줘.
	target = lazyregexp.New(`(?:초|분|시간|반)으?로\s|\bto (?:\S+ )?\S+ (?:seconds?|secs?|minutes?|mins?|hours?)\b`)
	// tells are the words of who wants to be told.
	tells   = lazyregexp.New(`(?:알려|말해|깨워|알림|알람)\S*|\b(?:remind|tell|notify|alert)(?: me)?\b`)
	removes = lazyregexp.New(`(?:지워|지우|지울|삭제|없애|빼)\S*|\b(?:delete|remove|drop|erase|take (.*?)\s?\boff\b)`)
	stops   = lazyregexp.New(`(?:꺼|끄|멈춰|멈추|그만)\S*|\b(?:stop|turn off|end)\b`)
	undoes  = lazyregexp.New(`(?:되돌려|되돌리|되돌릴|원래대로|원상\s?복구|물러|물리|도로\s?해|롤백)\S*|\b(?:undo|revert|roll back|take (.*?)\s?\bback\b)`)
	cancels = lazyregexp.New(`취소\S*|\bcancel\b`)

	// bareHour is an hour without anything that makes it one, behind what moves something.
	bareHour = lazyregexp.New(`^\s*(?:(?:no|oh|actually|wait|sorry|can you|could you|please|let's)[ ,]+)*(make (?:it|that)|(?:change|move|set|push) (?:it|that) to) (\d{1,2})(?:\s*(?:instead|please))*[ .!]*$`)
	// amends stands before what takes something back.
	amends = lazyregexp.New(`^\s*(?:(?:no|wait|oh|oops|sorry|actually|hold on|hmm|ok|아냐|아니야|아니|아|잠깐만|잠깐|앗|어|음|미안)[ ,.!…]+)+`)
	moreOf = lazyregexp.New(`\b(\d+|a few|an?|one|two|three|five|ten|fifteen|thirty) (more) (hours?|minutes?|mins?|seconds?|secs?|days?)\b`)
	places = lazyregexp.New(`(?:^|\s)((?:첫|두|세|네|다섯|여섯|일곱|여덟|아홉|열|\d)\s?번째|[첫둘셋넷]째|\d번(?:째)?|(?:맨\s)?마지막|맨\s(?:끝|뒤|위|처음)|number \d|(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last))(?:$|\s|걸|거|것|번|에|을|를|은|로)`)
	kinds  = map[Kind]wordlist.Set{
		Event: wordlist.Of("일정 약속 예약 스케줄 appointment event reminder to-do todo meeting's"),
		Timer: wordlist.Of("타이머 알람 알림 timer alarm"),
		Order: wordlist.Of("주문 order"),
	}

	// points are the words with which something is pointed at, and hollow those with which one asks; neither names anything.
	points = wordlist.Of(`그거 그것 그걸 그건 이거 이것 이걸 방금 아까 지금 금방 마지막 마지막에 그 이 저 거 것 걸 건 it that this one the them those last previous just change item thing`)
	hollow = wordlist.Of(`좀 만 더 하루 이틀 사흘 나흘 일주일 한 했던 하던 했는 해 해줘 해주세요 해라 하자 할래 할래요 해줄래 줘 줘요 주세요 줄래 줄래요 주라 요 로 으로 에 을 를 은 는 다시 그냥 그럼 아니 야 제발 정도 쯤 씩 시간 시각 날짜 정기 제 내 부탁해 일 변경 말고 정도만 뒤로 앞으로 맨 목록에서
		please can could would you i want to by for a an my and of at on in off make what did was we now by up back number by hour's instead then ok okay do action step another time some just from list`)
)

// Read reads a message; ok is false when it asks for no such thing. now is the customer's local time.
func Read(text string, now time.Time) (m Message, ok bool) {
	rest := moreOf.ReplaceAllString(" "+strings.ToLower(phrase.Normalize(text))+" ", "$1 $3 $2")
	if len(rest) > 120 || strings.Contains(rest, "\n") {
		return m, false
	}
	if near := bareHour.ReplaceAllString(rest, " $1 at $2 o'clock "); near != rest {
		rest, m.Near = near, true
	}
	if undoes.MatchString(rest) {
		rest = " " + amends.ReplaceAllString(rest, "")
	}
	if at := places.FindStringSubmatchIndex(rest); at != nil {
		said := rest[at[2]:at[3]]
		m.Place = Last
		if n, counts := slot.Ordinal(strings.TrimPrefix(said, "number ")); counts {
			m.Place = n
		} else if strings.HasSuffix(said, "위") || strings.HasSuffix(said, "처음") {
			m.Place = 1
		}
		rest = rest[:at[2]] + rest[at[3]:]
	}
	if rest, ok = m.action(rest, now); !ok {
		return m, false
	}
	return m, m.names(rest) && (m.Action != Cancel || m.Place != 0 || m.Name != "" || pointed(rest))
}

// action takes what is asked for out of the words, and gives the others.
func (m *Message) action(text string, now time.Time) (rest string, ok bool) {
	if ahead := slot.Aheads(text); len(ahead) == 1 && tells.MatchString(text) {
		m.Action, m.Ahead = Move, ahead[0].Minutes
		return without(text[:ahead[0].Start]+" "+text[ahead[0].End:], tells), true
	}
	seconds, span := int64(0), slot.HasSpan(text)
	if span {
		seconds, _ = slot.Duration(text, now)
	}
	for _, way := range []struct {
		re   *lazyregexp.Regexp
		sign time.Duration
	}{{earlier, -1}, {later, 1}} {
		if span && way.re.MatchString(text) {
			m.Anew = strings.Contains(text, "뒤로") && verdict.TakesBack(text)
			if m.Whole = target.MatchString(text); m.Whole {
				way.sign = 1
			}
			m.Action, m.By = Move, way.sign*time.Duration(seconds)*time.Second
			return without(slot.WithoutTimes(text), way.re, moves), true
		}
	}
	switch {
	case undoes.MatchString(text):
		m.Action, m.Place = Undo, 0
		return without(text, undoes), true
	case cancels.MatchString(text):
		m.Action = Cancel
		return without(text, cancels), true // see Read
	case stops.MatchString(text) && m.Place != 0:
		m.Action = Stop
		return without(text, stops), true
	case removes.MatchString(text):
		m.Action = Remove
		return without(text, removes), m.Place != 0 || pointed(text)
	case moves.MatchString(text):
		m.Action = Move
		text = without(text, moves)
		return m.moment(text, now), m.Date != "" || m.Time != ""
	}
	return text, false
}

// moment takes the day and the time to which something shall be moved out of the words.
func (m *Message) moment(text string, now time.Time) (rest string) {
	slots := ground.Slots{{Name: "date", Kind: ground.Date}, {Name: "time", Kind: ground.Time}}
	bytes := []byte(text)
	for _, s := range slots {
		for _, f := range slots.Find(s.Name, ground.Request{Words: text, Now: now}) {
			value, is := f.Value.(string)
			if f.Negated { // 5시 말고 6시로
				blankOut(bytes, f)
			}
			if !is || !f.Counts() {
				continue
			}
			if s.Kind == ground.Date {
				m.Date = value
			} else {
				m.Time = value
			}
			m.Said = strings.TrimSpace(m.Said + " " + text[f.Start:f.End])
			blankOut(bytes, f)
		}
	}
	return string(bytes)
}

func blankOut(text []byte, f ground.Finding) {
	for i := f.Start; i < f.End; i++ {
		text[i] = ' '
	}
}

// names takes what is left of a message for the name of the thing, or its kind. An undoing is of what was done and names nothing.
func (m *Message) names(rest string) bool {
	var left []string
	for _, w := range phrase.Words(rest) {
		stem, _ := phrase.Stem(w.Lower)
		kind := Any
		for k, words := range kinds {
			if words[stem] || words[w.Lower] || words[strings.TrimSuffix(w.Lower, "s")] {
				kind = k
			}
		}
		switch {
		case kind != Any:
			m.Kind = kind
		case !hollow[w.Lower] && !points[w.Lower] && !hollow[stem] && !points[stem]:
			left = append(left, stem)
		}
	}
	m.Name = strings.Join(left, " ")
	called := m.Action == Move && m.By != 0 || m.Action == Cancel && m.Kind == Event // 치과 예약 취소해줘
	return m.Name == "" || called && m.Place == 0 && len(left) <= mostWords
}

// mostWords is how many words a name has that a message says beside what is asked for.
const mostWords = 4

// pointed tells whether words point at something.
func pointed(text string) bool {
	for _, w := range phrase.Words(text) {
		if stem, _ := phrase.Stem(w.Lower); points[w.Lower] && w.Lower != "지금" || points[stem] && w.Lower != "지금" {
			return true
		}
	}
	return false
}

// without is a text without what some patterns match, but with what stands within it.
func without(text string, patterns ...*lazyregexp.Regexp) string {
	for _, re := range patterns {
		for _, at := range re.FindAllStringSubmatchIndex(text, 1) {
			inner := ""
			for g := 2; g+1 < len(at); g += 2 {
				if at[g] >= 0 {
					inner += " " + text[at[g]:at[g+1]]
				}
			}
			text = text[:at[0]] + inner + " " + text[at[1]:]
		}
	}
	return text
}
