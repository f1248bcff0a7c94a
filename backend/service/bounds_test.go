package service_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/service"
)

// What mutation showed that no other test of the package would notice.

const boundsDay = "2026-11-20"

// opened is a transfer that a message has opened.
func opened(t *testing.T, text string) (*service.Manifest, service.Session, service.Output) {
	t.Helper()
	m, ok := book(t).Get("transfer")
	if !ok {
		t.Fatal("there is no transfer")
	}
	s := service.Open("s", m, bilingual.EN)
	s, out, err := m.Apply(s, m.Ground(s, m.Reads(s, text, noon), text, true, noon), boundsDay)
	if err != nil {
		t.Fatal(err)
	}
	return m, s, out
}

// carryOut confirms the task at hand and tells the engine how it ended.
func carryOut(t *testing.T, m *service.Manifest, s service.Session, ok bool) (service.Session, service.Output) {
	t.Helper()
	s, out, err := m.Confirm(s, s.Token())
	if err != nil || out.Order == nil {
		t.Fatalf("nothing was handed out: %+v, %v", out, err)
	}
	s, out, err = m.Finish(s, service.Result{OK: ok, Text: "no money"}, boundsDay)
	if err != nil {
		t.Fatal(err)
	}
	return s, out
}

func TestABatchCountsItsTasks(t *testing.T) {
	const two = "send 10,000 won to mom and 50,000 won to Yonggeol"
	endings := map[string]string{}
	for name, c := range map[string]struct {
		ok                         [2]bool
		cancel                     bool
		executed, canceled, failed int
	}{
		"both":            {ok: [2]bool{true, true}, executed: 2},
		"one failed":      {ok: [2]bool{true, false}, executed: 1, failed: 1},
		"one was dropped": {ok: [2]bool{true}, cancel: true, executed: 1, canceled: 1},
	} {
		m, s, out := opened(t, two)
		if s.Total != 2 || s.Index() != 1 || !strings.Contains(out.Message, "1/2") {
			t.Fatalf("%s: task %d of %d: %q", name, s.Index(), s.Total, out.Message)
		}
		s, out = carryOut(t, m, s, c.ok[0])
		if s.Index() != 2 || !strings.Contains(out.Message, "2/2") {
			t.Errorf("%s: then task %d: %q", name, s.Index(), out.Message)
		}
		if c.cancel {
			var err error
			if s, out, err = m.Cancel(s, false, boundsDay); err != nil {
				t.Fatal(err)
			}
		} else {
			s, out = carryOut(t, m, s, c.ok[1])
		}
		if s.Executed != c.executed || s.Cancelled != c.canceled || s.Failed != c.failed || !out.Over || s.Index() != 2 {
			t.Errorf("%s: %d executed, %d canceled, %d failed, over %v", name, s.Executed, s.Cancelled, s.Failed, out.Over)
		}
		endings[name] = out.Message
	}
	if !strings.HasPrefix(endings["both"], "All 2") {
		t.Errorf("a batch that was carried out ends with %q", endings["both"])
	}
	if endings["both"] == endings["one was dropped"] || endings["both"] == endings["one failed"] {
		t.Errorf("a whole batch ends like one in parts: %q", endings)
	}
}

func TestWordsThatSayNothingAreNamedAndAskedAgain(t *testing.T) {
	m, s, first := opened(t, "send 10,000 won to mom")
	_, again, err := m.Apply(s, service.Extraction{}, boundsDay)
	if err != nil || again.Message == first.Message || !strings.HasSuffix(again.Message, first.Message) {
		t.Errorf("%q after %q, %v", again.Message, first.Message, err)
	}
	_, other, err := m.Apply(s, service.Extraction{Set: service.Values{"amount": int64(20_000)}}, boundsDay)
	if err != nil || strings.HasPrefix(other.Message, strings.TrimSuffix(again.Message, first.Message)) {
		t.Errorf("another amount is understood, and was called unclear: %q, %v", other.Message, err)
	}
}

func TestAValueOfTheWrongTypeIsNotTaken(t *testing.T) {
	m, s, _ := opened(t, "send 10,000 won to mom")
	s, _, err := m.Apply(s, service.Extraction{Set: service.Values{"amount": "20,000"}}, boundsDay)
	if err != nil || s.Slots["amount"] != int64(10_000) {
		t.Errorf("the amount is %v, %v", s.Slots["amount"], err)
	}
}

func TestServicesAreListedInTheLanguageThatIsAskedFor(t *testing.T) {
	b := book(t)
	ko, en := b.List(bilingual.KO), b.List(bilingual.EN)
	for i := range ko {
		if slices.Equal(ko[i].Examples, en[i].Examples) || !strings.ContainsFunc(strings.Join(ko[i].Examples, ""), func(r rune) bool { return r >= '가' && r <= '힣' }) {
			t.Errorf("%s: %q, %q", ko[i].ID, ko[i].Examples, en[i].Examples)
		}
	}
}

func TestAProblemNamesItsLineWhereThereIsOne(t *testing.T) {
	p := service.Problem{File: "a.yaml", Line: 3, What: bilingual.Of("틀림", "wrong")}
	whole := p
	whole.Line = 0
	if p.Text(bilingual.EN) == whole.Text(bilingual.EN) || !strings.Contains(p.Text(bilingual.EN), "3") || strings.Contains(whole.Text(bilingual.EN), "0") {
		t.Errorf("%q, %q", p.Text(bilingual.EN), whole.Text(bilingual.EN))
	}
}

func TestTheNearestServiceIsSuspected(t *testing.T) {
	b := book(t)
	for _, m := range b.List(bilingual.EN) {
		for _, example := range m.Examples {
			if s := b.Suspect(example); s == nil || s.ID != m.ID {
				t.Errorf("%q is suspected to be %v, not %s", example, s, m.ID)
			}
		}
	}
	if s := b.Suspect("zzzz qqqq xxxx"); s != nil {
		t.Errorf("nothing in common, and yet %s", s.ID)
	}
}

func TestATaskThatIsHandedOutIsNotChanged(t *testing.T) {
	m, s, _ := opened(t, "send 10,000 won to mom")
	s, _, err := m.Confirm(s, s.Token())
	if err != nil {
		t.Fatal(err)
	}
	after, _, err := m.Apply(s, service.Extraction{Set: service.Values{"amount": int64(20_000)}}, boundsDay)
	if err == nil || after.Slots["amount"] != int64(10_000) {
		t.Errorf("a confirmed task was changed: %v, %v", after.Slots, err)
	}
}

func TestACanceledTaskIsSaidBeforeTheNextIsAsked(t *testing.T) {
	m, s, _ := opened(t, "send 10,000 won to mom and 50,000 won to Yonggeol")
	done, doneOut := carryOut(t, m, s, true)
	dropped, droppedOut, err := m.Cancel(s, false, boundsDay)
	if err != nil || !dropped.Skipped || done.Skipped {
		t.Errorf("skipped after a cancel: %v, after an execution: %v, %v", dropped.Skipped, done.Skipped, err)
	}
	if droppedOut.Message == doneOut.Message {
		t.Errorf("both are told with %q", droppedOut.Message)
	}
}

func TestAnotherTaskIsPutBehindTheOneAtHand(t *testing.T) {
	m, s, first := opened(t, "send 10,000 won to mom")
	s, out, err := m.Apply(s, service.Extraction{Tasks: []service.Values{{"target": "용걸이", "amount": int64(50_000)}}}, boundsDay)
	if err != nil || s.Total != 2 || len(s.Queue) != 1 || s.Slots["amount"] != int64(10_000) {
		t.Fatalf("%d tasks, %d wait, at hand %v, %v", s.Total, len(s.Queue), s.Slots, err)
	}
	again := m.Question(s)
	if out.Message == first.Message || again.Message == out.Message {
		t.Errorf("the message that a batch begins with is like any other: %q, %q", out.Message, again.Message)
	}
}

func TestAQuestionIsNotAskedForEver(t *testing.T) {
	m, s, _ := opened(t, "send money to mom")
	for range 30 {
		var out service.Output
		var err error
		if s, out, err = m.Apply(s, service.Extraction{}, boundsDay); err != nil {
			t.Fatal(err)
		}
		if out.Over {
			if s.Failed != 1 || s.FillTurns != 0 {
				t.Errorf("given up with %d failed, after %d turns", s.Failed, s.FillTurns)
			}
			return
		}
	}
	t.Error("thirty messages without a value, and it still asks")
}

func TestAProposalCountsAsFarAsTheWordsHoldIt(t *testing.T) {
	m, s, _ := opened(t, "send money to mom")
	const text = "30,000 won"
	for proposed, doubt := range map[string]bool{`30000`: false, `50000`: true, `null`: false} {
		reply := provider.SlotReply{Operations: []provider.SlotOp{{Op: "set", Slot: "amount", Value: json.RawMessage(proposed)}}, Ask: "memo", Say: "What for?"}
		found := m.Ground(s, reply, text, false, noon)
		if found.Doubt != doubt || !doubt && found.Set["amount"] != int64(30_000) {
			t.Errorf("proposed %s: doubt %v, amount %v", proposed, found.Doubt, found.Set["amount"])
		}
		if found.Wording == nil || found.Wording.Text != "What for?" {
			t.Errorf("the model's own question is gone: %+v", found.Wording)
		}
	}
	other := m.Ground(s, provider.SlotReply{Operations: []provider.SlotOp{{Op: "confirm", Slot: "amount", Value: json.RawMessage(`50000`)}}}, text, false, noon)
	if other.Doubt || other.Wording != nil {
		t.Errorf("an operation that there is not is taken: %+v", other)
	}
}
