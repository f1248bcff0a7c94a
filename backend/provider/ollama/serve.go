package ollama

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"time"

	"github.com/ollama/ollama/api"

	"agentchat/backend/apperr"
	"agentchat/backend/provider/wire"
)

// How a server that was started is waited for.
const (
	startPatience = 20 * time.Second
	startLook     = 50 * time.Millisecond
)

// Local tells whether the address that is set is this computer.
func (p *Provider) Local() bool {
	base, err := parseHost(wire.Set(p.o.Host))
	return err == nil && loopback(base)
}

// Serve starts the Ollama that is installed on this computer at the address that is set, and waits until it answers. The
// server outlives this program, as one that a person starts; its output goes to the file at logPath. It gives the
// server's process id, 0 when one answered already. Errors: not_available (another computer's address, or not
// installed), provider_refused (it ended at once), provider_unreachable (it did not answer in time), canceled.
func (p *Provider) Serve(ctx context.Context, logPath string) (pid int, err error) {
	client, base, err := p.client()
	if err != nil {
		return 0, apperr.From(err)
	}
	if !loopback(base) {
		return 0, apperr.New(apperr.NotAvailable, "what", base.Host)
	}
	if answers(ctx, client) {
		return 0, nil
	}
	program, err := p.find()
	if err != nil {
		return 0, apperr.Wrap(err, apperr.NotAvailable, "what", "ollama")
	}
	out, err := os.OpenFile(logPath, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return 0, apperr.Wrap(err, apperr.StorageFailed)
	}
	defer func() { _ = out.Close() }()
	cmd := exec.Command(program, "serve") //nolint:gosec,noctx // Ollama itself, found where its installers put it; it outlives the call
	cmd.Env = append(os.Environ(), "OLLAMA_HOST="+base.Host)
	cmd.Stdout, cmd.Stderr = out, out
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return 0, apperr.Wrap(err, apperr.NotAvailable, "what", "ollama")
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	return cmd.Process.Pid, p.await(ctx, client, ended, logPath)
}

// await waits until a server that was just started answers.
func (p *Provider) await(ctx context.Context, client *api.Client, ended <-chan error, logPath string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startPatience, errNoStart)
	defer cancel()
	again := time.NewTicker(startLook)
	defer again.Stop()
	for !answers(ctx, client) {
		select {
		case err := <-ended:
			return apperr.From(wire.Refused(errors.Join(errEnded, err), p.Name(), lastWords(logPath)))
		case <-ctx.Done():
			if errors.Is(context.Cause(ctx), errNoStart) {
				return apperr.From(wire.Unreachable(errNoStart, p.Name()))
			}
			return apperr.Wrap(ctx.Err(), apperr.Canceled)
		case <-again.C:
		}
	}
	p.Line.Breaker.Wake()
	return nil
}

var (
	errNoStart = errors.New("the server was started and does not answer")
	errEnded   = errors.New("the server ended at once")
)

func answers(ctx context.Context, client *api.Client) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	version, err := client.Version(ctx)
	return err == nil && version != ""
}

// lastWords is the end of a server's log: the reason it ended.
func lastWords(path string) string {
	const most = 300
	text, err := os.ReadFile(path)
	if err != nil {
		return errEnded.Error()
	}
	return string(text[max(0, len(text)-most):])
}

// find finds the program on this computer.
func (p *Provider) find() (string, error) {
	if p.o.LookPath != nil {
		return p.o.LookPath("ollama")
	}
	return LookPath("ollama")
}
