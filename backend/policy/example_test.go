package policy_test

import (
	"encoding/json"
	"fmt"

	"agentchat/backend/policy"
	"agentchat/backend/toolbox"
)

func Example() {
	rules, err := policy.ParseRules([]byte(`[
		{"decision": "deny", "tool": "file_*", "when": [{"arg": "path", "op": "within", "value": "/home/me/taxes"}]},
		{"decision": "allow", "tool": "file_read"}
	]`))
	if err != nil {
		panic(err)
	}
	read := toolbox.Spec{Key: "file_read", Confirm: toolbox.ConfirmAlways, Effect: toolbox.EffectRead}
	for _, path := range []string{"/home/me/notes.txt", "/home/me/taxes/2026.txt"} {
		args, _ := json.Marshal(map[string]string{"path": path})
		v := policy.Decide(policy.Request{Spec: read, Args: args, Rules: rules, Wanted: true})
		fmt.Println(path, v.Decision, v.By)
	}
	// Output:
	// /home/me/notes.txt allow rule
	// /home/me/taxes/2026.txt deny rule
}
