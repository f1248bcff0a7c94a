package policy

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// Grant is a person's approval that holds for more than one call: of one tool, for arguments that fit a pattern, in one chat
// or everywhere, until it is revoked.
type Grant struct {
	ID      string
	Scope   toolbox.Scope // chat, always or order
	Chat    string        // "" with always
	Order   string        // with order: the standing order
	Digest  string        // with order: the call, see toolbox.Digest
	Tool    string
	When    []Condition // the pattern; none: any arguments
	Ask     string      // the question it was given in; "": before questions were noted
	Created time.Time
	Used    time.Time // the last time; zero: never
	Uses    int
	Revoked time.Time // zero: it holds
}

// Covers tells whether the grant holds for a call. It is asked again in the transaction that writes the intent down.
func (g Grant) Covers(chat, tool string, args json.RawMessage) bool {
	return g.Revoked.IsZero() && g.Tool == tool && (g.Scope == toolbox.ScopeAlways || g.Scope == toolbox.ScopeChat && g.Chat == chat) &&
		all(g.When, decode(args), false)
}

// CoversRun tells whether the grant holds for a call of a standing order's run: for exactly the call that was agreed to.
func (g Grant) CoversRun(order, tool string, args json.RawMessage) bool {
	return g.Revoked.IsZero() && g.Scope == toolbox.ScopeOrder && g.Tool == tool && order != "" && g.Order == order && g.Digest == toolbox.Digest(tool, args)
}

// names tells whether the pattern speaks of all these arguments: a manual may count more of them than it did.
func (g Grant) names(args []string) bool {
	return !slices.ContainsFunc(args, func(arg string) bool {
		return !slices.ContainsFunc(g.When, func(c Condition) bool { return c.Arg == arg })
	})
}

// Pattern is what a grant for a call like this one covers: of each argument that decides anything its folder, its site or
// exactly its value. What is not given counts as what the manual says it is then.
func Pattern(s toolbox.Spec, args json.RawMessage) []Condition {
	object := decode(args)
	var when []Condition
	for _, arg := range bound(s) {
		value, ok := object[arg]
		preset := parsed(properties(s)[arg].Default)
		if !ok && preset != nil {
			value, ok = preset, true
		}
		text, isText := value.(string)
		c := Condition{Arg: arg, Op: opSame}
		folder := path.Dir(cleanPath(text))
		switch {
		case !ok:
			c.Op = opAbsent
		case isText && isAddress(s, arg) && siteOf(text) != "":
			c.Op, value = opSite, siteOf(text)
		case isText && isPath(s, arg) && !climbs(text) && folder != "." && folder != "/":
			c.Op, value = OpWithin, folder
		case same(value, preset):
			c.Op = opPreset
		}
		if ok {
			raw, err := json.Marshal(value)
			if err != nil { // what was decoded always encodes
				continue
			}
			c.Value = raw
		}
		when = append(when, c)
	}
	return when
}

// Words say what a pattern covers, in the names that the tool's manual has for its values.
func Words(when []Condition, names map[string]toolbox.ParamName) bilingual.Text {
	var ko, en []string
	for _, c := range when {
		_, text, isText := scalar(c.Value)
		if !isText {
			text = string(c.Value)
		}
		text = Visible(text, 80)
		arg, value := bilingual.Text{KO: c.Arg, EN: c.Arg}, bilingual.Text{KO: text, EN: text}
		if known, ok := names[c.Arg]; ok {
			arg = known.Name
			if called, ok := known.Values[text]; ok {
				value = called
			}
		}
		switch c.Op {
		case opAbsent:
		case OpWithin:
			ko, en = append(ko, arg.KO+": ‘"+text+"’ 폴더 안"), append(en, arg.EN+": in the folder “"+text+"”")
		case opSite:
			text = strings.TrimSuffix(strings.TrimSuffix(text, ":443"), ":80")
			ko, en = append(ko, arg.KO+": "+text+" 주소"), append(en, arg.EN+": addresses of "+text)
		default:
			ko, en = append(ko, arg.KO+": ‘"+value.KO+"’ 그대로"), append(en, arg.EN+": exactly “"+value.EN+"”")
		}
	}
	if len(ko) == 0 {
		return bilingual.Text{KO: "이 공구의 모든 값", EN: "this tool with any values"}
	}
	return bilingual.Text{KO: strings.Join(ko, ", "), EN: strings.Join(en, ", ")}
}

// ScopeWords say how far an approval reaches.
func ScopeWords(s toolbox.Scope, when []Condition, names map[string]toolbox.ParamName) bilingual.Text {
	words := Words(when, names)
	switch s {
	case toolbox.ScopeOnce:
	case toolbox.ScopeChat:
		return bilingual.Text{KO: "이 대화에서는 묻지 않기 (" + words.KO + ")", EN: "Do not ask again in this chat (" + words.EN + ")"}
	case toolbox.ScopeOrder:
		return bilingual.Text{KO: "이 정기 주문에서는 묻지 않기 (지금 보이는 그대로일 때만)", EN: "Do not ask again for this standing order (only for exactly what is shown)"}
	case toolbox.ScopeAlways:
		return bilingual.Text{KO: "앞으로 언제나 묻지 않기 (" + words.KO + ")", EN: "Never ask again (" + words.EN + ")"}
	}
	return bilingual.Text{KO: "이번 한 번만", EN: "Only this once"}
}

// Offers are the scopes an approval may be given for, as the question shows them.
func Offers(s toolbox.Spec, v Verdict, args json.RawMessage, in func(bilingual.Text) string) []event.AskScope {
	when, names, standard := Pattern(s, args), s.Names(), DefaultScope(s, v.Scopes)
	list := make([]event.AskScope, len(v.Scopes))
	for i, scope := range v.Scopes {
		list[i] = event.AskScope{Scope: string(scope), Words: in(ScopeWords(scope, when, names)), Default: scope == standard}
	}
	return list
}
