// Package stream holds the readers through which files and answers are read: as long as somebody waits for them, no more than they may
// be long, and with what went wrong kept apart from what goes wrong with writing.
package stream

import (
	"context"
	"errors"
	"io"
)

// Until reads as long as ctx lasts.
func Until(ctx context.Context, from io.Reader) io.Reader { return &until{ctx, from} }

type until struct {
	ctx  context.Context //nolint:containedctx // it lives as long as one copy
	from io.Reader
}

func (u *until) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.from.Read(p)
}

// Source notes what went wrong with reading, which is not what goes wrong with writing.
type Source struct {
	From io.Reader
	Err  error
}

// Read implements io.Reader.
func (s *Source) Read(p []byte) (int, error) {
	n, err := s.From.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		s.Err = err
	}
	return n, err
}

// Bounded refuses to read more than is Left, with TooMuch.
type Bounded struct {
	io.ReadCloser
	Left    int
	TooMuch error
}

// Read implements io.Reader.
func (b *Bounded) Read(p []byte) (int, error) {
	if b.Left <= 0 {
		return 0, b.TooMuch
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.Left)])
	b.Left -= n
	return n, err
}
