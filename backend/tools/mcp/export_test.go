package mcp

import "testing"

// Account is an account for tests of what it may reach.
type Account struct{ a *account }

// NewAccount makes one of a server behind an address.
func NewAccount(t *testing.T, address string) Account {
	t.Helper()
	return Account{newAccount(Server{Name: "far", URL: address}, &Options{})}
}

// Guard asks whether an address may be connected to for signing in.
func (a Account) Guard(address string) error { return a.a.guard("tcp", address, nil) }

// Reached tells it where the server itself stands.
func (a Account) Reached(address string, proxied bool) { a.a.reached(address, proxied) }
