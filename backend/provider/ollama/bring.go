package ollama

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/ollama/ollama/api"

	"agentchat/backend/apperr"
	"agentchat/backend/provider/wire"
)

// Bring makes a model of a GGUF file on this computer, telling on about its progress (nil: nobody). The file is read twice, for its hash and for
// the server, which keeps a copy of its own under that hash and finds the template for what the file says of itself. A file whose bytes the
// server has already is not sent. Errors: canceled, not_found, storage_full, provider_unreachable, provider_refused.
func (p *Provider) Bring(ctx context.Context, model, path string, on func(Progress)) error {
	client, _, err := p.client()
	if err != nil {
		return apperr.From(err)
	}
	file, err := os.Open(path)
	if err != nil {
		return apperr.Wrap(err, apperr.NotFound, "what", "file", "id", filepath.Base(path))
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return apperr.Wrap(err, apperr.NotFound, "what", "file", "id", filepath.Base(path))
	}
	limits := wire.Timeouts{Connect: p.Line.Timeouts().Connect, First: pullPatience, Gap: pullPatience}
	meter := newPullMeter()
	err = p.Line.Follow(ctx, limits, func(ctx context.Context, alive func()) error {
		read := func(phase string, half int64) io.Reader {
			return &told{ctx: ctx, from: file, on: func(done int64) {
				alive()
				if on != nil {
					on(meter.add(api.ProgressResponse{Status: phase, Digest: "file", Total: info.Size(), Completed: (half*info.Size() + done) / 2}))
				}
			}}
		}
		sum := sha256.New()
		if _, err := io.Copy(sum, read("reading", 0)); err != nil {
			return err
		}
		digest := fmt.Sprintf("sha256:%x", sum.Sum(nil))
		have, err := client.HeadBlob(ctx, digest)
		if err == nil && !have {
			if _, err = file.Seek(0, io.SeekStart); err == nil {
				err = client.CreateBlob(ctx, digest, read("copying", 1))
			}
		}
		if err != nil {
			return p.pullFailure(err, model)
		}
		done := false
		err = client.Create(ctx, &api.CreateRequest{Model: model, Files: map[string]string{filepath.Base(path): digest}}, func(r api.ProgressResponse) error {
			alive()
			done = done || r.Status == "success"
			return nil
		})
		if err == nil && !done {
			return wire.Unreachable(errors.New("the server stopped in the middle"), p.Name())
		}
		return p.pullFailure(err, model)
	})
	p.forget()
	return err
}

// told reads and says how far it is; it ends with its context.
type told struct {
	ctx  context.Context
	from io.Reader
	done int64
	on   func(done int64)
}

func (t *told) Read(b []byte) (int, error) {
	if err := t.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := t.from.Read(b)
	t.done += int64(n)
	t.on(t.done)
	return n, err
}
