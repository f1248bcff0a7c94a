// Package env names the environment variables with which a crash test tells the program what to do. They mean something
// only to programs built with the tag "failpoint"; Ahead to the window that is built with the tag "dev" or "moved".
package env

const (
	// Kill is "name#n": the program kills itself when it comes to the moment of that name for the nth time, from 1.
	Kill = "CRASHTEST_KILL"
	// Trail is a file that gets the name of every moment as it is passed, one a line.
	Trail = "CRASHTEST_TRAIL"
	// Witness is the file in which the witness tool writes. It is no part of the shop, so it tells what really happened
	// whatever the shop's own ledger says after a crash.
	Witness = "CRASHTEST_WITNESS"
	// Days is how many days the clock, by which days come, is ahead.
	Days = "CRASHTEST_DAYS"
	// Ahead is a file that says how many seconds the clock is ahead, and may say otherwise while the program runs.
	Ahead = "CRASHTEST_AHEAD"
	// Full is a file: while it exists, the disk is full for the ledger of a data folder beside it.
	Full = "CRASHTEST_FULL"
)
