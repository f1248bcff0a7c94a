package openai

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/provider/wire"
)

// Status asks the service how it is. It takes at most the connect deadline and three seconds, and tells apart not
// running, not answering, wrong address, no model, loading and refusing (a wrong key).
func (p *Provider) Status(ctx context.Context) provider.Status { return p.Line.Status(ctx, p.probe) }

func (p *Provider) probe(ctx context.Context) provider.Status {
	s := provider.Status{Model: wire.Set(p.o.Model)}
	models, err := p.Models(ctx)
	if err != nil {
		return unwell(s, err)
	}
	if s.Model == "" {
		s.Model = wire.BestOf(models)
	}
	switch {
	case s.Model == "":
		s.Health, s.Reason, s.Detail = provider.HealthNoModel, provider.ReasonNoModel, errNoModel.Error()
	case !slices.ContainsFunc(models, func(m provider.Model) bool { return untagged(m.Name) == untagged(s.Model) }):
		s.Health, s.Reason, s.Detail = provider.HealthNoModel, provider.ReasonNoModel, fmt.Sprintf("the service does not list %s", s.Model)
	default:
		s.Health = provider.HealthOK
	}
	return s
}

// untagged is a name without the tag that Ollama lists and nobody types.
func untagged(name string) string { return strings.TrimSuffix(name, ":latest") }

// unwell finds out why a service did not list its models.
func unwell(s provider.Status, err error) provider.Status {
	var op *net.OpError
	var r *refusal
	s.Health, s.Detail = provider.HealthUnreachable, apperr.From(err).Text(bilingual.EN)
	if cause := errors.Unwrap(apperr.From(err)); cause != nil {
		s.Detail = cause.Error()
	}
	switch {
	case errors.As(err, &r) && r.status == http.StatusServiceUnavailable:
		s.Health, s.Reason = provider.HealthStarting, provider.ReasonLoading
	case errors.As(err, &r) && r.status != http.StatusNotFound && r.status >= http.StatusBadRequest:
		s.Health, s.Reason = provider.HealthError, provider.ReasonRefused
	case apperr.CodeOf(err) == apperr.ModelTimeout:
		s.Reason, s.Detail = provider.ReasonNotAnswering, "the service does not answer"
	case errors.As(err, new(*net.DNSError)), errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		s.Reason = provider.ReasonWrongAddress
	case errors.As(err, &op) && op.Op == "dial":
		s.Reason = provider.ReasonNothingThere
	default:
		s.Reason = provider.ReasonWrongAddress
	}
	return s
}
