package shop

import (
	"context"

	"agentchat/backend/apperr"
	"agentchat/backend/models"
)

func modelsClosed() error { return apperr.New(apperr.NotAvailable, "what", "models") }

// Models is everything the models page shows. A server that is away is no error: the view says so.
func (s *Shop) Models(_ context.Context) (models.View, error) {
	return models.View{}, modelsClosed()
}

// PullModel downloads a model.
func (s *Shop) PullModel(_ context.Context, _ string) error { return modelsClosed() }

// PausePull stops a download and keeps what has arrived.
func (s *Shop) PausePull(_ context.Context, _ string) error { return modelsClosed() }

// ResumePull goes on with a paused or failed download.
func (s *Shop) ResumePull(_ context.Context, _ string) error { return modelsClosed() }

// CancelPull takes a download off the list.
func (s *Shop) CancelPull(_ context.Context, _ string) error { return modelsClosed() }

// DeleteModel removes a model from the disk.
func (s *Shop) DeleteModel(_ context.Context, _ string) error { return modelsClosed() }

// LoadModel reads a model into memory.
func (s *Shop) LoadModel(_ context.Context, _ string) error { return modelsClosed() }

// UnloadModel frees the memory of a model.
func (s *Shop) UnloadModel(_ context.Context, _ string) error { return modelsClosed() }

// CheckProvider looks right now how Ollama is.
func (s *Shop) CheckProvider(_ context.Context) (models.Trouble, error) {
	return models.Trouble{}, modelsClosed()
}

// StartOllama starts the installed Ollama.
func (s *Shop) StartOllama(_ context.Context) error { return modelsClosed() }

// SetOpenAIKey keeps the key of the OpenAI-compatible service.
func (s *Shop) SetOpenAIKey(_ context.Context, _ string) error { return modelsClosed() }
