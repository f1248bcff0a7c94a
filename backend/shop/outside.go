package shop

import (
	"context"

	"agentchat/backend/tools/mcp"
)

// outsideKeys keep the keys of outside servers where the other keys are.
type outsideKeys struct{ shop *Shop }

// Get implements mcp.Keys.
func (k outsideKeys) Get(ctx context.Context, name string) (string, error) {
	return k.shop.models.keys.Get(ctx, name)
}

// Set implements mcp.Keys. What such a server takes for a key is its own affair: a password may have spaces.
func (k outsideKeys) Set(ctx context.Context, name, key string) error {
	return k.shop.models.keys.SetPhrase(ctx, name, key)
}

// ProposeMCP reads a link, a command line, an address or settings that a person pasted. Nothing is started. Error: outside_unreadable.
func (s *Shop) ProposeMCP(text string) ([]mcp.Proposal, error) { return s.mcp.Propose(text) }

// CatalogueMCP proposes the servers that the program knows by itself.
func (s *Shop) CatalogueMCP() ([]mcp.Proposal, error) { return s.mcp.Catalogue() }

// ElsewhereMCP looks into the settings of other clients on this computer; it only reads.
func (s *Shop) ElsewhereMCP() []mcp.Elsewhere { return s.mcp.FindElsewhere(mcp.Homes{}) }

// LineMCP is exactly what a proposal would start with those values. Error: not_found.
func (s *Shop) LineMCP(f mcp.Filled) (string, error) { return s.mcp.LineOf(f) }

// AddMCP adds a server as it was shown and starts it. Errors: see mcp.Mounts.Add.
func (s *Shop) AddMCP(ctx context.Context, f mcp.Filled) error { return s.mcp.Add(ctx, f) }

// FormMCP is the form of a server that is set up. Error: not_found.
func (s *Shop) FormMCP(server string) (mcp.Form, error) { return s.mcp.FormOf(server) }

// FormLineMCP is exactly what would be started with a form. Errors: not_found, invalid_args.
func (s *Shop) FormLineMCP(f mcp.Form) (string, error) { return s.mcp.LineOfForm(f) }

// ChangeMCP makes a server what a form says and starts it anew. Errors: see mcp.Mounts.Change.
func (s *Shop) ChangeMCP(ctx context.Context, f mcp.Form) error { return s.mcp.Change(ctx, f) }

// SwitchMCP starts a server or lets it rest, with its settings and what was agreed to kept. Errors: not_found, storage errors.
func (s *Shop) SwitchMCP(server string, on bool) error { return s.mcp.Switch(server, on) }

// RemoveMCP takes a server away, with its keys and what was agreed to. Errors: not_found, storage errors.
func (s *Shop) RemoveMCP(ctx context.Context, server string) error { return s.mcp.Remove(ctx, server) }

// SignInMCP leads a person through the sign-in of a server, in the browser, and returns when they are through. Errors: see mcp.Mounts.SignIn.
func (s *Shop) SignInMCP(ctx context.Context, server string) error { return s.mcp.SignIn(ctx, server) }

// CancelSignInMCP ends a sign-in that waits for a person. Error: not_found.
func (s *Shop) CancelSignInMCP(server string) error { return s.mcp.CancelSignIn(server) }

// SignOutMCP forgets who the shop is at a server. Errors: not_found, storage errors.
func (s *Shop) SignOutMCP(ctx context.Context, server string) error {
	return s.mcp.SignOut(ctx, server)
}

// ProposeBundleMCP reads the manifest of a bundle (.mcpb). Nothing is unpacked or started. Error: outside_unreadable.
func (s *Shop) ProposeBundleMCP(path string) (mcp.Proposal, error) { return s.mcp.ProposeBundle(path) }
