// Package reading reads a service's values out of a message for the counter and for the phrasebook: what the grammars of
// package ground find, in the form of the slot role's answer.
package reading

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"agentchat/backend/language/ground"
	"agentchat/backend/provider"
)

// Reading is one message, read for one service. It is a value; its methods change nothing.
type Reading struct {
	card    provider.ServiceCard
	slots   ground.Slots
	request ground.Request
	tasks   []ground.Task
}

// Of reads a message. Asked is the slot the customer was asked for, now the customer's local time.
func Of(card provider.ServiceCard, asked, words string, now time.Time) Reading {
	r := Reading{card: card, slots: make(ground.Slots, len(card.Slots)), request: ground.Request{Words: words, Now: now, Asked: asked}}
	for i, s := range card.Slots {
		r.slots[i] = ground.Slot{Name: s.Name, Kind: ground.Kind(s.Type), Cues: s.Cues, Values: s.Values, Frame: s.Frame, Holds: s.Holds, Several: s.Several, Exact: s.Required}
	}
	r.tasks = r.slots.Tasks(r.request)
	return r
}

// Tasks are the tasks the words name, each with the values that belong to it.
func (r Reading) Tasks() []ground.Task { return r.tasks }

// Several tells whether the words name more than one task, and the service takes several at once.
func (r Reading) Several() bool { return r.card.Batch > 1 && len(r.tasks) > 1 }

// Only gives a slot's value when the message is nothing but that value.
func (r Reading) Only(slot string) (any, bool) { return r.slots.Only(slot, r.request) }

// Holds gives the value the words hold for a slot of the only task, if it is the proposed one.
func (r Reading) Holds(slot string, proposed json.RawMessage) (any, bool) {
	v, ok := decode(proposed)
	if !ok || len(r.tasks) != 1 {
		return nil, false
	}
	return r.tasks[0][slot].Value, r.tasks[0].Holds(map[string]any{slot: v})
}

// decode reads a proposed value: a number as it is written, or a string.
func decode(raw json.RawMessage) (any, bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if len(raw) == 0 || dec.Decode(&v) != nil {
		return nil, false
	}
	switch v.(type) {
	case json.Number, string:
		return v, true
	}
	return nil, false
}

// Proposed reads a proposed task; nulls are left out. False: it holds what is no value.
func Proposed(task map[string]json.RawMessage) (map[string]any, bool) {
	values := map[string]any{}
	for name, raw := range task {
		if string(raw) == "null" {
			continue
		}
		v, ok := decode(raw)
		if !ok {
			return nil, false
		}
		values[name] = v
	}
	return values, true
}

// Empty tells whether the words hold nothing for the service.
func (r Reading) Empty() bool {
	reply := r.Reply()
	return len(reply.Operations) == 0 && len(reply.Tasks) == 0
}

// Clears tells whether the words take away a value of one of these slots.
func (r Reading) Clears(filled map[string]bool) bool {
	return slices.ContainsFunc(r.card.Slots, func(s provider.SlotCard) bool { return filled[s.Name] && Clears(s, r.request.Words) })
}

// Reply is the reading as the slot role would answer.
func (r Reading) Reply() provider.SlotReply {
	var reply provider.SlotReply
	if r.Several() {
		for _, t := range r.tasks {
			task := map[string]json.RawMessage{}
			for name, f := range t {
				task[name] = encode(f.Value)
			}
			reply.Tasks = append(reply.Tasks, task)
		}
		return reply
	}
	for _, s := range r.card.Slots {
		if _, found := r.found(s.Name); !found && Clears(s, r.request.Words) {
			reply.Operations = append(reply.Operations, provider.SlotOp{Op: "clear", Slot: s.Name})
			continue
		}
		if f, ok := r.found(s.Name); ok {
			reply.Operations = append(reply.Operations, provider.SlotOp{Op: "set", Slot: s.Name, Value: encode(f.Value)})
		}
	}
	return reply
}

// Problems are the slots for which the words hold something that cannot be taken, and no value: 100달러, 2월 30일.
func (r Reading) Problems() map[string]ground.Problem {
	problems := map[string]ground.Problem{}
	for _, s := range r.slots {
		for _, f := range r.slots.Find(s.Name, r.request) {
			if f.Problem != "" && !f.Negated {
				problems[s.Name] = f.Problem
			}
		}
		if _, ok := r.found(s.Name); ok {
			delete(problems, s.Name)
		}
	}
	return problems
}

// found is the value the words hold for a slot of the only task.
func (r Reading) found(slot string) (ground.Finding, bool) {
	if len(r.tasks) != 1 {
		return ground.Finding{}, false
	}
	f, ok := r.tasks[0][slot]
	return f, ok
}

func encode(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null") // an int64 or a string: it encodes
	}
	return raw
}
