package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/testing/realollama"
	"agentchat/backend/testing/tinygguf"
)

const (
	recordedTurns = 200
	// naiveTurns is how much of the conversation is also sent in the naive layout, which reads everything every time.
	naiveTurns = 25
)

// BenchmarkPrefixCache has a conversation of 200 turns with a real server: answers, jobs with and without a tool chooser,
// steps without a tool, the service counter, and the cuts that memory makes meanwhile. It tells how much of the prompts the
// server knew already, by its own count; then it sends the first turns once more, laid out as one would without a thought.
//
//	prompt%      of all tokens, those that came from the server's prefix cache
//	history%     of those in front of the last message that were sent before (system, memory, transcript)
//	transcript%  of the transcript's among them
func BenchmarkPrefixCache(b *testing.B) {
	h := house(b)
	h.scripted(b, "regular", recordedScripts())
	chats, part := h.converse(b, recordedTurns)
	ours := &account{h: h}
	for i, c := range chats {
		if i == part {
			first := *ours
			b.Run(fmt.Sprintf("first_%d_turns", naiveTurns), func(b *testing.B) { first.report(b) })
		}
		ours.add(b, c)
	}
	ours.reloads = h.server.Loads(b) - 1
	b.Run(fmt.Sprintf("%d_turns", recordedTurns), func(b *testing.B) { ours.report(b) })
	ours.good(b)

	naive, loads := &account{h: h}, h.server.Loads(b)
	for i, c := range chats[:part] {
		naive.add(b, h.send(b, naively(c, i)))
	}
	naive.reloads = h.server.Loads(b) - loads
	b.Run(fmt.Sprintf("first_%d_turns_naive", naiveTurns), func(b *testing.B) { naive.report(b) })
}

// A real server reads hardly anything twice, whatever roles take turns.
func TestTheHistoryIsReadOnce(t *testing.T) {
	h := house(t)
	h.scripted(t, "regular", recordedScripts())
	chats, _ := h.converse(t, 2*len(recorded))
	ours := &account{h: h}
	for _, c := range chats {
		ours.add(t, c)
	}
	h.loadedOnce(t)
	ours.good(t)
	h.sameRunner(t, 0)
}

const counterTalk = "그건 왜 물어보는 거예요?"

// recorded is what the customer says, again and again: about half of it is talk, the rest is work.
var recorded = []string{
	"오늘 좀 피곤하네", "목적지 B로 네비 켜줘" + company, "점심으로 뭐가 좋을까?", "노래 불러줘" + company, "고마워, 잘 들었어", "12 곱하기 3은?" + company, "여행 가고 싶다",
	"엄마한테 보내줘", counterTalk, "취소", "부산 날씨 어때?" + company, "비가 오면 뭐 하지?", "인사말 하나 지어 줘", "재미있는 얘기 해 줘", "지금 몇 시야?" + company,
	"책을 한 권 추천해 줘", "영화 틀어줘" + company, "그 영화 누가 만들었어?", "100 나누기 8은?" + company, "이제 좀 쉴래",
}

func recordedScripts() []tinygguf.Script {
	talk := func(text string, n int) []tinygguf.Script {
		return wish(text, plan(fmt.Sprintf("말씀 잘 들었어요, %d번 손님. ", n)+strings.Repeat("천천히 생각해 보고 마음에 드는 쪽으로 골라 보시면 좋겠어요! ", n%2+1)), "")
	}
	var summary strings.Builder
	for i := range 26 {
		fmt.Fprintf(&summary, "손님의 %d번째 부탁은 길 안내와 노래와 계산이었고 모두 해 드렸어요. ", i+1)
	}
	step := `{"title":"시계","tool":"clock","request":"부산 날씨","args":{}}`
	solve := plan("지어 볼게요.", `{"title":"인사말","todos":[{"title":"인사말 짓기","request":"인사말 하나 지어 줘"}]}`)
	return slices.Concat(
		[]tinygguf.Script{
			{Say: "네, 그렇게 할게요."},
			{Role: "role: planner", Say: plan("네, 듣고 있어요. 더 말씀해 주세요.")},
			{Role: "role: intent", Say: `{"intent":"GENERAL"}`},
			{Role: "role: slot", Say: `{"operations":[]}`},
			{Role: "role: solver", Say: `{"act":"answer","text":"안녕하세요! 오늘도 저희 가게에 와 주셔서 고마워요. 편히 쉬다 가세요."}`},
			{Role: "role: reporter", Say: reported},
			{Role: "role: summarizer", Say: summary.String()},
		},
		talk("오늘 좀 피곤하네", 1), talk("점심으로 뭐가 좋을까?", 2), talk("고마워, 잘 들었어", 3), talk("여행 가고 싶다", 4), talk("비가 오면 뭐 하지?", 5),
		talk("재미있는 얘기 해 줘", 6), talk("책을 한 권 추천해 줘", 7), talk("그 영화 누가 만들었어?", 8), talk("이제 좀 쉴래", 9), talk(counterTalk, 10),
		wish("목적지 B로 네비 켜줘"+company, plan("네비를 켤게요.", work("길 안내", "nav", "목적지 B로 네비 켜줘"+company, "")), `{"tool":"nav","args":{"destination":"B"}}`),
		wish("노래 불러줘"+company, plan("노래를 불러 드릴게요.", work("노래", "song", "노래 불러줘"+company, "{}")), ""),
		wish("12 곱하기 3은?"+company, plan("계산해 볼게요.", work("곱하기", "calculator", "12 곱하기 3은?"+company, "")), `{"tool":"calculator","args":{"expression":"12*3"}}`),
		wish("부산 날씨 어때?"+company, plan("날씨를 볼게요.", `{"title":"날씨","todos":[`+step+`,`+step+`]}`), ""),
		wish("인사말 하나 지어 줘", solve, ""),
		wish("지금 몇 시야?"+company, plan("시계를 볼게요.", work("시계", "clock", "지금 몇 시야?"+company, "")), `{"tool":"clock","args":{}}`),
		wish("영화 틀어줘"+company, plan("영화를 틀게요.", work("영화 보기", "movie", "영화 틀어줘"+company, "{}")), ""),
		wish("100 나누기 8은?"+company, plan("나눠 볼게요.", work("나누기", "calculator", "100 나누기 8은?"+company, `{"expression":"100/8"}`)), ""),
	)
}

// converse has the conversation, each message after everything before it is over, summaries included. part is how many of
// the chats the first turns took.
func (h *realHouse) converse(b testing.TB, turns int) (chats []realollama.Chat, part int) {
	b.Helper()
	from := len(h.tap.Chats())
	s := h.open(b, "regular", "--pace", "10000")
	for i := range turns {
		if i == naiveTurns {
			part = len(h.requests(from))
		}
		mark := s.mark()
		s.must("say", map[string]any{"text": recorded[i%len(recorded)]}, nil)
		s.awaitFrom(mark, "turn.done", func(l line) bool { return l.Kind == event.KindTurnDone })
		s.must("wait", map[string]any{"until": "idle", "timeout_ms": patience.Milliseconds()}, nil)
	}
	roles := map[string]int{}
	for _, x := range s.letters() {
		if roles[string(x.Request.Role)]++; x.Provider != "ollama" || x.Error != "" {
			b.Fatalf("a letter of the %s went to %s: %s %s %q", x.Request.Role, x.Provider, x.Error, x.Problem, x.Reply.Text)
		}
	}
	for _, role := range []string{"planner", "intent", "slot", "tool_chooser", "solver", "reporter", "summarizer"} {
		if roles[role] == 0 {
			b.Fatalf("the conversation has no letter of the %s: %v", role, roles)
		}
	}
	s.quit()
	return h.requests(from), part
}

// requests are the chats from one on in which somebody wanted an answer.
func (h *realHouse) requests(from int) []realollama.Chat {
	return slices.DeleteFunc(h.tap.Chats()[from:], ahead)
}

// account adds up what the server read and what it knew.
type account struct {
	h    *realHouse
	sent map[realollama.Message]bool

	letters, summaries, reloads                       int
	prompt, cached, history, known, transcript, heard int
	reading, loading                                  time.Duration
}

func (a *account) add(b testing.TB, c realollama.Chat) {
	b.Helper()
	if !c.Ended {
		if c.Left && titles(c) { // whoever comes sends it away
			return
		}
		b.Fatal("a chat has no end")
	}
	if a.sent == nil {
		a.sent = map[realollama.Message]bool{}
	}
	front := c.Messages[:len(c.Messages)-1]
	end := a.tokens(b, front) // where the last message begins
	spoken := a.tokens(b, front[:unspoken(front)])
	for i, m := range front {
		n := a.tokens(b, []realollama.Message{m})
		if !a.sent[m] {
			a.sent[m] = true
			continue
		}
		a.history += n
		if i >= unspoken(front) {
			a.transcript += n
		}
	}
	a.letters++
	if strings.Contains(c.Messages[0].Content+c.Messages[len(c.Messages)-1].Content, "role: summarizer\n") && !titles(c) {
		a.summaries++
	}
	a.prompt += c.Done.Tokens
	a.cached += c.Done.Cached
	a.known += min(c.Done.Cached, end)
	a.heard += max(min(c.Done.Cached, end)-spoken, 0)
	a.reading += c.Done.Reading
	a.loading += c.Done.Load
}

// unspoken is how many messages stand before the transcript: the system block and the memory.
func unspoken(front []realollama.Message) int {
	if len(front) > 1 && (strings.HasPrefix(front[1].Content, "Summary of") || strings.HasPrefix(front[1].Content, "Known facts")) {
		return 2
	}
	return min(len(front), 1)
}

// tokens counts messages as the template writes them out.
func (a *account) tokens(b testing.TB, list []realollama.Message) int {
	b.Helper()
	var text strings.Builder
	for _, m := range list {
		text.WriteString(m.Role + ": " + m.Content + "\n")
	}
	return a.h.server.Tokens(b, text.String())
}

// share is a part of a whole in percent.
func share(part, whole int) float64 { return 100 * float64(min(part, whole)) / float64(max(whole, 1)) }

func (a *account) report(b *testing.B) {
	b.Helper()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(a.letters), "letters")
	b.ReportMetric(float64(a.summaries), "summaries")
	b.ReportMetric(float64(a.prompt)/float64(a.letters), "tokens/letter")
	b.ReportMetric(share(a.cached, a.prompt), "prompt%")
	b.ReportMetric(share(a.known, a.history), "history%")
	b.ReportMetric(share(a.heard, a.transcript), "transcript%")
	b.ReportMetric(float64(a.reloads), "reloads")
	b.ReportMetric(float64(a.reading.Milliseconds())/float64(a.letters), "reading-ms/letter")
	b.ReportMetric(float64(a.loading.Milliseconds())/float64(a.letters), "loading-ms/letter")
}

// good checks the goal: nearly all history comes from the cache, and the model is never loaded again.
func (a *account) good(t testing.TB) {
	t.Helper()
	if history := share(a.known, a.history); history < 95 || a.reloads != 0 || a.summaries == 0 {
		t.Errorf("%.1f %% of the history came from the cache, %d reloads, %d summaries", history, a.reloads, a.summaries)
	}
}

// naively lays a request out as one would without a thought for the server: the clock and the role on top, the state before
// the transcript, and for each role just the context it needs.
func naively(c realollama.Chat, number int) realollama.Chat {
	last := c.Messages[len(c.Messages)-1]
	head, request, _ := strings.Cut(last.Content, "request:\n")
	role, state, _ := strings.Cut(head, "\n")
	clock := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC).Add(time.Duration(number) * 20 * time.Second)
	system := "It is " + clock.Format(time.DateTime) + ".\n" + role + "\n" + c.Messages[0].Content
	naive := realollama.Chat{Model: c.Model, Messages: []realollama.Message{{Role: "system", Content: system}, {Role: "user", Content: state}}}
	naive.Messages = append(naive.Messages, c.Messages[1:len(c.Messages)-1]...)
	naive.Messages = append(naive.Messages, realollama.Message{Role: "user", Content: "request:\n" + request})
	context := 8192
	switch strings.TrimPrefix(role, "role: ") {
	case "intent", "slot", "tool_chooser":
		context = 7168
	case "reporter", "solver", "summarizer":
		context = 7680
	}
	naive.Options = map[string]any{"num_ctx": context, "num_predict": 1, "temperature": 0}
	return naive
}

// send puts a chat to the server through the tap.
func (h *realHouse) send(b testing.TB, c realollama.Chat) realollama.Chat {
	b.Helper()
	body, err := json.Marshal(map[string]any{"model": c.Model, "messages": c.Messages, "options": c.Options, "truncate": false, "stream": true})
	if err != nil {
		b.Fatal(err)
	}
	from := len(h.tap.Chats())
	req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, "http://"+h.tap.Addr+"/api/chat", bytes.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	readAll(b, http.DefaultClient, req)
	return h.tap.Await(b, from, "the end of the chat", func(c realollama.Chat) bool { return c.Ended || c.Left })
}

// readAll makes a call and reads its answer to the end.
func readAll(b testing.TB, client *http.Client, req *http.Request) {
	b.Helper()
	resp, err := client.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var answer bytes.Buffer
	if _, err := answer.ReadFrom(resp.Body); err != nil || resp.StatusCode != http.StatusOK {
		b.Fatalf("%s %v: %s", resp.Status, err, answer.String())
	}
}
