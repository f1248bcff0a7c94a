package mcp

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
)

// desk is where the browser brings back what a sign-in was answered: an address of this computer, for one visit.
type desk struct {
	address string
	host    string
	server  *http.Server
	served  chan struct{}
	came    chan visit

	mu    sync.Mutex
	state string // what the visit must show; "" before it is known
}

// visit is what the browser brought.
type visit struct {
	result *auth.AuthorizationResult
	err    error
}

func openDesk(ctx context.Context) (*desk, error) {
	var listen net.ListenConfig
	at, err := listen.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	d := &desk{host: at.Addr().String(), served: make(chan struct{}), came: make(chan visit, 1)}
	d.address = "http://" + d.host + "/signed-in"
	d.server = &http.Server{Handler: d, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10}
	go func() { defer close(d.served); _ = d.server.Serve(at) }()
	return d, nil
}

// expect names the state that the visit must show.
func (d *desk) expect(state string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.state = state
}

// close ends the desk. The page that was just answered is still sent.
func (d *desk) close() {
	ctx, cancel := context.WithTimeout(context.Background(), goodbyeWithin)
	defer cancel()
	if d.server.Shutdown(ctx) != nil {
		_ = d.server.Close()
	}
	<-d.served
}

// wait gives what the browser brings.
func (d *desk) wait(ctx context.Context) (*auth.AuthorizationResult, error) {
	select {
	case v := <-d.came:
		return v.result, v.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// ServeHTTP takes the one visit that shows the right state; whoever else comes by changes nothing.
func (d *desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	d.mu.Lock()
	state := d.state
	d.mu.Unlock()
	if r.Method != http.MethodGet || r.URL.Path != "/signed-in" || r.Host != d.host || state == "" || subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(state)) != 1 {
		tell(w, http.StatusBadRequest, "이 주소로는 로그인할 수 없어요. Agent Chat에서 다시 시작해 주세요.", "You cannot sign in this way. Begin again in Agent Chat.")
		return
	}
	v := visit{result: &auth.AuthorizationResult{Code: q.Get("code"), State: q.Get("state"), Iss: q.Get("iss")}}
	switch problem := q.Get("error"); {
	case problem == "access_denied":
		v = visit{err: errDeclined}
	case problem != "":
		v = visit{err: fmt.Errorf("%s: %s", plain(problem, 100), plain(q.Get("error_description"), maxLine))}
	case q.Get("code") == "":
		v = visit{err: errors.New("the answer brought no code")}
	}
	if v.err == nil {
		tell(w, http.StatusOK, "Agent Chat으로 돌아가 주세요. 이 창은 닫아도 돼요.", "Go back to Agent Chat. You can close this page.")
	} else {
		tell(w, http.StatusOK, "로그인하지 않았어요. 이 창은 닫아도 돼요.", "You are not signed in. You can close this page.")
	}
	select {
	case d.came <- v:
	default: // only the first visit counts
	}
}

// tell answers the browser with a page that loads nothing and passes nothing on.
func tell(w http.ResponseWriter, status int, ko, en string) {
	for name, value := range map[string]string{
		"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'", "Referrer-Policy": "no-referrer",
		"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Connection": "close",
	} {
		w.Header().Set(name, value)
	}
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `<!doctype html><html lang="ko"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Agent Chat</title>`+
		`<body style="font:1.1rem/1.6 system-ui,sans-serif;color-scheme:light dark;max-width:32rem;margin:15vh auto;padding:0 1rem"><p>%s</p><p lang="en">%s</p>`, ko, en)
}
