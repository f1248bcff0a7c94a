package config

import (
	"encoding/json"

	"agentchat/backend/policy"
)

// rules takes permission rules.
var rules = listOf(say("규칙의 JSON 목록이어야 해요", "it should be a JSON list of rules"), func(text []byte) (string, error) {
	list, err := policy.ParseRules(text)
	if err != nil || len(list) == 0 {
		return "[]", err
	}
	encoded, err := json.Marshal(list)
	return string(encoded), err
})
