package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/lazyregexp"
	"agentchat/backend/strictjson"
)

// What a person may write.
const (
	maxRules      = 200
	maxConditions = 16
	maxText       = 400
)

// Rule says what happens with calls of the tools whose keys match Tool (* is any run of characters, ? one), when every
// condition holds.
type Rule struct {
	Tool     string      `json:"tool"`
	When     []Condition `json:"when,omitempty"`
	Decision Decision    `json:"decision"`
	Note     string      `json:"note,omitempty"` // why, for people
}

// Op is how a condition compares.
type Op string

// The comparisons.
const (
	OpIs     Op = "is"     // this value
	OpLike   Op = "like"   // a text with * and ?
	OpWithin Op = "within" // a path: this folder, or below it
	OpHost   Op = "host"   // an address: this host, or one below it
	OpMore   Op = ">"
	OpLeast  Op = ">="
	OpLess   Op = "<"
	OpMost   Op = "<="

	// Only patterns of grants have these.
	opSame   Op = "same"   // exactly this JSON value
	opSite   Op = "site"   // an address: this scheme, host and port
	opAbsent Op = "absent" // not given at all
	opPreset Op = "preset" // exactly this JSON value, which it also has when it is not given
)

// Condition compares one argument; a dot in Arg goes into an object. One that is not there fulfills no condition.
type Condition struct {
	Arg   string          `json:"arg"`
	Op    Op              `json:"op"`
	Value json.RawMessage `json:"value" ts_type:"string | number | boolean"`
}

var (
	toolGlob = lazyregexp.New(`^[A-Za-z0-9_*?-]{1,64}$`)
	argName  = lazyregexp.New(`^[^\s.\x00-\x1f]{1,64}(\.[^\s.\x00-\x1f]{1,64}){0,3}$`)
	ruleText = strictjson.Limits{Bytes: 256 << 10, Depth: 8}
)

func wrong(n int, ko, en string, args ...any) bilingual.Wrong {
	if n > 0 {
		ko, en = fmt.Sprintf("%d번째 규칙: ", n)+ko, fmt.Sprintf("rule %d: ", n)+en
	}
	return bilingual.Wrong{Text: bilingual.Textf(ko, en, args...)}
}

// ParseRules reads rules strictly: a JSON list, no unknown names, nothing that could not match. An error is a bilingual.Wrong.
func ParseRules(text []byte) ([]Rule, error) {
	var rules []Rule
	if len(strings.TrimSpace(string(text))) == 0 {
		return nil, nil
	}
	// A name that is misspelt would make a rule wider than it was meant.
	if err := strictjson.DecodeKnown(text, &rules, ruleText); err != nil {
		return nil, wrong(0, "규칙의 JSON 목록이어야 해요 (%v)", "it should be a JSON list of rules (%v)", err)
	}
	return rules, CheckRules(rules)
}

// CheckRules says what is wrong with rules. An error is a bilingual.Wrong.
func CheckRules(rules []Rule) error {
	if len(rules) > maxRules {
		return wrong(0, "규칙은 %d개까지예요", "there may be at most %d rules", maxRules)
	}
	for i, r := range rules {
		switch {
		case !toolGlob.MatchString(r.Tool):
			return wrong(i+1, "공구를 고르거나, 이름을 영문자와 숫자, _, -, *로 적어 주세요", "choose a tool, or write a name of letters, digits, _, - and *")
		case r.Decision != Deny && r.Decision != Ask && r.Decision != Allow:
			return wrong(i+1, "막기, 묻기, 허락 가운데 하나를 골라 주세요", "choose to deny, to ask or to allow")
		case len(r.When) > maxConditions:
			return wrong(i+1, "조건은 %d개까지예요", "there may be at most %d conditions", maxConditions)
		case len(r.Note) > maxText:
			return wrong(i+1, "메모가 너무 길어요", "the note is too long")
		}
		for _, c := range r.When {
			if err := c.wrong(i + 1); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c Condition) wrong(n int) error {
	if !argName.MatchString(c.Arg) {
		return wrong(n, "어느 값인지 적어 주세요", "say which value is compared")
	}
	if len(c.Value) > maxText*4 {
		return wrong(n, "견줄 값이 너무 길어요", "the value is too long")
	}
	value, text, isText := scalar(c.Value)
	switch c.Op {
	case OpIs:
		if value == nil {
			return wrong(n, "견줄 값은 글, 수, 참/거짓이어야 해요", "the value should be a text, a number or true/false")
		}
	case OpLike, OpWithin, OpHost:
		if !isText || text == "" {
			return wrong(n, "이 비교에는 글이 필요해요", "this comparison needs a text")
		}
		if c.Op == OpWithin && climbs(text) {
			return wrong(n, "폴더 밖으로 나가는 경로예요", "the path leads out of its folder")
		}
		if c.Op == OpHost && hostOf(text) == "" {
			return wrong(n, "example.org 같은 이름이어야 해요", "it should be a name such as example.org")
		}
	case OpMore, OpLeast, OpLess, OpMost:
		if _, ok := numeric(value); !ok {
			return wrong(n, "이 비교에는 수가 필요해요", "this comparison needs a number")
		}
	default:
		return wrong(n, "모르는 비교예요 (is, like, within, host, >, >=, <, <=)", "there is no such comparison (is, like, within, host, >, >=, <, <=)")
	}
	return nil
}

// String is the rule in short, for logs and the audit log.
func (r Rule) String() string {
	s := string(r.Decision) + " " + r.Tool
	for i, c := range r.When {
		s += map[bool]string{true: " when ", false: " and "}[i == 0] + c.Arg + " " + string(c.Op) + " " + string(c.Value)
	}
	return s
}

// match finds the first rule of a decision that covers the call. A rule that forbids or asks looks at values loosely and
// takes what it cannot read for a hit; one that allows is exact.
func match(rules []Rule, d Decision, tool string, args map[string]any) (Rule, bool) {
	for _, r := range rules {
		if r.Decision == d && glob(r.Tool, tool) && all(r.When, args, d != Allow) {
			return r, true
		}
	}
	return Rule{}, false
}

func all(when []Condition, args map[string]any, loose bool) bool {
	return !slices.ContainsFunc(when, func(c Condition) bool { return !c.holds(args, loose) })
}

// holds tells whether the condition is fulfilled. Of a list, loosely one element is enough, otherwise all must fit.
func (c Condition) holds(args map[string]any, loose bool) bool {
	value, ok := lookup(args, c.Arg)
	switch {
	case c.Op == opAbsent:
		return !ok
	case c.Op == opPreset && !ok:
		return true
	case !ok:
		return false
	case c.Op == opSame || c.Op == opPreset:
		text, err := json.Marshal(value)
		return err == nil && bytes.Equal(text, c.Value)
	}
	found := leaves(c.Arg, value)
	hits := 0
	for _, leaf := range found {
		if c.fits(leaf.value, loose) {
			hits++
		}
	}
	return hits > 0 && (loose || hits == len(found))
}

func (c Condition) fits(value any, loose bool) bool {
	want, text, _ := scalar(c.Value)
	have, isText := value.(string)
	fold := func(s string) string { return norm.NFC.String(s) }
	if loose {
		fold = normal
	}
	switch c.Op {
	case OpIs:
		if wanted, ok := want.(string); ok && isText {
			return fold(wanted) == fold(have)
		}
		return equal(want, value)
	case OpLike:
		return isText && glob(fold(text), fold(have))
	case OpWithin:
		return isText && (within(fold(text), fold(have)) || loose && climbs(have))
	case opSite:
		site := siteOf(have)
		return isText && site != "" && site == text
	case OpHost:
		return onHost(text, have, isText, loose)
	case OpMore, OpLeast, OpLess, OpMost:
		return c.compares(want, value, loose)
	case opSame, opAbsent, opPreset: // holds has settled them
	}
	return false
}

// onHost tells whether an address is of a host or of one below it. Of an address that has no host a loose comparison says so.
func onHost(wanted, have string, isText, loose bool) bool {
	host := hostOf(have)
	return isText && host != "" && under(host, hostOf(wanted)) || loose && host == ""
}

// equal compares what is not text on both sides: numbers by their worth.
func equal(want, value any) bool {
	a, okA := numeric(want)
	b, okB := numeric(value)
	return okA && okB && a.Cmp(b) == 0 || !okA && want == value
}

// under tells whether a host is a domain or belongs to it.
func under(host, domain string) bool { return host == domain || strings.HasSuffix(host, "."+domain) }

func (c Condition) compares(want, value any, loose bool) bool {
	limit, _ := numeric(want)
	number, ok := numeric(value)
	if !ok || limit == nil {
		return loose // a threshold on something that is no number cannot be checked
	}
	switch sign := number.Cmp(limit); c.Op {
	case OpMore:
		return sign > 0
	case OpLeast:
		return sign >= 0
	case OpLess:
		return sign < 0
	default:
		return sign <= 0
	}
}

// within tells whether a path is a folder or lies below it. One that climbs is nowhere.
func within(folder, file string) bool {
	if climbs(file) {
		return false
	}
	folder, file = cleanPath(folder), cleanPath(file)
	switch {
	case folder == "/" || folder == ".":
		return strings.HasPrefix(file, "/") == (folder == "/")
	}
	return file == folder || strings.HasPrefix(file, folder+"/")
}

func cleanPath(p string) string { return path.Clean(strings.ReplaceAll(p, `\`, "/")) }

// climbs tells whether a path has a step up in it, cleaned or not.
func climbs(p string) bool {
	return slices.ContainsFunc(strings.Split(strings.ReplaceAll(p, `\`, "/"), "/"), func(step string) bool { return step == ".." })
}

// glob matches a text as a whole: * is any run of characters, ? is one. It takes time proportional to the product of both
// lengths at worst.
func glob(pattern, text string) bool {
	p, t := []rune(pattern), []rune(text)
	i, j, star, mark := 0, 0, -1, 0
	for j < len(t) {
		switch {
		case i < len(p) && p[i] == '*':
			star, mark = i, j
			i++
		case i < len(p) && (p[i] == '?' || p[i] == t[j]):
			i++
			j++
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}
