// Package readertest gives tests a place to keep what is compiled for PDF. Compiling it takes seconds, and most of a minute
// under the race detector; it comes out the same every time.
package readertest

import (
	"os"
	"path/filepath"
)

// Dir is that place, in the project's own cache; "", which keeps nothing, when the tests run outside the project.
func Dir() string {
	at, err := os.Getwd()
	for err == nil {
		if _, there := os.Stat(filepath.Join(at, "go.mod")); there == nil {
			return filepath.Join(at, "build", "cache", "reader")
		}
		if filepath.Dir(at) == at {
			break
		}
		at = filepath.Dir(at)
	}
	return ""
}
