package slot

import (
	"strings"
	"unicode"
)

// foreign are the units of other money, longest first.
var foreignUnits = []struct{ form, code string }{
	{"달러", "USD"},
	{"dollars", "USD"},
	{"dollar", "USD"},
	{"bucks", "USD"},
	{"usd", "USD"},
	{"불", "USD"},
	{"$", "USD"},
	{"유로", "EUR"},
	{"euros", "EUR"},
	{"euro", "EUR"},
	{"eur", "EUR"},
	{"€", "EUR"},
	{"엔화", "JPY"},
	{"엔", "JPY"},
	{"yen", "JPY"},
	{"jpy", "JPY"},
	{"¥", "JPY"},
	{"위안", "CNY"},
	{"yuan", "CNY"},
	{"cny", "CNY"},
	{"파운드", "GBP"},
	{"pounds", "GBP"},
	{"pound", "GBP"},
	{"gbp", "GBP"},
	{"£", "GBP"},
	{"비트코인", "other"},
	{"bitcoins", "other"},
	{"bitcoin", "other"},
	{"btc", "other"},
	{"루피", "other"},
	{"페소", "other"},
	{"동전", "other"},
	{"바트", "other"},
	{"프랑", "other"},
	{"rupees", "other"},
	{"francs", "other"},
	{"cents", "other"},
	{"cent", "other"},
	{"센트", "other"},
}

// currencyBefore steps over ₩, $, KRW and the like that stand before a number.
func currencyBefore(s string, i int) (at int, code string) {
	for _, u := range []struct{ form, code string }{{"₩", wonCode}, {"krw", wonCode}, {"$", "USD"}, {"us$", "USD"}, {"usd", "USD"}, {"€", "EUR"}, {"eur", "EUR"}, {"¥", "JPY"}, {"£", "GBP"}} {
		if !strings.HasPrefix(s[i:], u.form) || unicode.IsLetter(before(s, i)) && isLatin(after(s, i)) {
			continue
		}
		if e := skipBlank(s, i+len(u.form)); isDigit(after(s, e)) {
			return e, u.code
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
		return u.code, e
	}
	return "", i
}
