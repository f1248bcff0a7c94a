package bank

import (
	"context"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
)

// The accounts that are always there.
const (
	ownAccount     = "own"
	outsideAccount = "outside"
)

// opening is what the customer's account opens with, and most what a single movement or the account may amount to, so that
// no sum overflows. In won.
const (
	opening = 1_000_000
	most    = 100_000_000
	richest = 1_000_000_000_000
)

// createAccounts makes the books the first time: the account outside, the customer's own with its opening balance, and an address
// book to play with, all in one transaction. Books that are there stay as they are.
func (b *Bank) createAccounts(ctx context.Context) error {
	lang := b.deps.Lang()
	return b.deps.Store.ChangeBooks(ctx, func(books Books) error {
		accounts, err := books.Accounts()
		if err != nil || len(accounts) > 0 {
			return err
		}
		now := b.deps.Now()
		for _, a := range []Account{
			{ID: outsideAccount, Title: bilingual.Of("은행 밖", "Outside").In(lang), Kind: KindOutside, Created: now},
			{ID: ownAccount, Title: practiceAccount.In(lang), Kind: KindOwn, Created: now},
		} {
			if err := books.AddAccount(a); err != nil {
				return err
			}
		}
		if _, err := b.pay(books, Order{Key: "opening", Amount: opening, Memo: bilingual.Of("개설", "Opening").In(lang), Lang: lang}); err != nil {
			return err
		}
		for _, p := range neighbours(lang) {
			p, names, err := tidy(p)
			if err != nil {
				return err
			}
			p.ID = b.deps.NewID()
			if err := b.openPayee(books, p); err != nil {
				return err
			}
			if err := enter(books, p, names); err != nil {
				return err
			}
		}
		return nil
	})
}

// What the practice bank itself gives names to, made up like the money.
var (
	practiceBank    = bilingual.Of("연습은행", "Practice Bank")
	mockBank        = bilingual.Of("모의은행", "Mock Bank")
	practiceAccount = bilingual.Of("연습 계좌", "Practice account")
)

// houseName is a name for who reads it now. One that the customer gave stays as it is.
func houseName(name string, lang bilingual.Lang) string {
	for _, b := range []bilingual.Text{practiceBank, mockBank, practiceAccount} {
		if name == b.KO || name == b.EN {
			return b.In(lang)
		}
	}
	return name
}

// neighbours are who stands in a new address book.
func neighbours(lang bilingual.Lang) []Payee {
	list := []struct {
		ko, en  string
		aliases []string
		bank    bilingual.Text
		number  string
		dear    bool
	}{
		{"엄마", "Mom", []string{"mum", "mother"}, practiceBank, "100-2345-6701", true},
		{"용걸이", "Yonggeol", nil, practiceBank, "100-2345-6702", true},
		{"아빠", "Dad", []string{"father"}, practiceBank, "100-2345-6703", false},
		{"집주인", "Landlord", nil, mockBank, "200-7654-3201", false},
		{"민수", "Minsu", nil, mockBank, "200-7654-3202", false},
	}
	payees := make([]Payee, len(list))
	for i, l := range list {
		p := Payee{Name: l.ko, Aliases: append([]string{l.en}, l.aliases...), Bank: l.bank.In(lang), Number: l.number, Favourite: l.dear}
		if lang != bilingual.KO {
			p.Name, p.Aliases[0] = l.en, l.ko
		}
		payees[i] = p
	}
	return payees
}

// Deposit puts practice money into the customer's account; it comes from outside. Errors: invalid_args, storage errors.
func (b *Bank) Deposit(ctx context.Context, amount int64) (Transfer, error) {
	if amount < 1 || amount > most {
		return Transfer{}, apperr.New(apperr.InvalidArgs, "detail", "1…100,000,000")
	}
	lang := b.deps.Lang()
	o := Order{Key: "deposit:" + b.deps.NewID(), Amount: amount, Memo: bilingual.Of("연습용 입금", "Practice money").In(lang), Lang: lang}
	var t Transfer
	err := b.deps.Store.ChangeBooks(ctx, func(books Books) (err error) {
		own, err := books.Account(ownAccount)
		if err != nil {
			return err
		}
		if own.Balance+amount > richest {
			return apperr.New(apperr.InvalidArgs, "detail", bilingual.Of(
				"연습 계좌에는 "+Won(richest).In(bilingual.KO)+"까지 넣을 수 있어요", "the practice account holds at most "+Won(richest).In(bilingual.EN),
			))
		}
		t, err = b.pay(books, o)
		return err
	})
	if err != nil {
		return Transfer{}, err
	}
	b.changed()
	return t, nil
}

// pay moves money from outside into the customer's account.
func (b *Bank) pay(books Books, o Order) (Transfer, error) {
	now := b.deps.Now()
	own, err := books.Account(ownAccount)
	if err != nil {
		return Transfer{}, err
	}
	t := Transfer{
		ID: b.deps.NewID(), Key: o.Key, Digest: o.digest(), From: outsideAccount, To: ownAccount,
		Target: bilingual.Of("은행 밖", "Outside").In(o.Lang), Amount: o.Amount, Memo: o.Memo, State: StateScheduled, Lang: o.Lang,
		Created: now, Known: own.Balance + o.Amount,
	}
	if err := books.AddTransfer(t); err != nil {
		return t, err
	}
	return t, b.post(books, &t, now)
}
