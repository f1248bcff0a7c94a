package wire

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestTheClientGuards(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/line", http.StatusTemporaryRedirect)
	})
	mux.HandleFunc("/line", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-ndjson")
		_, _ = io.WriteString(w, strings.Repeat("x", maxLine+1))
	})
	mux.HandleFunc("/document", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = io.WriteString(w, strings.Repeat("x", maxLine+1))
	})
	mux.HandleFunc("/flood", func(w http.ResponseWriter, _ *http.Request) {
		for range maxBody/1024 + 1 {
			if _, err := io.WriteString(w, strings.Repeat("x", 1023)+"\n"); err != nil {
				return
			}
		}
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	client := NewClient(nil, nil)
	defer client.CloseIdleConnections()
	for _, c := range []struct {
		path    string
		status  int
		tooMuch bool
	}{{"/away", http.StatusTemporaryRedirect, false}, {"/line", http.StatusOK, true}, {"/document", http.StatusOK, false}, {"/flood", http.StatusOK, true}} {
		resp, err := client.Get(server.URL + c.path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		if resp.StatusCode != c.status || errors.Is(err, ErrTooMuch) != c.tooMuch {
			t.Errorf("%s: status %d, %v", c.path, resp.StatusCode, err)
		}
	}
}
