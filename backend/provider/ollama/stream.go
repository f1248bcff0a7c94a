package ollama

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/envconfig"
)

// longestLine is how long one line of an answer may be.
const longestLine = 8 << 20

// endMost is how long a server may take to end an answer after its last message.
const endMost = 100 * time.Millisecond

// chat is the client's Chat (api/client.go, stream) with a buffer that grows as it must: the client's own has 8 MB for every
// request, which costs more than all the rest of reading the answer. Only what has to sign in goes through the client.
func (p *Provider) chat(ctx context.Context, base *url.URL, r *api.ChatRequest, on func(api.ChatResponse) error) error {
	if envconfig.UseAuth() || base.Hostname() == "ollama.com" {
		return api.NewClient(base, p.HTTP).Chat(ctx, r, on)
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, base.JoinPath("/api/chat").String(), bytes.NewReader(text))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/x-ndjson")
	response, err := p.HTTP.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		if err := refused(response, lines.Bytes()); err != nil {
			return err
		}
		var piece api.ChatResponse
		if err := json.Unmarshal(lines.Bytes(), &piece); err != nil {
			return err
		}
		if err := on(piece); err != nil {
			if errors.Is(err, errDone) {
				finish(response.Body)
			}
			return err
		}
	}
	return lines.Err()
}

// finish reads the end of an answer whose last message was heard: a server that is cut off there takes its customer for
// gone, and the connection could not be used again. One that goes on is not listened to.
func finish(body io.ReadCloser) {
	late := time.AfterFunc(endMost, func() { _ = body.Close() })
	defer late.Stop()
	_, _ = io.CopyN(io.Discard, body, 64<<10) // whatever stands there says nothing
}

// refused is what a line of an answer says went wrong.
func refused(response *http.Response, line []byte) error {
	var said struct {
		Error     string `json:"error"`
		SigninURL string `json:"signin_url"`
	}
	err := json.Unmarshal(line, &said)
	status := api.StatusError{StatusCode: response.StatusCode, Status: response.Status, ErrorMessage: said.Error}
	switch {
	case err != nil && status.StatusCode >= http.StatusBadRequest:
		status.ErrorMessage = string(line)
		return status
	case err != nil:
		return errors.New(string(line))
	case status.StatusCode == http.StatusUnauthorized:
		return api.AuthorizationError{StatusCode: status.StatusCode, Status: status.Status, SigninURL: said.SigninURL}
	case status.StatusCode >= http.StatusBadRequest:
		return status
	case said.Error != "":
		return errors.New(said.Error)
	}
	return nil
}
