package ollama

import (
	"bufio"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/ollama/ollama/api"

	"agentchat/backend/apperr"
	"agentchat/backend/provider/wire"
)

var errNoAddress = errors.New("no address")

// failure says what an error of Ollama's client means; nil stays nil. Ollama has no codes: beyond the HTTP status there
// are only its words.
func (p *Provider) failure(err error, model string) error {
	if err == nil {
		return nil
	}
	if f := wire.Classify(err, p.Name()); f != nil {
		return f
	}
	var status api.StatusError
	var auth api.AuthorizationError
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &status):
		return p.statusFailure(status, model)
	case errors.As(err, &auth):
		return wire.Refused(err, p.Name(), err.Error())
	case errors.As(err, &syntax), errors.As(err, &mismatch), errors.Is(err, bufio.ErrTooLong):
		return wire.Bad(err)
	}
	return p.wordsFailure(err, err.Error())
}

func (p *Provider) statusFailure(status api.StatusError, model string) error {
	words := status.ErrorMessage
	if tooLong(words) {
		return wire.Overflow(status)
	}
	if badCall(words) {
		return wire.Bad(status)
	}
	switch status.StatusCode {
	case http.StatusNotFound:
		if strings.Contains(words, "model") && strings.Contains(words, "not found") {
			p.forget()
			return wire.Missing(status, model)
		}
		return wire.Unreachable(status, p.Name()) // whatever answers there, it is no Ollama
	case http.StatusNotImplemented:
		return &wire.Failure{Err: apperr.Wrap(status, apperr.NotAvailable, "what", model)}
	case http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		f := wire.Refused(status, p.Name(), words)
		f.Retry = !strings.Contains(words, "system memory") // a model that does not fit will not fit in a moment
		return f
	}
	f := wire.Refused(status, p.Name(), words)
	f.Fault = status.StatusCode >= http.StatusInternalServerError
	return f
}

// wordsFailure reads an error line, which may come at the end of a stream that began well.
func (p *Provider) wordsFailure(err error, words string) error {
	switch {
	case strings.TrimSpace(words) == "", strings.HasPrefix(words, "<"), strings.HasPrefix(words, "{"): // the client hands on a line that is no JSON
		return wire.Bad(errors.New("a line of the stream is no JSON"))
	case strings.Contains(words, "repeat limit"), badCall(words):
		return wire.Bad(err)
	case tooLong(words):
		return wire.Overflow(err)
	}
	return wire.Refused(err, p.Name(), words)
}

func tooLong(words string) bool {
	return strings.Contains(words, "exceed_context_size") || strings.Contains(words, "exceeds the available context") ||
		strings.Contains(words, "exceeds maximum context") || strings.Contains(words, "exceeds the context")
}

// badCall tells whether it was the model's tool call that could not be read, by the server or by its client.
func badCall(words string) bool {
	return strings.Contains(words, "error parsing tool call") || strings.Contains(words, "looks like object")
}
