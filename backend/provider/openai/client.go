package openai

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/provider/wire"
)

var (
	errNoAddress = errors.New("no address is set")
	errNoModel   = errors.New("the service lists no model")
)

// send makes one request. A status that is no success becomes a *refusal.
func (p *Provider) send(ctx context.Context, method string, to *url.URL, what any) (*http.Response, error) {
	var body io.Reader
	if what != nil {
		text, err := json.Marshal(what)
		if err != nil {
			return nil, apperr.Wrap(err, apperr.Internal)
		}
		body = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, to.String(), body)
	if err != nil {
		return nil, wire.Unreachable(err, p.Name())
	}
	req.Header.Set("Accept", "text/event-stream, application/json")
	if what != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	key := p.key(ctx)
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := p.HTTP.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode == http.StatusOK {
		return resp, nil
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	if err != nil {
		return nil, err
	}
	if key != "" { // some services repeat the key they refuse
		text = bytes.ReplaceAll(text, []byte(key), []byte("***"))
	}
	return nil, readRefusal(resp.StatusCode, text, false)
}

// events reads server-sent events and gives the data of each to take, until it returns io.EOF.
func events(body io.Reader, take func(data []byte) error) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(make([]byte, 0, 64<<10), 8<<20)
	var data []byte
	for lines.Scan() {
		line := lines.Bytes()
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch {
		case len(line) == 0 && len(data) > 0:
			if err := take(data); errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return err
			}
			data = data[:0]
		case string(field) == "data":
			if len(data) > 0 {
				data = append(data, '\n')
			}
			data = append(data, value...)
			if len(data) > 8<<20 {
				return wire.Bad(wire.ErrTooMuch)
			}
		case string(field) == "error": // llama-server
			return readRefusal(http.StatusInternalServerError, value, true)
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if len(data) == 0 { // the last event may lack its empty line
		return nil
	}
	if err := take(data); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// refusal is what a service says when it does not answer.
type refusal struct {
	status   int
	words    string
	kind     string // its word for the kind of error
	param    string // what it complains about
	inStream bool
}

func (r *refusal) Error() string { return fmt.Sprintf("status %d: %s", r.status, wire.Clip(r.words)) }

// about tells whether it complains about one of some things.
func (r *refusal) about(words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(r.param, word) || strings.Contains(r.words, word) })
}

func (r *refusal) tooLong() bool {
	return slices.ContainsFunc([]string{"exceed_context_size", "context_length_exceeded", "maximum context length", "exceeds the available context", "context size", "context window"}, func(sign string) bool { return strings.Contains(r.kind, sign) || strings.Contains(r.words, sign) })
}

// readRefusal reads {"error": {...}}, {"error": "..."}, the inner part of either, or any text.
func readRefusal(status int, text []byte, inStream bool) *refusal {
	r := &refusal{status: status, words: string(text), inStream: inStream}
	var outer struct {
		Error  json.RawMessage `json:"error"`
		Detail json.RawMessage `json:"detail"` // FastAPI
	}
	inner := json.RawMessage(text)
	if json.Unmarshal(text, &outer) == nil {
		switch {
		case len(outer.Error) > 0:
			inner = outer.Error
		case len(outer.Detail) > 0:
			r.words = string(outer.Detail)
		}
	}
	var words string
	if json.Unmarshal(inner, &words) == nil {
		r.words = words
		return r
	}
	var parts struct {
		Message string `json:"message"`
		Type    any    `json:"type"`
		Code    any    `json:"code"`
		Param   any    `json:"param"`
	}
	if json.Unmarshal(inner, &parts) == nil && parts.Message != "" {
		r.words, r.kind = parts.Message, fmt.Sprint(parts.Type, " ", parts.Code)
		if parts.Param != nil {
			r.param = fmt.Sprint(parts.Param)
		}
	}
	return r
}

// failure says what an error means; nil stays nil.
func (p *Provider) failure(err error, model string) error {
	var r *refusal
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &r):
		return err
	case r.tooLong():
		return wire.Overflow(r)
	case r.inStream && strings.Contains(r.words, "repeat limit"):
		return wire.Bad(r)
	case r.inStream:
		return wire.Refused(r, p.Name(), r.words)
	}
	switch r.status {
	case http.StatusNotFound:
		if strings.Contains(r.words, "model") || strings.Contains(r.kind, "model") {
			p.Pick("")
			return wire.Missing(r, model)
		}
		return wire.Unreachable(r, p.Name())
	case http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		f := wire.Refused(r, p.Name(), r.words)
		f.Retry = !strings.Contains(r.words, "memory")
		return f
	}
	if r.status < http.StatusBadRequest { // a redirect: a request is never sent on
		return wire.Unreachable(r, p.Name())
	}
	f := wire.Refused(r, p.Name(), r.words)
	f.Fault = r.status == http.StatusUnauthorized || r.status == http.StatusForbidden || r.status >= http.StatusInternalServerError
	return f
}
