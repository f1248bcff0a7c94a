package service

import (
	"maps"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/ground"
)

// maxText is how many characters a name or a text may have.
const maxText = 200

// compileRule compiles a slot's rule over its own value, the other slots and today. A rule gives true or false.
func (m *Manifest) compileRule(slot *Slot) (*vm.Program, error) {
	env := map[string]any{"value": slot.sample(), "today": "2026-01-01"}
	for i := range m.Slots {
		env[m.Slots[i].Name] = m.Slots[i].sample()
	}
	return expr.Compile(slot.Check, expr.Env(env), expr.AsBool(), expr.MaxNodes(200))
}

// sample is a value of the slot's type.
func (s *Slot) sample() any {
	switch s.Type {
	case TypeMoney, TypeNumber, TypeAhead:
		return int64(1)
	case TypeDate, TypeTime, TypeName, TypeText, TypeEnum:
	}
	return ""
}

// wrong says in lang what is wrong with a value, "" when it fits: its type first, then its form, then the rule.
func (s *Slot) wrong(value any, all Values, today string, lang bilingual.Lang) string {
	if text, is := value.(string); is && s.Several && strings.Contains(text, "\n") { // each of them for itself
		for _, line := range ground.Lines(text) {
			if wrong := s.wrong(line, all, today, lang); wrong != "" {
				return wrong
			}
		}
		return ""
	}
	if !s.fits(value) {
		return s.complaint(lang)
	}
	if s.rule == nil {
		return ""
	}
	env := map[string]any{"value": value, "today": today}
	maps.Copy(env, all)
	ok, err := expr.Run(s.rule, env)
	if good, is := ok.(bool); err == nil && is && good {
		return ""
	}
	return s.complaint(lang)
}

func (s *Slot) complaint(lang bilingual.Lang) string {
	if text := s.Error.In(lang); text != "" {
		return text
	}
	return bilingual.Say(lang, s.Title.KO+" 값이 맞지 않아요.", "That does not fit for "+strings.ToLower(s.Title.EN)+".")
}

// fits checks a value's type and form.
func (s *Slot) fits(value any) bool {
	if s.Type == TypeMoney || s.Type == TypeNumber || s.Type == TypeAhead {
		_, ok := value.(int64)
		return ok
	}
	text, ok := value.(string)
	if !ok || strings.TrimSpace(text) == "" || utf8.RuneCountInString(text) > maxText {
		return false
	}
	switch s.Type {
	case TypeDate:
		_, err := time.Parse(time.DateOnly, text)
		return err == nil
	case TypeTime:
		_, err := time.Parse("15:04", text)
		return err == nil
	case TypeEnum:
		_, known := s.Values[text]
		return known
	case TypeName, TypeText, TypeMoney, TypeNumber, TypeAhead:
	}
	return true
}
