package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"agentchat/backend/bank"
)

var _ bank.Store = (*Store)(nil)

// ChangeBooks implements bank.Store.
func (s *Store) ChangeBooks(ctx context.Context, change func(bank.Books) error) error {
	return s.tx(ctx, true, func(w *work) error { return change(&books{ledger{w.query}, w}) })
}

// LookAtBooks implements bank.Store.
func (s *Store) LookAtBooks(ctx context.Context, look func(bank.Reader) error) error {
	// ReadOnly keeps the driver from asking for the writer's lock.
	tx, err := s.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return storageError(err)
	}
	err = look(&ledger{func(query string, args ...any) (*sql.Rows, error) {
		return tx.QueryContext(ctx, query, args...)
	}})
	return storageError(errors.Join(err, tx.Rollback()))
}

// query asks on the writing connection within the transaction, by a statement prepared once and kept. Called with s.mu
// held; the rows must be closed before the next statement.
func (w *work) query(query string, args ...any) (*sql.Rows, error) {
	stmt, err := w.prepared(query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(w.ctx, args...)
}

// ledger reads the bank's books through whatever transaction query belongs to.
type ledger struct {
	query func(query string, args ...any) (*sql.Rows, error)
}

// each calls read for every row of a query.
func (l *ledger) each(read func(row) error, query string, args ...any) error {
	rows, err := l.query(query, args...)
	return each(rows, err, read)
}

// number asks for one number.
func (l *ledger) number(query string, args ...any) (n int64, err error) {
	err = l.each(func(r row) error { return r.Scan(&n) }, query, args...)
	return n, err
}

// ids asks for a list of ids.
func (l *ledger) ids(query string, args ...any) (list []string, err error) {
	err = l.each(func(r row) error {
		var id string
		err := r.Scan(&id)
		list = append(list, id)
		return err
	}, query, args...)
	return list, err
}

const selectAccount = `SELECT id, title, kind, balance, created FROM bank_accounts `

func (l *ledger) accounts(query string, args ...any) ([]bank.Account, error) {
	list := []bank.Account{}
	err := l.each(func(r row) error {
		var a bank.Account
		err := r.Scan(&a.ID, &a.Title, &a.Kind, &a.Balance, moment{&a.Created})
		list = append(list, a)
		return err
	}, query, args...)
	return list, err
}

// Accounts implements bank.Reader.
func (l *ledger) Accounts() ([]bank.Account, error) {
	return l.accounts(selectAccount + `ORDER BY kind<>'own', rowid`)
}

// Account implements bank.Reader.
func (l *ledger) Account(id string) (bank.Account, error) {
	list, err := l.accounts(selectAccount+`WHERE id=?`, id)
	return only(list, err, "account", id)
}

// only is the one record that was asked for by its id.
func only[T any](list []T, err error, what, id string) (T, error) {
	if err == nil && len(list) == 0 {
		err = notFound(what, id)
	}
	if err != nil {
		var none T
		return none, err
	}
	return list[0], nil
}

// Payees implements bank.Reader.
func (l *ledger) Payees() ([]bank.Payee, error) {
	list := []bank.Payee{}
	place := map[string]int{}
	err := l.each(func(r row) error {
		p := bank.Payee{Aliases: []string{}}
		err := r.Scan(&p.ID, &p.Name, &p.Bank, &p.Number, &p.Favourite)
		place[p.ID] = len(list)
		list = append(list, p)
		return err
	}, `SELECT id, name, bank, number, favourite FROM bank_payees ORDER BY favourite DESC, rowid`)
	if err != nil {
		return list, err
	}
	err = l.each(func(r row) error {
		var payee, name string
		err := r.Scan(&payee, &name)
		if p := &list[place[payee]]; err == nil && name != p.Name {
			p.Aliases = append(p.Aliases, name)
		}
		return err
	}, `SELECT payee, name FROM bank_names ORDER BY rowid`)
	return list, err
}

// PayeeNamed implements bank.Reader.
func (l *ledger) PayeeNamed(key string) (id, name string, err error) {
	err = l.each(func(r row) error { return r.Scan(&id, &name) },
		`SELECT p.id, p.name FROM bank_names n JOIN bank_payees p ON p.id=n.payee WHERE n.key=?`, key)
	return id, name, err
}

// Sent implements bank.Reader.
func (l *ledger) Sent(day string) (int64, error) {
	return l.number(`SELECT coalesce(sum(amount), 0) FROM bank_transfers
		WHERE day=? AND state='done' AND source IN (SELECT id FROM bank_accounts WHERE kind='own')`, day)
}

// Planned implements bank.Reader.
func (l *ledger) Planned(day string) (int64, error) {
	return l.number(`SELECT coalesce(sum(amount), 0) FROM bank_transfers
		WHERE due=? AND state='scheduled' AND source IN (SELECT id FROM bank_accounts WHERE kind='own')`, day)
}

// Totals implements bank.Reader.
func (l *ledger) Totals(over bank.Span) ([]bank.Total, error) {
	list := []bank.Total{}
	err := l.each(func(r row) error {
		var t bank.Total
		err := r.Scan(&t.Account, &t.Name, &t.Amount, &t.Count)
		list = append(list, t)
		return err
	}, `SELECT t.dest, coalesce(p.name, max(t.target)), sum(t.amount), count(*) FROM bank_transfers t
		LEFT JOIN bank_payees p ON p.id=t.dest
		WHERE t.state='done' AND t.source IN (SELECT id FROM bank_accounts WHERE kind='own')
		AND t.day>=?1 AND (?4='' OR t.day<?4) AND (?2='' OR t.chat=?2) AND (?3='' OR t.dest=?3) GROUP BY t.dest ORDER BY min(t.place)`,
		over.Since, over.Chat, over.To, over.Until)
	return list, err
}

// Audit implements bank.Reader. It trusts nothing that is kept, only the entries.
func (l *ledger) Audit() (a bank.Audit, err error) {
	count, err := l.number(`SELECT count(*) FROM bank_transfers`)
	if err != nil {
		return a, err
	}
	a.Transfers = int(count)
	if a.Unbalanced, err = l.ids(`SELECT transfer FROM bank_entries GROUP BY transfer HAVING sum(amount)<>0`); err != nil {
		return a, err
	}
	if a.Stray, err = l.ids(`SELECT t.id FROM bank_transfers t LEFT JOIN bank_entries e ON e.transfer=t.id GROUP BY t.id
		HAVING count(e.account) <> iif(t.state='done', 2, 0)
		OR coalesce(sum(iif(e.account=t.source, -e.amount, iif(e.account=t.dest, e.amount, 0))), 0) <> iif(t.state='done', 2*t.amount, 0)`); err != nil {
		return a, err
	}
	if a.Off, err = l.ids(`SELECT a.id FROM bank_accounts a LEFT JOIN bank_entries e ON e.account=a.id GROUP BY a.id
		HAVING coalesce(sum(e.amount), 0) <> a.balance OR a.balance < 0 AND a.kind <> 'outside'`); err != nil {
		return a, err
	}
	a.Total, err = l.number(`SELECT coalesce(sum(balance), 0) FROM bank_accounts`)
	return a, err
}

// books change the bank's books within one transaction.
type books struct {
	ledger
	w *work
}

// once runs a statement that must change exactly one row.
func (b *books) once(what, id, query string, args ...any) error {
	n, err := b.w.affect(query, args...)
	if err != nil {
		return storageError(fmt.Errorf("%s %s: %w", what, id, err))
	}
	if n != 1 {
		return notFound(what, id)
	}
	return nil
}
