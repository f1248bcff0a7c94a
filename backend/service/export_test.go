package service

import (
	"maps"
	"slices"
)

// Stages lists every stage there is.
func Stages() []Stage { return slices.Collect(maps.Keys(follows)) }

// Ends tells whether a task is over at this stage.
func (s Stage) Ends() bool {
	return s == Executed || s == Failed || s == Cancelled || s == Unsupported
}

// Parse reads one manifest. The error is a *Problem that says where and what to fix.
func Parse(file string, text []byte) (*Manifest, error) {
	m, p := parse(file, text)
	if p != nil {
		return nil, p
	}
	return m, nil
}
