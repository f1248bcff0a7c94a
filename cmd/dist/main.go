// Command dist makes what packages carry beside the programs: pictures in every size, the Mac's icon, manual pages, the list of licences,
// archives that are the same whenever they are made of the same. scripts/package.sh calls it; nobody installs it.
package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// commands, with their arguments as people read them.
var commands = map[string]struct {
	args string
	run  func(args []string) error
}{
	"icons":           {"PNG FOLDER", func(a []string) error { return icons(a[0], a[1]) }},
	"icns":            {"PNG FILE", func(a []string) error { return icns(a[0], a[1]) }},
	"types":           {"FILE", func(a []string) error { return windowsTypes(a[0]) }},
	"typeface":        {"PACKAGE WORDS FOLDER SHEET", func(a []string) error { return typeface(a[0], a[1], a[2], a[3]) }},
	"plist":           {"FILE", func(a []string) error { return plist(a[0]) }},
	"man":             {"FOLDER", func(a []string) error { return manuals(a[0]) }},
	"complete":        {"FOLDER", func(a []string) error { return completions(a[0]) }},
	"licences":        {"BUNDLED FILE", func(a []string) error { return licences(a[0], a[1]) }},
	"versions":        {"FOLDER CHANGES KEY", func(a []string) error { return versions(a[0], a[1], a[2]) }},
	"engine-licences": {"SOURCE", func(a []string) error { return engineLicences(os.Stdout, a[0]) }},
	"pack":            {"FILE FOLDER", func(a []string) error { return pack(a[0], a[1]) }},
}

func main() {
	if len(os.Args) > 1 {
		if c, ok := commands[os.Args[1]]; ok && len(os.Args)-2 == len(strings.Fields(c.args)) {
			if err := c.run(os.Args[2:]); err != nil {
				fmt.Fprintf(os.Stderr, "dist %s: %v\n", os.Args[1], err)
				os.Exit(1)
			}
			return
		}
	}
	var names []string
	for name, c := range commands {
		names = append(names, "  dist "+name+" "+c.args)
	}
	slices.Sort(names)
	fmt.Fprintln(os.Stderr, strings.Join(names, "\n"))
	os.Exit(2)
}
