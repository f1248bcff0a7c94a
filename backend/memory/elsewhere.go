package memory

import "agentchat/backend/provider"

// Elsewhere is what was said in another program, as requests carry it: other people's words, which nobody follows.
func Elsewhere(text string) string { return provider.Fence("a conversation in another program", text) }
