package builtin

import (
	"strings"

	"agentchat/backend/provider"
)

// quote answers from passages by showing them, each behind its number.
func quote(req provider.Request) string {
	var parts []string
	for _, r := range req.State.Results {
		number, _, _ := strings.Cut(r.Title, " ")
		parts = append(parts, strings.TrimSpace(number+" "+strings.TrimSpace(r.Text)))
	}
	if len(parts) == 0 {
		return speaker{req.Lang, req.Now}.in("문서에 없어요.", "It is not in the documents.")
	}
	return strings.Join(parts, "\n\n")
}
