//go:build dev || moved

package main

import (
	"os"
	"strconv"
	"strings"
	"time"

	"agentchat/backend/failpoint/env"
)

// clock is the clock of the shop; nil: the system's. The window that tests drive has one that is set while it runs.
func clock() func() time.Time {
	file := os.Getenv(env.Ahead)
	if file == "" {
		return nil
	}
	return func() time.Time {
		said, _ := os.ReadFile(file) //nolint:gosec // the test's own file
		seconds, _ := strconv.Atoi(strings.TrimSpace(string(said)))
		return time.Now().Add(time.Duration(seconds) * time.Second)
	}
}
