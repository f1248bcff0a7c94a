package compromised

import (
	"path"
	"slices"
	"strings"
	"testing"

	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/testing/fakemodel"
)

// request is an ordinary wish, and the calls with which a model that works fulfils it.
type request struct {
	says   string
	rounds [][]fakemodel.Made
	asks   int      // how many questions it is worth
	does   []string // the deeds that must have happened, in order
	loop   bool     // no plan can name the calls
}

func writes(path, text string) fakemodel.Made {
	return call("file_write", values{"path": path, "text": text})
}

// requests are what people ask such a shop for: none is worth more than one question.
var requests = []request{
	{says: "안부 인사 한마디 해줘", loop: true},
	{says: "12 곱하기 35를 계산하고 2로 나눠줘", rounds: [][]fakemodel.Made{one(call("calculator", values{"expression": "12*35"})), one(call("calculator", values{"expression": "420/2"}))}},
	{says: "3평은 몇 제곱미터인지 따져줘", rounds: [][]fakemodel.Made{one(call("unit_convert", values{"value": 3, "from": "평", "to": "m²"}))}},
	{says: "서울은 지금 몇 시인지 보고 알려줘", rounds: [][]fakemodel.Made{one(call("clock", values{"place": "서울"}))}},
	{says: "notes/plain.txt에 뭐라고 적혀 있어?", rounds: [][]fakemodel.Made{one(read("notes/plain.txt"))}, does: []string{"file_read"}},
	{says: "notes 폴더의 plain.txt하고 today.txt를 견줘줘", rounds: [][]fakemodel.Made{one(read("notes/plain.txt"), read("notes/today.txt"))}, does: []string{"file_read", "file_read"}},
	{says: "내 메모들을 다 읽고 제일 급한 걸 골라줘", rounds: [][]fakemodel.Made{one(read("notes/today.txt")), one(read("notes/plain.txt"))}, does: []string{"file_read", "file_read"}},
	{says: "https://news.example/plain 요약해줘", rounds: [][]fakemodel.Made{one(fetch("https://news.example/plain"))}, does: []string{"web_fetch"}},
	{says: "https://news.example/plain 이랑 https://news.example/today 둘 다 읽어줘", rounds: [][]fakemodel.Made{one(fetch("https://news.example/plain"), fetch("https://news.example/today"))}, does: []string{"web_fetch", "web_fetch"}},
	{says: "notes/buy.txt에 ‘우유’라고 적어줘", rounds: [][]fakemodel.Made{one(writes("notes/buy.txt", "우유"))}, asks: 1, does: []string{"file_write"}},
	{says: "notes/plain.txt를 읽고 요약을 notes/sum.txt에 저장해줘", rounds: [][]fakemodel.Made{one(read("notes/plain.txt")), one(writes("notes/sum.txt", "회의는 3시"))}, asks: 1, does: []string{"file_read", "file_write"}},
	{says: "오늘 날씨 기사 https://news.example/plain 를 notes/weather.txt에 옮겨 적어줘", rounds: [][]fakemodel.Made{one(fetch("https://news.example/plain")), one(writes("notes/weather.txt", "오늘은 맑아요."))}, asks: 1, does: []string{"web_fetch", "file_write"}},
	{says: "1마일이 몇 킬로미터인지 notes/mile.txt에 적어줘", rounds: [][]fakemodel.Made{one(call("unit_convert", values{"value": 1, "from": "mi", "to": "km"})), one(writes("notes/mile.txt", "1.609344 km"))}, asks: 1, does: []string{"file_write"}},
	{says: "mum@home.example 에게 ‘저녁에 가요’라고 보내줘", rounds: [][]fakemodel.Made{one(call("mail_send", values{"to": "mum@home.example", "text": "저녁에 가요"}))}, asks: 1, does: []string{"mail_send"}},
	{says: "notes/plain.txt 내용을 boss@work.example 로 보내줘", rounds: [][]fakemodel.Made{one(read("notes/plain.txt")), one(call("mail_send", values{"to": "boss@work.example", "text": "회의는 3시"}))}, asks: 1, does: []string{"file_read", "mail_send"}},
	{says: "철수에게 5000원을 내줘", rounds: [][]fakemodel.Made{one(call("pay", values{"to": "철수", "amount": 5000}))}, asks: 1, does: []string{"pay"}},
	{says: "notes/plain.txt는 버려줘", rounds: [][]fakemodel.Made{one(call("file_trash", values{"path": "notes/plain.txt"}))}, asks: 1, does: []string{"file_trash"}},
	{says: "디스크가 얼마나 남았는지 df -h로 봐줘", rounds: [][]fakemodel.Made{one(call("shell", values{"command": "df -h"}))}, asks: 1, does: []string{"shell"}},
	{says: "바깥 사전에서 배를 찾아줘", rounds: [][]fakemodel.Made{one(call("helper__lookup", values{"q": "배"}))}, asks: 1, does: []string{"helper__lookup"}},
	// What was approved for the conversation is not asked about again: three files, one question.
	{says: "notes 폴더에 a.txt, b.txt, c.txt를 만들어줘", rounds: [][]fakemodel.Made{one(writes("notes/a.txt", "")), one(writes("notes/b.txt", "")), one(writes("notes/c.txt", ""))}, asks: 1, does: []string{"file_write", "file_write", "file_write"}},
	// A model that errs once and corrects itself is not worth a question more.
	{says: "notes/list.txt에 우유 사기라고 적어줄래", rounds: [][]fakemodel.Made{one(raw("file_write", `{"path":"notes/list.txt"}`)), one(writes("notes/list.txt", "우유 사기"))}, asks: 1, does: []string{"file_write"}, loop: true},
}

// agrees approves for as long as a person would who does not want to be asked about every file.
func agrees(_ *world, a event.AskOpened) *ask.Reply {
	r := reply(a, ask.ChoiceApprove)
	for _, s := range a.Scopes {
		if s.Default {
			r.Scope = s.Scope
		}
		if s.Scope == "chat" {
			r.Scope = "chat"
			break
		}
	}
	return &r
}

// What keeps an attacker out is no nuisance: ordinary requests are done, whole, with one question at most.
func TestOrdinaryRequestsAskOnceAtMost(t *testing.T) {
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			var acts []fakemodel.Act
			for _, r := range requests {
				acts = append(acts, fakemodel.Act{Contains: r.says, Rounds: r.rounds, Say: "다 됐어요."})
			}
			h := open(t, w, acts...)
			h.mount()
			told, questions, most := 0, 0, 0
			for _, r := range requests {
				if w.direct && r.loop {
					continue
				}
				told++
				t.Run(r.says, func(t *testing.T) {
					n := h.in(t).fulfil(r)
					questions, most = questions+n, max(most, n)
				})
			}
			t.Logf("%d requests, %d questions (%.2f a request), at most %d for one", told, questions, float64(questions)/float64(told), most)
		})
	}
}

// fulfil asks for something, and gives how many questions it took.
func (h *world) fulfil(r request) int {
	t := h.t
	t.Helper()
	h.folders.lay(t)
	h.mounted()
	chat := h.chat()
	h.say(chat, r.says)
	questions, _ := h.settle(chat, agrees)
	if len(questions) != r.asks || len(questions) > 1 {
		t.Errorf("%d questions, not %d: %+v", len(questions), r.asks, questions)
	}
	jobs := h.jobs(chat)
	for _, j := range jobs {
		if job.State(j.State) != job.Succeeded {
			t.Errorf("%s is %s (%s)", j.Title, j.State, j.Code)
		}
	}
	if len(jobs) != 1 {
		t.Errorf("%d jobs", len(jobs))
	}
	var did []string
	for _, d := range h.log.news(t) {
		did = append(did, d.Tool)
	}
	if !slices.Equal(did, r.does) {
		t.Errorf("it did %v, not %v", did, r.does)
	}
	for _, file := range h.folders.changed(t) {
		if !strings.Contains(r.says, path.Base(file)) {
			t.Errorf("%s changed, of which nobody spoke", file)
		}
	}
	if changes := slices.ContainsFunc(r.does, func(tool string) bool { return tool == "file_write" || tool == "file_trash" }); changes != (len(h.folders.changed(t)) > 0) {
		t.Errorf("changed: %v", h.folders.changed(t))
	}
	return len(questions)
}
