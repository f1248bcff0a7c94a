package service

import (
	"testing"

	"agentchat/backend/language/bilingual"
)

// A rule may call what times and spans have, in the program that people get, too, where methods of nothing else are known
// (lean/patches/expr.diff).
func TestARuleCallsTheMethodsOfTimes(t *testing.T) {
	for check, want := range map[string]bool{
		`date(value).Weekday().String() == "Monday"`:                                                           true,
		`date(value).Year() == 2026 && date(value).Month().String() == "November"`:                             true,
		`date(value).YearDay() < 100`:                                                                          false,
		`date(value).Sub(date(today)).Hours() > 24`:                                                            true,
		`(date(value) - date(today)).Hours() > 24 * 7`:                                                         false,
		`date(value).AddDate(0, 1, 0).After(date(today))`:                                                      true,
		`date(value).Weekday().String() in ["Saturday", "Sunday"] or date(value).Format("02.01.") != "30.11."`: false,
	} {
		slot := &Slot{Name: "day", Type: TypeDate, Check: check}
		m := &Manifest{Slots: []Slot{*slot}}
		rule, err := m.compileRule(slot)
		if err != nil {
			t.Errorf("%s: %v", check, err)
			continue
		}
		slot.rule = rule
		if got := slot.wrong("2026-11-30", Values{"day": "2026-11-30"}, "2026-11-26", bilingual.EN) == ""; got != want {
			t.Errorf("%s: %v", check, got)
		}
	}
	for _, check := range []string{`date(value).Nonsense()`, `value.Weekday()`} {
		slot := &Slot{Name: "day", Type: TypeDate, Check: check}
		if _, err := (&Manifest{Slots: []Slot{*slot}}).compileRule(slot); err == nil {
			t.Errorf("%s is no rule", check)
		}
	}
}
