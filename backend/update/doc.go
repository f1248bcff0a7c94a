// Package update looks for a newer version of the program: only when that is allowed, at one address, by a list that its makers signed.
//
// The list (Manifest) is one small JSON document with a minisign signature beside it (Ed25519; https://jedisct1.github.io/minisign). Where
// it stands and whose signature counts are linked into the program, so that nobody who holds the address alone can hand out a program. A
// list that is not signed, that is older than one seen before (a rollback), or whose time is over (a freeze) is refused by name. A package
// is kept only if it has the size and the SHA-256 that the list says. Nothing is ever installed: the person is told how.
package update
