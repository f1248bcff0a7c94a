// Package wordlist reads lists of words that are data, one word a line, so that they can be reviewed.
package wordlist

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"unicode"
)

// Set is a list of words.
type Set map[string]bool

// Of is a list written in one or several lines, its words separated by spaces.
func Of(lines ...string) Set {
	s := Set{}
	for _, line := range lines {
		for w := range strings.FieldsSeq(line) {
			s[w] = true
		}
	}
	return s
}

// Join puts lists together.
func Join(lists ...Set) Set {
	all := Set{}
	for _, s := range lists {
		maps.Copy(all, s)
	}
	return all
}

// Load reads lists. Those that decide something must have no word in common; those beside them, which may share words with
// each other, have none of theirs. Every entry is one word in small letters, and stands in its list once.
func Load(files fs.FS, deciding []string, beside ...string) ([]Set, error) {
	var lists []Set
	in := map[string]string{} // by word, the deciding list it is in
	for i, name := range append(append([]string(nil), deciding...), beside...) {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		list := Set{}
		lines := bufio.NewScanner(bytes.NewReader(text))
		for n := 1; lines.Scan(); n++ {
			word := lines.Text()
			switch {
			case word == "" || word != strings.ToLower(word) || strings.ContainsFunc(word, unicode.IsSpace):
				return nil, fmt.Errorf("%s:%d: %q is not one word in small letters", name, n, word)
			case list[word]:
				return nil, fmt.Errorf("%s:%d: %q stands there twice", name, n, word)
			case in[word] != "":
				return nil, fmt.Errorf("%s:%d: %q stands in %s too", name, n, word, in[word])
			}
			list[word] = true
			if i < len(deciding) {
				in[word] = name
			}
		}
		lists = append(lists, list)
	}
	return lists, nil
}

// Must is Load for lists that are built in.
func Must(files fs.FS, deciding []string, beside ...string) []Set {
	lists, err := Load(files, deciding, beside...)
	if err != nil {
		panic(err)
	}
	return lists
}

// Words takes a message apart into its words, in small letters and without signs.
func Words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(text, "’", "'")), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(".,!~?…·^;:)(\"", r)
	})
}

// Compact is a message as a list has it: its words put together.
func Compact(text string) string { return strings.Join(Words(text), "") }
