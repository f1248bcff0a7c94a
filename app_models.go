package main

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"agentchat/backend/models"
	"agentchat/backend/provider/servers"
	"agentchat/backend/shop"
)

// Models is everything the models page shows.
func (a *App) Models() (models.View, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (models.View, error) { return s.Models(ctx) })
}

// PullModel downloads a model; its progress travels as model.pull events. A download that failed begins again.
func (a *App) PullModel(name string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.PullModel(ctx, name) })
}

// ImportModel makes a model of a GGUF file; its progress travels as model.pull events. It gives the name that the model will have.
func (a *App) ImportModel(path string) (string, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (string, error) { return s.ImportModel(ctx, path) })
}

// ChooseModelFile asks for a GGUF file; "" when none was chosen.
func (a *App) ChooseModelFile(title string) (string, error) {
	return call(a, func(ctx context.Context, _ *shop.Shop) (string, error) {
		return runtime.OpenFileDialog(ctx, runtime.OpenDialogOptions{Title: title, Filters: []runtime.FileFilter{{DisplayName: "GGUF (*.gguf)", Pattern: "*.gguf"}}})
	})
}

// PausePull stops a download and keeps what has arrived.
func (a *App) PausePull(name string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.PausePull(ctx, name) })
}

// ResumePull goes on with a paused or failed download.
func (a *App) ResumePull(name string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.ResumePull(ctx, name) })
}

// CancelPull takes a download off the list.
func (a *App) CancelPull(name string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.CancelPull(ctx, name) })
}

// DeleteModel removes a model from the disk.
func (a *App) DeleteModel(name string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.DeleteModel(ctx, name) })
}

// LoadModel reads a model into memory; it returns when the model is there.
func (a *App) LoadModel(name string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.LoadModel(ctx, name) })
}

// UnloadModel frees the memory of a model.
func (a *App) UnloadModel(name string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.UnloadModel(ctx, name) })
}

// SaveServer adds a model server to the list or changes the one of its name; a key that is given goes into the keyring.
func (a *App) SaveServer(server servers.Server, key string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.SaveServer(ctx, server, key) })
}

// UseModel has a model of a server answer wherever no other was chosen.
func (a *App) UseModel(server, model string) error {
	return run(a, func(_ context.Context, s *shop.Shop) error { return s.UseModel(server, model) })
}

// RemoveServer takes a model server off the list, with its key.
func (a *App) RemoveServer(name string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.RemoveServer(ctx, name) })
}

// OrderServers puts the model servers in the order of names.
func (a *App) OrderServers(names []string) error {
	return run(a, func(_ context.Context, s *shop.Shop) error { return s.OrderServers(names) })
}

// SetServerKey keeps the key of a model server in the keyring; "" forgets it.
func (a *App) SetServerKey(name, key string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.SetServerKey(ctx, name, key) })
}

// TestServer looks how a model server is, and measures how fast it writes.
func (a *App) TestServer(name string) (models.Listed, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (models.Listed, error) { return s.TestServer(ctx, name) })
}

// CheckProvider looks right now how Ollama is.
func (a *App) CheckProvider() (models.Trouble, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (models.Trouble, error) { return s.CheckProvider(ctx) })
}

// StartOllama starts the Ollama that is installed on this computer and waits until it answers.
func (a *App) StartOllama() error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.StartOllama(ctx) })
}

// SetOpenAIKey keeps the key of the OpenAI-compatible service in the system's keyring; "" forgets it.
func (a *App) SetOpenAIKey(key string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.SetOpenAIKey(ctx, key) })
}
