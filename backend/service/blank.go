package service

import (
	"strings"
	"time"

	"agentchat/backend/language/bilingual"
)

// Span is a slot of a service, and where a message says its value, in bytes; End is 0 where it does not.
type Span struct {
	Slot       string
	Title      bilingual.Text
	Start, End int
}

// Spans are the slots of the service with where a message says their values. One of several tasks says nothing of a slot.
func (m *Manifest) Spans(text string, now time.Time) (list []Span) {
	tasks := m.read(Session{}, text, now).Tasks()
	for _, slot := range m.Slots {
		s := Span{Slot: slot.Name, Title: slot.Title}
		if len(tasks) == 1 && tasks[0][slot.Name].Counts() {
			s.Start, s.End = tasks[0][slot.Name].Start, tasks[0][slot.Name].End
		}
		list = append(list, s)
	}
	return list
}

// Take reads words as the answer to a slot's question. It gives the words that hold the value, or else the sentence that asks again. An unknown
// slot takes any words.
func (m *Manifest) Take(name, text string, now time.Time, lang bilingual.Lang) (words, again string) {
	text = strings.TrimSpace(text)
	slot := m.slot(name)
	if slot == nil || slot.Type == TypeText {
		return text, ""
	}
	s := Open("", m, lang)
	s.Stage, s.Asked = Filling, name
	own := m.read(s, text, now)
	tasks := own.Tasks()
	if len(tasks) != 1 || !tasks[0][name].Counts() || tasks[0][name].End == 0 {
		if slot.Type == TypeName && len(tasks) == 0 {
			return text, "" // it could be anything; whoever is meant is looked for when the whole is said
		}
		if problem := own.Problems()[name]; problem != "" {
			return "", m.common(lang, "problem_"+string(problem)) + " " + m.common(lang, "again")
		}
		return "", m.Ask(name, lang)
	}
	found := tasks[0][name]
	m.apply(&s, Values{name: found.Value}, now.Format(time.DateOnly))
	if wrong, is := s.Errors[name].(string); is {
		return "", wrong + " " + m.common(lang, "again")
	}
	return text[found.Start:found.End], ""
}

// Ask is the question for a slot; "" for one that is not there.
func (m *Manifest) Ask(name string, lang bilingual.Lang) string {
	if m.slot(name) == nil {
		return ""
	}
	s := Open("", m, lang)
	s.Asked = name
	return m.ask(s)
}
