package service

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/template"
	"time"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/hangul"
	"agentchat/backend/language/slot"
)

// house are the default texts, used where a manifest has none of its own.
var house = map[string]bilingual.Text{
	msgFirst: {
		KO: `총 {{.total}}건이 요청됐어요. 먼저 {{.question}} ({{.index}}/{{.total}})`,
		EN: `That is {{.total}} in all. First: {{.question}} ({{.index}}/{{.total}})`,
	},
	msgAgain:      {KO: `{{.question}} ({{.index}}/{{.total}})`, EN: `{{.question}} ({{.index}}/{{.total}})`},
	msgNext:       {KO: `완료! 다음으로 {{.question}} ({{.index}}/{{.total}})`, EN: `Done! Next: {{.question}} ({{.index}}/{{.total}})`},
	msgSkipped:    {KO: `취소됐어요. {{.question}} ({{.index}}/{{.total}})`, EN: `Canceled. {{.question}} ({{.index}}/{{.total}})`},
	msgAllDone:    {KO: `{{.total}}건이 모두 완료됐어요.`, EN: `All {{.total}} are done.`},
	msgSomeDone:   {KO: `{{.executed}}건이 완료됐어요.{{template "rest" .}}`, EN: `{{.executed}} of {{.total}} done.{{template "rest" .}}`},
	msgAllCancel:  {KO: `모두 취소됐어요.`, EN: `Everything was canceled.`},
	msgFailed:     {KO: `처리하지 못했어요. {{.problem}}`, EN: `It could not be done. {{.problem}}`},
	msgFailedNext: {KO: `{{.question}} ({{.index}}/{{.total}})`, EN: `{{.question}} ({{.index}}/{{.total}})`},
	msgUnable:     {KO: `필요한 내용을 알 수 없어 여기서 마칠게요. 처음부터 다시 말씀해 주세요.`, EN: `I could not find out what is needed, so this ends here. Please start over.`},
	msgExecuting:  {KO: `실행 중`, EN: `Working on it`},
	msgAct:        {KO: `확인`, EN: `Confirm`},
	msgWaiting:    {KO: `아직 처리하고 있어요. 끝나면 알려 드릴게요.`, EN: `It is still under way. I will tell you when it is done.`},
	msgDue:        {KO: `{{.service}} 알림이에요.`, EN: `A reminder: {{.service}}.`},
	msgUnclear:    {KO: `말씀하신 내용을 확인하지 못했어요.`, EN: `I could not make that out.`},
}

// rest says what else became of a batch.
var rest = map[bilingual.Lang]string{
	bilingual.KO: `{{define "rest"}}{{if .cancelled}} {{.cancelled}}건은 취소됐어요.{{end}}{{if .failed}} {{.failed}}건은 처리하지 못했어요.{{end}}{{end}}`,
	bilingual.EN: `{{define "rest"}}{{if .cancelled}} {{.cancelled}} canceled.{{end}}{{if .failed}} {{.failed}} could not be done.{{end}}{{end}}`,
}

const msgUnclear = "unclear"

// words are short texts that no manifest changes.
var words = map[string]bilingual.Text{
	"confirm":            bilingual.Of("확인", "Confirm"),
	"cancel":             bilingual.Of("취소", "Cancel"),
	"again":              bilingual.Of("다시 말씀해 주세요.", "Please say it again."),
	"unkept":             bilingual.Of("여기서는 정할 수 없어서 뺀 것이 있어요:", "This cannot be set here, so it is left out:"),
	"besides":            bilingual.Of("다른 부탁은 따로 말씀해 주세요:", "Please ask for the rest by itself:"),
	"done_prefix":        bilingual.Of("완료!", "Done!"),
	"problem_foreign":    bilingual.Of("금액은 원으로만 말씀해 주세요.", "Please name the amount in won."),
	"problem_impossible": bilingual.Of("달력에 없는 날짜예요.", "There is no such day."),
	"problem_unsaid":     bilingual.Of("어느 날인지 모르겠어요.", "I do not know which day that is."),
	"canceled_prefix":    bilingual.Of("취소됐어요.", "Canceled."),
}

func (*Manifest) common(lang bilingual.Lang, key string) string { return words[key].In(lang) }

// compileTexts parses every template in both languages and fills in the house's own. With an error, at is where it stands.
func (m *Manifest) compileTexts() (at string, err error) {
	m.templates = map[bilingual.Lang]*template.Template{}
	for lang, text := range rest {
		m.templates[lang] = template.Must(template.New("").Funcs(funcs(lang)).Option("missingkey=zero").Parse(text))
	}
	add := func(key string, text bilingual.Text) error {
		for lang, set := range m.templates {
			if _, err := set.New(key).Parse(text.In(lang)); err != nil {
				return fmt.Errorf("%s.%s: %w", key, lang, err)
			}
		}
		return nil
	}
	for key, text := range house {
		if own, ok := m.Messages[key]; ok {
			text = own
		}
		if err := add(key, text); err != nil {
			return "messages." + key, err
		}
	}
	for key, text := range m.Messages {
		if err := add(key, text); err != nil {
			return "messages." + key, err
		}
	}
	for i, one := range m.Slots {
		if err := add("ask "+one.Name, one.Ask); err != nil {
			return fmt.Sprintf("slots[%d].ask", i), err
		}
	}
	for i, q := range m.Queries {
		if err := add("query "+q.ID, q.Answer); err != nil {
			return fmt.Sprintf("queries[%d].answer", i), err
		}
	}
	return "", nil
}

// funcs are what a template may call.
func funcs(lang bilingual.Lang) template.FuncMap {
	return template.FuncMap{
		"won":     func(v any) string { return won(v, lang) },
		"josa":    func(with, without string, v any) string { return hangul.With(fmt.Sprint(v), with, without) },
		"day":     func(v any) string { return slot.SayDay(fmt.Sprint(v), lang) },
		"clock":   func(v any) string { return clock(v, lang) },
		"ahead":   func(v any) string { return ahead(v, lang) },
		"things":  func(v any) string { return things(fmt.Sprint(v), lang) },
		"several": several,
	}
}

func won(v any, lang bilingual.Lang) string {
	n, ok := integer(v)
	if !ok {
		return ""
	}
	return slot.SayWon(n, lang)
}

// clock says a time of day; "" where there is none.
func clock(v any, lang bilingual.Lang) string {
	at, err := time.Parse("15:04", fmt.Sprint(v))
	if err != nil {
		return ""
	}
	return bilingual.Clock(at, lang)
}

func ahead(v any, lang bilingual.Lang) string {
	n, ok := integer(v)
	if !ok {
		return ""
	}
	return slot.SayAhead(n, lang)
}

// integer is a whole number as a session and as a tool's data hold it.
func integer(v any) (n int64, ok bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case json.Number:
		n, _ = v.Int64() // not a number: 0
		return n, true
	}
	return 0, false
}

// say fills in a message.
func (m *Manifest) say(s Session, key string) string { return m.fill(s.Lang, key, m.data(s)) }

func (m *Manifest) fill(lang bilingual.Lang, key string, data map[string]any) string {
	var b strings.Builder
	if err := m.templates[lang].ExecuteTemplate(&b, key, data); err != nil {
		return m.Title.In(lang) // a template that was tried when the manifest was read; nothing else to say
	}
	return strings.TrimSpace(strings.ReplaceAll(b.String(), "<no value>", ""))
}

// data is what templates see: the slots by name, and the batch.
func (m *Manifest) data(s Session) map[string]any {
	data := map[string]any{
		"index": s.Index(), "total": s.Total, "executed": s.Executed, "cancelled": s.Cancelled, "failed": s.Failed,
		"problem": "", "note": "", "batch": s.batch(),
	}
	for _, one := range m.Slots {
		if v, ok := s.Slots[one.Name]; ok {
			data[one.Name] = v
		} else {
			data[one.Name] = ""
		}
	}
	if m.templates[s.Lang].Lookup("question") != nil {
		data["question"] = m.fill(s.Lang, "question", data)
	}
	return data
}

// ask is the question for the value that is missing. A day that was only pointed at may have none of its own.
func (m *Manifest) ask(s Session) string {
	question := m.say(s, "ask "+s.Asked)
	if question == "" {
		question = m.common(s.Lang, "problem_unsaid") + " " + m.common(s.Lang, "again")
	}
	return question + m.place(s)
}

// place is the place in the batch, behind a question.
func (m *Manifest) place(s Session) string {
	if !s.batch() {
		return ""
	}
	return fmt.Sprintf(" (%d/%d)", s.Index(), s.Total)
}

// farewell words the end of a session.
func (m *Manifest) farewell(s Session, with string, r Result) string {
	if !s.batch() {
		return m.farewellOne(s, with, r, s.Slots)
	}
	switch {
	case s.Executed == s.Total:
		return m.say(s, msgAllDone)
	case s.Executed == 0 && s.Failed == 0:
		return m.say(s, msgAllCancel)
	}
	some := m.say(s, msgSomeDone)
	if s.Stage == Failed || s.Stage == Unsupported {
		return m.farewellOne(s, with, r, s.Slots) + "\n" + some
	}
	return some
}

// farewellOne words the end of one task.
func (m *Manifest) farewellOne(s Session, with string, r Result, slots Values) string {
	s.Slots = slots
	data := m.data(s)
	data["problem"], data["note"] = r.Text, r.Text
	var result any
	if len(r.Data) > 0 && json.Unmarshal(r.Data, &result) == nil {
		data["result"] = result
	}
	return m.fill(s.Lang, with, data)
}

// Executing is the label while the tool works.
func (m *Manifest) Executing(lang bilingual.Lang) string {
	return m.fill(lang, msgExecuting, map[string]any{})
}

// Say words the answer to a query from a tool's data, numbers kept whole.
func (q *Query) Say(m *Manifest, lang bilingual.Lang, raw json.RawMessage) (string, error) {
	var data Data
	if err := json.Unmarshal(raw, &data); err != nil {
		return "", err
	}
	return m.fill(lang, "query "+q.ID, data), nil
}
