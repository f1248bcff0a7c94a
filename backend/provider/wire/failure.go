package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/outbound"
)

// Failure is how a call went wrong: what a person is told, and what to do about it.
type Failure struct {
	Err   *apperr.Error
	Retry bool          // the same call may work in a moment
	After time.Duration // how long the service asked to wait; 0: it did not say
	Fault bool          // it counts against the service, not against the request
}

// Error is that of the error within.
func (f *Failure) Error() string { return f.Err.Error() }

// Unwrap gives the error within.
func (f *Failure) Unwrap() error { return f.Err }

// Bad is a failure of an answer that cannot be used.
func Bad(cause error) *Failure { return &Failure{Err: apperr.Wrap(cause, apperr.ModelBadOutput)} }

// Unreachable is a failure to talk with the service at all.
func Unreachable(cause error, name string) *Failure {
	return &Failure{Err: apperr.Wrap(cause, apperr.ProviderUnreachable, "provider", name), Fault: true}
}

// Missing is a failure for want of the model.
func Missing(cause error, model string) *Failure {
	if model == "" {
		return &Failure{Err: apperr.Wrap(cause, apperr.ModelMissing, "model", noModel)}
	}
	return &Failure{Err: apperr.Wrap(cause, apperr.ModelMissing, "model", model)}
}

// Overflow is a failure of a request that is longer than the model can read.
func Overflow(cause error) *Failure { return &Failure{Err: apperr.Wrap(cause, apperr.ContextOverflow)} }

// Refused is a failure that the service puts into words.
func Refused(cause error, name, words string) *Failure {
	return &Failure{Err: apperr.Wrap(cause, apperr.ProviderRefused, "provider", name, "detail", Clip(words)), Fault: true}
}

// noModel stands where a model's name would, when there is none.
var noModel = bilingual.Of("(아직 하나도 없음)", "(none yet)")

// Clip makes the words of a service short and clean enough to be shown: one line, valid text, at most 300 bytes.
func Clip(words string) string {
	const most = 300
	if len(words) > 4*most {
		words = words[:4*most]
	}
	words = strings.Join(strings.Fields(strings.ToValidUTF8(words, "")), " ")
	if len(words) <= most {
		return words
	}
	cut := most
	for !utf8.RuneStart(words[cut]) {
		cut--
	}
	return words[:cut] + "…"
}

// Classify says what kind of failure a transport error is; nil when it is none, but words of the service.
func Classify(err error, name string) *Failure {
	var f *Failure
	var dns *net.DNSError
	var op *net.OpError
	var outer *url.Error
	switch {
	case errors.As(err, &f):
		return f
	case outbound.Refused(err):
		return &Failure{Err: apperr.From(err)} // nobody's fault, and nothing that trying again changes
	case errors.Is(err, ErrTooMuch):
		return Bad(err)
	case errors.As(err, &dns), errors.As(err, &op) && op.Op == "dial":
		return Unreachable(err, name)
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		f = Unreachable(err, name)
		f.Retry = true
		return f
	case op != nil, errors.As(err, &outer):
		return Unreachable(err, name)
	}
	return nil
}

// ended is the failure of a call that its context ended, or nil.
func ended(outer context.Context) *Failure {
	if err := outer.Err(); err != nil {
		cause := context.Cause(outer)
		if whole := errors.Is(cause, errWhole); whole || errors.Is(err, context.DeadlineExceeded) {
			return &Failure{Err: apperr.Wrap(cause, apperr.ModelTimeout), Fault: whole}
		}
		return &Failure{Err: apperr.Wrap(err, apperr.Canceled)}
	}
	return nil
}

// missed is the failure of a call that a watch ended, or nil.
func missed(call context.Context, name string) *Failure {
	switch cause := context.Cause(call); {
	case errors.Is(cause, errConnect):
		return Unreachable(cause, name)
	case errors.Is(cause, errFirst), errors.Is(cause, errLoad), errors.Is(cause, errGap):
		return &Failure{Err: apperr.Wrap(cause, apperr.ModelTimeout), Fault: true}
	}
	return nil
}
