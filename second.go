//go:build !bindings

package main

import "agentchat/backend/doorbell"

// second tells whether this is a second start, which has said what it wants to the program that has the data folder.
func second(dir string, c doorbell.Call) bool { return dir != "" && doorbell.Ring(dir, c) == nil }
