package main

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"agentchat/backend/shop"
	"agentchat/backend/tools/mcp"
)

// MCP shows the outside servers, their tools, and what waits for a person's consent.
func (a *App) MCP() (mcp.View, error) {
	return call(a, func(_ context.Context, s *shop.Shop) (mcp.View, error) { return s.MCP(), nil })
}

// ConsentMCP makes the tools of a server usable, exactly as they were shown with this digest.
func (a *App) ConsentMCP(server, digest string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.ConsentMCP(ctx, server, digest) })
}

// RevokeMCP takes the tools of a server out of the box until somebody consents again.
func (a *App) RevokeMCP(server string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.RevokeMCP(ctx, server) })
}

// ReloadMCP reads mcp.json anew and looks after every server.
func (a *App) ReloadMCP() error {
	return run(a, func(_ context.Context, s *shop.Shop) error { s.ReloadMCP(); return nil })
}

// SetMCP replaces mcp.json; a value of env or headers that stays covered keeps what it was.
func (a *App) SetMCP(text string) error {
	return run(a, func(_ context.Context, s *shop.Shop) error { return s.SetMCP(text) })
}

// ProposeMCP reads a link, a command line, an address or settings that a person pasted. Nothing is started.
func (a *App) ProposeMCP(text string) ([]mcp.Proposal, error) {
	return call(a, func(_ context.Context, s *shop.Shop) ([]mcp.Proposal, error) { return s.ProposeMCP(text) })
}

// CatalogueMCP proposes the servers that the program knows by itself.
func (a *App) CatalogueMCP() ([]mcp.Proposal, error) {
	return call(a, func(_ context.Context, s *shop.Shop) ([]mcp.Proposal, error) { return s.CatalogueMCP() })
}

// ElsewhereMCP looks into the settings of other clients on this computer; it only reads.
func (a *App) ElsewhereMCP() ([]mcp.Elsewhere, error) {
	return call(a, func(_ context.Context, s *shop.Shop) ([]mcp.Elsewhere, error) { return s.ElsewhereMCP(), nil })
}

// LineMCP is exactly what a proposal would start with those values.
func (a *App) LineMCP(filled mcp.Filled) (string, error) {
	return call(a, func(_ context.Context, s *shop.Shop) (string, error) { return s.LineMCP(filled) })
}

// AddMCP adds a server as it was shown and starts it.
func (a *App) AddMCP(filled mcp.Filled) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.AddMCP(ctx, filled) })
}

// FormMCP is a server that is set up, as a form shows it: everything but its keys.
func (a *App) FormMCP(server string) (mcp.Form, error) {
	return call(a, func(_ context.Context, s *shop.Shop) (mcp.Form, error) { return s.FormMCP(server) })
}

// FormLineMCP is exactly what would be started with a form.
func (a *App) FormLineMCP(form mcp.Form) (string, error) {
	return call(a, func(_ context.Context, s *shop.Shop) (string, error) { return s.FormLineMCP(form) })
}

// ChangeMCP makes a server what a form says, as it was shown, and starts it anew.
func (a *App) ChangeMCP(form mcp.Form) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.ChangeMCP(ctx, form) })
}

// SwitchMCP starts a server or lets it rest; its settings stay.
func (a *App) SwitchMCP(server string, on bool) error {
	return run(a, func(_ context.Context, s *shop.Shop) error { return s.SwitchMCP(server, on) })
}

// RemoveMCP takes a server away, with its keys and what was agreed to.
func (a *App) RemoveMCP(server string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.RemoveMCP(ctx, server) })
}

// SignInMCP leads a person through the sign-in of a server, in the browser; it returns when they are through.
func (a *App) SignInMCP(server string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.SignInMCP(ctx, server) })
}

// CancelSignInMCP ends a sign-in that waits for a person.
func (a *App) CancelSignInMCP(server string) error {
	return run(a, func(_ context.Context, s *shop.Shop) error { return s.CancelSignInMCP(server) })
}

// SignOutMCP forgets who the shop is at a server.
func (a *App) SignOutMCP(server string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.SignOutMCP(ctx, server) })
}

// ProposeBundleMCP reads the manifest of a bundle (.mcpb) and makes a form of it. Nothing is unpacked or started.
func (a *App) ProposeBundleMCP(path string) (mcp.Proposal, error) {
	return call(a, func(_ context.Context, s *shop.Shop) (mcp.Proposal, error) { return s.ProposeBundleMCP(path) })
}

// ChooseBundle asks for a bundle of an outside tool, with title above it; "" when nothing was chosen.
func (a *App) ChooseBundle(title string) (string, error) {
	return call(a, func(ctx context.Context, _ *shop.Shop) (string, error) {
		return runtime.OpenFileDialog(ctx, runtime.OpenDialogOptions{
			Title: title, Filters: []runtime.FileFilter{{DisplayName: "MCP (*.mcpb, *.dxt)", Pattern: "*.mcpb;*.dxt"}},
		})
	})
}
