//go:build !linux && !windows

package folders

import "os"

// written tells nothing here: a file counts as whole once it has been left alone for a moment.
func written(*os.File) bool { return false }
