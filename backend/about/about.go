// Package about says what this program is: its version and the licences of what it carries.
package about

import (
	"fmt"
	"runtime"
	"strings"
)

// Version is the productVersion of wails.json, and Commit the beginning of the commit that the program was built of, with a "+" behind it
// when files were changed. The Makefile sets both at link time; a program built without it has neither.
var (
	Version = "dev"
	Commit  = ""
)

// Line is what --version prints, without the program's name: version, commit, the Go it was built by, and the system.
func Line() string {
	parts := []string{Version}
	if Commit != "" {
		parts = append(parts, "("+Commit+")")
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
	return Facts{Version, Commit, len(list), len(Document())}
}
