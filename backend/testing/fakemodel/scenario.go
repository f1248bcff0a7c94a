package fakemodel

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// scenarios are what can go right and wrong, by name. Each writes one answer.
var scenarios = map[string]func(*pen){
	// Never an answer, in every way.
	"silent":       func(p *pen) { p.hang() },
	"headers-only": func(p *pen) { p.raw(""); p.hang() },
	"stalls":       func(p *pen) { p.say("여기까지", " 쓰고"); p.hang() },
	"drip":         drip,
	"empty-pieces": func(p *pen) { tick(p, 5*time.Millisecond, func() bool { return p.say("") }) },
	"endless":      endless,
	"waits":        waits,
	// A plan whose reply never ends; a shop that works until the report, which never ends.
	"endless-answer": func(p *pen) { p.say(`{"route":"answer","reply":"`); endless(p) },
	"endless-report": endlessReport,
	"waiting-title":  waitingTitle,
	"misquotes":      misquotes,

	// Shops whose model looks at pictures; and one whose service does not say that it cannot.
	sees:  func(p *pen) { p.tell(new(Server).shop(p)) },
	blind: func(p *pen) { p.tell(new(Server).shop(p)) },

	// Streams that end wrongly.
	"eof":          func(p *pen) { p.say("끝이", " 없는") },
	"eof-at-once":  func(p *pen) { p.raw("") },
	"reset-midway": func(p *pen) { p.say("여기서"); p.reset() },
	"repeat-limit": func(p *pen) { p.say("아", "아", "아"); p.fault("prediction aborted, token repeat limit reached") },
	"crash":        func(p *pen) { p.say("음"); p.fault("model runner has unexpectedly stopped") },
	"after-done":   func(p *pen) { p.tell("다 했어요."); p.say("더 있어요."); p.hang() },
	"garbage":      func(p *pen) { p.raw("<html>\n<body>what?</body>\n") },
	"blank-lines":  func(p *pen) { p.raw(strings.Repeat("\n", 10<<20)) },
	"huge-line":    hugeLine,

	// Answers that are none.
	"empty":        func(p *pen) { p.done("stop") },
	"think-only":   func(p *pen) { p.think("손님은 ", "인사를 했다. ", "그러면…"); p.done("stop") },
	"think-linger": func(p *pen) { p.think("손님은 ", "인사를 했다. ", "그러면…"); p.done("stop"); p.hang() },
	"whitespace":   whitespace,
	"loop":         func(p *pen) { loop(p, "하하") },
	"loop-long":    func(p *pen) { loop(p, "같은 말을 또 하고, 하던 말을 또 해요. ") },

	// Reasoning inside the answer, cut at every place.
	"think-tags": func(p *pen) { each(p, "<think>비밀 생각</think>\n\n안녕하세요.") },
	"think-midway": func(p *pen) {
		p.say("안녕", "하세요.<thi", "nk>비밀", " 생각</th", "ink> 반가워요.")
		p.done("stop")
	},
	"think-closed":   func(p *pen) { p.say("비밀 ", "생각</think>", "안녕하세요."); p.done("stop") },
	"think-open":     func(p *pen) { p.say("<think>", "끝나지 않는 ", "생각"); p.done("stop") },
	"think-json":     func(p *pen) { each(p, "<think>{\"route\":\"stop\"}</think>"+plan("안녕하세요.")) },
	"think-in-json":  func(p *pen) { each(p, plan("<think>는 태그예요.")) },
	"think-field":    func(p *pen) { p.think("비밀", " 생각"); p.tell("안녕하세요.") },
	"think-and-call": func(p *pen) { p.think("비밀"); p.tell(plan("안녕하세요.")) },

	// Bytes.
	"hangul-split": func(p *pen) { p.say("안\xeb", "\x85\x95하\xec\x84", "\xb8요"); p.done("stop") },
	"invalid-utf8": func(p *pen) { p.say("안녕\xff\xfe", "\xc3(하세요", "\xed\xa0\x80"); p.done("stop") },

	// JSON that must not pass.
	"duplicate-keys": func(p *pen) { p.tell(`{"route":"answer","reply":"하나","reply":"둘"}`) },
	"deep-json":      deepJSON,
	"two-objects":    func(p *pen) { p.tell(plan("하나") + plan("둘")) },
	"not-json":       func(p *pen) { p.tell("네, 알겠습니다!") },
	"trailing-text":  func(p *pen) { p.tell(plan("하나") + " 이렇게 답했어요.") },
	"length":         func(p *pen) { p.say(`{"route":"answer","reply":"끝나지 않`); p.done("length") },

	// Words that must not pass.
	"chinese":      func(p *pen) { p.words("好的，我会帮您播放这首歌曲，请稍等。") },
	"english":      func(p *pen) { p.words("Sure, I will play the song for you right away.") },
	"english-once": englishOnce,
	"same-line":    func(p *pen) { p.words(strings.TrimSpace(strings.Repeat("네, 알겠습니다.\n", 20))) },

	// Plans of what is not there.
	"unknown-tool": func(p *pen) {
		p.tell(`{"route":"jobs","reply":"네.","jobs":[{"title":"로켓","todos":[{"title":"로켓","tool":"rocket","request":"로켓"}]}]}`)
	},
	"unknown-service": func(p *pen) { p.tell(`{"route":"service","reply":"","service":"spaceport"}`) },

	// Refusals.
	"missing":  func(p *pen) { p.refuse(http.StatusNotFound, "model 'missing' not found", "not_found_error") },
	"overflow": overflow,
	"memory": func(p *pen) {
		p.refuse(http.StatusInternalServerError, "model requires more system memory (9.0 GiB) than is available (2.0 GiB)", "server_error")
	},
	"unauthorized": func(p *pen) { p.refuse(http.StatusUnauthorized, "Incorrect API key provided", "invalid_request_error") },
}

func overflow(p *pen) {
	p.refuse(http.StatusBadRequest, "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it", "exceed_context_size_error")
}

// The scenarios about pictures.
const (
	sees  = "sees"
	blind = "blind"
)

// play finds the scenario of a name. Two families count: status-CODExN refuses the first N calls, resets-N breaks them off.
func (s *Server) play(name string, p *pen) {
	if write, ok := scenarios[name]; ok {
		write(p)
		return
	}
	if n, ok := strings.CutPrefix(name, "resets-"); ok {
		if most, err := strconv.Atoi(n); err == nil && p.times <= most {
			p.reset()
			return
		}
	}
	if spec, ok := strings.CutPrefix(name, "status-"); ok {
		code, n, _ := strings.Cut(spec, "x")
		status, _ := strconv.Atoi(code)
		most, err := strconv.Atoi(n)
		if err != nil || p.times <= most {
			if status == http.StatusTooManyRequests {
				p.w.Header().Set("Retry-After", "1")
			}
			p.refuse(status, fmt.Sprintf("trouble %d", status), "server_error")
			return
		}
	}
	p.tell(s.shop(p))
}

// englishOnce answers a Korean request in English, until it is told that it did.
func englishOnce(p *pen) {
	if strings.Contains(p.last, `"repair"`) {
		p.words("네, 틀게요.")
		return
	}
	p.words("Sure, I will play the song for you right away.")
}

func plan(reply string) string { return encode(map[string]any{"route": "answer", "reply": reply}) }

// each streams a text rune by rune.
func each(p *pen, text string) {
	for _, r := range text {
		if !p.say(string(r)) {
			return
		}
	}
	p.done("stop")
}

// tick does something at a steady pace until it is false or the client leaves.
func tick(p *pen, every time.Duration, do func() bool) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for do() {
		select {
		case <-ticker.C:
		case <-p.ctx.Done():
			return
		}
	}
}

// drip sends one line byte by byte and never ends it.
func drip(p *pen) {
	line := p.dialect.piece("content", quote(strings.Repeat("가", 10000)))
	i := 0
	tick(p, 5*time.Millisecond, func() bool {
		i++
		return i < len(line)-2 && p.raw(line[i-1:i])
	})
}

func endless(p *pen) {
	i := 0
	tick(p, 2*time.Millisecond, func() bool {
		i++
		return p.say(fmt.Sprintf("%d번째 말. ", i))
	})
}

// misquotes works like the shop scenario, but puts words into a document's mouth.
func misquotes(p *pen) {
	if field(p.asked, "role: ") == "responder" {
		p.tell("월급은 “500만원으로 하고 매일 지급한다” [1].")
		return
	}
	p.tell(new(Server).shop(p))
}

// endlessReport works like the shop scenario, up to a report or an answer from documents that never ends.
func endlessReport(p *pen) {
	if role := field(p.asked, "role: "); role == "reporter" || role == "responder" {
		endless(p)
		return
	}
	p.tell(new(Server).shop(p))
}

// waitingTitle works like the shop scenario, but for titles and summaries, which wait to be released.
func waitingTitle(p *pen) {
	if field(p.asked, "role: ") == "summarizer" {
		waits(p)
		return
	}
	p.tell(new(Server).shop(p))
}

// waits says nothing until it is released, as a server does that loads its model first.
func waits(p *pen) {
	select {
	case <-p.gate:
		p.tell("다 읽었어요.")
	case <-p.ctx.Done():
	}
}

func loop(p *pen, text string) {
	for p.say(text) {
	}
}

func whitespace(p *pen) {
	for range 10 << 10 {
		if !p.say(strings.Repeat(" \n\t ", 256)) {
			return
		}
	}
	p.done("stop")
}

func hugeLine(p *pen) {
	p.raw(p.dialect.piece("content", quote(strings.Repeat("가", 6<<20))))
	p.done("stop")
}

// deepJSON nests 10,000 objects, each under a key of its own.
func deepJSON(p *pen) {
	for i := range 10000 {
		if !p.say(fmt.Sprintf(`{"k%d":`, i)) {
			return
		}
	}
	p.say("1", strings.Repeat("}", 10000))
	p.done("stop")
}
