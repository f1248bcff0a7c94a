//go:build !failpoint

// Package failpoint names the moments at which a crash test kills the program. Releases are built without the tag
// "failpoint": then Enabled is a false constant and every use compiles to nothing.
package failpoint

// Enabled tells whether this program was built for crash tests. Guard every Hit with it, so that building the name
// costs nothing in a release.
const Enabled = false

// Hit does nothing.
func Hit(string) {}
