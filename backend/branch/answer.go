package branch

import (
	"errors"
	"net/http"
	"strings"

	"agentchat/backend/stream"
)

var (
	errTooMuch  = errors.New("the branch says too much")
	errUnpaired = errors.New("the branch does not know this shop any more")
)

// unknown tells whether an error is another shop's word that it does not know this one any more: its own, or that of its door, which says so of a key.
// What else may answer at an address that is no longer its own says other things.
func unknown(err error) bool {
	return errors.Is(err, errUnpaired) || err != nil && strings.Contains(err.Error(), "remote error: tls: bad certificate")
}

// heard is an answer of another shop's as the protocol's library may read it: it reads whatever it gets. Errors: errUnpaired.
func heard(resp *http.Response) (*http.Response, error) {
	if resp.StatusCode == http.StatusForbidden {
		_ = resp.Body.Close()
		return nil, errUnpaired
	}
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") { // whose events are bounded one by one
		resp.Body = &stream.Bounded{ReadCloser: resp.Body, Left: mostSaid, TooMuch: errTooMuch}
	}
	return resp, nil
}
