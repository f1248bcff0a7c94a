package filing

import (
	"os"

	"agentchat/backend/rename"
)

// Apart makes every move one to another disk.
func (h Hands) Apart() Hands {
	h.rename = func(*os.Root, string, *os.Root, string) error { return rename.ErrOtherDisk }
	return h
}

// Gated has every point pass a gate.
func (h Hands) Gated(gate func(point string) error) Hands {
	h.gate = gate
	return h
}
