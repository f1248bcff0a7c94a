package bank

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
)

// Payee is an entry of the address book. Aliases are further names the customer gave; nobody is found by a name that was
// not entered.
type Payee struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	Aliases   []string `json:"aliases"`
	Bank      string   `json:"bank"`
	Number    string   `json:"number"`
	Favourite bool     `json:"favourite"`
}

// Name is one name a payee goes by: as it was written, and its NameKey.
type Name struct {
	Key     string
	Written string
}

// Bounds of an address book entry, in characters.
const (
	maxName    = 40
	maxAliases = 10
)

// accountNumber is how account numbers look; empty is fine too.
var accountNumber = regexp.MustCompile(`^[0-9][0-9-]{2,29}$|^$`)

// NameKey is a name as it is compared: without spaces, marks of respect and the 이 that Korean puts behind a given name
// that ends in a consonant, so that 용걸, 용걸이 and 용걸 씨 are one. "" for a name that has no letter.
func NameKey(name string) string {
	name = strings.ToLower(norm.NFC.String(name))
	name = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, name)
	runes := []rune(name)
	if n := len(runes); n > 2 && (runes[n-1] == '님' || runes[n-1] == '씨') {
		runes = runes[:n-1]
	}
	if n := len(runes); n > 2 && runes[n-1] == '이' && closedSyllable(runes[n-2]) {
		runes = runes[:n-1]
	}
	return string(runes)
}

// closedSyllable tells whether a Hangul syllable ends in a consonant.
func closedSyllable(r rune) bool { return r >= '가' && r <= '힣' && (r-'가')%28 != 0 }

// SavePayee enters a payee into the address book, or changes the entry with its ID. Errors: not_found, invalid_args,
// name_taken when somebody else goes by one of the names, storage errors.
func (b *Bank) SavePayee(ctx context.Context, p Payee) (Payee, error) {
	p, names, err := tidy(p)
	if err != nil {
		return p, err
	}
	err = b.deps.Store.ChangeBooks(ctx, func(books Books) error {
		if p.ID == "" {
			p.ID = b.deps.NewID()
			if err := b.openPayee(books, p); err != nil {
				return err
			}
		} else if err := known(books, p.ID); err != nil {
			return err
		}
		return enter(books, p, names)
	})
	if err != nil {
		return p, err
	}
	b.changed()
	return p, nil
}

// DeletePayee takes a payee out of the address book. What was sent stays in the books, and what is scheduled for them is
// still sent unless it is canceled. Errors: not_found, storage errors.
func (b *Bank) DeletePayee(ctx context.Context, id string) error {
	err := b.deps.Store.ChangeBooks(ctx, func(books Books) error { return books.DropPayee(id) })
	if err == nil {
		b.changed()
	}
	return err
}

func (b *Bank) openPayee(books Books, p Payee) error {
	return books.AddAccount(Account{ID: p.ID, Title: p.Name, Kind: KindPayee, Created: b.deps.Now()})
}

// enter writes an address book entry unless somebody else goes by one of its names.
func enter(books Books, p Payee, names []Name) error {
	for _, name := range names {
		id, _, err := books.PayeeNamed(name.Key)
		if err != nil {
			return err
		}
		if id != "" && id != p.ID {
			return apperr.New(apperr.NameTaken, "name", name.Written)
		}
	}
	return books.PutPayee(p, names)
}

// known tells by not_found that a payee is not in the address book.
func known(books Books, id string) error {
	payees, err := books.Payees()
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(payees, func(p Payee) bool { return p.ID == id }) {
		return apperr.New(apperr.NotFound, "what", "payee", "id", id)
	}
	return nil
}

// tidy checks an entry and gives all its names. An alias that is no other name is left out.
func tidy(p Payee) (Payee, []Name, error) {
	wrong := func(what string) (Payee, []Name, error) {
		return p, nil, apperr.New(apperr.InvalidArgs, "detail", what)
	}
	name, ok := oneLine(p.Name, maxName)
	if !ok || NameKey(name) == "" {
		return wrong("name: 1…40")
	}
	p.Name = name
	names := []Name{{NameKey(name), name}}
	if len(p.Aliases) > maxAliases {
		return wrong("aliases: 0…10")
	}
	given := p.Aliases
	p.Aliases = []string{}
	for _, alias := range given {
		alias, ok := oneLine(alias, maxName)
		key := NameKey(alias)
		if !ok || key == "" {
			return wrong("aliases: 1…40")
		}
		if !slices.ContainsFunc(names, func(n Name) bool { return n.Key == key }) {
			names = append(names, Name{key, alias})
			p.Aliases = append(p.Aliases, alias)
		}
	}
	if p.Bank, ok = oneLine(p.Bank, maxName); !ok {
		return wrong("bank: 0…40")
	}
	if p.Number = strings.TrimSpace(p.Number); !accountNumber.MatchString(p.Number) {
		return wrong("number: 0-9, -")
	}
	return p, names, nil
}

// oneLine trims a line of at most so many characters; false for what is no such line.
func oneLine(s string, most int) (string, bool) {
	s = strings.TrimSpace(norm.NFC.String(s))
	return s, utf8.ValidString(s) && utf8.RuneCountInString(s) <= most && !strings.ContainsFunc(s, unicode.IsControl)
}

// find gives who goes by a name. Error: unknown_payee, naming those who are in the address book.
func find(books Reader, target string) (id, name string, err error) {
	if key := NameKey(target); key != "" {
		if id, name, err = books.PayeeNamed(key); err != nil || id != "" {
			return id, name, err
		}
	}
	payees, err := books.Payees()
	if err != nil {
		return "", "", err
	}
	names := make([]string, len(payees))
	for i, p := range payees {
		names[i] = p.Name
	}
	list := any(strings.Join(names, ", "))
	if len(names) == 0 {
		list = bilingual.Of("아직 없음", "nobody yet")
	}
	return "", "", apperr.New(apperr.UnknownPayee, "target", target, "names", list)
}
