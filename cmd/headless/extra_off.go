//go:build !failpoint

package main

import "agentchat/backend/toolbox"

// extraTools are tools that only crash-test builds have.
func extraTools() []toolbox.Tool { return nil }
