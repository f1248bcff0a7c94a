// Package service is the service counter: slot-filling services that a manifest describes. Code alone changes state: the stages, the checks,
// the queue, and the texts that say what will happen and what happened. A model only proposes values, and a value counts only when the
// customer's own words contain it.
package service

import (
	"encoding/json"
	"regexp"
	"text/template"

	"github.com/expr-lang/expr/vm"

	"agentchat/backend/language/act"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/phrase"
	"agentchat/backend/language/verdict"
	"agentchat/backend/service/reading"
)

// Texts are lists of sentences or patterns in both languages.
type Texts struct {
	KO []string `yaml:"ko" json:"ko"`
	EN []string `yaml:"en" json:"en"`
}

// All gives the list of both languages, Korean first.
func (t Texts) All() []string { return append(append([]string(nil), t.KO...), t.EN...) }

// In gives the list of one language.
func (t Texts) In(lang bilingual.Lang) []string {
	if lang == bilingual.KO {
		return t.KO
	}
	return t.EN
}

// SlotType says which grammar reads a slot.
type SlotType string

// The types of slots. A value of money, number and ahead is an int64, of all others a string: date as 2006-01-02, time as 15:04,
// enum as one of the slot's values.
const (
	TypeMoney  SlotType = "money"
	TypeNumber SlotType = "number"
	TypeDate   SlotType = "date"
	TypeTime   SlotType = "time"
	TypeName   SlotType = "name" // somebody or something with a name
	TypeText   SlotType = "text" // free words
	TypeEnum   SlotType = "enum"
	TypeAhead  SlotType = "ahead" // how many minutes before something
)

var slotTypes = map[SlotType]bool{
	TypeMoney: true, TypeNumber: true, TypeDate: true, TypeTime: true, TypeName: true, TypeText: true, TypeEnum: true, TypeAhead: true,
}

// Slot is one value a service needs.
type Slot struct {
	Name     string              `yaml:"name"`
	Type     SlotType            `yaml:"type"`
	Title    bilingual.Text      `yaml:"title"`
	Required bool                `yaml:"required"`
	Hint     bilingual.Text      `yaml:"hint"`    // for the model: what the value is
	Values   map[string][]string `yaml:"values"`  // enum: each value and the words that mean it
	Cues     []string            `yaml:"cues"`    // text: words that announce it (메모, memo)
	Frame    []string            `yaml:"frame"`   // text: words of a request around it (일정, my list); with these what is left of a message is the text
	Holds    string              `yaml:"holds"`   // text: the slot whose text is put into what this one names: of a list, what is on it
	Several  bool                `yaml:"several"` // text: a message may name several, which are kept one by one; the value has a line for each
	Without  []string            `yaml:"without"` // optional: words that mean it is not wanted (a date: 지금, right away)
	Of       string              `yaml:"of"`      // text: the service of whose records it names one
	Needs    []string            `yaml:"needs"`   // slots of which one must be filled when this one is
	Settles  bool                `yaml:"settles"` // beside the name of a record, and without a moment, this value tells that the service is meant: 치과 30분 전에 알려줘
	Check    string              `yaml:"check"`   // rule over value, now (2006-01-02) and the other slots; empty: none
	Error    bilingual.Text      `yaml:"error"`   // what to say when the rule is broken
	Ask      bilingual.Text      `yaml:"ask"`     // template of the question for it

	rule *vm.Program
}

// Query is a question about the past that is answered from a ledger by code, never by a model.
type Query struct {
	ID       string         `yaml:"id"`
	Title    bilingual.Text `yaml:"title"`    // what it tells, where several readings are offered; empty: that of the service
	Acts     []act.Act      `yaml:"acts"`     // what a message may want that it answers
	Match    Texts          `yaml:"match"`    // patterns; one that fits the message is enough
	Examples Texts          `yaml:"examples"` // what tells it from other queries that answer the same
	Tool     string         `yaml:"tool"`     // a tool that only reads; empty: the answer is always the same
	Args     map[string]any `yaml:"args"`     // arguments that are always the same
	Slots    []Slot         `yaml:"slots"`    // arguments that are read out of the question when they are there
	Answer   bilingual.Text `yaml:"answer"`   // template over the tool's data

	match    []*regexp.Regexp
	examples [][]uint64
}

// Batch is how several tasks of one message are treated.
type Batch struct {
	Max int `yaml:"max"` // most tasks at once; 1: one at a time
}

// Card is what a role is told beyond the manifest itself.
type Card struct {
	Intent string `yaml:"intent"` // when this service is meant, and when not
	Slot   string `yaml:"slot"`   // how to read the values
}

// Manifest is one service. It is read once and never changes; safe for concurrent use.
type Manifest struct {
	ID           string                    `yaml:"id"`
	Intent       string                    `yaml:"intent"` // the key the intent role answers with
	Title        bilingual.Text            `yaml:"title"`
	Description  bilingual.Text            `yaml:"description"`
	Tool         string                    `yaml:"tool"`
	Args         map[string]string         `yaml:"args"` // argument: slot, or "*" for an object of all slots
	With         map[string]any            `yaml:"with"` // arguments that are always the same
	Acts         []act.Act                 `yaml:"acts"` // what a message may want that it does
	Examples     Texts                     `yaml:"examples"`
	Match        Texts                     `yaml:"match"`  // patterns that leave no doubt that this service is meant
	Unless       Texts                     `yaml:"unless"` // patterns of what looks like it and is something else
	Batch        Batch                     `yaml:"batch"`
	MaxFillTurns int                       `yaml:"max_fill_turns"`
	Cards        Card                      `yaml:"cards"`
	Slots        []Slot                    `yaml:"slots"`
	Says         verdict.Own               `yaml:"says"`
	Messages     map[string]bilingual.Text `yaml:"messages"`
	Queries      []Query                   `yaml:"queries"`

	examine   func(tool string, args json.RawMessage, lang bilingual.Lang) map[string]string // see Book.Examine; may be nil
	named     func(service, key, name string) []string                                       // see Book.Names; may be nil
	foretell  func(tool string, args json.RawMessage, lang bilingual.Lang) string            // see Book.Foretell; may be nil
	match     []*regexp.Regexp
	unless    []*regexp.Regexp
	examples  [][]uint64                            // as phrase.Grams
	templates map[bilingual.Lang]*template.Template // of a language, one set: what they share is there once
}

// The messages of a manifest. Those in oneMessages are required; the others have a default text.
const (
	msgReady      = "ready"       // asks to confirm the only task
	msgFirst      = "ready_first" // asks to confirm the first of several
	msgAgain      = "ready_again" // asks to confirm one of several once more
	msgNext       = "ready_next"  // the one before is done
	msgSkipped    = "ready_skipped"
	msgDone       = "done"
	msgAllDone    = "done_all"
	msgSomeDone   = "done_some"
	msgCanceled   = "canceled"
	msgAllCancel  = "canceled_all"
	msgFailed     = "failed"
	msgUnable     = "unsupported"
	msgExecuting  = "executing" // the label while the tool works
	msgFailedNext = "failed_next"
	msgWaiting    = "waiting"
	msgAct        = "act" // what the button that confirms says
)

var mustMessages = []string{msgReady, msgDone, msgCanceled}

// slot gives a slot by name, nil when there is none.
func (m *Manifest) slot(name string) *Slot {
	for i := range m.Slots {
		if m.Slots[i].Name == name {
			return &m.Slots[i]
		}
	}
	return nil
}

// Query gives the query a message asks, nil when it asks none.
func (m *Manifest) Query(text string) *Query {
	for i := range m.Queries {
		if anyMatch(m.Queries[i].match, text) {
			return &m.Queries[i]
		}
	}
	return nil
}

// Means tells whether the message fits one of the patterns that leave no doubt, and none of those that say otherwise.
func (m *Manifest) Means(text string) bool {
	return m.fits(text) && !anyMatch(m.unless, text) && !reading.Tells(text)
}

// fits tells whether one of the patterns fits a message, as it is said or said plainly.
func (m *Manifest) fits(text string) bool {
	return anyMatch(m.match, text) || anyMatch(m.match, phrase.Plain(text))
}

func anyMatch(list []*regexp.Regexp, text string) bool {
	for _, re := range list {
		if re.MatchString(text) {
			return true
		}
	}
	return false
}
