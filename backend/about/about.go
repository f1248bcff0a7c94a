// Package about says what this program is: its version and the licences of what it carries.
package about

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// Version is the productVersion of wails.json; the Makefile sets it at link time. A program built without the Makefile has none.
var Version = "dev"

// Commit is the beginning of the commit that the program was built of, with a "+" behind it when files were changed; "" where it was not
// built in a clone of the repository.
func Commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return commitOf(info.Settings)
}

func commitOf(settings []debug.BuildSetting) string {
	commit, changed := "", ""
	for _, s := range settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			if s.Value == "true" {
				changed = "+"
			}
		}
	}
	if commit == "" {
		return ""
	}
	return commit + changed
}

// Line is what --version prints, without the program's name: version, commit, the Go it was built by, and the system.
func Line() string {
	parts := []string{Version}
	if c := Commit(); c != "" {
		parts = append(parts, "("+c+")")
	}
	return strings.Join(append(parts, runtime.Version(), fmt.Sprintf("%s/%s", runtime.GOOS, runtime.GOARCH)), " ")
}

// Facts are what the settings page shows of the program. Licences are listed by Licences.
type Facts struct {
	Version       string `json:"version"`
	Commit        string `json:"commit"`
	Licences      int    `json:"licences"`      // how many parts are listed
	LicencesBytes int    `json:"licencesBytes"` // of the whole list with all texts
}

// Of gives the facts.
func Of() Facts {
	list := Licences()
	return Facts{Version, Commit(), len(list), len(Document())}
}
