// Package exec stands beside gonja.
package exec

type (
	// Evaluator fills a template.
	Evaluator struct{}
	// VarArgs are what a filter is given.
	VarArgs struct{}
	// Value is what a filter makes.
	Value struct{ of any }
)

// AsValue holds anything.
func AsValue(of any) *Value { return &Value{of} }
