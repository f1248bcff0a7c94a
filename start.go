package main

import (
	"flag"
	"io"
	"os"

	"agentchat/backend/config"
	"agentchat/backend/diagnose"
	"agentchat/backend/doorbell"
)

// start is what stands on the command line.
type start struct {
	flags  map[string]string // settings
	hidden bool              // no window is wanted yet
	words  []string          // what else was given: files, or a text
}

// startOf reads the command line, and what it asks of the program itself instead of a window. Wails has flags of its own in development, so what is not ours is not an error here.
func startOf(args []string) (start, diagnose.Asked) {
	set := flag.NewFlagSet("agentchat", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	given := config.RegisterFlags(set)
	hidden := set.Bool("hidden", false, "")
	asked := diagnose.RegisterFlags(set)
	if err := set.Parse(args); err != nil {
		return start{}, asked
	}
	return start{given(), *hidden, set.Args()}, asked
}

// call is the start as a program hears it that is there already.
func (s start) call() doorbell.Call {
	dir, err := os.Getwd()
	if err != nil {
		dir = "/"
	}
	return doorbell.Of(s.words, dir, s.hidden)
}
