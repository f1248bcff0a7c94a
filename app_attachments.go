package main

import (
	"bytes"
	"context"
	"encoding/base64"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"agentchat/backend/apperr"
	"agentchat/backend/attachment"
	"agentchat/backend/event"
	"agentchat/backend/shop"
	"agentchat/backend/tools/mcp"
)

// Attach takes a file in that is to be said with a message.
func (a *App) Attach(path string) (event.Attachment, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (event.Attachment, error) { return s.Attach(ctx, path) })
}

// AttachData is Attach of what the page itself was handed, as from the clipboard: a content in base64, and what it is called.
func (a *App) AttachData(name, content string) (event.Attachment, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (event.Attachment, error) {
		if base64.StdEncoding.DecodedLen(len(content)) > attachment.MostBytes+3 {
			return event.Attachment{}, apperr.New(apperr.InvalidArgs, "detail", "content")
		}
		data, err := base64.StdEncoding.DecodeString(content)
		if err != nil {
			return event.Attachment{}, apperr.Wrap(err, apperr.InvalidArgs, "detail", "base64")
		}
		return s.AttachFrom(ctx, name, bytes.NewReader(data))
	})
}

// Pasted is what was copied elsewhere and is no text: files, or a picture that was taken in.
type Pasted struct {
	Paths   []string          `json:"paths"`
	Picture *event.Attachment `json:"picture,omitempty"`
}

// AttachPasted looks into the desktop's clipboard where the page cannot, and takes a picture in that is there, under a name.
func (a *App) AttachPasted(name string) (Pasted, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (Pasted, error) {
		paths, picture := pastedFiles()
		p := Pasted{Paths: paths}
		if paths == nil {
			p.Paths = []string{}
		}
		if len(picture) == 0 {
			return p, nil
		}
		taken, err := s.AttachFrom(ctx, name, bytes.NewReader(picture))
		p.Picture = &taken
		return p, err
	})
}

// SayWith takes a message that comes with files that were handed in, and returns at once.
func (a *App) SayWith(words shop.Words) (event.ChatMessage, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (event.ChatMessage, error) { return s.SayWith(ctx, words) })
}

// some is a list that is there, if it is empty: none, and not that nothing is said of it.
func some(list []event.Attachment) []event.Attachment {
	if list == nil {
		return []event.Attachment{}
	}
	return list
}

// KeepAttachment puts an attachment into the library, where it stays when its message goes.
func (a *App) KeepAttachment(id, name string) (shop.DocumentView, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.DocumentView, error) {
		return s.KeepAttachment(ctx, id, name)
	})
}

// AttachmentDocument gives the id of the document that was read of an attachment, to be opened.
func (a *App) AttachmentDocument(id, name string) (string, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (string, error) { return s.AttachmentDocument(ctx, id, name) })
}

// AttachmentPicture gives an attached picture as an address that holds it: for a list, or large.
func (a *App) AttachmentPicture(id string, large bool) (string, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (string, error) { return s.AttachmentPicture(ctx, id, large) })
}

// AnswerPicture fetches a picture that an answer names by its address, as a person asked for it, and gives it as an address that holds it.
func (a *App) AnswerPicture(chat, address string) (string, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (string, error) { return s.AnswerPicture(ctx, chat, address) })
}

// Attachments says what can be handed in, and how much there is. Whoever asks is about to, so the reader gets ready.
func (a *App) Attachments() (shop.AttachmentsView, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.AttachmentsView, error) {
		s.ReadyReader()
		return s.Attachments(ctx)
	})
}

// ResourcesMCP lists what can be read of the outside servers that are on, to be named in a message.
func (a *App) ResourcesMCP() ([]mcp.Resource, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]mcp.Resource, error) { return s.ResourcesMCP(ctx), nil })
}

// AttachResource reads a resource of an outside server that is to be said with a message.
func (a *App) AttachResource(which shop.ResourceChoice) (event.Attachment, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (event.Attachment, error) { return s.AttachResource(ctx, which) })
}

// PromptsMCP lists the prompts of the outside servers that are on, to be said by their names.
func (a *App) PromptsMCP() ([]mcp.Prompt, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]mcp.Prompt, error) { return s.PromptsMCP(ctx), nil })
}

// CompletePrompt gives the values that a server offers for one argument of a prompt, given what is typed of it.
func (a *App) CompletePrompt(which shop.PromptChoice, argument, typed string) ([]string, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]string, error) {
		return s.CompletePrompt(ctx, which, argument, typed), nil
	})
}

// AttachPrompt asks an outside server for what a prompt says, to be said with a message as the server's words.
func (a *App) AttachPrompt(which shop.PromptChoice) (event.Attachment, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (event.Attachment, error) { return s.AttachPrompt(ctx, which) })
}

// PromptText gives all that a prompt says which goes with a message.
func (a *App) PromptText(id string) (string, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (string, error) { return s.PromptText(ctx, id) })
}

// ChooseAttachments asks for files to hand in with a message, with title above and what is said of the formats; none when nothing was
// chosen.
func (a *App) ChooseAttachments(title, formats string) ([]string, error) {
	return call(a, func(ctx context.Context, _ *shop.Shop) ([]string, error) {
		return runtime.OpenMultipleFilesDialog(ctx, runtime.OpenDialogOptions{
			Title: title, Filters: []runtime.FileFilter{{DisplayName: formats, Pattern: shop.AttachmentPattern()}},
		})
	})
}
