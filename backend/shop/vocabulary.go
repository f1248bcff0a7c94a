package shop

import (
	"strings"
	"unicode"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
)

// english knows the English words that the shop itself uses: of its own tools' manuals and of what it says to people.
// Whoever writes English uses one of them; a name, or keys hit at random, do not tell a language.
func (s *Shop) english() func(word string) bool {
	texts := apperr.Sentences(bilingual.EN)
	for _, spec := range s.box.Specs() {
		texts = append(texts, spec.Title.EN, spec.Description.EN)
		for _, e := range spec.Examples {
			texts = append(texts, e.Text)
		}
	}
	known := map[string]bool{}
	for _, text := range texts {
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.Is(unicode.Latin, r) }) {
			if len(word) > 1 {
				known[strings.ToLower(word)] = true
			}
		}
	}
	return func(word string) bool { return known[word] }
}
