// Package config stands beside gonja.
package config

// Config says nothing.
type Config struct{}

// DefaultConfig says nothing.
var DefaultConfig = &Config{}
