package main

import (
	"flag"
	"io"
	"os"
	"slices"
	"strings"

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

// startOf reads the command line, and what it asks of the program itself instead of a window. Wails has flags of its own in
// development, so what is not ours is not an error here: it ends what is read, unless it is a file whose name only begins as a flag does.
func startOf(args []string) (start, diagnose.Asked) {
	set := flag.NewFlagSet("agentchat", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	given := config.RegisterFlags(set)
	hidden := set.Bool("hidden", false, "")
	asked := diagnose.RegisterFlags(set)
	for i, arg := range args {
		if _, err := os.Stat(arg); err == nil && strings.HasPrefix(arg, "-") {
			args = slices.Insert(slices.Clone(args), i, "--")
			break
		}
	}
	var words []string
	if err := set.Parse(args); err == nil {
		words = set.Args()
	}
	s := start{given(), *hidden, words}
	if len(s.flags) == 0 {
		s.flags = nil
	}
	return s, asked
}

// call is the start as a program hears it that is there already.
func (s start) call() doorbell.Call {
	dir, err := os.Getwd()
	if err != nil {
		dir = "/"
	}
	return doorbell.Of(s.words, dir, s.hidden)
}
