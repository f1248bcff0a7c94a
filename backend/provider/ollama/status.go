package ollama

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/provider/wire"
)

// Status asks the server how it is. It takes at most the connect deadline and three seconds, and tells apart not
// installed, not running, not answering, wrong address, no model, loading and refusing.
func (p *Provider) Status(ctx context.Context) provider.Status { return p.Line.Status(ctx, p.probe) }

func (p *Provider) probe(ctx context.Context) provider.Status {
	s := provider.Status{Model: wire.Set(p.o.Model)}
	client, base, err := p.client()
	if err != nil {
		return wrongAddress(s, err)
	}
	var version string
	if err := p.Line.Call(ctx, func(ctx context.Context) (err error) {
		version, err = client.Version(ctx)
		return err
	}); err != nil || version == "" {
		return p.unreached(s, base, err)
	}
	models, err := p.Models(ctx)
	if apperr.CodeOf(err) == apperr.ProviderUnreachable { // it has just gone
		return p.unreached(s, base, err)
	}
	if err != nil {
		s.Health, s.Reason, s.Detail = provider.HealthError, provider.ReasonRefused, apperr.From(err).Text(bilingual.EN)
		return s
	}
	if p.o.Seen != nil {
		p.o.Seen(models)
	}
	return p.describe(s, models)
}

// describe says which model serves, when the server itself is well.
func (p *Provider) describe(s provider.Status, models []provider.Model) provider.Status {
	if s.Model == "" {
		s.Model = p.Picked()
	}
	if s.Model == "" {
		s.Model = wire.BestOf(models)
	}
	i := slices.IndexFunc(models, func(m provider.Model) bool { return sameModel(m.Name, s.Model) })
	switch {
	case s.Model == "":
		s.Health, s.Reason, s.Detail = provider.HealthNoModel, provider.ReasonNoModel, "no model is installed"
	case i < 0:
		s.Health, s.Reason, s.Detail = provider.HealthNoModel, provider.ReasonNoModel, fmt.Sprintf("the model %s is not installed", s.Model)
	case p.Line.Loading() > 0, !models[i].Loaded && (p.Line.Waiting() > 0 || p.loading.Load() > 0):
		s.Health, s.Reason, s.Detail = provider.HealthStarting, provider.ReasonLoading, "loading "+s.Model
	default:
		s.Health = provider.HealthOK
	}
	return s
}

func wrongAddress(s provider.Status, err error) provider.Status {
	s.Health, s.Reason, s.Detail = provider.HealthUnreachable, provider.ReasonWrongAddress, "no Ollama answers there"
	if err != nil {
		s.Detail += ": " + reason(err)
	}
	return s
}

func reason(err error) string {
	if cause := errors.Unwrap(apperr.From(err)); cause != nil {
		return cause.Error()
	}
	return err.Error()
}

// unreached finds out why a server did not say its version. err is nil when something answered, but not with a version.
func (p *Provider) unreached(s provider.Status, base *url.URL, err error) provider.Status {
	var dns *net.DNSError
	var op *net.OpError
	near := loopback(base)
	s.Health = provider.HealthUnreachable
	switch {
	case apperr.CodeOf(err) == apperr.ModelTimeout, near && op == nil && isConnectTimeout(err):
		s.Reason, s.Detail = provider.ReasonNotAnswering, "the server does not answer"
	case errors.As(err, &dns), errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return wrongAddress(s, err)
	case errors.As(err, &op) && op.Op == "dial":
		// What is installed here says something only of the address where Ollama is to be found here.
		switch {
		case !p.usual(base):
			s.Reason, s.Detail = provider.ReasonNothingThere, "nothing listens at "+base.Host
		case !p.installed():
			s.Reason, s.Detail = provider.ReasonNotInstalled, "Ollama is not installed on this computer"
		default:
			s.Reason, s.Detail = provider.ReasonNotRunning, "nothing listens at "+base.Host
		}
	default:
		return wrongAddress(s, err)
	}
	return s
}

func isConnectTimeout(err error) bool {
	return apperr.CodeOf(err) == apperr.ProviderUnreachable && !errors.As(err, new(*url.Error))
}

// usual tells whether an address is where Ollama is on this computer when nobody chose another.
func (p *Provider) usual(base *url.URL) bool {
	at, err := parseHost(p.o.Usual)
	return err == nil && loopback(base) && loopback(at) && base.Port() == at.Port()
}

// installed tells whether the ollama program is on this machine.
func (p *Provider) installed() bool {
	_, err := p.find()
	return err == nil
}

// LookPath looks on the PATH, which a program started from a desktop may not have in full, and where the installers put it.
func LookPath(program string) (string, error) {
	path, err := exec.LookPath(program)
	if err == nil {
		return path, nil
	}
	places := []string{"/usr/local/bin/ollama", "/usr/bin/ollama", "/snap/bin/ollama"}
	switch runtime.GOOS {
	case "darwin":
		places = append(places, "/opt/homebrew/bin/ollama", "/Applications/Ollama.app/Contents/Resources/ollama")
	case "windows":
		places = []string{filepath.Join(os.Getenv("LOCALAPPDATA"), "Programs", "Ollama", "ollama.exe")}
	}
	for _, place := range places {
		if _, statErr := os.Stat(place); statErr == nil {
			return place, nil
		}
	}
	return "", err
}
