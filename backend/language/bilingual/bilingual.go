// Package bilingual says things in the two languages of the shop. It imports the standard library only, and everyone may import it.
package bilingual

import "fmt"

// Lang is a language the shop speaks: KO or EN.
type Lang string

// The two languages of the shop.
const (
	KO Lang = "ko"
	EN Lang = "en"
)

// Text is the same words in both languages.
type Text struct {
	KO string `json:"ko" yaml:"ko"`
	EN string `json:"en" yaml:"en"`
}

// Textf is a text whose formats take the same values.
func Textf(ko, en string, args ...any) Text {
	return Text{fmt.Sprintf(ko, args...), fmt.Sprintf(en, args...)}
}

// In gives the words in lang; English is the fallback.
func (t Text) In(lang Lang) string {
	if lang == KO {
		return t.KO
	}
	return t.EN
}

// String is the English, for logs.
func (t Text) String() string { return t.EN }

// Say gives what is said in lang. With args, ko and en are formats that take them.
func Say(lang Lang, ko, en string, args ...any) string {
	text := Text{ko, en}.In(lang)
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// Of is a text.
func Of(ko, en string) Text { return Text{ko, en} }

// Wrong is a text that says what is wrong with something. It is an error.
type Wrong struct{ Text }

// Error is the English.
func (w Wrong) Error() string { return w.EN }

// WrongOf says what is wrong.
func WrongOf(ko, en string) Wrong { return Wrong{Text{ko, en}} }
