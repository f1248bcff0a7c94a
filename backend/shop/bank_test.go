package shop_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"agentchat/backend/apperr"
	"agentchat/backend/bank"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/service"
	"agentchat/backend/store"
	"agentchat/backend/testing/ledgertest"
	"agentchat/backend/toolbox"
)

func (g *guest) bank() bank.View {
	g.t.Helper()
	v, err := g.Bank(g.t.Context())
	if err != nil {
		g.t.Fatal(err)
	}
	return v
}

func (g *guest) balance(want int64) {
	g.t.Helper()
	if got := g.bank().Accounts[0].Balance; got != want {
		g.t.Errorf("the balance is %d, want %d", got, want)
	}
}

// What is confirmed at the counter stands in the books, and whoever shows them is told.
func TestTheCounterMovesMoney(t *testing.T) {
	dir := t.TempDir()
	g := bankGuest(t, dir)
	g.tell("엄마한테 1만원 보내줘")
	g.balance(1_000_000)
	g.want(g.tell("확인"), "이체가 완료됐어요.", event.NextDone, service.Executed)
	g.again()
	until(g.customer, "the bank has changed", func(event.Envelope, event.BankChanged) bool { return true })
	g.balance(990_000)
	line := g.bank().Statement[0]
	if line.Target != "엄마" || line.Amount != 10_000 || line.Chat != "main" || line.JobID == "" || line.BalanceAfter != 990_000 {
		t.Errorf("%+v", line)
	}
	d := g.tell("용걸이한테 99만 1원 보내줘")
	if d.State.Stage != string(service.Filling) || d.NextAction == event.NextConfirm || !strings.Contains(d.Message, "잔액이 모자라요. 잔액은 99만원인데 99만1원이 필요해요.") {
		t.Errorf("%q, %+v", d.Message, d.State)
	}
	if _, err := g.SetSettings(map[string]any{"bank.limit_transfer": 20_000}); err != nil {
		t.Fatal(err)
	}
	g.tell("취소")
	if d := g.tell("엄마한테 2만1원 보내줘"); d.NextAction == event.NextConfirm || !strings.Contains(d.Message, "한 번 이체 한도 2만원을 넘어요.") {
		t.Errorf("%q", d.Message)
	}
	g.balance(990_000)
	g.leave()
	bankGuest(t, dir).balance(990_000)
}

func TestTheCounterSchedules(t *testing.T) {
	g := bankGuest(t, t.TempDir())
	date := time.Now().AddDate(0, 1, 0).Format(time.DateOnly)
	g.tell("엄마한테 " + date + "에 1만원 보내줘")
	d := g.tell("확인")
	if d.State.Stage != string(service.Executed) || !strings.Contains(d.Message, "예약했어요") {
		t.Errorf("%q, %+v", d.Message, d.State)
	}
	v := g.bank()
	if len(v.Scheduled) != 1 || v.Scheduled[0].Date != date || v.Accounts[0].Balance != 1_000_000 {
		t.Fatalf("%+v", v)
	}
	if err := g.CancelScheduled(t.Context(), v.Scheduled[0].ID); err != nil {
		t.Fatal(err)
	}
	if err := g.CancelScheduled(t.Context(), v.Scheduled[0].ID); apperr.CodeOf(err) != apperr.ScheduleEnded {
		t.Errorf("%v", err)
	}
	if v := g.bank(); len(v.Scheduled) != 0 || v.Statement[0].State != bank.StateCanceled {
		t.Errorf("%+v", v)
	}
}

func TestTheBankPage(t *testing.T) {
	g := bankGuest(t, t.TempDir())
	if err := g.Deposit(t.Context(), 5_000); err != nil {
		t.Fatal(err)
	}
	p, err := g.SavePayee(t.Context(), bank.Payee{Name: "영희", Aliases: []string{"언니"}})
	if err != nil {
		t.Fatal(err)
	}
	g.tell("언니한테 3천원 보내줘")
	g.tell("확인")
	g.balance(1_002_000)
	if err := g.DeletePayee(t.Context(), p.ID); err != nil {
		t.Fatal(err)
	}
	page, err := g.Statement(t.Context(), g.bank().Statement[0].ID, 1)
	if err != nil || len(page) != 1 || page[0].Direction != bank.DirectionIn || page[0].Amount != 5_000 {
		t.Errorf("%+v, %v", page, err)
	}
}

// A transfer whose day came while the shop was closed is done when it opens: the chat is told, and memory learns it.
func TestTheShopCatchesUpWithItsSchedule(t *testing.T) {
	dir := t.TempDir()
	bankGuest(t, dir).leave()
	s, err := store.Open(t.Context(), ledgertest.In(dir), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	ids := 0
	before := bank.New(bank.Deps{
		Store: s, Publisher: event.NewBus(0, time.Now), Now: func() time.Time { return time.Now().AddDate(0, 0, -3) },
		Lang: func() bilingual.Lang { return bilingual.KO }, NewID: func() string { ids++; return fmt.Sprint("before-", ids) },
		Limits: func() bank.Limits { return bank.Limits{PerTransfer: 1_000_000, PerDay: 1_000_000} },
	})
	date := time.Now().AddDate(0, 0, -1)
	if _, err := before.Transfer(t.Context(), bank.Order{
		Key: "then", Target: "엄마", Amount: 10_000, Date: date.Format(time.DateOnly), Chat: "main", Lang: bilingual.KO,
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	g := bankGuest(t, dir)
	want := fmt.Sprintf("%d월 %d일에 예약하신 이체예요. 엄마에게 1만원을 보냈어요. 남은 돈은 99만원이에요.", date.Month(), date.Day())
	until(g.customer, "the chat is told", func(e event.Envelope, m event.ChatMessage) bool { return e.Chat == "main" && m.Text == want })
	until(g.customer, "the bank has changed", func(event.Envelope, event.BankChanged) bool { return true })
	g.balance(990_000)
	facts := func(g *guest) (n int) {
		v, err := g.Memory(t.Context(), "main")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range v.Facts {
			if f.Source == "ledger" && strings.HasSuffix(f.Text, " 엄마에게 1만원을 보냄") {
				n++
			}
		}
		return n
	}
	if n := facts(g); n != 1 {
		t.Errorf("memory knows of %d", n)
	}
	g.leave()
	g = bankGuest(t, dir)
	g.balance(990_000)
	if n := facts(g); n != 1 {
		t.Errorf("after another start memory knows of %d", n)
	}
}

// Every example of the statement's manual is answered from the books, at once and in its own language.
func TestTheStatementAnswersItsExamples(t *testing.T) {
	g := bankGuest(t, t.TempDir())
	g.tell("엄마한테 만원 보내줘")
	g.tell("확인")
	i := slices.IndexFunc(g.Tools(), func(s toolbox.Spec) bool { return s.Key == "statement" })
	for _, e := range g.Tools()[i].Examples {
		books := regexp.MustCompile(`^(This|So|Today|The balance|No transfer).*\.$`)
		if strings.ContainsFunc(e.Text, func(r rune) bool { return unicode.Is(unicode.Hangul, r) }) {
			books = regexp.MustCompile(`^(이번|지금까지|오늘|연습 계좌 잔액은|예약된 이체가).*요\.$`)
		}
		if d := g.tell(e.Text); !books.MatchString(d.Message) || len(d.Jobs) != 0 {
			t.Errorf("%q: %q", e.Text, d.Message)
		}
	}
	g.balance(990_000)
}
