package service

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"agentchat/backend/language/ground"
	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/language/verdict"
	"agentchat/backend/language/wordlist"
	"agentchat/backend/provider"
	"agentchat/backend/service/reading"
)

// read reads a message for a session. Free words that it has are changed by what announces them, and not by whatever is left of a message.
func (m *Manifest) read(s Session, text string, now time.Time) reading.Reading {
	card := m.Card()
	for i := range card.Slots {
		if _, filled := s.Slots[card.Slots[i].Name]; filled {
			card.Slots[i].Frame = nil
		}
	}
	return reading.Of(card, s.Asked, text, now)
}

// Continues tells whether a message surely goes on with the session: it is nothing but the value that was asked for, or
// a correction that names a value.
func (m *Manifest) Continues(s Session, text string, now time.Time) bool {
	if _, ok := m.Answers(s, text, now); ok {
		return true
	}
	own := m.read(s, text, now)
	_, _, by := own.By()
	return (own.Corrects() || by && s.Stage == Ready) && !own.Empty() || own.Clears(m.filled(s))
}

// filled are the optional slots that hold something.
func (m *Manifest) filled(s Session) map[string]bool {
	names := map[string]bool{}
	for _, slot := range m.Slots {
		if _, ok := s.Slots[slot.Name]; ok && !slot.Required {
			names[slot.Name] = true
		}
	}
	return names
}

// Mentions tells whether the message holds any value the session could take, and is there to change it where nothing is asked.
func (m *Manifest) Mentions(s Session, text string, now time.Time) bool {
	own := m.read(s, text, now)
	return !own.Empty() && (s.Stage != Ready || own.Amends())
}

// Answers gives what the message says when it is nothing but the value that was asked for. Names and free words are left
// to the slot role: they could be anything.
func (m *Manifest) Answers(s Session, text string, now time.Time) (Extraction, bool) {
	slot := m.slot(s.Asked)
	if s.Stage != Filling || slot == nil || slot.Type == TypeText || slot.Type == TypeName {
		return Extraction{}, false
	}
	value, ok := m.read(s, text, now).Only(slot.Name)
	if !ok {
		return Extraction{}, false
	}
	return Extraction{Set: Values{slot.Name: value}}, true
}

// anyDay is for who only asks whether a day is named.
var anyDay = time.Date(2024, 1, 1, 9, 0, 0, 0, time.UTC)

// Holds tells whether a message is nothing but a day, a time and the free words that the service takes with them: 내일 3시 치과.
func (m *Manifest) Holds(text string) bool {
	if verdict.Asks(text) || reading.Tells(text) || slices.ContainsFunc(m.Slots, func(s Slot) bool { return s.Of != "" }) {
		return false // what is kept has to be asked for, and a moment alone asks nothing of it
	}
	framed, timed := false, 0
	own := m.read(Session{}, text, anyDay)
	for _, s := range m.Slots {
		for _, task := range own.Tasks() {
			if _, said := task[s.Name]; said {
				framed = framed || len(s.Frame) > 0
				if s.Type == TypeDate || s.Type == TypeTime {
					timed++
				}
			}
		}
	}
	return framed && timed == 2 && len(own.Tasks()) == 1
}

// Reads is the grammar's own reading of a message.
func (m *Manifest) Reads(s Session, text string, now time.Time) provider.SlotReply {
	return m.read(s, text, now).Reply()
}

// Ground checks a proposed reading against the customer's words. Values that the words do not contain, or that belong to another task, are
// dropped, and so are tasks that the words do not name. If the words clearly name several tasks, all are kept, even those the proposal left
// out. fresh says that the message asks for the service anew.
func (m *Manifest) Ground(s Session, reply provider.SlotReply, text string, fresh bool, now time.Time) Extraction {
	own := m.read(s, text, now)
	if fresh { // it is a task of its own
		own = m.read(Session{Asked: s.Asked}, text, now)
	}
	found := Extraction{Set: Values{}, Problems: own.Problems(), Unkept: own.Unkept()}
	slot, by, changes := own.By()
	had, filled := s.Slots[slot].(int64)
	switch {
	case s.Stage == Ready && changes && filled && had+by > 0:
		return Extraction{Set: Values{slot: had + by}, Unkept: found.Unkept}
	case s.Stage == Ready && !fresh && !own.Amends() && !own.Clears(m.filled(s)):
		return Extraction{Unkept: found.Unkept} // it only happens to hold a value
	}
	if own.Several() {
		found.Tasks, found.Doubt = pair(reply, own.Tasks())
	} else {
		m.single(&found, reply, own, s)
	}
	if reply.Say != "" {
		found.Wording = &Wording{Slot: reply.Ask, Text: reply.Say}
	}
	if fresh && s.Stage == Ready && len(found.Tasks) == 0 && m.complete(found.Set) && !own.Corrects() {
		found.Tasks, found.Set = []Values{found.Set}, nil // one more of the same
	}
	return found
}

// single checks a proposal against words that name at most one task. A value that the words clearly contain and the proposal lacks is added;
// a value that differs from the words is dropped and asked for.
func (m *Manifest) single(found *Extraction, reply provider.SlotReply, own reading.Reading, s Session) {
	spoken := map[string]bool{}
	propose := func(name string, raw json.RawMessage) {
		if m.slot(name) == nil || len(raw) == 0 || string(raw) == "null" {
			return
		}
		spoken[name] = true
		v, ok := own.Holds(name, raw)
		if text, is := v.(string); ok || is && several(text) > 0 { // of several things a proposal may name one alone
			found.Set[name] = v
		} else {
			found.Doubt = true
		}
	}
	for _, op := range reply.Operations {
		if op.Op == "set" {
			propose(op.Slot, op.Value)
		}
	}
	if len(reply.Tasks) > 0 {
		found.Doubt = found.Doubt || len(reply.Tasks) > 1
		for name, raw := range reply.Tasks[0] {
			propose(name, raw)
		}
	}
	for _, op := range own.Reply().Operations {
		switch {
		case op.Op == "clear":
			found.Clear = append(found.Clear, op.Slot)
			delete(found.Set, op.Slot)
		case spoken[op.Slot] || s.Stage == Ready && !own.Corrects():
		default:
			if v, ok := own.Holds(op.Slot, op.Value); ok {
				found.Set[op.Slot] = v
			}
		}
	}
}

// complete tells whether values are all that a task needs.
func (m *Manifest) complete(values Values) bool {
	for _, slot := range m.Slots {
		if _, ok := values[slot.Name]; slot.Required && !ok {
			return false
		}
	}
	return true
}

// pair checks a proposal against the tasks that the words name. A task that agrees with the words is kept; one with other values loses those,
// so that they are asked for; one that the proposal lacks is kept as the words say it; one that the words do not name is dropped.
func pair(reply provider.SlotReply, own []ground.Task) ([]Values, bool) {
	proposed := make([]map[string]any, 0, len(reply.Tasks)+1)
	doubt := false
	for _, t := range append(slices.Clone(reply.Tasks), operations(reply)) {
		if values, ok := reading.Proposed(t); ok && len(values) > 0 {
			proposed = append(proposed, values)
		}
	}
	tasks := make([]Values, len(own))
	for i, task := range own {
		tasks[i] = Values{}
		for name, f := range task {
			tasks[i][name] = f.Value
		}
		k := slices.IndexFunc(proposed, func(p map[string]any) bool { return len(p) == len(task) && task.Holds(p) })
		if k >= 0 {
			proposed = slices.Delete(proposed, k, k+1)
			continue
		}
		for _, p := range proposed {
			for name := range contradicted(task, p) {
				delete(tasks[i], name)
				doubt = true
			}
		}
	}
	return tasks, doubt || len(proposed) > 0
}

// contradicted are the task's values that a proposal for the same somebody gives otherwise.
func contradicted(task ground.Task, p map[string]any) map[string]bool {
	wrong, same := map[string]bool{}, false
	for name, f := range task {
		v, said := p[name]
		switch holds := said && task.Holds(map[string]any{name: v}); {
		case f.Kind == ground.Name:
			same = holds
		case said && !holds:
			wrong[name] = true
		}
	}
	if !same {
		return nil
	}
	return wrong
}

// operations are the values a reply sets for one task.
func operations(reply provider.SlotReply) map[string]json.RawMessage {
	task := map[string]json.RawMessage{}
	for _, op := range reply.Operations {
		if op.Op == "set" {
			task[op.Slot] = op.Value
		}
	}
	return task
}

// Card is the service as requests show it.
func (m *Manifest) Card() provider.ServiceCard { return m.card() }

func (s *Slot) card() provider.SlotCard {
	return provider.SlotCard{
		Name: s.Name, Type: string(s.Type), Title: s.Title.EN, Hint: s.Hint.EN, Required: s.Required, Values: s.Values, Cues: s.Cues, Without: s.Without, Frame: s.Frame, Holds: s.Holds, Several: s.Several,
	}
}

// Arguments are what the query's tool is asked with: what is always the same and what the question names.
func (q *Query) Arguments(text string, now time.Time) map[string]any {
	args := maps.Clone(q.Args)
	if args == nil {
		args = map[string]any{}
	}
	for name, f := range q.read(text, now) {
		args[name] = f.Value
	}
	return args
}

// read gives the values that a question names.
func (q *Query) read(text string, now time.Time) ground.Task {
	card := provider.ServiceCard{}
	for i := range q.Slots {
		card.Slots = append(card.Slots, q.Slots[i].card())
	}
	if tasks := reading.Of(card, "", text, now).Tasks(); len(tasks) == 1 {
		return tasks[0]
	}
	return nil
}

// GoesOn tells whether a message asks what was asked before once more, of another value (모레는 뭐 있어?): beside that it says only words that stand
// in the question before or name nothing. bare says that it says none but those that lead in.
func (q *Query) GoesOn(text, before string, now time.Time) (bare, ok bool) {
	rest := []byte(text)
	for _, f := range q.read(text, now) {
		copy(rest[f.Start:f.End], bytes.Repeat([]byte(" "), f.End-f.Start))
		ok = true
	}
	said := wordlist.Of(strings.ToLower(before))
	bare = true
	for _, w := range phrase.Words(string(rest)) {
		stem, _ := phrase.Stem(w.Lower)
		switch known := said[w.Lower] || said[stem]; {
		case !known && !slot.FunctionWord(w.Lower) && !slot.FunctionWord(stem):
			return false, false
		case known || !leadsOn[w.Lower]:
			bare = false
		}
	}
	return bare, ok
}

// leadsOn are words that only lead to a value, or end it.
var leadsOn = wordlist.Of("그럼 그러면 그리고 은 는 도 은요 는요 에는 and what about how on for then")
