package reading

import (
	"encoding/json"
	"time"

	"agentchat/backend/provider"
)

// Tasks splits a message into its tasks, one for each that is named, with the values that belong together. Fewer than
// two are none.
func Tasks(card provider.ServiceCard, text string, now time.Time) []map[string]any {
	if card.Batch < 2 {
		return nil
	}
	name, ok := first(card, "name")
	if !ok {
		return nil
	}
	list, parts := names(text), split(text)
	if len(list) < 2 || len(parts) != len(list) {
		return nil
	}
	tasks := make([]map[string]any, len(list))
	for i, n := range list {
		tasks[i] = map[string]any{name.Name: n.name}
		for _, s := range card.Slots {
			if s.Type == "name" {
				continue
			}
			if found := Find(s, parts[i], now); len(found) > 0 {
				tasks[i][s.Name] = found[0]
			}
		}
	}
	return tasks
}

func first(card provider.ServiceCard, kind string) (provider.SlotCard, bool) {
	for _, s := range card.Slots {
		if s.Type == kind {
			return s, true
		}
	}
	return provider.SlotCard{}, false
}

// Read is the grammar's own reading of a message: the slots of the task at hand, or several tasks. Asked is the slot the
// customer was asked for.
func Read(card provider.ServiceCard, asked, text string, now time.Time) provider.SlotReply {
	if tasks := Tasks(card, text, now); len(tasks) > 1 {
		var reply provider.SlotReply
		for _, t := range tasks {
			task := map[string]json.RawMessage{}
			for name, v := range t {
				task[name] = encode(v)
			}
			reply.Tasks = append(reply.Tasks, task)
		}
		return reply
	}
	var reply provider.SlotReply
	for _, s := range card.Slots {
		if Clears(s, text) {
			reply.Operations = append(reply.Operations, provider.SlotOp{Op: "clear", Slot: s.Name})
			continue
		}
		found := Find(s, text, now)
		if len(found) == 0 && s.Name == asked {
			if v, ok := Bare(s, text, now); ok {
				found = []any{v}
			}
		}
		if len(found) == 1 {
			reply.Operations = append(reply.Operations, provider.SlotOp{Op: "set", Slot: s.Name, Value: encode(found[0])})
		}
	}
	return reply
}

func encode(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return raw
}
