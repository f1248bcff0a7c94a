package words

import (
	_ "embed"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed thesaurus.tsv
var thesaurusFile string

// thesaurus is what documents write, by what people say.
var thesaurus = sync.OnceValue(func() map[string][]string {
	written := map[string][]string{}
	for line := range strings.Lines(thesaurusFile) {
		said, formal, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok || strings.HasPrefix(said, "#") {
			continue
		}
		for w := range strings.FieldsSeq(said) {
			written[w] = append(written[w], strings.Fields(formal)...)
		}
	}
	return written
})

// Written gives the words that documents write for a word of a question, as Question gives it. A Korean word is also known by what
// it begins with, since its ending may be any: 늦으면, 월세는.
func Written(word string) []string {
	list := thesaurus()
	if !Korean(word) {
		return list[word]
	}
	for end := len(word); end > 0; {
		if w := list[word[:end]]; w != nil && (end == len(word) || utf8.RuneCountInString(word[:end]) >= 2) {
			return w
		}
		_, size := utf8.DecodeLastRuneInString(word[:end])
		end -= size
	}
	return nil
}
