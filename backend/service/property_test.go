package service_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/service"
)

// world is a counter with a customer, a model and a worker, each of whom may do anything at any time.
type world struct {
	m       *service.Manifest
	s       service.Session
	open    bool
	opened  int
	shown   string            // the token on the customer's screen
	showed  map[string]string // by token, the slots that were on show with it
	pending *service.Order
	ran     []string
	ok      []string // what the customer confirmed, as it stood on the screen
}

func slotsOf(v service.Values) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// take makes a step's outcome the state of the world.
func (w *world) take(t *rapid.T, s service.Session, out service.Output, err error) {
	if err != nil {
		t.Fatalf("the engine left its table: %v", err)
	}
	w.s, w.open = s, !out.Over
	if out.Over {
		if !s.Stage.Ends() {
			t.Fatalf("over at %s", s.Stage)
		}
		w.shown = ""
		return
	}
	if s.Stage.Ends() || s.Stage == service.Init {
		t.Fatalf("a session that goes on stands at %s", s.Stage)
	}
	if out.Message == "" && out.Order == nil {
		t.Fatalf("nothing said at %s", s.Stage)
	}
	if s.Progress >= s.Total || s.Executed+s.Cancelled+s.Failed != s.Progress || len(s.Queue) != s.Total-s.Progress-1 {
		t.Fatalf("the batch does not add up: %+v", s)
	}
	w.shown = s.Token()
	if w.shown != "" {
		if old, ok := w.showed[w.shown]; ok && old != slotsOf(s.Slots) {
			t.Fatalf("one token for %s and %s", old, slotsOf(s.Slots))
		}
		w.showed[w.shown] = slotsOf(s.Slots)
	}
}

var sentences = []string{
	"엄마한테 1만원 보내줘", "엄마한테 보내줘", "3만원", "마이너스 천원", "아니 5만원으로", "엄마한테 만원, 용걸이한테 5만원 보내줘", "용걸이한테 보내줘",
	"메모는 생일 축하", "내일 보내줘", "어제 보내줘", "아무 말", "", "send 10,000 won to mom and 20,000 won to dad", "메모 빼줘",
}

func proposals(t *rapid.T) provider.SlotReply {
	value := rapid.SampledFrom([]json.RawMessage{
		json.RawMessage(`"엄마"`), json.RawMessage(`"용걸이"`), json.RawMessage(`"도둑"`), json.RawMessage(`10000`), json.RawMessage(`50000`),
		json.RawMessage(`-1000`), json.RawMessage(`1e99`), json.RawMessage(`"30000"`), json.RawMessage(`null`), json.RawMessage(`"2026-11-21"`), json.RawMessage(`{}`), nil,
	})
	name := rapid.SampledFrom([]string{"target", "amount", "memo", "date", "nothing"})
	var reply provider.SlotReply
	for range rapid.IntRange(0, 4).Draw(t, "operations") {
		reply.Operations = append(reply.Operations, provider.SlotOp{
			Op: rapid.SampledFrom([]string{"set", "clear", "confirm"}).Draw(t, "op"), Slot: name.Draw(t, "slot"), Value: value.Draw(t, "value"),
		})
	}
	for range rapid.IntRange(0, 4).Draw(t, "tasks") {
		reply.Tasks = append(reply.Tasks, map[string]json.RawMessage{"target": value.Draw(t, "target"), "amount": value.Draw(t, "amount"), name.Draw(t, "more"): value.Draw(t, "v")})
	}
	reply.Ask, reply.Say = name.Draw(t, "ask"), rapid.SampledFrom([]string{"", "얼마를 보내드릴까요?", "보냈어요?", "도둑에게 보낼까요?"}).Draw(t, "say")
	return reply
}

// Any order of what a model says, a customer does and a worker brings keeps to the stage table, and what is handed out is
// exactly what was on the customer's screen when they confirmed it, once for each time.
func TestNothingRunsUnconfirmed(t *testing.T) {
	b, err := service.NewBook("", nil)
	if err != nil {
		t.Fatal(err)
	}
	m, ok := b.Get("transfer")
	if !ok {
		t.Fatal(b.Problems())
	}
	const today = "2026-11-20"
	rapid.Check(t, func(t *rapid.T) {
		w := &world{m: m, showed: map[string]string{}}
		t.Repeat(map[string]func(*rapid.T){
			"say": func(t *rapid.T) {
				if w.pending != nil {
					t.Skip()
				}
				if !w.open {
					w.opened++
					w.s = service.Open(fmt.Sprint("s", w.opened), m, rapid.SampledFrom([]bilingual.Lang{bilingual.KO, bilingual.EN}).Draw(t, "lang"))
				}
				text := rapid.SampledFrom(sentences).Draw(t, "text")
				heard := m.Ground(w.s, proposals(t), text, rapid.Bool().Draw(t, "fresh"), noon)
				s, out, err := m.Apply(w.s, heard, today)
				if out.Order != nil {
					t.Fatal("words alone handed something out")
				}
				w.take(t, s, out, err)
			},
			"confirm": func(t *rapid.T) {
				if !w.open || w.pending != nil {
					t.Skip()
				}
				seen := w.shown
				if rapid.Bool().Draw(t, "stale") {
					seen = rapid.SampledFrom([]string{"", "0123456789abcdef", "s1.0"}).Draw(t, "token")
				}
				before := w.s
				s, out, err := m.Confirm(w.s, seen)
				if out.Order != nil {
					if seen == "" || seen != w.shown || before.Stage != service.Ready {
						t.Fatalf("handed out at %s with %q, on show was %q", before.Stage, seen, w.shown)
					}
					if slotsOf(out.Order.Slots) != w.showed[seen] {
						t.Fatalf("handed out %s, on show was %s", slotsOf(out.Order.Slots), w.showed[seen])
					}
					w.ok, w.pending = append(w.ok, w.showed[seen]), out.Order
				}
				w.take(t, s, out, err)
			},
			"cancel": func(t *rapid.T) {
				if !w.open || w.pending != nil {
					t.Skip()
				}
				s, out, err := m.Cancel(w.s, rapid.Bool().Draw(t, "all"), today)
				w.take(t, s, out, err)
			},
			"work": func(t *rapid.T) {
				if w.pending == nil {
					t.Skip()
				}
				w.ran = append(w.ran, slotsOf(w.pending.Slots))
				w.pending = nil
				s, out, err := m.Finish(w.s, service.Result{OK: rapid.Bool().Draw(t, "ok"), Text: "…"}, today)
				w.take(t, s, out, err)
			},
			"restart": func(t *rapid.T) {
				raw, err := json.Marshal(service.Counter{w.s})
				if err != nil {
					t.Fatal(err)
				}
				var back service.Counter
				if err := json.Unmarshal(raw, &back); err != nil {
					t.Fatal(err)
				}
				if back[0].Token() != w.s.Token() {
					t.Fatal("a restart changed what is on show")
				}
				w.s = back[0]
			},
			"": func(t *rapid.T) {
				if len(w.ran) > len(w.ok) {
					t.Fatalf("ran %d, confirmed %d", len(w.ran), len(w.ok))
				}
				for i, r := range w.ran {
					if r != w.ok[i] {
						t.Fatalf("ran %s, confirmed was %s", r, w.ok[i])
					}
				}
			},
		})
	})
}

// Outside CONFIRMED nothing ends as EXECUTED, and an ended task does not come back.
func TestStageTable(t *testing.T) {
	for _, from := range service.Stages() {
		for _, to := range service.Stages() {
			if to == service.Executed && from.May(to) != (from == service.Confirmed) || to == service.Confirmed && from.May(to) != (from == service.Ready) {
				t.Errorf("%s → %s", from, to)
			}
			if from.Ends() && from.May(to) && to != service.Init {
				t.Errorf("%s goes on to %s", from, to)
			}
		}
	}
}
