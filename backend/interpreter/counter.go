package interpreter

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/provider"
)

// General is the intent of whatever no service is for.
const General = "GENERAL"

// silent are the roles whose beginning and end the turn itself tells.
var silent = map[provider.Role]bool{provider.RoleIntent: true, provider.RoleSlot: true}

// Intent tells which service a message means, as its intent key, or General (seed 002: IntentAgent). Errors as for Plan.
func (i *Interpreter) Intent(ctx context.Context, b Brief) (string, error) {
	keys := []string{General}
	for _, s := range i.services() {
		keys = append(keys, s.Intent)
	}
	known := func(intent string) bool { return slices.Contains(keys, intent) }
	schema, err := json.Marshal(map[string]any{
		"type": "object", "additionalProperties": false, "required": []string{"intent"},
		"properties": map[string]any{"intent": map[string]any{"enum": keys}},
	})
	if err != nil {
		return "", apperr.Wrap(err, apperr.Internal)
	}
	return askForm(ctx, i, b, provider.RoleIntent, schema, func(reply string) (string, error) { return i.adapter.ParseIntent(reply, known) })
}

// Slots reads the values of a service out of a message (seed 002: SlotFillerAgent). The caller checks them against the
// message: they are only a proposal. Errors as for Plan.
func (i *Interpreter) Slots(ctx context.Context, b Brief, service provider.ServiceCard) (provider.SlotReply, error) {
	schema, err := json.Marshal(slotSchema(service))
	if err != nil {
		return provider.SlotReply{}, apperr.Wrap(err, apperr.Internal)
	}
	return askForm(ctx, i, b, provider.RoleSlot, schema, func(reply string) (provider.SlotReply, error) { return i.adapter.ParseSlots(reply, service) })
}

// slotSchema is small, and every string in it is bounded.
func slotSchema(service provider.ServiceCard) map[string]any {
	names := make([]string, len(service.Slots))
	task := map[string]any{}
	for i, s := range service.Slots {
		names[i] = s.Name
		switch {
		case s.Type == "money" || s.Type == "number":
			task[s.Name] = map[string]any{"type": []string{"integer", "null"}}
		case len(s.Values) > 0:
			values := []any{nil}
			for _, v := range slices.Sorted(maps.Keys(s.Values)) {
				values = append(values, v)
			}
			task[s.Name] = map[string]any{"enum": values}
		default:
			task[s.Name] = map[string]any{"type": []string{"string", "null"}, "maxLength": 200}
		}
	}
	object := func(properties map[string]any, required ...string) map[string]any {
		o := map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
		if len(required) > 0 {
			o["required"] = required
		}
		return o
	}
	properties := map[string]any{
		"operations": map[string]any{"type": "array", "maxItems": 2 * len(names), "items": object(map[string]any{
			"op": map[string]any{"enum": []string{"set", "clear"}}, "slot": map[string]any{"enum": names},
			"value": map[string]any{"type": []string{"string", "integer", "null"}, "maxLength": 200},
		}, "op", "slot")},
		"ask": map[string]any{"enum": names},
		"say": map[string]any{"type": "string", "maxLength": 160},
	}
	if service.Batch > 1 {
		properties["tasks"] = map[string]any{"type": "array", "maxItems": service.Batch, "items": object(task)}
	}
	return object(properties)
}

func (i *Interpreter) services() []provider.ServiceCard {
	if i.deps.Services == nil {
		return nil
	}
	return i.deps.Services()
}

// tell publishes the beginning or the end of a role, unless the turn itself does.
func (i *Interpreter) tell(req provider.Request, data event.Payload) {
	if !silent[req.Role] {
		i.deps.Publisher.Publish(event.Of(req.Chat, req.Job, data))
	}
}
