package bank_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/bank"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/store"
	"agentchat/backend/testing/ledgertest"
)

// seoul is where the customer of these tests lives.
var seoul = time.FixedZone("Asia/Seoul", 9*3600)

// branch is a bank over a real ledger, with a clock that can be set.
type branch struct {
	*bank.Bank
	t      testing.TB
	dir    string
	store  *store.Store
	bus    *event.Bus
	mu     sync.Mutex
	offset time.Duration
	zone   *time.Location
	limits bank.Limits
	done   []bank.Transfer
	lang   bilingual.Lang
	ids    int
}

// open opens a branch and starts it.
func open(t testing.TB) *branch {
	t.Helper()
	b := &branch{t: t, dir: t.TempDir(), limits: bank.Limits{PerTransfer: 1_000_000, PerDay: 5_000_000}, lang: bilingual.KO, zone: seoul}
	now := time.Now().In(seoul) // the clock begins at nine, so that no midnight comes in between
	b.offset = time.Date(now.Year(), now.Month(), now.Day(), 9, 0, 0, 0, seoul).Sub(now)
	b.open()
	t.Cleanup(b.close)
	return b
}

func (b *branch) open() {
	b.t.Helper()
	s, err := store.Open(context.Background(), ledgertest.In(b.dir), time.Now)
	if err != nil {
		b.t.Fatal(err)
	}
	b.store, b.bus = s, event.NewBus(0, time.Now)
	if err := s.AddChat(context.Background(), "main", ""); err != nil {
		b.t.Fatal(err)
	}
	b.Bank = bank.New(bank.Deps{
		Store: s, Publisher: b.bus, Now: b.now, NewID: b.newID, Log: zerolog.Nop(),
		Lang: func() bilingual.Lang { return b.lang },
		Limits: func() bank.Limits {
			b.mu.Lock()
			defer b.mu.Unlock()
			return b.limits
		},
		Done: func(t bank.Transfer) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.done = append(b.done, t)
		},
	})
	if err := b.Start(context.Background()); err != nil {
		b.t.Fatal(err)
	}
}

func (b *branch) close() {
	b.Stop()
	b.Stop() // twice is fine
	b.bus.Close()
	if err := b.store.Close(); err != nil {
		b.t.Error(err)
	}
}

// reopen is the end of the program and its next start.
func (b *branch) reopen() {
	b.t.Helper()
	b.close()
	b.open()
}

func (b *branch) now() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return time.Now().Add(b.offset).In(b.zone)
}

// set sets the clock forward or back.
func (b *branch) set(by time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.offset += by
}

// limit changes the limits.
func (b *branch) limit(l bank.Limits) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.limits = l
}

func (b *branch) newID() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ids++
	return fmt.Sprintf("%p-%d", b.Bank, b.ids)
}

func (b *branch) day(ahead int) string { return b.now().AddDate(0, 0, ahead).Format(time.DateOnly) }

func order(key, target string, amount int64) bank.Order {
	return bank.Order{Key: key, Target: target, Amount: amount, Chat: "main", JobID: "job-" + key, Lang: bilingual.KO}
}

// send carries an order out that must succeed.
func (b *branch) send(o bank.Order) bank.Transfer {
	b.t.Helper()
	t, err := b.Transfer(context.Background(), o)
	if err != nil {
		b.t.Fatalf("%+v: %v", o, err)
	}
	return t
}

// refuse carries an order out that must be refused, with nothing moved, and gives the sentence.
func (b *branch) refuse(o bank.Order, code apperr.Code) string {
	b.t.Helper()
	before := b.balance()
	_, err := b.Transfer(context.Background(), o)
	if apperr.CodeOf(err) != code {
		b.t.Fatalf("%+v: %v, want %s", o, err, code)
	}
	b.balanced(before)
	return apperr.From(err).Text(bilingual.KO)
}

func (b *branch) view() bank.View {
	b.t.Helper()
	v, err := b.View(context.Background())
	if err != nil {
		b.t.Fatal(err)
	}
	return v
}

func (b *branch) balance() int64 { b.t.Helper(); return b.view().Accounts[0].Balance }

// balanced checks the customer's balance, and the books.
func (b *branch) balanced(want int64) {
	b.t.Helper()
	if got := b.balance(); got != want {
		b.t.Fatalf("the balance is %d, want %d", got, want)
	}
	if err := b.Verify(context.Background()); err != nil {
		b.t.Fatal(err)
	}
}

func TestANewBank(t *testing.T) {
	b := open(t)
	b.balanced(1_000_000)
	v := b.view()
	if len(v.Accounts) != 1 || v.Accounts[0].Title != "연습 계좌" || v.Limits.LeftToday != 5_000_000 || len(v.Scheduled) != 0 {
		t.Errorf("%+v", v)
	}
	if len(v.Statement) != 1 || v.Statement[0].Direction != bank.DirectionIn || v.Statement[0].BalanceAfter != 1_000_000 {
		t.Errorf("%+v", v.Statement)
	}
	names := []string{}
	for _, p := range v.Payees {
		names = append(names, p.Name)
	}
	if got := strings.Join(names, " "); got != "엄마 용걸이 아빠 집주인 민수" {
		t.Errorf("address book: %s", got)
	}
	b.reopen()
	b.balanced(1_000_000)
	if again := b.view(); len(again.Payees) != len(v.Payees) || len(again.Statement) != 1 {
		t.Errorf("opened twice: %+v", again)
	}
}

func TestATransfer(t *testing.T) {
	b := open(t)
	first := b.send(bank.Order{Key: "1", Target: "엄마", Amount: 10_000, Memo: "용돈", Chat: "main", JobID: "j", Lang: bilingual.KO})
	if got := first.Answer(); got != "엄마에게 1만원을 보냈어요. 남은 돈은 99만원이에요." {
		t.Errorf("%q", got)
	}
	if first.State != bank.StateDone || first.Target != "엄마" || first.Day != b.day(0) {
		t.Errorf("%+v", first)
	}
	english := order("2", "yonggeol", 50_000)
	english.Lang = bilingual.EN
	if got := b.send(english).Answer(); got != "50,000 won was sent to 용걸이. 940,000 won is left." {
		t.Errorf("%q", got)
	}
	b.balanced(940_000)
	v := b.view()
	if v.Limits.LeftToday != 4_940_000 || len(v.Statement) != 3 {
		t.Fatalf("%+v", v)
	}
	line := v.Statement[1]
	if line.ID != first.ID || line.Memo != "용돈" || line.Direction != bank.DirectionOut || line.BalanceAfter != 990_000 ||
		line.State != bank.StateDone || line.Chat != "main" || line.JobID != "j" || line.Target != "엄마" {
		t.Errorf("%+v", line)
	}
	if len(b.done) != 2 || b.done[0].Text() != b.day(0)+" 엄마에게 1만원을 보냄 (용돈)" {
		t.Errorf("%+v", b.done)
	}
	page, err := b.Statement(t.Context(), v.Statement[0].ID, 1)
	if err != nil || len(page) != 1 || page[0].ID != first.ID {
		t.Errorf("page: %+v, %v", page, err)
	}
	b.done = nil
	b.reopen()
	if len(b.done) != 2 {
		t.Errorf("after a restart Done heard of %d", len(b.done))
	}
}

// The same key moves money once, across restarts too, and never means another order.
func TestAKeyMovesMoneyOnce(t *testing.T) {
	b := open(t)
	first := b.send(order("k", "엄마", 10_000))
	b.send(order("other", "아빠", 5_000))
	for range 3 {
		again := b.send(order("k", "엄마", 10_000))
		if again.ID != first.ID || again.Answer() != first.Answer() {
			t.Errorf("%+v, first %+v", again, first)
		}
		b.balanced(985_000)
		b.reopen()
	}
	b.refuse(order("k", "엄마", 20_000), apperr.DigestMismatch)
	b.refuse(order("k", "아빠", 10_000), apperr.DigestMismatch)
	dated := order("k", "엄마", 10_000)
	dated.Date = b.day(1)
	b.refuse(dated, apperr.DigestMismatch)
	if n := len(b.view().Scheduled); n != 0 {
		t.Errorf("%d scheduled", n)
	}
}

func TestWhatIsRefused(t *testing.T) {
	b := open(t)
	b.limit(bank.Limits{PerTransfer: 2_000_000, PerDay: 2_000_000})
	if got := b.refuse(order("1", "엄마", 1_000_001), apperr.InsufficientBalance); got != "잔액이 모자라요. 잔액은 100만원인데 100만1원이 필요해요." {
		t.Errorf("%q", got)
	}
	if got := b.refuse(order("1", "철수", 1), apperr.UnknownPayee); !strings.Contains(got, "철수") || !strings.Contains(got, "엄마, 용걸이, 아빠") {
		t.Errorf("%q", got)
	}
	past := order("1", "엄마", 1)
	past.Date = b.day(-1)
	if got := b.refuse(past, apperr.PastDate); !strings.Contains(got, past.Date) {
		t.Errorf("%q", got)
	}
	for _, wrong := range []bank.Order{
		order("", "엄마", 1), order("1", "엄마", 0), order("1", "엄마", -1000),
		order("1", strings.Repeat("가", 41), 1),
		{Key: "1", Target: "엄마", Amount: 1, Date: "내일"},
		{Key: "1", Target: "엄마", Amount: 1, Date: "2026-02-30"},
		{Key: "1", Target: "엄마", Amount: 1, Memo: strings.Repeat("가", 41)},
		{Key: "1", Target: "엄마", Amount: 1, Memo: "a\nb"},
	} {
		b.refuse(wrong, apperr.InvalidArgs)
	}
	b.refuse(order("1", "", 1), apperr.UnknownPayee)
	b.refuse(order("1", "?!", 1), apperr.UnknownPayee)

	b.refuse(order("1", "엄마", 1<<62), apperr.LimitExceeded)

	b.limit(bank.Limits{PerTransfer: 50_000, PerDay: 70_000})
	if got := b.refuse(order("1", "엄마", 50_001), apperr.LimitExceeded); got != "한 번 이체 한도 5만원을 넘어요. 오늘 더 보낼 수 있는 돈은 7만원이에요. 한도는 설정에서 바꿀 수 있어요." {
		t.Errorf("%q", got)
	}
	b.send(order("1", "엄마", 50_000))
	if got := b.refuse(order("2", "엄마", 20_001), apperr.LimitExceeded); got != "하루 이체 한도 7만원을 넘어요. 오늘 더 보낼 수 있는 돈은 2만원이에요. 한도는 설정에서 바꿀 수 있어요." {
		t.Errorf("%q", got)
	}
	b.send(order("2", "엄마", 20_000))
	b.refuse(order("3", "엄마", 1), apperr.LimitExceeded)
	b.set(24 * time.Hour) // another day, another limit
	b.send(order("3", "엄마", 50_000))
	if n := len(b.view().Statement); n != 4 {
		t.Errorf("%d lines: a refusal is in the statement", n)
	}
}

func TestDeposit(t *testing.T) {
	b := open(t)
	for _, wrong := range []int64{0, -1, 100_000_001} {
		if _, err := b.Deposit(t.Context(), wrong); apperr.CodeOf(err) != apperr.InvalidArgs {
			t.Errorf("%d: %v", wrong, err)
		}
	}
	if _, err := b.Deposit(t.Context(), 500_000); err != nil {
		t.Fatal(err)
	}
	b.balanced(1_500_000)
	if top := b.view().Statement[0]; top.Direction != bank.DirectionIn || top.Amount != 500_000 || top.BalanceAfter != 1_500_000 {
		t.Errorf("%+v", top)
	}
	if len(b.done) != 0 {
		t.Errorf("money that came in counts as sent: %+v", b.done)
	}
	if left := b.view().Limits.LeftToday; left != 5_000_000 {
		t.Errorf("left today: %d", left)
	}
}

func TestNameKey(t *testing.T) {
	for _, same := range [][]string{
		{"용걸", "용걸이", "용걸 씨", "용걸이 님", "용 걸"},
		{"엄마", "엄마 ", "엄마님", "“엄마”"},
		{"Yonggeol", "yonggeol", "YONGGEOL"},
		{"민수", "민수씨"},
		{"집주인", "집주인님"},
	} {
		for _, name := range same {
			if got, want := bank.NameKey(name), bank.NameKey(same[0]); got != want || got == "" {
				t.Errorf("%q: %q, want %q", name, got, want)
			}
		}
	}
	for _, pair := range [][2]string{{"엄마", "어머니"}, {"순이", "순"}, {"미이", "미"}, {"혜리이", "혜리"}, {"용걸", "용거"}, {"아빠", "오빠"}} {
		if bank.NameKey(pair[0]) == bank.NameKey(pair[1]) {
			t.Errorf("%q and %q are one", pair[0], pair[1])
		}
	}
	if got := bank.NameKey("…"); got != "" {
		t.Errorf("%q", got)
	}
}

func TestTheAddressBook(t *testing.T) {
	b := open(t)
	b.refuse(order("1", "어머니", 1_000), apperr.UnknownPayee)
	mom := b.view().Payees[0]
	mom.Aliases = append(mom.Aliases, "어머니", "엄마") // the name itself is no alias
	saved, err := b.SavePayee(t.Context(), mom)
	if err != nil || strings.Join(saved.Aliases, " ") != "Mom mum mother 어머니" {
		t.Fatalf("%+v, %v", saved, err)
	}
	if got := b.send(order("1", "어머니", 1_000)); got.Target != "엄마" || got.To != mom.ID {
		t.Errorf("%+v", got)
	}

	code := func(p bank.Payee) apperr.Code {
		_, err := b.SavePayee(t.Context(), p)
		return apperr.CodeOf(err)
	}
	for want, p := range map[apperr.Code]bank.Payee{
		apperr.NameTaken:   {Name: "용걸"},
		apperr.NotFound:    {ID: "nobody", Name: "영희"},
		apperr.InvalidArgs: {Name: " "},
	} {
		if got := code(p); got != want {
			t.Errorf("%+v: %q, want %q", p, got, want)
		}
	}
	for _, p := range []bank.Payee{
		{Name: "!"},
		{Name: strings.Repeat("가", 41)},
		{Name: "a\tb"},
		{Name: "영희", Number: "12-ab"},
		{Name: "영희", Bank: "a\nb"},
		{Name: "영희", Aliases: []string{""}},
		{Name: "영희", Aliases: strings.Split("abcdefghijk", "")},
	} {
		if got := code(p); got != apperr.InvalidArgs {
			t.Errorf("%+v: %q", p, got)
		}
	}
	if got := code(bank.Payee{Name: "영희", Aliases: []string{"아빠"}}); got != apperr.NameTaken {
		t.Errorf("%q", got)
	}
	b.refuse(order("2", "영희", 1), apperr.UnknownPayee)
	younghee, err := b.SavePayee(t.Context(), bank.Payee{Name: "영희", Number: "110-1234-5678", Bank: "연습은행"})
	if err != nil {
		t.Fatal(err)
	}
	b.send(order("2", "영희", 1_000))
	younghee.Name = "김영희"
	if _, err := b.SavePayee(t.Context(), younghee); err != nil {
		t.Fatal(err)
	}
	b.refuse(order("3", "영희", 1_000), apperr.UnknownPayee)
	b.send(order("3", "김영희", 1_000))

	if err := b.DeletePayee(t.Context(), younghee.ID); err != nil {
		t.Fatal(err)
	}
	b.refuse(order("4", "김영희", 1_000), apperr.UnknownPayee)
	b.send(order("3", "김영희", 1_000)) // what was done stays done
	if err := b.DeletePayee(t.Context(), younghee.ID); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("%v", err)
	}
	if _, err := b.SavePayee(t.Context(), bank.Payee{Name: "김영희"}); err != nil {
		t.Errorf("the name of who was deleted is not free: %v", err)
	}
	b.balanced(997_000)
}

// What the house itself gave names to is named in the language of who looks; what the customer named stays.
func TestTheHouseHasNamesInBothLanguages(t *testing.T) {
	b := open(t)
	if _, err := b.SavePayee(t.Context(), bank.Payee{Name: "영희", Bank: "우리동네은행", Number: "110-1234-5678"}); err != nil {
		t.Fatal(err)
	}
	for lang, want := range map[bilingual.Lang]string{
		bilingual.KO: "연습 계좌: 모의은행 연습은행 우리동네은행",
		bilingual.EN: "Practice account: Mock Bank Practice Bank 우리동네은행",
	} {
		b.lang = lang
		v, err := b.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var banks []string
		for _, p := range v.Payees {
			banks = append(banks, p.Bank)
		}
		slices.Sort(banks)
		if got := v.Accounts[0].Title + ": " + strings.Join(slices.Compact(banks), " "); got != want {
			t.Errorf("in %s: %s", lang, got)
		}
	}
}
