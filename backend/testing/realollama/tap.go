package realollama

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// Chat is one call of the server's chat as it went over the wire.
type Chat struct {
	Model    string          `json:"model"`
	Messages []Message       `json:"messages"`
	Format   json.RawMessage `json:"format"`
	Options  map[string]any  `json:"options"`
	Truncate *bool           `json:"truncate"`
	Shift    *bool           `json:"shift"`

	KeepAlive json.RawMessage `json:"keep_alive"`

	Ended bool `json:"-"` // the server said that it was done; the figures are its own
	Left  bool `json:"-"` // the answer was over before: whoever asked hung up, or it failed
	Done  Done `json:"-"`
}

// Message is one message of a Chat.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Done are the figures that end an answer. Tokens is the whole prompt, Cached what of it needed no reading.
type Done struct {
	Reason  string        `json:"done_reason"`
	Tokens  int           `json:"prompt_eval_count"`
	Cached  int           `json:"prompt_eval_cached_count"`
	Written int           `json:"eval_count"`
	Load    time.Duration `json:"load_duration"`
	Reading time.Duration `json:"prompt_eval_duration"`
}

// Tap stands between a program and the server and writes down every chat, and counts how often the model was sent out of
// memory. Everything else passes unseen, and so does a chat that asks for no format there is: it only looks for a place.
// Safe for concurrent use.
type Tap struct {
	Addr string // host:port

	mu      sync.Mutex
	chats   []*Chat
	unloads int
	moved   chan struct{} // closed and replaced when a chat begins or ends
}

// NewTap opens a tap in front of the server, for the time of the test.
func (s *Server) NewTap(t testing.TB) *Tap {
	t.Helper()
	tap := &Tap{moved: make(chan struct{})}
	proxy := &httputil.ReverseProxy{
		FlushInterval: -1,
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(&url.URL{Scheme: "http", Host: s.Addr}) },
		ModifyResponse: func(r *http.Response) error {
			if chat, ok := r.Request.Context().Value(chatKey{}).(*Chat); ok {
				r.Body = &ear{ReadCloser: r.Body, tap: tap, chat: chat}
			}
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, _ error) {
			if chat, ok := r.Context().Value(chatKey{}).(*Chat); ok {
				tap.end(chat)
			}
			w.WriteHeader(http.StatusBadGateway)
		},
	}
	proxy.ErrorLog = log.New(io.Discard, "", 0) // whoever hangs up is no trouble
	front := httptest.NewServer(tap.listen(proxy))
	t.Cleanup(front.Close)
	tap.Addr = strings.TrimPrefix(front.URL, "http://")
	return tap
}

// chatKey finds the chat of a request.
type chatKey struct{}

func (p *Tap) listen(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/chat" && r.URL.Path != "/api/generate" {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(r.Body)
		chat := &Chat{}
		if err != nil || json.Unmarshal(body, chat) != nil {
			http.Error(w, "not a chat", http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		if r.URL.Path == "/api/generate" || bytes.HasPrefix(chat.Format, []byte(`"none`)) {
			p.mu.Lock()
			if string(chat.KeepAlive) == `"0s"` {
				p.unloads++
			}
			p.mu.Unlock()
			next.ServeHTTP(w, r)
			return
		}
		p.mu.Lock()
		p.chats = append(p.chats, chat)
		p.stir()
		p.mu.Unlock()
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), chatKey{}, chat)))
	})
}

// stir wakes whoever waits. Called with p.mu held.
func (p *Tap) stir() {
	close(p.moved)
	p.moved = make(chan struct{})
}

// end says that nothing more comes.
func (p *Tap) end(chat *Chat) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !chat.Ended && !chat.Left {
		chat.Left = true
		p.stir()
	}
}

// Chats are copies of the chats so far, in the order in which they began.
func (p *Tap) Chats() []Chat {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := make([]Chat, len(p.chats))
	for i, c := range p.chats {
		list[i] = *c
	}
	return list
}

// Unloads is how often the server was told to send a model out of memory.
func (p *Tap) Unloads() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.unloads
}

// Await gives the first chat, from the one with that number on, that is meant; a minute is too long.
func (p *Tap) Await(t testing.TB, from int, what string, is func(Chat) bool) Chat {
	t.Helper()
	limit := time.NewTimer(time.Minute)
	defer limit.Stop()
	for {
		p.mu.Lock()
		moved := p.moved
		for _, c := range p.chats[min(from, len(p.chats)):] {
			if is(*c) {
				defer p.mu.Unlock()
				return *c
			}
		}
		p.mu.Unlock()
		select {
		case <-moved:
		case <-limit.C:
			t.Fatalf("never came over the wire: %s", what)
		}
	}
}

// ear reads along with an answer.
type ear struct {
	io.ReadCloser
	tap  *Tap
	chat *Chat
	line []byte
}

func (e *ear) Read(b []byte) (int, error) {
	n, err := e.ReadCloser.Read(b)
	for rest := b[:n]; len(rest) > 0; {
		part, after, whole := bytes.Cut(rest, []byte("\n"))
		e.line = append(e.line, part...)
		rest = after
		if whole {
			e.heard()
			e.line = e.line[:0]
		}
	}
	if err != nil {
		e.tap.end(e.chat)
	}
	return n, err
}

func (e *ear) heard() {
	var last struct {
		Done bool `json:"done"`
	}
	var figures Done
	if json.Unmarshal(e.line, &last) != nil || !last.Done || json.Unmarshal(e.line, &figures) != nil {
		return
	}
	e.tap.mu.Lock()
	defer e.tap.mu.Unlock()
	e.chat.Ended, e.chat.Done = true, figures
	e.tap.stir()
}

func (e *ear) Close() error {
	e.tap.end(e.chat)
	return e.ReadCloser.Close()
}
