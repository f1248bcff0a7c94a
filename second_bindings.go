//go:build bindings

package main

import "agentchat/backend/doorbell"

// second is no: Wails runs main to generate bindings, which must reach nobody.
func second(string, doorbell.Call) bool { return false }
