package policy

import (
	"encoding/json"
	"math/big"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/language/slot"
	"agentchat/backend/lazyregexp"
	"agentchat/backend/toolbox"
)

// reading is a text made ready for comparing.
type reading struct {
	raw  string
	text string // normal
}

func read(text string) reading { return reading{raw: text, text: normal(text)} }

func readings(texts []string) []reading {
	list := make([]reading, len(texts))
	for i, t := range texts {
		list[i] = read(t)
	}
	return list
}

// finder tells how to look a value up in a text.
func finder(s toolbox.Spec, arg string, value any) func(reading) bool {
	never := func(reading) bool { return false }
	switch v := value.(type) {
	case json.Number:
		n, ok := numeric(v)
		if !ok {
			return never
		}
		return func(r reading) bool { return r.hasNumber(n) }
	case string:
		if strings.Contains(v, "://") || isAddress(s, arg) {
			if a, ok := addressOf(v); ok {
				return func(r reading) bool { return r.hasAddress(a) }
			}
			if strings.Contains(v, "://") {
				return never
			}
		}
		if isPath(s, arg) {
			return func(r reading) bool { return r.hasPath(v) }
		}
		if n, ok := numeric(v); ok {
			return func(r reading) bool { return r.hasNumber(n) }
		}
		want := normal(v)
		return func(r reading) bool { return r.has(want) }
	}
	return never // true, false: no word says it
}

// wording tells how to look up what was put in other words: every word of the value must begin as one that was said, every
// number must be one. It is for texts that decide nothing but what is remembered or played.
func wording(value any) func(reading) bool {
	text, ok := value.(string)
	if !ok {
		return func(reading) bool { return false }
	}
	wanted := words(normal(text))
	return func(r reading) bool {
		said := words(r.text)
		return len(wanted) > 0 && !slices.ContainsFunc(wanted, func(w string) bool {
			return !slices.ContainsFunc(said, func(s string) bool { return alike(w, s) })
		})
	}
}

func words(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return !wordRune(c) })
}

// alike tells whether two words could be forms of one: 확인하기, 확인하라고; notes, note. What has digits must be the same.
func alike(a, b string) bool {
	if a == b {
		return true
	}
	if strings.ContainsFunc(a, unicode.IsDigit) {
		return strings.HasPrefix(b, a) && closes(b[len(a):])
	}
	x, y := []rune(a), []rune(b)
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	enough := 2
	if !unicode.Is(unicode.Hangul, x[0]) {
		enough = max(3, (len(x)+1)/2)
	}
	return n >= min(enough, len(x)) && (n == len(x) && (n > 1 || closes(string(y[n:]))) || n >= enough)
}

// particles may follow a Korean or foreign word without being part of it.
var particles = strings.Fields("을 를 이 가 은 는 의 에 와 과 도 만 로 으로 에서 에게 에게서 한테 한테서 께 께서 까지 부터 라고 이라고 라는 이라는 처럼 보다 " +
	"하고 랑 이랑 에다 에다가 로부터 으로부터 이나 나 에는 에도 에서는 에만 로만 씨 씨에게 씨한테 님 님께 님에게 님한테 이야 야 이에요 예요 입니다 인데 이고 이랑 으로만")

// has tells whether a normal text stands in the reading as a word or words of its own: not inside another word, address
// or path. A particle may follow.
func (r reading) has(want string) bool {
	if want == "" {
		return false
	}
	for from := 0; ; {
		at := strings.Index(r.text[from:], want)
		if at < 0 {
			return false
		}
		at += from
		if opens(r.text[:at]) && closes(r.text[at+len(want):]) {
			return true
		}
		_, size := utf8.DecodeRuneInString(r.text[at:])
		from = at + size
	}
}

func wordRune(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c) }

// joint runes hold words together: an address, a path, a file's name.
func joint(c rune) bool { return strings.ContainsRune(`/\.@_-:%+=&#~$`, c) }

// opens tells whether a word may begin after before.
func opens(before string) bool {
	c, _ := utf8.DecodeLastRuneInString(before)
	return before == "" || !wordRune(c) && !joint(c)
}

// closes tells whether a word may end before after.
func closes(after string) bool {
	if after == "" {
		return true
	}
	c, size := utf8.DecodeRuneInString(after)
	if joint(c) {
		next, _ := utf8.DecodeRuneInString(after[size:])
		return c != '/' && c != '\\' && (after[size:] == "" || !wordRune(next) && !joint(next))
	}
	if !wordRune(c) {
		return true
	}
	end := strings.IndexFunc(after, func(c rune) bool { return !wordRune(c) })
	if end < 0 {
		end = len(after)
	}
	return slices.Contains(particles, after[:end])
}

var digits = lazyregexp.New(`[-+]?\d[\d,]*(?:\.\d+)?`)

// hasNumber tells whether a number stands in the text: in digits, or as money in words (만 오천원).
func (r reading) hasNumber(want *big.Rat) bool {
	for _, a := range slot.Amounts(r.raw) {
		if new(big.Rat).SetInt64(a.Value).Cmp(want) == 0 {
			return true
		}
	}
	for _, at := range digits.FindAllStringIndex(r.text, 1000) {
		n, ok := numeric(json.Number(strings.ReplaceAll(r.text[at[0]:at[1]], ",", "")))
		before, _ := utf8.DecodeLastRuneInString(r.text[:at[0]])
		after, _ := utf8.DecodeRuneInString(r.text[at[1]:])
		inWord := at[0] > 0 && (wordRune(before) && !unicode.Is(unicode.Hangul, before) || joint(before)) ||
			at[1] < len(r.text) && (unicode.IsDigit(after) || unicode.Is(unicode.Latin, after) || strings.ContainsRune("만천백십억조", after))
		if ok && !inWord && n.Cmp(want) == 0 {
			return true
		}
	}
	return false
}

// hasPath tells whether a path stands in the text, or each of its steps does ("report.txt into the backup folder").
func (r reading) hasPath(value string) bool {
	plain := unescaped(value)
	if climbs(plain) || strings.HasPrefix(plain, "~") {
		return r.has(normal(value)) // exactly as it was said, or not at all
	}
	clean := normal(cleanPath(plain))
	if r.has(clean) || r.has(clean+"/") || r.has("./"+clean) {
		return true
	}
	if path.IsAbs(clean) {
		return false
	}
	return !slices.ContainsFunc(strings.Split(clean, "/"), func(step string) bool { return !r.has(step) && !r.has(step+"/") })
}

// unescaped takes percent signs out of a text, if they are escapes.
func unescaped(text string) string {
	if plain, err := url.PathUnescape(text); err == nil && utf8.ValidString(plain) {
		return plain
	}
	return text
}

// address is what an address asks for: what is sent is part of it.
type address struct{ scheme, host, port, path, query string }

// addressOf reads an address; ok is false for one that names a user or is none.
func addressOf(text string) (a address, ok bool) {
	text = strings.TrimSpace(norm.NFC.String(text))
	bare := !strings.Contains(text, "://")
	if bare {
		text = "http://" + strings.TrimPrefix(text, "//")
	}
	u, err := url.Parse(text)
	if err != nil || u.User != nil || u.Opaque != "" || hostOf(text) == "" {
		return a, false
	}
	a = address{scheme: strings.ToLower(u.Scheme), host: hostOf(text), port: u.Port(), query: u.RawQuery}
	if a.port == map[string]string{"http": "80", "https": "443"}[a.scheme] {
		a.port = ""
	}
	if bare {
		a.scheme = ""
	}
	a.path = strings.TrimSuffix(path.Clean("/"+norm.NFC.String(u.Path)), "/")
	return a, true
}

var addressLike = lazyregexp.New(`(?i)(?:https?://)?[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}-]+)*(?::\d{1,5})?(?:[/?][^\s"'<>“”‘’「」]*)?`)

// hasAddress tells whether the text names this address: the same host, path and query. Without a scheme both of the web's
// will do; where the text names one, it must be that one.
func (r reading) hasAddress(want address) bool {
	for _, found := range addressLike.FindAllString(norm.NFKC.String(r.raw), 500) {
		for _, text := range endings(found) {
			have, ok := addressOf(text)
			if ok && strings.ContainsAny(have.host, ".:") && have.host == want.host && have.port == want.port && have.path == want.path && have.query == want.query &&
				(have.scheme == "" || want.scheme == "" || have.scheme == want.scheme) {
				return true
			}
		}
	}
	return false
}

// endings are the ways to read where an address in a sentence ends: as it stands, and without a stop or particle behind it.
func endings(text string) []string {
	list := []string{text}
	trimmed := strings.TrimRight(text, ".,;:!?)]}…")
	list = append(list, trimmed)
	for _, p := range particles {
		if cut, ok := strings.CutSuffix(trimmed, p); ok && cut != "" {
			list = append(list, cut)
		}
	}
	return list
}
