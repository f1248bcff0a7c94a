// Package nodes stands beside gonja.
package nodes

// Statement is part of a template.
type Statement any
