package service

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"time"

	"agentchat/backend/provider"
	"agentchat/backend/service/reading"
)

// corrects are words with which somebody takes something back or changes it.
var corrects = regexp.MustCompile(`(?i)^\s*(아니|아냐|아뇨|잠깐|참|no\b|wait|actually|sorry)|말고|대신|바꿔|바꿀|고쳐|변경|수정|instead|change|make it|rather`)

// Continues tells whether a message surely goes on with the session: it is nothing but the value that was asked for, or
// a correction that names a value.
func (m *Manifest) Continues(s Session, text string, now time.Time) bool {
	if _, ok := m.Answers(s, text, now); ok {
		return true
	}
	return corrects.MatchString(text) && m.Mentions(s, text, now)
}

// Mentions tells whether the message holds any value the session could take.
func (m *Manifest) Mentions(s Session, text string, now time.Time) bool {
	reply := m.Reads(s, text, now)
	return len(reply.Operations) > 0 || len(reply.Tasks) > 0
}

// Answers gives what the message says when it is nothing but the value that was asked for. Free words are left to the
// slot role: they could be anything.
func (m *Manifest) Answers(s Session, text string, now time.Time) (Heard, bool) {
	slot := m.slot(s.Asked)
	if s.Stage != Filling || slot == nil || slot.Type == TypeText || slot.Type == TypeName {
		return Heard{}, false
	}
	value, ok := reading.Bare(slot.card(), text, now)
	if !ok {
		return Heard{}, false
	}
	return Heard{Set: Values{slot.Name: value}}, true
}

// Reads is the grammar's own reading of a message.
func (m *Manifest) Reads(s Session, text string, now time.Time) provider.SlotReply {
	return reading.Read(m.Card(), s.Asked, text, now)
}

// Ground keeps of a proposed reading what the words hold. A value that is not in them, or belongs to another task, is
// dropped; so are tasks beyond those the words name. What the words clearly split into several tasks stays several, even
// if the proposal leaves some out. With fresh the message asks for the service anew.
func (m *Manifest) Ground(s Session, reply provider.SlotReply, text string, fresh bool, now time.Time) Heard {
	card := m.Card()
	own := reading.Tasks(card, text, now)
	heard := Heard{}
	if reply.Say != "" {
		heard.Wording = &Wording{Slot: reply.Ask, Text: reply.Say}
	}
	switch {
	case len(own) > 1:
		heard.Tasks, heard.Doubt = m.pair(reply, own, text, now)
		return heard
	case len(reply.Tasks) > 0:
		heard.Set, heard.Doubt = m.merge(reply.Tasks, s, text, now)
	default:
		heard.Set = Values{}
		for _, op := range reply.Operations {
			slot := m.slot(op.Slot)
			switch {
			case slot == nil:
			case op.Op == "clear" && reading.Clears(slot.card(), text):
				heard.Clear = append(heard.Clear, op.Slot)
			case op.Op == "set" && string(op.Value) != "null":
				if v, ok := reading.Check(slot.card(), op.Value, text, s.Asked == slot.Name, now); ok {
					heard.Set[slot.Name] = v
				} else {
					heard.Doubt = true
				}
			}
		}
	}
	m.complete(&heard, reply, s, text, now)
	if fresh && s.Stage == Ready && m.whole(heard.Set) && !corrects.MatchString(text) {
		return Heard{Tasks: []Values{heard.Set}, Doubt: heard.Doubt} // one more of the same
	}
	return heard
}

// complete adds what the words plainly hold and the proposal passes over in silence. What it proposed otherwise was
// dropped and is asked for. A session that is ready is changed by a correction only.
func (m *Manifest) complete(heard *Heard, reply provider.SlotReply, s Session, text string, now time.Time) {
	if s.Stage == Ready && !corrects.MatchString(text) {
		return
	}
	spoken := map[string]bool{}
	for _, op := range reply.Operations {
		spoken[op.Slot] = true
	}
	for _, task := range reply.Tasks {
		for name := range task {
			spoken[name] = true
		}
	}
	for _, op := range m.Reads(s, text, now).Operations {
		slot := m.slot(op.Slot)
		if slot == nil || spoken[op.Slot] {
			continue
		}
		if v, ok := reading.Check(slot.card(), op.Value, text, s.Asked == slot.Name, now); ok {
			heard.Set[slot.Name] = v
		}
	}
}

// whole tells whether values are all that a task needs.
func (m *Manifest) whole(values Values) bool {
	for _, slot := range m.Slots {
		if _, ok := values[slot.Name]; slot.Required && !ok {
			return false
		}
	}
	return true
}

// pair holds a proposal against the tasks the words split into: each proposed task must be one of them, as a whole. What
// it proposes otherwise is dropped from that task; tasks it leaves out stay.
func (m *Manifest) pair(reply provider.SlotReply, own []map[string]any, text string, now time.Time) ([]Values, bool) {
	proposed := reply.Tasks
	if len(proposed) == 0 {
		one := map[string]json.RawMessage{}
		for _, op := range reply.Operations {
			if op.Op == "set" {
				one[op.Slot] = op.Value
			}
		}
		proposed = append(proposed, one)
	}
	doubt := len(proposed) != len(own)
	tasks := make([]Values, len(own))
	for i, task := range own {
		tasks[i] = Values(maps.Clone(task))
		k := slices.IndexFunc(proposed, func(p map[string]json.RawMessage) bool { return m.same(p, task, text, now) })
		if k >= 0 {
			proposed = slices.Delete(slices.Clone(proposed), k, k+1)
			continue
		}
		// The same name with other values: those values are not believed, and are asked for.
		for _, p := range proposed {
			for name, raw := range p {
				slot := m.slot(name)
				if slot == nil || slot.Type == TypeName || !m.sameName(p, task, text, now) {
					continue
				}
				if v, ok := reading.Check(slot.card(), raw, text, false, now); (!ok || v != task[name]) && string(raw) != "null" {
					delete(tasks[i], name)
					doubt = true
				}
			}
		}
	}
	return tasks, doubt
}

// same tells whether a proposed task is one of the words' own, leaving nothing out and adding nothing.
func (m *Manifest) same(p map[string]json.RawMessage, task map[string]any, text string, now time.Time) bool {
	n := 0
	for name, raw := range p {
		if string(raw) == "null" {
			continue
		}
		slot := m.slot(name)
		if slot == nil {
			return false
		}
		v, ok := reading.Check(slot.card(), raw, text, false, now)
		if !ok || v != task[name] {
			return false
		}
		n++
	}
	return n == len(task)
}

func (m *Manifest) sameName(p map[string]json.RawMessage, task map[string]any, text string, now time.Time) bool {
	for _, slot := range m.Slots {
		if slot.Type == TypeName {
			v, ok := reading.Check(slot.card(), p[slot.Name], text, false, now)
			return ok && v == task[slot.Name]
		}
	}
	return false
}

// merge takes the first of several proposed tasks as the one task the words name.
func (m *Manifest) merge(tasks []map[string]json.RawMessage, s Session, text string, now time.Time) (Values, bool) {
	set, doubt := Values{}, len(tasks) > 1
	for name, raw := range tasks[0] {
		slot := m.slot(name)
		if slot == nil || string(raw) == "null" {
			continue
		}
		if v, ok := reading.Check(slot.card(), raw, text, s.Asked == name, now); ok {
			set[name] = v
		} else {
			doubt = true
		}
	}
	return set, doubt
}

// Card is the service as letters show it.
func (m *Manifest) Card() provider.ServiceCard { return m.card() }

func (s *Slot) card() provider.SlotCard {
	return provider.SlotCard{
		Name: s.Name, Type: string(s.Type), Title: s.Title.EN, Hint: s.Hint.EN, Required: s.Required, Values: s.Values, Cues: s.Cues,
	}
}
