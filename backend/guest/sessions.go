package guest

import (
	"context"
	"net/http"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/auth"
)

// mostSessions is how many sessions of one guest are kept over HTTP. The library keeps each for an hour, also those of a program that begins one after
// the other and says goodbye to none.
const mostSessions = 32

// sessionHeader names the session that a request is of.
const sessionHeader = "Mcp-Session-Id"

// seats are the sessions that the guests have over HTTP. A new one takes the place of the guest's own that was used least lately, and of nobody else's; where
// each of them is waited for there is none.
type seats struct {
	next http.Handler

	mu sync.Mutex
	of map[string][]*seat // by guest, the one used last at the end
}

// seat is one session.
type seat struct {
	id   string
	busy int // requests that are being answered
}

func seated(next http.Handler) *seats { return &seats{next: next, of: map[string][]*seat{}} }

// ServeHTTP implements http.Handler. Who a request is of is known by then.
func (s *seats) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	info := auth.TokenInfoFromContext(r.Context())
	if info == nil {
		http.Error(w, "forbidden", http.StatusForbidden)
		return
	}
	who, id := info.UserID, r.Header.Get(sessionHeader)
	if id != "" {
		if r.Method == http.MethodPost { // a stream that is only listened to keeps nothing alive
			defer s.use(who, id)()
		}
		s.next.ServeHTTP(w, r)
		if r.Method == http.MethodDelete {
			s.leave(who, id)
		}
		return
	}
	if s.full(who) {
		http.Error(w, "too many sessions", http.StatusTooManyRequests)
		return
	}
	s.next.ServeHTTP(w, r)
	for _, old := range s.enter(who, w.Header().Get(sessionHeader)) {
		goodbye := r.Clone(context.WithoutCancel(r.Context()))
		goodbye.Method, goodbye.Body, goodbye.ContentLength = http.MethodDelete, http.NoBody, 0
		goodbye.Header.Set(sessionHeader, old)
		s.next.ServeHTTP(nowhere{}, goodbye)
	}
}

// full tells whether no session of a guest could go for a new one: each is waited for.
func (s *seats) full(who string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	waited := 0
	for _, one := range s.of[who] {
		if one.busy > 0 {
			waited++
		}
	}
	return waited >= mostSessions
}

// enter notes a new session, and gives those that have to go for it.
func (s *seats) enter(who, id string) (gone []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id == "" { // there is none
		return nil
	}
	list := append(s.of[who], &seat{id: id})
	for i := 0; len(list) > mostSessions && i < len(list)-1; {
		if list[i].busy > 0 {
			i++
			continue
		}
		gone = append(gone, list[i].id)
		list = slices.Delete(list, i, i+1)
	}
	s.of[who] = list
	return gone
}

// use notes that a session is used, until the function is called that it gives.
func (s *seats) use(who, id string) (done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.of[who]
	i := slices.IndexFunc(list, func(o *seat) bool { return o.id == id })
	if i < 0 {
		return func() {}
	}
	one := list[i]
	one.busy++
	s.of[who] = append(slices.Delete(list, i, i+1), one)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		one.busy--
	}
}

func (s *seats) leave(who, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of[who] = slices.DeleteFunc(s.of[who], func(o *seat) bool { return o.id == id }); len(s.of[who]) == 0 {
		delete(s.of, who)
	}
}

// nowhere takes an answer that nobody hears.
type nowhere struct{}

// Header implements http.ResponseWriter.
func (nowhere) Header() http.Header { return http.Header{} }

// Write implements http.ResponseWriter.
func (nowhere) Write(p []byte) (int, error) { return len(p), nil }

// WriteHeader implements http.ResponseWriter.
func (nowhere) WriteHeader(int) {}
