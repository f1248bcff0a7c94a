package service

import (
	"fmt"
	"strings"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/verdict"
	"agentchat/backend/language/wordlist"
)

// Verb is what a whole message means at the counter, whichever service it is about.
type Verb = verdict.Verdict

// The verbs. A sentence that merely contains such a word is none: 아니 5만원으로 is a correction.
const (
	VerbNone      = verdict.None
	VerbConfirm   = verdict.Confirm
	VerbCancel    = verdict.Cancel
	VerbSkip      = verdict.Skip
	VerbCancelAll = verdict.CancelAll
)

// The ids of the counter's buttons begin with these; the token of what is on show follows.
const (
	ActionConfirm = "service:confirm:"
	ActionCancel  = "service:cancel:"
)

// VerbOf tells what a whole message means to a session of the service.
func (m *Manifest) VerbOf(s Session, text string) Verb {
	return verdict.Of(text, m.Says, m.already(s))
}

// already are the words that ask for what holds anyway: 지금, while no date is set.
func (m *Manifest) already(s Session) wordlist.Set {
	words := wordlist.Set{}
	for _, slot := range m.Slots {
		if _, filled := s.Slots[slot.Name]; filled {
			continue
		}
		for _, w := range slot.Without {
			words[strings.ToLower(w)] = true
		}
	}
	return words
}

// VerbOf tells what a whole message means to any service.
func VerbOf(text string) Verb { return verdict.Of(text, verdict.Own{}, nil) }

// Pressed tells what a button of the counter means, and the token of what was on show when it was offered.
func Pressed(action string) (verb Verb, token string) {
	if token, ok := strings.CutPrefix(action, ActionConfirm); ok {
		return VerbConfirm, token
	}
	if token, ok := strings.CutPrefix(action, ActionCancel); ok {
		return VerbCancel, token
	}
	return VerbNone, ""
}

// Label is what stands on the button of a verb.
func Label(verb Verb, lang bilingual.Lang) string {
	if verb == VerbConfirm {
		return words["confirm"].In(lang)
	}
	return words["cancel"].In(lang)
}

// button offers an action on exactly what is on show.
func (m *Manifest) button(s Session, action string) event.Button {
	label := "confirm"
	if action == ActionCancel {
		label = "cancel"
	}
	return event.Button{ID: action + s.mark(), Label: m.common(s.Lang, label)}
}

// mark names what a button is about: the token, or the task while there is nothing to confirm.
func (s Session) mark() string {
	if t := s.Token(); t != "" {
		return t
	}
	return fmt.Sprintf("%s.%d", s.ID, s.Progress)
}

// Mark tells whether a button that carries the mark is about what stands open now.
func (s Session) Mark(mark string) bool { return mark != "" && mark == s.mark() }
