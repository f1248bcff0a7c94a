package config

import (
	"encoding/json"
	"errors"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/policy"
)

// rules takes permission rules as JSON text or as the list itself. Their value is JSON text.
func rules(raw any) (any, problem) {
	text, ok := raw.(string)
	if !ok {
		encoded, err := json.Marshal(raw)
		if err != nil {
			return nil, say("규칙의 JSON 목록이어야 해요", "it should be a JSON list of rules")
		}
		text = string(encoded)
	}
	list, err := policy.ParseRules([]byte(text))
	var wrong bilingual.Wrong
	switch {
	case errors.As(err, &wrong):
		return nil, new(wrong.Text)
	case err != nil:
		return nil, say("규칙의 JSON 목록이어야 해요", "it should be a JSON list of rules")
	case len(list) == 0:
		return "[]", nil
	}
	encoded, err := json.Marshal(list)
	if err != nil {
		return nil, say("규칙의 JSON 목록이어야 해요", "it should be a JSON list of rules")
	}
	return string(encoded), nil
}
