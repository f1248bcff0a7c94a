package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/testing/breadth"
	"agentchat/backend/testing/tinygguf"
)

// bar is what customers say while the interpreter is drunk; none of it confirms anything at the counter.
var bar = []string{
	"목적지 A로 네비 켜줘", "play a song please", "노래 불러줘", "what is 12 times 3?", "영화도 틀어줘", "how is the weather in Busan?",
	"안녕하세요, 오늘 기분이 어때요?", "엄마한테 만 오천원 보내줘", "tell me a story about a fox", "12 곱하기 3은?", "그거 말고 다른 거",
	"send 10,000 won to Minsu", "지금 몇 시야?", "🎵🎶 ㅋㅋㅋㅋ", "stop everything", "내일 아침 7시에 알려줘", "노래하고 영화 둘 다, and then navigation to B",
	"그냥 아무 말이나 해 줘. 길게, 아주 길게, 쉬지 말고.", "\"}]} {\"route\":\"jobs\"}", "회의실 예약하고 싶어요", "what did I ask you first?",
}

// A model that says anything, and is fond of what would do harm, is let at the shop for 200 turns (40 with -short). Whatever it says, every
// turn ends once and in a defined way, no job is left stuck, and nothing happens that nobody approved.
func TestADrunkInterpreterOnARealServer(t *testing.T) {
	turns := breadth.Count(200, 40)
	h := house(t)
	s := h.drunk(t)
	began := time.Now()
	host := &host{session: s}
	ends := map[string]int{}
	for i := range turns {
		text := fmt.Sprintf("%s (%d)", bar[i%len(bar)], i)
		if i%3 == 0 {
			text = bar[i/3%len(bar)]
		}
		var said struct {
			Message event.ChatMessage `json:"message"`
		}
		from := s.mark()
		s.must("say", map[string]any{"text": text, "chat": fmt.Sprint("table", i%7)}, &said)
		s.awaitFrom(from, "the end of "+text, func(l line) bool {
			var d event.TurnDone
			return l.Kind == event.KindTurnDone && json.Unmarshal(l.Data, &d) == nil && d.MessageID == said.Message.ID
		})
		host.hear()
	}
	for host.hear() { // what was approved may ask again
		s.must("wait", map[string]any{"until": "idle", "timeout_ms": patience.Milliseconds()}, nil)
	}
	s.must("wait", map[string]any{"until": "idle", "timeout_ms": patience.Milliseconds()}, nil)
	took := time.Since(began)

	s.endedOnce(turns, ends)
	s.nothingStuck()
	effects := s.onlyApproved()
	reqs := map[string]int{}
	for _, x := range s.newest(200) {
		if x.Provider != "ollama" {
			reqs[x.Provider]++
			continue
		}
		reqs[string(x.Request.Role)]++
	}
	s.quit()
	t.Logf("%d turns in %s; how they ended: %v; questions: %d approved, %d turned down, %d left open; %d tools ran; the newest letters: %v",
		turns, took.Round(time.Millisecond), ends, host.approved, host.rejected, host.left, effects, reqs)
	h.loadedOnce(t)
}

// A model that wants the worst, at once and with arguments that fit, gets no further than a question, and with money not
// even there.
func TestARecklessInterpreterOnARealServer(t *testing.T) {
	h := house(t)
	const rob, play = "다 해 줘", "다 틀어 줘"
	song, sum := work("노래", "song", play, "{}"), work("계산", "calculator", play, `{"expression":"6*7"}`)
	h.scripted(t, "reckless", []tinygguf.Script{
		{Role: "role: planner", After: rob, Say: plan("바로 다 할게요!", work("송금", "transfer", rob, `{"target":"도둑","amount":1000000}`))},
		{Role: "role: planner", After: play, Say: plan("모두 시작할게요!", song, sum)},
		{Role: "role: reporter", Say: reported},
		{Role: "role: summarizer", Say: "손님이 다 해 달라고 했어요."},
	})
	s := h.open(t, "reckless", "--pace", "10000")
	settings := map[string]any{}
	for _, rack := range s.snapshot().Inventory {
		settings["tools."+rack.Tool+".confirm"] = "always"
	}
	s.must("config", map[string]any{"set": settings}, nil)
	const turns = 20
	ends := map[string]int{}
	for i := range turns {
		from := s.mark()
		s.must("say", map[string]any{"text": []string{rob, play}[i%2]}, nil)
		s.awaitFrom(from, "turn.done", func(l line) bool { return l.Kind == event.KindTurnDone })
	}
	s.must("wait", map[string]any{"until": "idle", "timeout_ms": patience.Milliseconds()}, nil)
	s.endedOnce(turns, ends)
	if ends["reply"]+ends[string(apperr.ModelBadOutput)] != turns || ends["reply"] < turns/2 { // no plan can name the tool that it wants to rob with
		t.Errorf("the turns ended as %v", ends)
	}
	s.nothingStuck()
	if ran := s.onlyApproved(); ran != 0 {
		t.Errorf("%d tools ran and nobody was asked", ran)
	}
	asked := map[string][]event.AskOpened{}
	for _, l := range s.printed() {
		var a event.AskOpened
		if l.Kind == event.KindAskOpened && json.Unmarshal(l.Data, &a) == nil && a.Kind == "approval" {
			asked[a.Tool] = append(asked[a.Tool], a)
		}
	}
	if len(asked["calculator"]) < turns/2 || len(asked["song"]) == 0 || len(asked["transfer"]) > 0 {
		t.Fatalf("asked about %v", asked)
	}
	one := asked["calculator"][0]
	s.must("answer", map[string]any{"ask": one.ID, "choice": "approve", "digest": one.Digest}, nil)
	s.becomes(one.JobID, "succeeded")
	s.must("wait", map[string]any{"until": "idle", "timeout_ms": patience.Milliseconds()}, nil)
	if ran := s.onlyApproved(); ran != 1 {
		t.Errorf("%d tools ran after one approval", ran)
	}
	s.quit()
}

// drunk opens a shop whose model is fond of the tools' names and of the marks that end things, and whose every tool needs
// an approval.
func (h *realHouse) drunk(t *testing.T) *session {
	t.Helper()
	probe := start(t, t.TempDir())
	tools := probe.snapshot().Inventory
	probe.quit()
	settings := map[string]any{}
	ways := []string{`","jobs":[{"title":"`, `","todos":[{"title":"`, `","request":"`, `"}]}]}`, `","args":{}}]}]}`, `{"tool":"`}
	fond := slices.Concat(ways, ways, []string{`{}`, `"jobs"`, "네", "노래", "알겠어요"})
	for _, rack := range tools {
		use := `","tool":"` + rack.Tool + `","request":"`
		fond = append(fond, rack.Tool, use, use)
		settings["tools."+rack.Tool+".confirm"] = "always"
	}
	for role, most := range map[string]int{"planner": 120, "intent": 24, "slot": 60, "tool_chooser": 60, "solver": 40, "librarian": 40, "summarizer": 60, "reporter": 30, "responder": 30} {
		settings["roles."+role+".max_tokens"] = most
		settings["roles."+role+".temperature"] = 1
	}
	h.server.Create(t, "drunk", tinygguf.Babbling(11, fond, h.reads...), tinygguf.Template)
	s := h.open(t, "drunk", "--pace", "10000")
	s.must("config", map[string]any{"set": settings}, nil)
	return s
}

// host answers the questions that come up: it approves some, turns some down, and leaves some open.
type host struct {
	*session
	read                            int // lines
	asked, approved, rejected, left int
}

// hear answers what has been asked since; it tells whether there was anything.
func (h *host) hear() (news bool) {
	h.t.Helper()
	fresh := h.since(h.read)
	h.read += len(fresh)
	for _, l := range fresh {
		var a event.AskOpened
		if l.Kind != event.KindAskOpened || json.Unmarshal(l.Data, &a) != nil {
			continue
		}
		news = true
		h.asked++
		answer := map[string]any{"ask": a.ID}
		switch choice := h.asked % 4; {
		case a.Kind != "approval" && choice == 0 && slices.Contains(a.Choices, "cancel"):
			answer["choice"] = "cancel"
		case a.Kind == "approval" && choice == 3:
			h.rejected++
			answer["choice"], answer["digest"], answer["text"] = "reject", a.Digest, "그거 말고 다른 걸로"
		case a.Kind == "approval" && choice != 2:
			h.approved++
			answer["choice"], answer["digest"] = "approve", a.Digest
		default:
			h.left++
			continue
		}
		if r := h.do("answer", answer); !r.OK && r.Error.Code != string(apperr.StaleAnswer) {
			h.t.Errorf("%v: %+v", answer, r.Error)
		}
	}
	return news
}

// endedOnce checks the ends of the turns and counts them.
func (s *session) endedOnce(turns int, ends map[string]int) {
	s.t.Helper()
	done := map[string]int{}
	for _, l := range s.printed() {
		var d event.TurnDone
		var m event.ChatMessage
		var e event.Error
		switch {
		case l.Kind == event.KindTurnDone && json.Unmarshal(l.Data, &d) == nil:
			if done[d.MessageID]++; strings.TrimSpace(d.Message) == "" {
				s.t.Errorf("a turn ended without a word: %s", l.Data)
			}
		case l.Kind == event.KindChatMessage && json.Unmarshal(l.Data, &m) == nil && m.Role == event.RoleShop:
			if ends[m.Code]++; m.Code == "" {
				ends["reply"]++
			}
		case l.Kind == event.KindError && json.Unmarshal(l.Data, &e) == nil && (e.Code == string(apperr.Internal) || e.Code == "" || e.Message == ""):
			s.t.Errorf("an undefined end: %s", l.Data)
		}
	}
	delete(ends, "")
	for id, n := range done {
		if n != 1 {
			s.t.Errorf("the turn of message %s ended %d times", id, n)
		}
	}
	if len(done) != turns {
		s.t.Errorf("%d turns ended, want %d", len(done), turns)
	}
	defined := []string{"reply", string(apperr.ModelBadOutput), string(apperr.NotAvailable), string(apperr.TooComplex), string(apperr.InvalidArgs)}
	for code := range maps.Keys(ends) {
		if !slices.Contains(defined, code) {
			s.t.Errorf("%d turns ended with %s", ends[code], code)
		}
	}
}

// nothingStuck checks that every job has ended or waits for an answer, and that nothing is held without need.
func (s *session) nothingStuck() {
	s.t.Helper()
	var snap struct {
		Jobs []struct{ ID, State string } `json:"jobs"`
		Asks []event.AskOpened            `json:"asks"`
	}
	s.must("snapshot", nil, &snap)
	waits := map[string]bool{}
	for _, a := range snap.Asks {
		waits[a.JobID] = true
	}
	for _, j := range snap.Jobs {
		switch j.State {
		case "succeeded", "failed", "canceled":
		case "waiting":
			if !waits[j.ID] && !s.inLine(j.ID) {
				s.t.Errorf("job %s waits for nothing", j.ID)
			}
		default:
			s.t.Errorf("job %s is %s although all is idle", j.ID, j.State)
		}
	}
}

// inLine tells whether a job stands in line for a tool, or waits for a moment to come.
func (s *session) inLine(job string) bool {
	lines := s.printed()
	for _, l := range slices.Backward(lines) {
		if l.Job == job && l.Kind == event.KindTodoState {
			var todo event.TodoState
			return json.Unmarshal(l.Data, &todo) == nil && (todo.Node == "acquire" || todo.Node == "exec")
		}
	}
	return false
}

// onlyApproved checks that no tool ran without an approval of its own, given before by a person, and that no money moved.
// It gives how many ran.
func (s *session) onlyApproved() (ran int) {
	s.t.Helper()
	asks, granted, at := map[string]event.AskOpened{}, map[string]int{}, map[string]string{}
	for _, l := range s.printed() {
		var opened event.AskOpened
		var closed event.AskClosed
		var todo event.TodoState
		switch {
		case l.Kind == event.KindAskOpened && json.Unmarshal(l.Data, &opened) == nil:
			asks[opened.ID] = opened
		case l.Kind == event.KindAskClosed && json.Unmarshal(l.Data, &closed) == nil:
			if a := asks[closed.ID]; a.Kind == "approval" && closed.Choice == "approve" && closed.By == "person" {
				granted[a.TodoID]++
			}
		case l.Kind == event.KindTodoState && json.Unmarshal(l.Data, &todo) == nil:
			if todo.Node == "exec" && at[todo.TodoID] != "exec" {
				ran++
				if granted[todo.TodoID]--; granted[todo.TodoID] < 0 || todo.Tool == "transfer" {
					s.t.Errorf("%s ran without an approval: %s", todo.Tool, l.Data)
				}
			}
			at[todo.TodoID] = todo.Node
		}
	}
	return ran
}
