package shop_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/shop"
)

// wall is a clock that stands still until it is set.
type wall struct{ at atomic.Pointer[time.Time] }

func (w *wall) now() time.Time { return *w.at.Load() }

func (w *wall) set(t time.Time) { w.at.Store(&t) }

// monday is the morning on which these stories begin.
var monday = time.Date(2026, 11, 23, 7, 0, 0, 0, time.Local)

type orderer struct {
	*customer
	wall *wall
	dir  string
	lang string
}

func order(t *testing.T, lang string) *orderer {
	t.Helper()
	o := &orderer{wall: &wall{}, dir: t.TempDir(), lang: lang}
	o.wall.set(monday)
	o.open(t)
	t.Cleanup(func() { o.leave() })
	return o
}

func (o *orderer) open(t *testing.T) {
	t.Helper()
	opts := options(o.dir)
	opts.Now = o.wall.now
	opts.Config.Env = []string{"AGENTCHAT_LANG=" + o.lang}
	s, err := shop.Open(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	o.customer = &customer{Shop: s, t: t, reader: s.Bus.SubscribeFrom(1)}
}

func (o *orderer) tell(text, action string) event.TurnDone {
	o.t.Helper()
	msg, err := o.speak(text, action)
	if err != nil {
		o.t.Fatal(err)
	}
	return until(o.customer, "the turn is done: "+text+action, func(_ event.Envelope, d event.TurnDone) bool { return d.MessageID == msg.ID })
}

func (o *orderer) says(text string, want ...string) event.TurnDone {
	o.t.Helper()
	d := o.tell(text, "")
	for _, w := range want {
		if !strings.Contains(d.Message, w) {
			o.t.Errorf("%q is answered without %q: %q", text, w, d.Message)
		}
	}
	return d
}

// runs waits until a run of an order begins, and until everything it began has ended or waits.
func (o *orderer) runs(text string) {
	o.t.Helper()
	o.WakeStanding()
	run := until(o.customer, "the order runs: "+text, func(_ event.Envelope, m event.ChatMessage) bool {
		return m.Role == event.RoleCustomer && m.Standing != nil && m.Text == text
	})
	until(o.customer, "the run is understood: "+text, func(_ event.Envelope, d event.TurnDone) bool { return d.MessageID == run.ID })
	if err := o.WaitIdle(context.Background()); err != nil {
		o.t.Fatal(err)
	}
}

func (o *orderer) orders() []shop.StandingOrder {
	o.t.Helper()
	list, err := o.StandingOrders(context.Background())
	if err != nil {
		o.t.Fatal(err)
	}
	return list
}

func TestStandingOrdersAreShownBeforeTheyAreKept(t *testing.T) {
	for _, c := range []struct{ lang, text, when, next, what string }{
		{"ko", "매일 아침 8시에 서울 날씨 알려줘", "**매일 오전 8시** — 서울 날씨 알려줘", "- 11월 23일(월) 오전 8시\n- 11월 24일(화) 오전 8시\n- 11월 25일(수) 오전 8시", "묻지 않고"},
		{"ko", "평일 9시마다 메모 읽어줘", "**평일마다 오전 9시** — 메모 읽어줘", "- 11월 23일(월) 오전 9시", ""},
		{"ko", "매달 25일에 용걸이한테 5만원 보내줘", "**매달 25일 오전 9시** — 용걸이한테 5만원 보내줘", "- 11월 25일(수) 오전 9시\n- 12월 25일(금) 오전 9시\n- 1월 25일(월) 오전 9시", "할 때마다 먼저 여쭤봐요"},
		{"ko", "두 시간마다 서울 날씨 알려줘, 오늘만", "**2시간마다, 11월 23일까지** — 서울 날씨 알려줘", "- 11월 23일(월) 오전 9시\n- 11월 23일(월) 오전 11시", ""},
		{"ko", "매달 31일 9시에 잔액 알려줘", "매달 31일(없는 달에는 말일) 오전 9시", "- 11월 30일(월) 오전 9시\n- 12월 31일(목) 오전 9시", ""},
		{"ko", "매일 아침 8시에 부산 날씨 알려주고 회의.txt에 '날씨 확인' 추가해줘", "**매일 오전 8시** — 부산 날씨 알려주고 회의.txt에 '날씨 확인' 추가해줘", "", "할 때마다 먼저 여쭤봐요"},
		{"en", "every Monday at 10 tell me the weather in Seoul", "**every Monday at 10:00 AM** — tell me the weather in Seoul", "- Monday, November 23 at 10:00 AM\n- Monday, November 30 at 10:00 AM", "does not ask"},
		{"en", "send 50,000 won to Yonggeol on the 25th of every month", "**every month on the 25th at 9:00 AM** — send 50,000 won to Yonggeol", "- Wednesday, November 25 at 9:00 AM", "asks, each time"},
		{"en", "tell me the weather in Seoul every 2 hours, today only", "**every 2 hours, until November 23** — tell me the weather in Seoul", "", ""},
	} {
		t.Run(c.text, func(t *testing.T) {
			o := order(t, c.lang)
			d := o.says(c.text, c.when, c.next, c.what)
			if d.NextAction != event.NextConfirm || len(d.UIHint.Buttons) != 3 || len(d.Jobs) > 0 {
				t.Fatalf("it is not asked about: %+v", d)
			}
			if list := o.orders(); len(list) != 0 {
				t.Errorf("kept before it was agreed to: %+v", list)
			}
			o.says(map[string]string{"ko": "응", "en": "yes"}[c.lang], map[string]string{"ko": "정기 주문으로 두었어요", "en": "standing order now"}[c.lang])
			if list := o.orders(); len(list) != 1 || list[0].State != "active" || list[0].Next == "" {
				t.Errorf("not kept: %+v", list)
			}
		})
	}
}

// What is said of when, and cannot be kept, is neither done at once nor kept as something else.
func TestMomentsThatCannotBeKept(t *testing.T) {
	for lang, texts := range map[string][]string{
		"ko": {"매일 25시에 서울 날씨 알려줘", "매달 마지막 금요일 오후 5시에 서울 날씨 알려줘", "0분마다 서울 날씨 알려줘", "매년 2월 30일에 서울 날씨 알려줘", "토요일 빼고 매일 8시에 서울 날씨 알려줘"},
		"en": {"every day at 25:00 tell me the weather in Seoul", "every 0 hours tell me the weather in Seoul", "every day except sunday at 8 tell me the weather in Seoul"},
	} {
		o := order(t, lang)
		for _, text := range texts {
			d := o.says(text, map[string]string{"ko": "둘 수 없어서", "en": "cannot keep such moments"}[lang])
			if d.NextAction != event.NextNone || len(d.Jobs) > 0 || len(o.orders()) > 0 {
				t.Errorf("%q: %+v", text, d)
			}
		}
	}
}

func TestWhatIsNoStandingOrder(t *testing.T) {
	for lang, texts := range map[string][]string{
		"ko": {"매주 월요일 10시 회의", "매주 월요일 9시 회의 추가해줘", "매일 아침 7시에 깨워줘", "메모해줘: 매일 8시에 약 먹기", "매일 듣는 노래 틀어줘", "매일 8시에 일어나요", "커피 주문 취소해줘"},
		"en": {"every Monday at 10 team meeting", "I get up every day at 7", "take a note: water the plants every Monday"},
	} {
		o := order(t, lang)
		for _, text := range texts {
			for _, b := range o.says(text).UIHint.Buttons {
				if strings.HasPrefix(b.ID, "standing:") {
					t.Errorf("%q is taken for a standing order", text)
				}
			}
		}
	}
}

func TestAStandingOrderRunsInTime(t *testing.T) {
	o := order(t, "ko")
	o.says("매일 아침 8시에 3 더하기 4 계산해줘")
	o.says("응")
	o.wall.set(monday.Add(time.Hour))
	o.runs("3 더하기 4 계산해줘")
	run := o.orders()[0].Runs
	if len(run) != 1 || run[0].State != "done" || len(run[0].Jobs) != 1 || !strings.Contains(run[0].Text, "7") {
		t.Fatalf("the run is %+v", run)
	}
	if j, err := o.Job(context.Background(), run[0].Jobs[0]); err != nil || j.Job.Standing != o.orders()[0].ID {
		t.Errorf("the ticket does not name its order: %+v %v", j, err)
	}
	// The clock is set back over the moment: it is not run twice.
	o.wall.set(monday)
	o.WakeStanding()
	if got := o.orders()[0]; len(got.Runs) != 1 || !strings.HasPrefix(got.Next, monday.AddDate(0, 0, 1).Add(time.Hour).UTC().Format("2006-01-02T15")) {
		t.Errorf("after the clock was set back: %+v", got)
	}
	// Three moments pass while nobody is there: one run makes up for them.
	o.leave()
	o.wall.set(monday.AddDate(0, 0, 3).Add(5 * time.Hour))
	o.open(t)
	late := until(o.customer, "it is caught up", func(_ event.Envelope, m event.ChatMessage) bool {
		return m.Role == event.RoleShop && m.Standing != nil && m.Turn != ""
	})
	if !strings.Contains(late.Text, "11월 26일(목) 오전 8시") || !strings.Contains(late.Text, "2번") {
		t.Errorf("the late run says %q", late.Text)
	}
	if err := o.WaitIdle(context.Background()); err != nil {
		t.Fatal(err)
	}
	got := o.orders()[0]
	if len(got.Runs) != 2 || got.Runs[0].Missed != 2 || got.Runs[0].State != "done" {
		t.Errorf("after the sleep: %+v", got.Runs)
	}
	// What is only told is told once.
	if _, err := o.ChangeStanding(context.Background(), got.ID, "", "tell"); err != nil {
		t.Fatal(err)
	}
	o.wall.set(monday.AddDate(0, 0, 5).Add(5 * time.Hour))
	o.WakeStanding()
	until(o.customer, "it is told as missed", func(_ event.Envelope, m event.ChatMessage) bool {
		return m.Standing != nil && strings.Contains(m.Text, "2번이 지나갔어요")
	})
	if got := o.orders()[0]; len(got.Runs) != 3 || got.Runs[0].Outcome != "missed" {
		t.Errorf("after what is only told: %+v", got.Runs)
	}
}

// Money asks at each run, and a run that waits is not doubled.
func TestAMoneyOrderAsksEachTime(t *testing.T) {
	o := order(t, "ko")
	o.says("매일 9시에 엄마한테 1만원 보내줘")
	o.says("응", "정기 주문으로 두었어요")
	o.wall.set(monday.Add(2 * time.Hour))
	o.runs("엄마한테 1만원 보내줘")
	if v := o.snapshot().Service; len(v) != 1 || v[0].Stage != "READY" {
		t.Fatalf("nothing is asked: %+v", v)
	}
	if r := o.orders()[0].Runs; len(r) != 1 || r[0].State != "waiting" {
		t.Errorf("the run is %+v", r)
	}
	o.wall.set(monday.AddDate(0, 0, 1).Add(2 * time.Hour))
	o.WakeStanding()
	until(o.customer, "the second is left out", func(_ event.Envelope, c event.StandingChanged) bool { return len(o.orders()[0].Runs) == 2 })
	if r := o.orders()[0].Runs; r[0].Outcome != "busy" {
		t.Errorf("the second is %+v", r[0])
	}
	o.says("취소", "취소")
	o.wall.set(monday.AddDate(0, 0, 2).Add(2 * time.Hour))
	o.runs("엄마한테 1만원 보내줘")
	o.says("확인")
	if err := o.WaitIdle(context.Background()); err != nil {
		t.Fatal(err)
	}
	if r := o.orders()[0].Runs; len(r) != 3 || r[0].State != "done" || len(r[0].Jobs) != 1 {
		t.Errorf("the third is %+v", r)
	}
}

// What a run asks is agreed to for exactly that call: the same is not asked again, another is.
func TestAnAgreementHoldsForExactlyOneCall(t *testing.T) {
	o := order(t, "ko")
	folder := t.TempDir()
	if _, err := o.OpenFolder(folder, true); err != nil {
		t.Fatal(err)
	}
	o.says("매일 아침 8시에 회의.txt에 '날씨 확인' 추가해줘", "여쭤봐요")
	o.says("응")
	o.wall.set(monday.Add(time.Hour))
	o.runs("회의.txt에 '날씨 확인' 추가해줘")
	asks := o.snapshot().Asks
	if len(asks) != 1 {
		t.Fatalf("%d questions stand open, want one", len(asks))
	}
	if err := o.approve(asks[0], "order"); err != nil {
		t.Fatal(err)
	}
	o.wall.set(monday.AddDate(0, 0, 1).Add(time.Hour))
	o.runs("회의.txt에 '날씨 확인' 추가해줘")
	if asks := o.snapshot().Asks; len(asks) != 0 {
		t.Fatalf("the same call is asked about again: %+v", asks)
	}
	raw, err := os.ReadFile(filepath.Join(folder, "회의.txt"))
	if err != nil || strings.Count(string(raw), "날씨 확인") != 2 {
		t.Errorf("the file holds %q, %v", raw, err)
	}
	o.job("회의.txt에 '날씨 확인' 추가해줘")
	until(o.customer, "the same outside the order is asked", func(_ event.Envelope, a event.AskOpened) bool { return a.Tool == "file_write" })
}

func (o *orderer) approve(a event.AskOpened, scope string) error {
	_, err := o.Answer(context.Background(), ask.Reply{Ask: a.ID, Choice: ask.ChoiceApprove, Digest: a.Digest, Scope: scope})
	if err == nil {
		err = o.WaitIdle(context.Background())
	}
	return err
}

func TestStandingOrdersByWords(t *testing.T) {
	for _, c := range []struct {
		lang  string
		lines [][]string // what is said, and what the answer holds
	}{
		{"ko", [][]string{
			{"정기 주문 보여줘", "없어요"},
			{"매일 아침 8시에 서울 날씨 알려줘", "이렇게"},
			{"7시로 바꿔줘", "**매일 오전 7시**"},
			{"응", "두었어요"},
			{"평일 9시마다 메모 읽어줘", "이렇게"},
			{"아니", "두지 않았어요"},
			{"정기 주문 보여줘", "1개", "매일 오전 7시"},
			{"아침 날씨 6시 반으로 바꿔줘", "바꿨어요", "매일 오전 6시 30분"},
			{"날씨 주문 한 번 건너뛰어줘", "건너뛸게요", "11월 25일"},
			{"날씨 주문 멈춰줘", "멈췄어요"},
			{"정기 주문 보여줘", "(멈춤)"},
			{"날씨 주문 다시 시작해줘", "다시 시작했어요", "11월 25일"}, // what was skipped stays so
			{"날씨 주문 평일만으로 바꿔줘", "바꿨어요", "평일마다 오전 6시 30분"},
			{"매달 말일에 잔액 알려줘", "이렇게", "매달 말일", "하는 일: 잔액 보기"},
			{"응", "두었어요"},
			{"모든 정기 주문 멈춰줘", "어느 정기 주문"},
			{"아니요", "그대로"},
			{"잔액 주문 지워줘", "지울까요"},
			{"응", "지웠어요"},
			{"날씨 주문 지워줘", "지울까요"},
			{"아니", "그대로"},
			{"날씨 주문 지워줘", "지울까요"},
			{"응", "지웠어요"},
			{"정기 주문 보여줘", "없어요"},
		}},
		{"en", [][]string{
			{"show my standing orders", "no standing orders"},
			{"every morning at 8 tell me the weather in Seoul", "Shall I keep"},
			{"make it 7 am", "every day at 7:00 AM"},
			{"yes", "standing order now"},
			{"what standing orders do I have?", "orders: 1", "7:00 AM"},
			{"change the weather order to 6:30 am", "Changed", "6:30 AM"},
			{"read my notes every other Tuesday until March", "every 2 weeks on Tuesday at 9:00 AM, until February 28"},
			{"no", "not kept"},
			{"skip the weather order once", "skipped"},
			{"pause the weather order", "paused"},
			{"resume the weather order", "goes on"},
			{"delete the weather order", "Delete"},
			{"yes", "deleted"},
		}},
	} {
		o := order(t, c.lang)
		for _, line := range c.lines {
			o.says(line[0], line[1:]...)
		}
	}
}

func TestStandingOrdersByCommand(t *testing.T) {
	o := order(t, "ko")
	o.says("매일 아침 8시에 3 더하기 4 계산해줘")
	o.says("응")
	id := o.orders()[0].ID
	ctx := context.Background()
	if _, err := o.DoStanding(ctx, id, "now"); err != nil {
		t.Fatal(err)
	}
	o.runs("3 더하기 4 계산해줘")
	if v, err := o.ChangeStanding(ctx, id, "평일 10시", ""); err != nil || v.When != "평일마다 오전 10시" {
		t.Errorf("%+v %v", v, err)
	}
	if _, err := o.ChangeStanding(ctx, id, "아무 말", ""); apperr.CodeOf(err) != apperr.InvalidArgs {
		t.Errorf("words that say no time: %v", err)
	}
	if _, err := o.DoStanding(ctx, id, "pause"); err != nil {
		t.Fatal(err)
	}
	if _, err := o.DoStanding(ctx, id, "skip"); apperr.CodeOf(err) != apperr.OrderOver {
		t.Errorf("one that is paused is skipped: %v", err)
	}
	use, err := o.RemoveStanding(ctx, id)
	if err != nil || len(o.orders()) != 0 {
		t.Fatalf("%v", err)
	}
	if err := o.TakeBack(ctx, use); err != nil || len(o.orders()) != 1 || o.orders()[0].ID != id {
		t.Errorf("one that was deleted comes back: %v", err)
	}
	if err := o.TakeBack(ctx, use); apperr.CodeOf(err) != apperr.NothingToUndo {
		t.Errorf("it comes back once: %v", err)
	}
	if _, err := o.DoStanding(ctx, id, "delete"); err != nil || len(o.orders()) != 0 {
		t.Errorf("%v", err)
	}
	if _, err := o.DoStanding(ctx, id, "pause"); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("one that is gone is paused: %v", err)
	}
}
