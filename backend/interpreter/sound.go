package interpreter

import (
	"errors"
	"strings"
	"unicode"

	"agentchat/backend/apperr"
	"agentchat/backend/provider"
)

// What is wrong with a text that arrived well, in words the model can use.
var (
	errNoText   = errors.New("the reply is empty")
	errForm     = errors.New("the reply is a form of another letter: this one wants plain words for the customer, no JSON")
	errRepeats  = errors.New("the reply says the same thing over and over")
	errNotKO    = errors.New("the reply is not in Korean: the language of this letter is ko, write the whole reply in Korean")
	errNotEN    = errors.New("the reply is not in English: the language of this letter is en, write the whole reply in English")
	errHanLeaks = errors.New("the reply mixes foreign words into Korean: the language of this letter is ko, write all of it in Korean, in Hangul")
)

// maxRepeats is how often a line or a sentence may come.
const maxRepeats = 10

// sound says whether a text can be shown to the customer of a brief. What the standby worded is: code made it.
func (i *Interpreter) sound(b Brief, x Exchange, text string) error {
	if i.deps.Standby != nil && x.Provider == i.deps.Standby.Name() && strings.TrimSpace(text) != "" {
		return nil
	}
	err := wrongWords(text)
	if err == nil && x.Request.Role != provider.RolePrompt { // a prompt may ask for any language, and only words can come of it
		err = wrongLanguage(b, text)
	}
	if err != nil {
		return apperr.Wrap(err, apperr.ModelBadOutput)
	}
	return nil
}

// wrongWords says what is wrong with a text in any language; nil: nothing.
func wrongWords(text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return errNoText
	case provider.IsForm(text):
		return errForm
	case repeats(text):
		return errRepeats
	}
	return nil
}

// repeats tells whether most of a text is one line or one sentence again and again.
func repeats(text string) bool {
	for _, split := range []func(rune) bool{
		func(r rune) bool { return r == '\n' },
		func(r rune) bool { return strings.ContainsRune("\n.!?。！？", r) },
	} {
		times, all := map[string]int{}, 0
		for part := range strings.FieldsFuncSeq(text, split) {
			part = strings.TrimFunc(part, func(r rune) bool { return !unicode.IsLetter(r) })
			if part == "" {
				continue
			}
			all++
			times[part]++
			if n := times[part]; n >= maxRepeats && 2*n >= all {
				return true
			}
		}
	}
	return false
}
