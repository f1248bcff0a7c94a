package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// Where a value may come from.
const (
	FromCustomer = "customer" // the customer's own words, answers or edits
	FromManual   = "manual"   // the default of the tool's own schema
	FromTool     = "tool"     // a result that the job saw
	FromMemory   = "memory"   // the summary or a fact
	FromChat     = "chat"     // what the shop said before
	FromRefusal  = "refusal"  // what the customer said in refusing: a word against it as likely as for it
	FromTrigger  = "trigger"  // the name of the file that set a standing order off
	FromGuest    = "guest"    // the program that asks for the call
	FromModel    = "model"    // nowhere: the model made it up
)

// Seen is a text the model may have taken a value from.
type Seen struct {
	From string // FromTool, FromMemory, FromChat, FromTrigger or FromRefusal
	Tool string
	Name string // what was read, such as a file's name; may be empty
	Step int    // of the job, from 1; 0: none
	Text string
}

// Ground is everything a value can have come from: what the customer said, newest last, the arguments the customer changed in
// an answer, and what else was there to be read.
type Ground struct {
	Said     []string
	Edited   json.RawMessage // the arguments with the customer's changes
	Proposed json.RawMessage // and without: what stands there, too, the customer only left as it was
	Read     json.RawMessage // what code alone read out of the customer's request as arguments of this tool
	Seen     []Seen
}

// maxOrigins bounds how many values of a call are looked up one by one.
const maxOrigins = 64

// Trace finds for every consequential value of a call where it came from, by comparing texts; no model is asked. A value
// that stands in the customer's words is trusted wherever else it stands. The rest is not: what a document, a page, a result
// or memory said, and what nobody said.
func Trace(s toolbox.Spec, args json.RawMessage, g Ground, lang bilingual.Lang) []event.Origin {
	if !Judged(s, args) {
		return nil
	}
	object, edited, proposed := decode(args), decode(g.Edited), decode(g.Proposed)
	said := readings(g.Said)
	var list []event.Origin
	for _, arg := range traced(s) {
		value, ok := object[arg]
		if !ok {
			continue
		}
		before, after := leaves(arg, proposed[arg]), leaves(arg, edited[arg])
		for _, l := range leaves(arg, value) {
			if len(list) == maxOrigins { // more than a person reads: the rest counts as one that nobody said
				return append(list, origin(event.Origin{Arg: arg, Value: "…", From: FromModel}, lang))
			}
			if l.among(after) && !l.among(before) {
				list = append(list, origin(event.Origin{Arg: l.arg, Value: shown(l.value), From: FromCustomer, Trusted: true}, lang))
				continue
			}
			if !slices.Contains(s.Consequential, arg) && l.among(leaves(arg, decode(g.Read)[arg])) {
				list = append(list, origin(event.Origin{Arg: l.arg, Value: shown(l.value), From: FromCustomer, Trusted: true}, lang))
				continue
			}
			list = append(list, trace(s, arg, l, said, g.Seen, lang))
		}
	}
	return list
}

func trace(s toolbox.Spec, arg string, l leaf, said []reading, seen []Seen, lang bilingual.Lang) event.Origin {
	o := event.Origin{Arg: l.arg, Value: shown(l.value), From: FromModel}
	in := finder(s, arg, l.value)
	if slices.ContainsFunc(said, in) || free(s) && !slices.Contains(s.Consequential, arg) && slices.ContainsFunc(said, wording(l.value)) {
		o.From, o.Trusted = FromCustomer, true
		return origin(o, lang)
	}
	if p := properties(s)[arg]; same(l.value, parsed(p.Default)) || same(l.value, parsed(p.Const)) {
		o.From, o.Trusted = FromManual, true
		return origin(o, lang)
	}
	for _, s := range slices.Backward(seen) { // the newest first
		if in(read(s.Text)) || holds(s.Text, l.value) {
			o.From, o.Tool, o.Step, o.Name = s.From, s.Tool, s.Step, Visible(s.Name, 80)
			o.Quote = quote(s.Text, l.value)
			break
		}
	}
	return origin(o, lang)
}

// Spoken tells whether a text holds a value of a call: something of what the call is about was said there.
func Spoken(s toolbox.Spec, args json.RawMessage, text string) bool {
	said := read(text)
	for arg, value := range decode(args) {
		for _, l := range leaves(arg, value) {
			if finder(s, arg, l.value)(said) {
				return true
			}
		}
	}
	return false
}

// holds tells loosely whether a text has the value in it: good enough to say where an untrusted value came from.
func holds(text string, value any) bool {
	v := normal(fmt.Sprint(value))
	return utf8.RuneCountInString(v) > 2 && strings.Contains(normal(text), v)
}

func parsed(raw json.RawMessage) any {
	if len(raw) == 0 {
		return nil
	}
	var value any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if dec.Decode(&value) != nil {
		return nil
	}
	return value
}

// same tells whether two decoded values are one; nothing is not even itself.
func same(a, b any) bool {
	if a == nil || b == nil {
		return false
	}
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// origin words where a value came from.
func origin(o event.Origin, lang bilingual.Lang) event.Origin {
	from := bilingual.Text{KO: "통역가가 지어낸 값이에요", EN: "made up by the model"}
	switch o.From {
	case FromCustomer:
		from = bilingual.Text{KO: "손님이 한 말이에요", EN: "you said it"}
	case FromManual:
		from = bilingual.Text{KO: "공구의 기본값이에요", EN: "the tool's default"}
	case FromMemory:
		from = bilingual.Text{KO: "기억에서 왔어요", EN: "came from memory"}
	case FromRefusal:
		from = bilingual.Text{KO: "거절하면서 한 말에 있어요", EN: "you named it in refusing"}
	case FromGuest:
		from = bilingual.Text{KO: "부탁한 프로그램이 보낸 값이에요", EN: "sent by the program that asks"}
	case FromTrigger:
		from = bilingual.Text{KO: "이 정기 주문을 부른 파일의 이름이에요", EN: "the name of the file that set this standing order off"}
	case FromChat:
		from = bilingual.Text{KO: "앞의 대답에서 왔어요", EN: "came from an earlier reply"}
	case FromTool:
		ko, en := o.Tool, "tool "+o.Tool
		if o.Step > 0 {
			ko, en = fmt.Sprintf("%s, %d단계", ko, o.Step), fmt.Sprintf("%s, step %d", en, o.Step)
		}
		if o.Name != "" {
			from = bilingual.Text{KO: "‘" + o.Name + "’에서 왔어요 (" + ko + ")", EN: "came from: " + o.Name + " (" + en + ")"}
		} else {
			from = bilingual.Text{KO: ko + "의 결과에서 왔어요", EN: "came from the result of " + en}
		}
	}
	o.Text = from.In(lang)
	return o
}

func shown(value any) string { return Visible(fmt.Sprint(value), 200) }

// quote is the place in a text where a value stands.
func quote(text string, value any) string {
	const around = 40
	lower, v := strings.ToLower(text), strings.ToLower(fmt.Sprint(value))
	at := strings.Index(lower, v)
	if at < 0 || len(lower) != len(text) {
		return ""
	}
	before, after := []rune(text[:at]), []rune(text[at+len(v):])
	out := string(before[max(0, len(before)-around):]) + text[at:at+len(v)] + string(after[:min(len(after), around)])
	return Visible(out, 240)
}

// Visible is a stranger's text as a card may show it: no control characters, nothing that turns the direction of writing or
// cannot be seen, at most limit characters.
func Visible(text string, limit int) string {
	var b strings.Builder
	n := 0
	for _, r := range text {
		if n == limit {
			return b.String() + "…"
		}
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			r = ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r) || r == utf8.RuneError || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r):
			_, _ = fmt.Fprintf(&b, `\u%04x`, r)
			n++
			continue
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}
