package guest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// front is a house with one guest and one tool, whose tickets run on for ever.
type front struct {
	Store
	book     *Book
	admitted func() // between the moment in which a call is admitted and that in which its ticket is in line
	looked   chan struct{}
	removed  atomic.Bool

	mu   sync.Mutex
	told []string // what became of the tickets, in order
}

func newFront() *front {
	f := &front{admitted: func() {}, looked: make(chan struct{}, 100)}
	f.book = New(Deps{
		Store: f, Jobs: func() Jobs { return f }, Bus: event.NewBus(100, time.Now), Lang: func() bilingual.Lang { return bilingual.EN }, Now: time.Now,
		Tools: func() []toolbox.Spec { return []toolbox.Spec{{Key: "nav", Effect: toolbox.EffectRead}} },
		NewID: func() string { return "id" }, Wait: func() time.Duration { return time.Hour }, Version: "test",
	})
	return f
}

var kim = Guest{ID: "kim", Name: "Kim", Tools: []string{"nav"}, Calls: 10}

func (f *front) tell(what string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.told = append(f.told, what)
}

func (f *front) GuestOf(context.Context, []byte) (Guest, error) { return kim, nil }

func (f *front) RemoveGuest(context.Context, string) error {
	f.removed.Store(true)
	return nil
}

func (f *front) AdmitCall(_ context.Context, _ job.Job, _ bool, _ time.Time, _ *Claim, check func(Guest, Use, int) error) (bool, error) {
	err := check(kim, Use{}, 0)
	f.admitted()
	return false, err
}

func (f *front) GuestTicket(context.Context, string, string) (job.Job, bool, error) {
	f.looked <- struct{}{}
	return job.Job{ID: "1", State: job.Running}, false, nil
}

func (f *front) PrepareCall(job.Guest, string, string, json.RawMessage, bilingual.Lang) (job.Job, error) {
	return job.Job{ID: "1"}, nil
}

func (f *front) Created(job.Job, int) event.Event { return event.Of("", "", event.GuestsChanged{}) }

func (f *front) Submit([]job.Job) { f.tell("in line") }

func (f *front) CancelChat(string) int {
	f.tell("stopped")
	return 0
}

func (f *front) CancelJob(string) error { return nil }

// Whoever takes a guest away takes along what it was just admitted for.
func TestRemovingStopsACallThatWasJustAdmitted(t *testing.T) {
	f := newFront()
	gone := make(chan struct{})
	f.admitted = func() {
		go func() {
			defer close(gone)
			if err := f.book.Remove(t.Context(), kim.ID); err != nil {
				t.Error(err)
			}
		}()
		for !f.removed.Load() && f.book.admit.TryRLock() { // until it is done, or waits
			f.book.admit.RUnlock()
			runtime.Gosched()
		}
		if f.removed.Load() {
			<-gone
		}
	}
	if _, err := f.book.call(t.Context(), kim, toolbox.Spec{Key: "nav", Effect: toolbox.EffectRead}, nil, nil); err != nil {
		t.Fatal(err)
	}
	<-gone
	if !slices.Equal(f.told, []string{"in line", "stopped"}) {
		t.Errorf("%q", f.told)
	}
}

// keyed adds a guest's key.
type keyed struct{ *http.Transport }

func (k keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer key")
	return k.Transport.RoundTrip(r)
}

// A door that is closed leaves nobody waiting for a ticket behind it, and no session.
func TestClosingTheDoorEndsWhatWaits(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	f := newFront()
	door := NewCounter(f.book)
	if err := door.Open(0); err != nil {
		t.Fatal(err)
	}
	way := &http.Transport{}
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: door.Address(), HTTPClient: &http.Client{Transport: keyed{way}}, MaxRetries: -1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "nav", Arguments: map[string]any{}})
		ended <- err
	}()
	<-f.looked
	door.Close()
	if err := <-ended; err == nil {
		t.Error("it was answered")
	}
	_ = session.Close()
	way.CloseIdleConnections()
}

// A program that begins one session after the other, and ends none, keeps no more than it may: the one that it used least lately goes.
func TestSessionsThatAreNeverEndedGo(t *testing.T) {
	f := newFront()
	door := NewCounter(f.book)
	if err := door.Open(0); err != nil {
		t.Fatal(err)
	}
	defer door.Close()
	client := &http.Client{Transport: keyed{&http.Transport{}}}
	defer client.CloseIdleConnections()
	post := func(session, text string) (code int, id string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, door.Address(), strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if session != "" {
			r.Header.Set(sessionHeader, session)
		}
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, answer.Body)
		_ = answer.Body.Close()
		return answer.StatusCode, answer.Header.Get(sessionHeader)
	}
	begin := func() string {
		t.Helper()
		code, id := post("", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"many","version":"1"}}}`)
		if code != http.StatusOK || id == "" {
			t.Fatalf("%d, %q", code, id)
		}
		return id
	}
	lives := func(id string) bool {
		t.Helper()
		code, _ := post(id, `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
		return code == http.StatusOK
	}
	first, second := begin(), begin()
	var last string
	for range mostSessions {
		last = begin()
		if !lives(first) {
			t.Fatal("one that is in use went")
		}
	}
	if lives(second) || !lives(last) {
		t.Errorf("the second lives: %v, the last: %v", lives(second), lives(last))
	}
}

// A program that waits in each of its sessions gets no more of them; another one does.
func TestSessionsThatAreAllWaitedForAreEnough(t *testing.T) {
	inside, out := make(chan struct{}), make(chan struct{})
	ids := 0
	counter := auth.RequireBearerToken(func(_ context.Context, key string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: key}, nil
	}, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(seated(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get(sessionHeader) == "" {
			ids++
			w.Header().Set(sessionHeader, strconv.Itoa(ids))
			return
		}
		if r.Method == http.MethodPost {
			inside <- struct{}{}
			<-out
		}
	})))
	ask := func(who, session string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, Path, nil)
		r.Header.Set("Authorization", "Bearer "+who)
		if session != "" {
			r.Header.Set(sessionHeader, session)
		}
		w := httptest.NewRecorder()
		counter.ServeHTTP(w, r)
		return w
	}
	var all sync.WaitGroup
	for range mostSessions {
		id := ask("kim", "").Header().Get(sessionHeader)
		all.Go(func() { ask("kim", id) })
		<-inside
	}
	if code := ask("kim", "").Code; code != http.StatusTooManyRequests {
		t.Error(code)
	}
	if code := ask("lee", "").Code; code != http.StatusOK {
		t.Error(code)
	}
	close(out)
	all.Wait()
	if code := ask("kim", "").Code; code != http.StatusOK {
		t.Error(code)
	}
}

// A guest that was let in and then went, before it said that it had heard so, leaves no session behind the door either.
func TestClosingTheDoorEndsWhatHasOnlyBegun(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	door := NewCounter(newFront().book)
	if err := door.Open(0); err != nil {
		t.Fatal(err)
	}
	way := &http.Transport{}
	begin := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, door.Address(), strings.NewReader(begin))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	answer, err := keyed{way}.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	said, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil || answer.StatusCode != http.StatusOK || answer.Header.Get("Mcp-Session-Id") == "" {
		t.Fatalf("%s %s, %v", answer.Status, said, err)
	}
	door.Close()
	way.CloseIdleConnections()
}
