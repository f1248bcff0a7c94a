package manager

import (
	"strings"
	"testing"

	"agentchat/backend/language/bilingual"
)

// A name says nothing of the language that is spoken, unless it is all that is said.
func TestNamesTellNoLanguage(t *testing.T) {
	english := func(word string) bool {
		return strings.Contains(" append to tell me the weather in and ", " "+word+" ")
	}
	for text, want := range map[string]bilingual.Lang{
		"append 'milk' to 회의.txt":                       bilingual.EN,
		"append '날씨 확인' to notes.txt":                   bilingual.EN,
		"tell me the weather and append 'x' to 회의.txt.": bilingual.EN,
		"회의.txt":                       bilingual.KO,
		"'날씨 확인'":                      bilingual.KO,
		"README.md에 'append to' 추가해줘":  bilingual.KO,
		"notes.txt 보여줘":                bilingual.KO,
		"tell me the weather in 부산":    bilingual.KO,
		"가나다.txt를 tell me the weather": bilingual.KO,
	} {
		if got := language(text, "", english); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
