//go:build !(failpoint && unix)

package main

import "agentchat/backend/shop"

// furnish adds what only crash-test builds have.
func furnish(*shop.Options) {}
