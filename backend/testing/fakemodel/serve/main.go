// The fake model server as a program: go run ./backend/testing/fakemodel/serve -addr 127.0.0.1:11434
package main

import (
	"os"

	"agentchat/backend/testing/fakemodel"
)

func main() { os.Exit(fakemodel.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
