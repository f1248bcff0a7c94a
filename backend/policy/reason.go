package policy

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// Reason says in words what the decision about a call rested on. specs are the tools there are, grants the permissions that hold.
func (e Entry) Reason(specs []toolbox.Spec, grants []Grant) bilingual.Text {
	switch e.By {
	case DecidedByRule:
		return RuleWords(e.Basis, specs)
	case DecidedByGrant:
		for _, g := range grants {
			if g.ID == e.Basis {
				words := Words(g.When, specOf(g.Tool, specs).Names())
				return bilingual.Text{KO: "계속되는 허락: " + words.KO, EN: "a permission in force: " + words.EN}
			}
		}
		return bilingual.Of("그 뒤에 거둔 허락", "a permission that was revoked since")
	case DecidedByPerson:
		return bilingual.Of("물어본 것에 대한 답", "the answer to a question")
	case DecidedByCounter:
		return bilingual.Of("창구에 맡긴 주문", "an order at the counter")
	case DecidedByManual:
		return bilingual.Of("묻지 않아도 된다는 공구 설명서", "the tool’s manual, which asks for no question")
	case DecidedByMode:
		return bilingual.Of("‘중요한 것만 묻기’", "“Ask what matters”")
	case DecidedByLimit:
		return bilingual.Of("프로그램에 정해 둔 한도", "the limits set for the program")
	}
	return bilingual.Text{}
}

// RuleWords says in words what a rule says that is written as Rule.String writes it.
func RuleWords(text string, specs []toolbox.Spec) bilingual.Text {
	r, ok := readRule(text)
	if !ok {
		return bilingual.Text{KO: Visible(text, maxText), EN: Visible(text, maxText)}
	}
	kind := map[Decision]bilingual.Text{
		Deny: bilingual.Of("막는 규칙", "a rule that denies"), Ask: bilingual.Of("묻는 규칙", "a rule that asks about"), Allow: bilingual.Of("허락하는 규칙", "a rule that allows"),
	}[r.Decision]
	tools, names := r.covers(specs)
	ko, en := kind.KO+": "+tools.KO, kind.EN+" "+tools.EN
	for i, c := range r.When {
		words := c.words(names)
		ko += map[bool]string{true: ", ", false: " 그리고 "}[i == 0] + words.KO
		en += map[bool]string{true: " when ", false: " and "}[i == 0] + words.EN
	}
	return bilingual.Text{KO: ko, EN: en}
}

// fewTools are as many as are named one by one.
const fewTools = 3

// covers names the tools of a rule, and gives the names of their values.
func (r Rule) covers(specs []toolbox.Spec) (tools bilingual.Text, names map[string]toolbox.ParamName) {
	if strings.Trim(r.Tool, "*") == "" {
		return bilingual.Of("모든 공구", "every tool"), nil
	}
	var ko, en []string
	names = map[string]toolbox.ParamName{}
	for _, s := range specs {
		if !glob(r.Tool, s.Key) {
			continue
		}
		maps.Copy(names, s.Names())
		ko, en = append(ko, called(s).KO), append(en, called(s).EN)
	}
	if len(ko) == 0 { // they are gone: what the person wrote stands for them
		return bilingual.Text{KO: r.Tool, EN: r.Tool}, nil
	}
	if more := len(ko) - fewTools; more > 0 {
		few := bilingual.Textf(" 외 %d개", " and %d more", more)
		return bilingual.Text{KO: strings.Join(ko[:fewTools], ", ") + few.KO, EN: strings.Join(en[:fewTools], ", ") + few.EN}, names
	}
	return bilingual.Text{KO: strings.Join(ko, ", "), EN: strings.Join(en, ", ")}, names
}

func called(s toolbox.Spec) bilingual.Text {
	if s.Title == (bilingual.Text{}) {
		return bilingual.Text{KO: Visible(s.Key, 80), EN: Visible(s.Key, 80)}
	}
	return bilingual.Text{KO: Visible(s.Title.KO, 80), EN: Visible(s.Title.EN, 80)}
}

func specOf(key string, specs []toolbox.Spec) toolbox.Spec {
	for _, s := range specs {
		if s.Key == key {
			return s
		}
	}
	return toolbox.Spec{}
}

// words say a condition of a rule, in the names that the tool's manual has for its values.
func (c Condition) words(names map[string]toolbox.ParamName) bilingual.Text {
	value, text, isText := scalar(c.Value)
	if !isText {
		text = fmt.Sprint(value)
	}
	text = Visible(text, 80)
	arg, said := bilingual.Text{KO: c.Arg, EN: c.Arg}, bilingual.Text{KO: text, EN: text}
	if known, ok := names[c.Arg]; ok {
		arg = known.Name
		if word, ok := known.Values[text]; ok {
			said = word
		}
	}
	pattern := map[Op]bilingual.Text{
		OpIs: bilingual.Of("%s: ‘%s’", "%s is “%s”"), OpLike: bilingual.Of("%s: ‘%s’ 꼴", "%s looks like “%s”"),
		OpWithin: bilingual.Of("%s: ‘%s’ 폴더 안", "%s is in the folder “%s”"), OpHost: bilingual.Of("%s: ‘%s’ 주소", "%s is at the address “%s”"),
		OpMore: bilingual.Of("%s: %s보다 큼", "%s is over %s"), OpLeast: bilingual.Of("%s: %s 이상", "%s is %s or more"),
		OpLess: bilingual.Of("%s: %s보다 작음", "%s is under %s"), OpMost: bilingual.Of("%s: %s 이하", "%s is %s or less"),
	}[c.Op]
	return bilingual.Text{KO: fmt.Sprintf(pattern.KO, arg.KO, said.KO), EN: fmt.Sprintf(pattern.EN, arg.EN, said.EN)}
}

// readRule reads what Rule.String wrote.
func readRule(text string) (r Rule, ok bool) {
	decision, rest, _ := strings.Cut(text, " ")
	tool, rest, more := strings.Cut(rest, " when ")
	r = Rule{Tool: tool, Decision: Decision(decision)}
	for more {
		arg, after, _ := strings.Cut(rest, " ")
		op, after, _ := strings.Cut(after, " ")
		dec := json.NewDecoder(strings.NewReader(after))
		c := Condition{Arg: arg, Op: Op(op)}
		if dec.Decode(&c.Value) != nil {
			return r, false
		}
		r.When = append(r.When, c)
		if rest, more = strings.CutPrefix(after[dec.InputOffset():], " and "); !more && rest != "" {
			return r, false
		}
	}
	return r, CheckRules([]Rule{r}) == nil
}
