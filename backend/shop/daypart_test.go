package shop_test

import (
	"strings"
	"testing"
)

// A part of the day that is said with a day is a time, and no part of what is to be done.
func TestAPartOfTheDayIsATime(t *testing.T) {
	for lang, said := range map[string]map[string][]string{
		"en": {
			"remind me to call the plumber on thursday afternoon":         {"“call the plumber”", "2:00 PM"},
			"remind me on friday morning to water the plants":             {"“water the plants”", "8:00 AM"},
			"remind me at 5 to ring Sam":                                  {"“ring Sam”", "5:00 PM"},
			"put dentist on my calendar for monday at 3 in the afternoon": {"“dentist”", "3:00 PM"},
			"remind me at half past seven in the evening to feed the cat": {"“feed the cat”", "7:30 PM"},
		},
		"ko": {
			"할 일에 금요일 오후에 빨래 널기 추가해줘": {"‘빨래 널기’", "오후 2시"},
			"내일 저녁 약속 일정에 넣어줘":        {"‘저녁 약속’"}, // a meal
		},
	} {
		t.Run(lang, func(t *testing.T) {
			c := enterAs(t, t.TempDir(), nil, "AGENTCHAT_LANG="+lang)
			n := 0
			for text, shown := range said {
				n++
				came := c.starts(strings.Repeat("x", n), text)
				for _, want := range shown {
					if !strings.Contains(came.reply, want) {
						t.Errorf("%q: %q, want %s", text, came.reply, want)
					}
				}
			}
		})
	}
}
