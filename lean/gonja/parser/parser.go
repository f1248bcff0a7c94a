// Package parser stands beside gonja.
package parser

// Parser reads a template.
type Parser struct{}
