package lazyregexp

import (
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// It answers as the expression that was compiled at once would.
func TestItAnswersAsTheCompiledOne(t *testing.T) {
	const text, words = `(\p{L}+)(\d+)`, "가12 나3, 다 라45"
	late, at := &Regexp{text: text}, regexp.MustCompile(text)
	for name, pair := range map[string][2]any{
		"MatchString":                {late.MatchString(words), at.MatchString(words)},
		"FindString":                 {late.FindString(words), at.FindString(words)},
		"FindStringIndex":            {late.FindStringIndex(words), at.FindStringIndex(words)},
		"FindStringSubmatch":         {late.FindStringSubmatch(words), at.FindStringSubmatch(words)},
		"FindStringSubmatchIndex":    {late.FindStringSubmatchIndex(words), at.FindStringSubmatchIndex(words)},
		"FindAllString":              {late.FindAllString(words, 2), at.FindAllString(words, 2)},
		"FindAllStringIndex":         {late.FindAllStringIndex(words, 2), at.FindAllStringIndex(words, 2)},
		"FindAllStringSubmatch":      {late.FindAllStringSubmatch(words, -1), at.FindAllStringSubmatch(words, -1)},
		"FindAllStringSubmatchIndex": {late.FindAllStringSubmatchIndex(words, -1), at.FindAllStringSubmatchIndex(words, -1)},
		"ReplaceAllString":           {late.ReplaceAllString(words, "$2$1"), at.ReplaceAllString(words, "$2$1")},
		"ReplaceAllStringFunc":       {late.ReplaceAllStringFunc(words, strings.ToUpper), at.ReplaceAllStringFunc(words, strings.ToUpper)},
		"Split":                      {late.Split(words, -1), at.Split(words, -1)},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%s gives %v, want %v", name, pair[0], pair[1])
		}
	}
}

// Those who need it first at the same moment all get the same.
func TestManyMayBeTheFirst(t *testing.T) {
	re := &Regexp{text: `^b+$`} // as outside of tests
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			if !re.MatchString("bbb") || re.MatchString("abc") {
				t.Error("a wrong answer")
			}
		})
	}
	all.Wait()
}

// A mistake is found by any test of the package it stands in, not by a person's words.
func TestAMistakeIsFoundInTests(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("it was taken")
		}
	}()
	New(`(`)
}
