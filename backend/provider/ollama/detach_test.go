package ollama_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/provider"
	"agentchat/backend/provider/ollama"
)

// stuck is a server whose only place is lost with the first story that is left, until the model is unloaded. Its first words
// may never leave it. Unloading takes a while after the server has said yes: whoever comes meanwhile gets the lost place, and as
// long as somebody waits for that, the model stays.
type stuck struct {
	mute           bool
	begun          chan struct{} // closed when the story begins
	lost, unloaded atomic.Bool
	asked          atomic.Int32  // for a place
	looks          atomic.Int32  // at what is in memory, since it was unloaded
	waiting        atomic.Int32  // for the lost place
	came           chan struct{} // has something when a request came to the lost place; nil: nobody looks
}

// goes is how many looks find a model that is on its way out of memory.
const goes = 3

func (s *stuck) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Format    json.RawMessage `json:"format"`
		KeepAlive json.RawMessage `json:"keep_alive"`
		Messages  []any           `json:"messages"`
	}
	if text, err := io.ReadAll(r.Body); err == nil { // to its end, or the server does not see that the other side is gone
		_ = json.Unmarshal(text, &body)
	}
	switch {
	case r.URL.Path == "/api/generate" && string(body.KeepAlive) == `"0s"`:
		s.unloaded.Store(true)
		_, _ = fmt.Fprintln(w, `{"model":"m","done":true,"done_reason":"unload"}`)
	case r.URL.Path == "/api/ps" && s.unloaded.Load() && s.waiting.Load() == 0 && s.looks.Add(1) > goes:
		s.lost.Store(false)
		_, _ = fmt.Fprintln(w, `{"models":[]}`)
	case r.URL.Path == "/api/ps":
		_, _ = fmt.Fprintln(w, `{"models":[{"name":"m"}]}`)
	case r.URL.Path != "/api/chat":
		_, _ = fmt.Fprintln(w, `{}`)
	case s.lost.Load():
		if len(body.Messages) == 1 {
			s.asked.Add(1)
		}
		s.waiting.Add(1)
		if len(body.Messages) > 1 && s.came != nil {
			s.came <- struct{}{}
		}
		<-r.Context().Done()
		s.waiting.Add(-1)
	case s.unloaded.Load():
		_, _ = fmt.Fprintln(w, `{"model":"m","message":{"role":"assistant","content":"네."},"done":true,"done_reason":"stop","prompt_eval_count":3,"eval_count":1}`)
	default:
		w.Header().Set("Content-Type", "application/x-ndjson")
		s.lost.Store(true)
		if !s.mute {
			_, _ = fmt.Fprintln(w, `{"model":"m","message":{"role":"assistant","content":"옛날 옛적에 "}}`)
			_ = http.NewResponseController(w).Flush()
		}
		close(s.begun)
		<-r.Context().Done()
	}
}

// A server that lost the model's place when a story was stopped is found out, and the model is loaded again; also when the
// story's first words were on their way and never came.
func TestALostPlaceIsFreed(t *testing.T) {
	for _, mute := range []bool{false, true} {
		t.Run(fmt.Sprintf("mute %t", mute), func(t *testing.T) { lostPlaceIsFreed(t, mute) })
	}
}

func lostPlaceIsFreed(t *testing.T, mute bool) {
	s := &stuck{mute: mute, begun: make(chan struct{})}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	p := open(t, ollama.Options{Host: fixed(server.URL), Model: fixed("m")})
	ctx, cancel := context.WithCancel(t.Context())
	if mute {
		go func() { <-s.begun; cancel() }()
	}
	_, err := p.Chat(ctx, realLetter(provider.RoleSolver, "이야기해 줘"), func(d provider.Delta) {
		if d.Text != "" {
			cancel()
		}
	})
	cancel()
	if apperr.CodeOf(err) != apperr.Canceled {
		t.Fatal(err)
	}
	if s.unloaded.Load() {
		t.Error("whoever stopped waited for the place to be freed")
	}
	next, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	reply, err := p.Chat(next, realLetter(provider.RoleSolver, "안녕?"), nil)
	if err != nil || reply.Text != "네." {
		t.Errorf("the next letter: %+v, %v", reply, err)
	}
	if s.asked.Load() != 1 || !s.unloaded.Load() {
		t.Errorf("asked %d times for a place, unloaded %t", s.asked.Load(), s.unloaded.Load())
	}
}

// Who came while the story was told, and waits for the place that was lost when it was stopped, gets an answer, too: the server
// would keep the model, and the lost place, as long as somebody waits.
func TestWhoWaitsForALostPlaceIsAnswered(t *testing.T) {
	s := &stuck{begun: make(chan struct{}), came: make(chan struct{}, 8)}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	p := open(t, ollama.Options{Host: fixed(server.URL), Model: fixed("m")})
	story, stop := context.WithCancel(t.Context())
	defer stop()
	told := make(chan error, 1)
	go func() {
		_, err := p.Chat(story, realLetter(provider.RoleSolver, "이야기해 줘"), nil)
		told <- err
	}()
	<-s.begun
	next, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	answered := make(chan error, 1)
	go func() {
		reply, err := p.Chat(next, realLetter(provider.RoleSolver, "안녕?"), nil)
		if err == nil && reply.Text != "네." {
			err = fmt.Errorf("%q", reply.Text)
		}
		answered <- err
	}()
	<-s.came
	stop()
	if err := <-told; apperr.CodeOf(err) != apperr.Canceled {
		t.Error(err)
	}
	if err := <-answered; err != nil {
		t.Errorf("who waited: %v", err)
	}
}
