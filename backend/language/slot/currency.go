package slot

import (
	"strings"
	"unicode"
)

// foreignUnits are the units of other money, a longer form before one it begins with.
var foreignUnits = formsOf([]valued[string]{
	{"달러, dollars, dollar, bucks, usd, 불, $", "USD"},
	{"유로, euros, euro, eur, €", "EUR"},
	{"엔화, 엔, yen, jpy, ¥", "JPY"},
	{"위안, yuan, cny", "CNY"},
	{"파운드, pounds, pound, gbp, £", "GBP"},
	{"비트코인, bitcoins, bitcoin, btc, 루피, 페소, 동전, 바트, 프랑, rupees, francs, cents, cent, 센트", "other"},
})

// unitsBefore may stand before a number.
var unitsBefore = formsOf([]valued[string]{{"₩, krw", wonCode}, {"$, us$, usd", "USD"}, {"€, eur", "EUR"}, {"¥", "JPY"}, {"£", "GBP"}})

// currencyBefore steps over ₩, $, KRW and the like that stand before a number.
func currencyBefore(s string, i int) (at int, code string) {
	for _, u := range unitsBefore {
		if !strings.HasPrefix(s[i:], u.form) || unicode.IsLetter(before(s, i)) && isLatin(after(s, i)) {
			continue
		}
		if e := skipBlank(s, i+len(u.form)); isDigit(after(s, e)) {
			return e, u.value
		}
	}
	return i, ""
}

// currencyAfter reads a unit of other money behind a number.
func currencyAfter(s string, i int) (code string, end int) {
	i = skipBlank(s, i)
	for _, u := range foreignUnits {
		e := i + len(u.form)
		if !strings.HasPrefix(s[i:], u.form) || isLatin(after(s, i)) && isLatin(after(s, e)) {
			continue
		}
		if hangulSyllable(after(s, i)) && !tailEnd(s, e) {
			continue
		}
		return u.value, e
	}
	return "", i
}
