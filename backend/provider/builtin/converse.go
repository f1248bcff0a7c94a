package builtin

import (
	"fmt"
	"slices"
	"strings"

	"agentchat/backend/language/act"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/phrase"
	"agentchat/backend/lazyregexp"
	"agentchat/backend/provider"
)

var (
	greeting = lazyregexp.New(`^(안녕\S{0,6}|하이|헬로|헬로우|여보세요|반가워\S{0,3}|반갑\S{0,5}|좋은아침\S{0,4}|hi|hello|hey|heythere|hithere|hellothere|yo|goodmorning|goodafternoon|goodevening|howareyou|howdy|nicetomeetyou)+$`)
	thanks   = lazyregexp.New(`^(정말|너무|진짜|아주|오|와|아|ok|okay|oh|great|cool|nice)?(고마워\S{0,5}|고맙\S{0,6}|감사\S{0,6}|땡큐|ㄱㅅ|ㄳ|수고\S{0,8}|thanks|thankyou|thx|ty|thanksalot|thankyousomuch|thankyouverymuch|thanksforyourhelp|cheers|muchappreciated|goodjob|welldone|잘했어\S{0,2}|최고\S{0,4})+$`)
	farewell = lazyregexp.New(`^(잘있어\S{0,2}|잘가\S{0,2}|바이|바이바이|안녕히\S{0,6}|다음에봐\S{0,2}|잘자\S{0,2}|bye|goodbye|byebye|seeyou|seeyoulater|goodnight|later)$`)
	ability  = lazyregexp.New(`뭘?할수있|뭐할수있|무엇을할수|할줄아|뭐해줄|도움말|사용법|기능이?(뭐|알)|어떤거해|뭐시킬|무엇을도와|뭘도와|도와줘$|넌누구|너는?누구|너뭐야|넌뭐야|자기소개|이름이뭐|^help$|^helpme$|whatcanyoudo|whoareyou|whatareyou|howdoesthiswork|howdoyouwork|yourname|whatdoyoudo|introduceyourself|canyouhelp`)
)

// answer is what is said to a message that starts nothing.
type answer struct {
	text  string
	lost  bool // it says no more than that nothing was understood, or that nothing could be done
	other bool // what was wanted, if anything, is surely none of what the shop does
}

// plan is the answer as a planner gives it.
func (a answer) plan() provider.Plan {
	return provider.Plan{Route: provider.RouteAnswer, Reply: a.text, Lost: a.lost, Other: a.other}
}

// converse answers a message that starts nothing: politely where it is a courtesy, honestly everywhere else.
func (c *catalog) converse(m *message, req provider.Request) answer {
	if text := c.courtesy(m, req); text != "" {
		return answer{text: text}
	}
	s := speaker{req.Lang, req.Now}
	switch {
	case req.State.Counter != nil: // what stands open there is asked again behind this
		return answer{text: s.in("그 말씀은 제가 잘 알아듣지 못했어요. 하던 일은 그대로예요.", "I did not understand that. What we were doing stands as it was."), lost: true}
	case m.denied:
		return answer{text: s.in("네, 아무것도 시작하지 않을게요.", "All right, I won't start anything.")}
	}
	read := m.reading(req)
	if name, ok := lacking(read); ok {
		return answer{text: fmt.Sprintf(s.in("%s 아직 할 수 없어서 아무것도 시작하지 않았어요. 그런 일을 하는 바깥 공구를 설정에서 들이면 맡기실 수 있어요. ",
			"I cannot do that yet (%s), so I started nothing. A tool from outside that does it can be added in the settings. "), name.In(s.lang)) + c.offer(s)}
	}
	if len(m.stops) > 0 {
		return answer{text: s.in("멈출 일을 찾지 못했어요. ‘노래 꺼줘’나 ‘다 멈춰’처럼 말씀해 주세요.", "I found nothing like that to stop. Say “stop the music” or “stop everything”.")}
	}
	if said := m.strange(s); said != "" {
		return answer{text: said}
	}
	return s.idle(read)
}

// idle answers what, as it is read, is no request to the shop: talk, and what only a model can give. Where that is not sure, the answer leaves
// room for what may have been meant.
func (s speaker) idle(read act.Guesses) answer {
	talk := read.Of(act.Talk) + read.Of(act.Greet)
	switch {
	case talk >= starts:
		return answer{s.in("네, 알겠어요. 부탁은 아닌 것 같아서 시작한 일은 없어요. 저는 모델 없이 일하는 내장 통역가라 이야기를 나누지는 못하지만, 필요한 일은 언제든 말씀해 주세요.",
			"All right. That did not sound like a request, so I started nothing. I am the built-in interpreter and cannot hold a conversation, but tell me whenever there is something to do."), true, read.Of(act.Greet) > read.Of(act.Talk)}
	case read.Of(act.Create) >= half:
		return answer{s.in("글을 짓거나 다듬는 일은 모델이 있어야 해요. 저는 모델 없이 일하는 내장 통역가라 아무것도 시작하지 않았어요. 모델 페이지에서 모델을 받으면 맡기실 수 있어요.",
			"Writing takes a model, and I am the built-in interpreter, which works without one, so I started nothing. Get a model on the models page and ask again."), true, read.Of(act.Create) >= surely}
	case read.Of(act.Knowledge) >= half:
		return answer{s.in("그건 제가 아는 것만으로는 답할 수 없어요. 모델 페이지에서 모델을 받으면 답할 수 있고, 문서에 적힌 내용이면 도서관에 그 문서를 넣고 물어봐 주세요.",
			"I do not know that by myself. With a model from the models page I can answer it; if it stands in a document, put that into the library and ask again."), true, read.Of(act.Knowledge) >= surely}
	}
	return answer{s.in("그 말씀은 알아듣지 못해서 아무것도 시작하지 않았어요. 저는 내장 통역가라 이야기를 나누지는 못해요.",
		"I did not understand that, so I started nothing. I am the built-in interpreter and cannot hold a conversation."), true, false}
}

// reading is how a message reads, with what the rooms make of it, or at least the grammar.
func (m *message) reading(req provider.Request) act.Guesses {
	said := req.State.Evidence
	if len(said) == 0 {
		said = m.evidence()
	}
	return act.Read(m.text, said...)
}

// evidence is what the grammar makes of all clauses of a message.
func (m *message) evidence() (tags []string) {
	for i := range m.parts {
		tags = append(tags, m.parts[i].tags...)
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}

// courtesy answers what is said to be polite, what was told before, and what the shop can do; "" when the message is none of these.
func (c *catalog) courtesy(m *message, req provider.Request) string {
	s := speaker{req.Lang, req.Now}
	v := newView(m.text)
	remembered := ""
	if req.State.Counter == nil {
		remembered = recall(req, m.text, s)
	}
	switch {
	case len(v.words) == 0:
		return s.in("무엇을 도와드릴까요? ", "What can I do for you? ") + c.offer(s)
	case greeting.MatchString(v.compact):
		return s.in("안녕하세요! 무엇을 해드릴까요? ", "Hello! What can I do for you? ") + c.offer(s)
	case thanks.MatchString(v.compact):
		return s.in("천만에요. 더 필요한 일이 있으면 말씀해 주세요.", "You're welcome. Tell me if you need anything else.")
	case farewell.MatchString(v.compact):
		return s.in("네, 또 오세요.", "Goodbye, see you soon.")
	case remembered != "":
		return remembered
	case ability.MatchString(v.compact):
		return s.in("저는 모델 없이 일하는 내장 통역가(상용구집)예요. ", "I am the built-in phrasebook interpreter; I work without a model. ") + c.skills(s) + " " + c.offer(s)
	}
	return ""
}

// lacks are the matters that the shop has nothing for, by their acts.
var lacks = map[act.Act]bilingual.Text{
	"lack.mail":   bilingual.Of("메일·메시지·전화는", "mail, messages and calls"),
	"lack.home":   bilingual.Of("집 안의 기기나 컴퓨터 설정을 다루는 일은", "devices and settings"),
	"lack.news":   bilingual.Of("뉴스·시세·경기 결과를 알아보는 일은", "news, prices and results"),
	"lack.travel": bilingual.Of("교통편·숙소·주차를 알아보거나 잡는 일은", "rides, tickets for travel, rooms and parking"),
	"lack.shop":   bilingual.Of("물건이나 음식을 고르고 주문하고 예매하는 일은", "shopping, orders and bookings"),
	"place.find":  bilingual.Of("가까운 곳을 찾는 일은", "finding places nearby"),
}

// lacking names what a message wants that the shop has nothing for; ok is false when it wants no such thing surely enough.
func lacking(g act.Guesses) (what bilingual.Text, ok bool) {
	if g[0].P < answers {
		return what, false
	}
	what, ok = lacks[g[0].Act]
	return what, ok
}

// skills names what the tools do.
func (c *catalog) skills(s speaker) string {
	names := make([]string, 0, len(c.tools))
	for _, t := range c.tools {
		names = append(names, t.card.Title)
	}
	if len(names) == 0 {
		return s.in("지금은 쓸 수 있는 공구가 없어요.", "There are no tools at the moment.")
	}
	shown, room := 0, 160
	for _, name := range names {
		if room -= len([]rune(name)) + 2; room < 0 {
			break
		}
		shown++
	}
	list := strings.Join(names[:shown], ", ")
	if rest := len(names) - shown; rest > 0 {
		list += s.in(fmt.Sprintf(" 그 밖에 %d가지", rest), fmt.Sprintf(" and %d more", rest))
	}
	return s.in("할 수 있는 일: "+list+".", "What I can do: "+list+".")
}

// offer gives a few examples from the tool cards, in the speaker's language, one a tool.
func (c *catalog) offer(s speaker) string {
	var quotes []string
	for _, t := range c.tools {
		if t.literal() {
			continue // an address or a command of somebody else is nobody's wish
		}
		for _, e := range t.card.Examples {
			if phrase.Korean(e.Text) == s.ko() && len([]rune(e.Text)) <= 40 {
				quotes = append(quotes, "“"+strings.ReplaceAll(strings.TrimSpace(e.Text), `"`, "'")+"”")
				break
			}
		}
	}
	if len(quotes) == 0 {
		return c.skills(s)
	}
	for len(quotes) > 4 { // spread over the catalogue, the first and the last kept
		quotes = append(quotes[:len(quotes)/2], quotes[len(quotes)/2+1:]...)
	}
	list := strings.Join(quotes, ", ")
	return s.in("이렇게 말씀해 보세요: "+list, "Try: "+list)
}
