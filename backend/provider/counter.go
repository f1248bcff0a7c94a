package provider

import (
	"encoding/json"
)

// ServiceCard is what the interpreter may know of a service of the counter: never how it is carried out.
type ServiceCard struct {
	ID          string     `json:"id"`
	Intent      string     `json:"intent"`
	Title       string     `json:"title"`
	Description string     `json:"description"`
	Guide       string     `json:"guide,omitempty"` // how to read its values
	Examples    []string   `json:"examples,omitempty"`
	Match       []string   `json:"match,omitempty"` // patterns that leave no doubt; prompts do not show them
	Slots       []SlotCard `json:"slots"`
	Batch       int        `json:"batch,omitempty"` // most tasks of one message
}

// SlotCard is one value a service needs.
type SlotCard struct {
	Name     string              `json:"name"`
	Type     string              `json:"type"`
	Title    string              `json:"title"`
	Hint     string              `json:"hint,omitempty"`
	Required bool                `json:"required,omitempty"`
	Values   map[string][]string `json:"values,omitempty"` // enum: the values and the words for each
	Cues     []string            `json:"cues,omitempty"`   // words that announce the value
	Frame    []string            `json:"-"`                // of free words: see ground.Slot
	Holds    string              `json:"-"`
	Several  bool                `json:"-"`
	Without  []string            `json:"without,omitempty"` // words that mean it is not wanted
}

// CounterState is what the roles intent and slot are told of the session at the counter.
type CounterState struct {
	Service string         `json:"service,omitempty"` // the intent key of the service under way
	Stage   string         `json:"stage,omitempty"`
	Slots   map[string]any `json:"slots,omitempty"`
	Missing []string       `json:"missing,omitempty"`
	Asked   string         `json:"asked,omitempty"` // the slot the customer was asked for
}

// Intent is the intent role's answer: the intent key of a service, or GENERAL.
type Intent struct {
	Intent string `json:"intent"`
}

// SlotOp sets or clears one slot.
type SlotOp struct {
	Op    string          `json:"op"` // set or clear
	Slot  string          `json:"slot"`
	Value json.RawMessage `json:"value,omitempty" ts_type:"any"`
}

// SlotReply is the slot role's answer: what to do with the task at hand, or several tasks at once. Say may word the
// question for the next missing value, which Ask names.
type SlotReply struct {
	Operations []SlotOp                     `json:"operations,omitempty"`
	Tasks      []map[string]json.RawMessage `json:"tasks,omitempty"`
	Ask        string                       `json:"ask,omitempty"`
	Say        string                       `json:"say,omitempty"`
}

// ParseIntent reads an intent role's reply; known tells the intent keys there are.
func (Adapter) ParseIntent(reply string, known func(intent string) bool) (string, error) {
	answer, err := readForm(reply, func(answer *Intent) error {
		if !known(answer.Intent) {
			return bad("there is no intent %q", answer.Intent)
		}
		return nil
	})
	return answer.Intent, err
}

// ParseSlots reads a slot role's reply. The values are checked against the customer's words by the counter, not here.
func (Adapter) ParseSlots(reply string, service ServiceCard) (SlotReply, error) {
	slots := map[string]bool{}
	for _, s := range service.Slots {
		slots[s.Name] = true
	}
	return readForm(reply, func(answer *SlotReply) error {
		for i, op := range answer.Operations {
			if op.Op != "set" && op.Op != "clear" {
				return bad("operations[%d].op must be set or clear", i)
			}
			if !slots[op.Slot] {
				return bad("operations[%d]: there is no slot %q", i, op.Slot)
			}
		}
		for i, task := range answer.Tasks {
			for name := range task {
				if !slots[name] {
					return bad("tasks[%d]: there is no slot %q", i, name)
				}
			}
		}
		return nil
	})
}
