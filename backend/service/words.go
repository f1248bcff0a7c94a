package service

import (
	"fmt"
	"strings"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/phrase"
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
	v := verdict.Of(text, m.Says, m.already(s))
	if v == VerbNone && m.calledOff(s, text) {
		return VerbCancel
	}
	return v
}

// calledOff tells that a message calls off by its name what is about to be done: 치과는 취소할게, cancel the dentist. What names something that is
// there already (cancel the dentist, while that is to be moved) may mean that instead.
func (m *Manifest) calledOff(s Session, text string) bool {
	for _, slot := range m.Slots {
		value, named := s.Slots[slot.Name].(string)
		switch {
		case slot.Of != "":
			return false
		case !named || !slot.Required:
			continue
		}
		of := wordlist.Of(strings.ToLower(value))
		said, rest := wordlist.Set{}, []string{}
		for _, w := range phrase.Words(phrase.Normalize(text)) {
			switch stem, _ := phrase.Stem(w.Lower); {
			case of[stem]:
				said[stem] = true
			case of[w.Lower]:
				said[w.Lower] = true
			case w.Lower != "the":
				rest = append(rest, w.Text)
			}
		}
		whole := len(said) == len(of) || !strings.Contains(value, "\n") // one of several things is not all of them
		if len(said) > 0 && whole && verdict.Of(strings.Join(rest, " "), m.Says, nil) == VerbCancel {
			return true
		}
	}
	return false
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
