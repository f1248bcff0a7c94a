// Package rename gives what stands at a name in one open directory another place, over nothing.
package rename

import (
	"io/fs"
	"strings"
)

// plain tells whether a name is that of something in a directory, and leads nowhere else.
func plain(name string) error {
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\x00") {
		return fs.ErrInvalid
	}
	return nil
}
