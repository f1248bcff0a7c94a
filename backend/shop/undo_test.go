package shop_test

import (
	"slices"
	"strings"
	"testing"

	"agentchat/backend/memory"
	"agentchat/backend/shop"
	"agentchat/backend/standing"
)

// back says a word that takes something back, agrees to what is shown, and gives that.
func (c *customer) back(text string) (shown string) {
	c.t.Helper()
	id := c.job(text)
	q := c.question(id)
	if q.Tool != "ledger_undo" || q.Preview == nil {
		c.t.Fatalf("%s asks %+v", text, q)
	}
	c.answer(id, "approve", "")
	c.state(id, "succeeded")
	return q.Preview.Text
}

func (c *customer) facts() (texts []string) {
	c.t.Helper()
	view, err := c.Memory(c.t.Context(), "main")
	if err != nil {
		c.t.Fatal(err)
	}
	for _, f := range view.Facts {
		if f.Source != string(memory.SourceJob) && f.Source != string(memory.SourceLedger) {
			texts = append(texts, f.Text)
		}
	}
	return texts
}

// Notes are taken back as they were, and that is taken back, as often as one likes: the very note, and no other of its name.
func TestNotesAreTakenBack(t *testing.T) {
	c := enter(t, t.TempDir())
	c.did("메모해줘: 우유 사기")
	c.did("메모해줘: 우유 사기")
	ids := func() (ids []string) {
		view, err := c.Notes(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range view.Notes {
			ids = append(ids, n.ID)
		}
		slices.Sort(ids)
		return ids
	}
	two := ids()
	if len(two) != 2 {
		t.Fatalf("there are %v", two)
	}
	if shown := c.back("방금 거 되돌려줘"); !strings.Contains(shown, "메모 ‘우유 사기’를 없애요") {
		t.Errorf("it shows %q", shown)
	}
	one := ids()
	if len(one) != 1 {
		t.Fatalf("left are %v", one)
	}
	c.back("undo that")
	if now := ids(); !slices.Equal(now, two) {
		t.Errorf("there were %v, and are %v", two, now)
	}
	c.back("되돌려줘")

	q := c.questioned("우유 메모를 '두부 사기'로 바꿔줘")
	c.choose(q, "approve")
	c.state(q.JobID, "succeeded")
	if got := c.notes(""); !slices.Equal(got, []string{"두부 사기"}) {
		t.Fatalf("notes are %q", got)
	}
	c.back("방금 거 되돌려줘")
	if got := c.notes(""); !slices.Equal(got, []string{"우유 사기"}) {
		t.Errorf("notes are %q", got)
	}
	q = c.questioned("우유 메모 지워줘")
	c.choose(q, "approve")
	c.state(q.JobID, "succeeded")
	c.back("방금 거 되돌려줘")
	if got := ids(); !slices.Equal(got, one) {
		t.Errorf("there were %v, and are %v", one, got)
	}
	if got := c.notes("우유"); !slices.Equal(got, []string{"우유 사기"}) {
		t.Errorf("found are %q", got)
	}

	// What has changed since stays as it is, and that is said before anything happens.
	q = c.questioned("우유 메모를 '두유 사기'로 바꿔줘")
	c.choose(q, "approve")
	c.state(q.JobID, "succeeded")
	if _, err := c.EditNote(t.Context(), one[0], "두유 두 개 사기", ""); err != nil {
		t.Fatal(err)
	}
	id := c.job("방금 거 되돌려줘")
	c.state(id, "failed")
	if text := c.outcome(id); !strings.Contains(text, "그 뒤에 바뀌었어요") {
		t.Errorf("it says %q", text)
	}
	if got := c.notes(""); !slices.Equal(got, []string{"두유 두 개 사기"}) {
		t.Errorf("notes are %q", got)
	}
}

// What a turn does without a ticket is taken back, too: what it remembers, and a standing order that it deletes.
func TestTurnsAreTakenBack(t *testing.T) {
	c := enter(t, t.TempDir())
	c.say("내 이름은 철수야 기억해줘")
	c.say("내 이름은 민수야 기억해줘")
	if got := c.facts(); len(got) != 1 || !strings.Contains(got[0], "민수") {
		t.Fatalf("remembered: %q", got)
	}
	if shown := c.back("방금 거 되돌려줘"); !strings.Contains(shown, "민수") || !strings.Contains(shown, "철수") {
		t.Errorf("it shows %q", shown)
	}
	if got := c.facts(); len(got) != 1 || !strings.Contains(got[0], "철수") {
		t.Errorf("remembered: %q", got)
	}
	c.back("방금 거 되돌려줘")
	if got := c.facts(); len(got) != 1 || !strings.Contains(got[0], "민수") {
		t.Errorf("remembered: %q", got)
	}

	c.say("매일 아침 8시에 서울 날씨 알려줘")
	c.say("응")
	orders := func() []shop.StandingOrder {
		list, err := c.StandingOrders(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	before := orders()
	if len(before) != 1 {
		t.Fatalf("%+v", before)
	}
	c.say("정기 주문 지워줘")
	c.say("응")
	if len(orders()) != 0 {
		t.Fatalf("%+v", orders())
	}
	if shown := c.back("방금 거 되돌려줘"); !strings.Contains(shown, "정기 주문 ‘서울 날씨 알려줘’를 다시 둬요") {
		t.Errorf("it shows %q", shown)
	}
	after := orders()
	if len(after) != 1 || after[0].ID != before[0].ID || after[0].State != string(standing.Active) || len(after[0].Next) == 0 {
		t.Errorf("%+v", after)
	}
	c.back("undo that")
	if len(orders()) != 0 {
		t.Errorf("%+v", orders())
	}
}

// A document that was taken out of the library by hand comes back whole.
func TestADocumentComesBack(t *testing.T) {
	c := enter(t, t.TempDir())
	c.bring("규정.md", "# 규정\n\n제1조 (휴가) 휴가는 사흘 전에 알린다.\n")
	view, err := c.Library(t.Context())
	if err != nil || len(view.Documents) == 0 {
		t.Fatal(view, err)
	}
	mine := view.Documents[0]
	use, err := c.RemoveDocument(t.Context(), mine.ID)
	if err != nil || use == "" {
		t.Fatal(use, err)
	}
	if m := c.asked("휴가는 언제 알려?"); strings.Contains(m.Text, "사흘 전에") {
		t.Errorf("it is gone, and answers %q", m.Text)
	}
	if err := c.TakeBack(t.Context(), use); err != nil {
		t.Fatal(err)
	}
	if m := c.asked("휴가는 언제 알려?"); !strings.Contains(m.Text, "사흘 전에") {
		t.Errorf("it is back, and answers %q", m.Text)
	}
}
