package main

import (
	"flag"
	"io"
	"os"

	"agentchat/backend/config"
	"agentchat/backend/doorbell"
)

// start is what stands on the command line.
type start struct {
	flags  map[string]string // settings
	hidden bool              // no window is wanted yet
	words  []string          // what else was given: files, or a text
}

// startOf reads the command line. Wails has flags of its own in development, so what is not ours is not an error here.
func startOf(args []string) start {
	set := flag.NewFlagSet("agentchat", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	given := config.RegisterFlags(set)
	hidden := set.Bool("hidden", false, "")
	if err := set.Parse(args); err != nil {
		return start{}
	}
	return start{given(), *hidden, set.Args()}
}

// call is the start as a program hears it that is there already.
func (s start) call() doorbell.Call {
	dir, err := os.Getwd()
	if err != nil {
		dir = "/"
	}
	return doorbell.Of(s.words, dir, s.hidden)
}
