// Package gonja is what eino names of github.com/nikolalohinski/gonja. There are no Jinja templates here: every one is refused.
package gonja

import (
	"errors"

	"github.com/nikolalohinski/gonja/config"
	"github.com/nikolalohinski/gonja/exec"
	"github.com/nikolalohinski/gonja/nodes"
	"github.com/nikolalohinski/gonja/parser"
)

// DefaultLoader would find templates.
var DefaultLoader any

// Environment has neither statements nor filters.
type Environment struct {
	Statements statements
	Filters    filters
}

type (
	statements struct{}
	filters    struct{}
)

// NewEnvironment gives an empty environment.
func NewEnvironment(*config.Config, any) *Environment { return &Environment{} }

// Exists is false of every statement.
func (statements) Exists(string) bool { return false }

// Replace has nothing to replace.
func (statements) Replace(string, func(*parser.Parser, *parser.Parser) (nodes.Statement, error)) error {
	return nil
}

// Exists is false of every filter.
func (filters) Exists(string) bool { return false }

// Replace has nothing to replace.
func (filters) Replace(string, func(*exec.Evaluator, *exec.Value, *exec.VarArgs) *exec.Value) error {
	return nil
}

// Template is one that could be read: there is none.
type Template struct{}

// FromString refuses every template.
func (*Environment) FromString(string) (*Template, error) {
	return nil, errors.New("Jinja templates are not built into this program")
}

// Execute implements the template that FromString never gives.
func (*Template) Execute(map[string]any) (string, error) {
	return "", errors.New("Jinja templates are not built into this program")
}
