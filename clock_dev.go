//go:build dev

package main

import (
	"os"
	"strconv"
	"time"

	"agentchat/backend/failpoint/env"
)

// clock is the clock of the shop; nil: the system's. The window that tests drive can be some days ahead.
func clock() func() time.Time {
	days, err := strconv.Atoi(os.Getenv(env.Days))
	if err != nil {
		return nil
	}
	return func() time.Time { return time.Now().AddDate(0, 0, days) }
}
