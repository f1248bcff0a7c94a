// Package apperr holds the only errors that reach a person: a stable code, a sentence with what to do next in Korean
// and English, and fields. Other programs match on the code, so a code never changes its meaning.
//
// It imports nothing of the shop but its languages, and every other package may import it.
package apperr

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"agentchat/backend/language/bilingual"
)

// Code is stable, lower_snake, one meaning each.
type Code string

// Fields are the values a sentence names, such as {"tool": "nav"}.
type Fields map[string]any

// Error is a failure a person can act on. It wraps the technical cause, which goes to the log and never to the person.
type Error struct {
	Code   Code
	Fields Fields
	cause  error
}

// New makes an error. Fields are given as key, value pairs.
func New(code Code, pairs ...any) *Error { return Wrap(nil, code, pairs...) }

// Wrap makes an error with a technical cause.
func Wrap(cause error, code Code, pairs ...any) *Error {
	var fields Fields
	for i := 0; i+1 < len(pairs); i += 2 {
		if fields == nil {
			fields = Fields{}
		}
		fields[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return &Error{Code: code, Fields: fields, cause: cause}
}

// Error is for logs: the code, the English sentence and the cause.
func (e *Error) Error() string {
	s := string(e.Code) + ": " + e.Text(bilingual.EN)
	if e.cause != nil {
		s += ": " + e.cause.Error()
	}
	return s
}

// Unwrap gives the technical cause, or nil.
func (e *Error) Unwrap() error { return e.cause }

// Is matches another *Error by code alone, so errors.Is(err, apperr.New(code)) works.
func (e *Error) Is(target error) bool {
	var t *Error
	return errors.As(target, &t) && t.Code == e.Code
}

// Text is the sentence a person reads, in lang, with {field} filled in. English is the fallback. A field whose value has
// a method In(bilingual.Lang) string, or that is an object of "ko" and "en" as such a one is after it was kept as JSON, reads in lang
// too.
func (e *Error) Text(lang bilingual.Lang) string {
	pair, ok := sentences[e.Code]
	if !ok {
		pair = sentences[Internal]
	}
	text := bilingual.Text(pair).In(lang)
	for k := range e.Fields {
		text = strings.ReplaceAll(text, "{"+k+"}", e.Said(k, lang))
	}
	return text
}

// Said is what a field says, for who says the rest in another way; "" for one that is not there.
func (e *Error) Said(field string, lang bilingual.Lang) string {
	v, there := e.Fields[field]
	if !there {
		return ""
	}
	switch words := v.(type) {
	case interface{ In(bilingual.Lang) string }:
		v = words.In(lang)
	case map[string]any:
		if both := words[string(lang)]; both != nil {
			v = both
		}
	}
	return fmt.Sprint(v)
}

// Sentences are the sentences of all codes in lang.
func Sentences(lang bilingual.Lang) []string {
	var all []string
	for _, pair := range sentences {
		all = append(all, bilingual.Text(pair).In(lang))
	}
	return all
}

// From turns any error into one a person can read: an *Error inside it is kept, cancellation becomes Canceled, anything
// else becomes Internal with the error as its cause. From(nil) is nil.
func From(err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if errors.Is(err, context.Canceled) {
		return Wrap(err, Canceled)
	}
	return Wrap(err, Internal)
}

// CodeOf is the code of From(err), or "" for nil.
func CodeOf(err error) Code {
	if e := From(err); e != nil {
		return e.Code
	}
	return ""
}
