package store

import (
	"agentchat/backend/apperr"
	"agentchat/backend/bank"
	"agentchat/backend/event"
)

const selectTransfer = `SELECT id, key, digest, source, dest, target, amount, memo, due, state, code, reason, chat, job, lang,
	created, known, settled, day, balance FROM bank_transfers `

func scanTransfer(r row) (t bank.Transfer, err error) {
	err = r.Scan(&t.ID, &t.Key, &t.Digest, &t.From, &t.To, &t.Target, &t.Amount, &t.Memo, &t.Due, (*string)(&t.State),
		(*string)(&t.Code), &t.Reason, &t.Chat, &t.JobID, (*string)(&t.Lang), moment{&t.Created}, &t.Known, moment{&t.Settled}, &t.Day, &t.Balance)
	return t, err
}

func (l *ledger) transfers(query string, args ...any) ([]bank.Transfer, error) {
	list := []bank.Transfer{}
	err := l.each(func(r row) error {
		t, err := scanTransfer(r)
		list = append(list, t)
		return err
	}, query, args...)
	return list, err
}

// Transfer implements bank.Reader.
func (l *ledger) Transfer(id string) (bank.Transfer, error) {
	list, err := l.transfers(selectTransfer+`WHERE id=?`, id)
	return only(list, err, "transfer", id)
}

// Ordered implements bank.Reader.
func (l *ledger) Ordered(key string) (bank.Transfer, bool, error) {
	list, err := l.transfers(selectTransfer+`WHERE key=?`, key)
	if err != nil || len(list) == 0 {
		return bank.Transfer{}, false, err
	}
	return list[0], true, nil
}

// Scheduled implements bank.Reader.
func (l *ledger) Scheduled() ([]bank.Transfer, error) {
	return l.transfers(selectTransfer + `WHERE state='scheduled' ORDER BY due, n`)
}

// Statement implements bank.Reader.
func (l *ledger) Statement(before string, limit int) ([]bank.Transfer, error) {
	return l.transfers(selectTransfer+`WHERE place IS NOT NULL AND (?1='' OR place<(SELECT place FROM bank_transfers WHERE id=?1))
		ORDER BY place DESC LIMIT ?2`, before, limit)
}

// AddAccount implements bank.Books.
func (b *books) AddAccount(a bank.Account) error {
	return b.once("account", a.ID, `INSERT INTO bank_accounts (id, title, kind, created) VALUES (?,?,?,?)`,
		a.ID, a.Title, string(a.Kind), micros(a.Created))
}

// PutPayee implements bank.Books.
func (b *books) PutPayee(p bank.Payee, names []bank.Name) error {
	if err := b.once("payee", p.ID, `INSERT INTO bank_payees (id, name, bank, number, favourite) VALUES (?,?,?,?,?)
		ON CONFLICT (id) DO UPDATE SET name=excluded.name, bank=excluded.bank, number=excluded.number, favourite=excluded.favourite`,
		p.ID, p.Name, p.Bank, p.Number, p.Favourite); err != nil {
		return err
	}
	if err := b.once("account", p.ID, `UPDATE bank_accounts SET title=? WHERE id=?`, p.Name, p.ID); err != nil {
		return err
	}
	if _, err := b.w.exec(`DELETE FROM bank_names WHERE payee=?`, p.ID); err != nil {
		return storageError(err)
	}
	for _, name := range names {
		if err := b.once("name", name.Written, `INSERT INTO bank_names (key, payee, name) VALUES (?,?,?)`, name.Key, p.ID, name.Written); err != nil {
			return err
		}
	}
	return nil
}

// DropPayee implements bank.Books.
func (b *books) DropPayee(id string) error {
	return b.once("payee", id, `DELETE FROM bank_payees WHERE id=?`, id)
}

// AddTransfer implements bank.Books.
func (b *books) AddTransfer(t bank.Transfer) error {
	return b.once("transfer", t.ID, `INSERT INTO bank_transfers
		(id, key, digest, source, dest, target, amount, memo, due, state, chat, job, lang, created, known)
		VALUES (?,?,?,?,?,?,?,?,?,'scheduled',?,?,?,?,?)`,
		t.ID, t.Key, t.Digest, t.From, t.To, t.Target, t.Amount, t.Memo, t.Due, t.Chat, t.JobID, string(t.Lang), micros(t.Created), t.Known)
}

// Settle implements bank.Books.
func (b *books) FinishTransfer(t bank.Transfer) (bool, error) {
	n, err := b.w.affect(`UPDATE bank_transfers SET state=?, code=?, reason=?, settled=?, day=?, balance=?,
		place=(SELECT coalesce(max(place), 0)+1 FROM bank_transfers) WHERE id=? AND state='scheduled'`,
		string(t.State), string(t.Code), t.Reason, micros(t.Settled), t.Day, t.Balance, t.ID)
	return n == 1, storageError(err)
}

// Enter implements bank.Books.
func (b *books) Enter(transfer string, entries ...bank.Entry) (int64, error) {
	for _, e := range entries {
		if err := b.once("transfer", transfer, `INSERT INTO bank_entries (transfer, account, amount) VALUES (?,?,?)`,
			transfer, e.Account, e.Amount); err != nil {
			return 0, err
		}
	}
	return b.number(`SELECT coalesce(sum(amount), 0) FROM bank_entries WHERE transfer=?`, transfer)
}

// Tell implements bank.Books.
func (b *books) Tell(chat string, msg event.ChatMessage) (bool, error) {
	there, err := b.number(`SELECT count(*) FROM chats WHERE id=? AND deleted=0`, chat)
	if err != nil || there == 0 {
		return false, err
	}
	if err := b.w.addMessage(chat, msg, micros(b.w.s.now())); err != nil {
		return false, apperr.Wrap(err, apperr.StorageFailed)
	}
	return true, nil
}
