package pager

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/background"
	"agentchat/backend/brief"
	"agentchat/backend/event"
	"agentchat/backend/pairing"
)

//go:embed page
var files embed.FS

const (
	cookieName = "__Host-pager"
	mostBody   = 16 << 10
	mostName   = 40
	// beat is how often a stream says that it is there.
	beat = 20 * time.Second
	// glance is how old a phone's last sign may be before it is written down again.
	glance = time.Minute
)

// guarded are the headers of every answer: nothing on the page comes from elsewhere, and no other page may look at it or stand around it.
var guarded = map[string]string{
	"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; " +
		"form-action 'none'; frame-ancestors 'none'",
	"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "Referrer-Policy": "no-referrer",
	"X-Content-Type-Options": "nosniff", "Permissions-Policy": "camera=(), microphone=(), geolocation=()", "Cache-Control": "no-store",
}

// handler is the whole door.
func (p *Pager) handler() http.Handler {
	mux := http.NewServeMux()
	for at, file := range map[string]string{"/{$}": "index.html", "/pager.js": "pager.js", "/pager.css": "pager.css", "/pager.svg": "pager.svg"} {
		mux.HandleFunc("GET "+at, func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, files, "page/"+file) })
	}
	mux.HandleFunc("GET /words", func(w http.ResponseWriter, _ *http.Request) { p.give(w, p.words()) })
	mux.HandleFunc("POST /pair", p.pair)
	mux.HandleFunc("GET /now", p.known(p.now))
	mux.HandleFunc("GET /news", p.known(p.news))
	mux.HandleFunc("POST /answer", p.known(p.answer))
	mux.HandleFunc("POST /leave", p.known(p.leave))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for k, v := range guarded {
			w.Header().Set(k, v)
		}
		switch {
		case !meant(r) || !own(r):
			http.Error(w, "forbidden", http.StatusForbidden)
		case !p.limits.stranger(from(r)):
			tooMany(w, strangerEach)
		default:
			r.Body = http.MaxBytesReader(w, r.Body, mostBody)
			mux.ServeHTTP(w, r)
		}
	})
}

// meant tells whether a request names this computer by the address it came to. A page of a browser cannot come in by a name that leads here.
func meant(r *http.Request) bool {
	here, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return false
	}
	host := r.Host
	if _, _, err := net.SplitHostPort(host); err != nil {
		host += ":443" // which browsers leave out
	}
	at, err := netip.ParseAddrPort(host)
	t, tcp := here.(*net.TCPAddr)
	return err == nil && tcp && at.Addr().Unmap() == pairing.Of(here) && int(at.Port()) == t.Port
}

// own tells whether a request comes of this very page. A link may lead to the page, which holds nothing by itself.
func own(r *http.Request) bool {
	site, origin := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Origin")
	switch {
	case r.Method == http.MethodGet && r.URL.Path == "/":
		return true
	case site != "" && site != "same-origin":
		return false
	case r.Method == http.MethodGet && origin == "":
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Scheme == "https" && u.Host == r.Host
}

func from(r *http.Request) netip.Addr {
	at, _ := netip.ParseAddrPort(r.RemoteAddr)
	return at.Addr().Unmap()
}

// pair lets a phone in that shows the code of this moment. Errors: pager_code, too_many_phones, storage errors.
func (p *Pager) pair(w http.ResponseWriter, r *http.Request) {
	var in struct{ Code, Name string }
	if !p.read(w, r, &in) {
		return
	}
	err := p.phones.full()
	if err == nil && !p.codes.Spend(in.Code) {
		err = apperr.New(apperr.PagerCode)
	}
	var key string
	if err == nil {
		key, err = p.admit(named(in.Name))
	}
	if err != nil {
		p.fail(w, err)
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: key, Path: "/", Secure: true, HttpOnly: true, SameSite: http.SameSiteStrictMode, MaxAge: int(pairing.CertLife / time.Second),
	})
	w.WriteHeader(http.StatusNoContent)
}

// named is a name for a phone that can be shown.
func named(name string) string {
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r <= ' ' || r == utf8.RuneError || !printable(r) }), " ")
	if name == "" {
		name = "?"
	}
	return brief.First(name, mostName)
}

// caller is a phone that was let in, with the key it showed.
type caller struct {
	Phone

	key string
}

// known lets a paired phone through, as often as a person would call.
func (p *Pager) known(next func(http.ResponseWriter, *http.Request, caller)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c, err := r.Cookie(cookieName)
		if err != nil {
			p.fail(w, apperr.New(apperr.PagerUnknown))
			return
		}
		phone, err := p.phones.of(c.Value, p.deps.Now())
		if err != nil {
			p.fail(w, err)
			return
		}
		if !p.limits.phone(phone.ID, r.Method) {
			tooMany(w, phoneEach)
			return
		}
		next(w, r, caller{phone, c.Value})
	}
}

// tooMany says when to call again.
func tooMany(w http.ResponseWriter, each time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(max(1, int(each/time.Second))))
	http.Error(w, "too many requests", http.StatusTooManyRequests)
}

func (p *Pager) now(w http.ResponseWriter, r *http.Request, _ caller) {
	page, err := p.page(r.Context())
	if err != nil {
		p.fail(w, err)
		return
	}
	p.give(w, page)
}

// answer takes an answer to what was drawn. Errors: not_found, stale_answer, digest_mismatch, bad_choice, invalid_args, storage errors.
func (p *Pager) answer(w http.ResponseWriter, r *http.Request, from caller) {
	var in struct {
		Ask, Drawn, Text string
		Option           int
	}
	if !p.read(w, r, &in) {
		return
	}
	reply, err := p.reply(r.Context(), in.Ask, in.Drawn, in.Option, in.Text)
	if err == nil {
		err = p.decide(r.Context(), from.key, reply)
	}
	if err != nil {
		p.fail(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// leave unpairs the phone that asks for it.
func (p *Pager) leave(w http.ResponseWriter, _ *http.Request, from caller) {
	if err := p.Remove(from.ID); err != nil {
		p.fail(w, err)
		return
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Path: "/", Secure: true, HttpOnly: true, SameSite: http.SameSiteStrictMode, MaxAge: -1})
	w.WriteHeader(http.StatusNoContent)
}

// news tells a phone that what it shows has changed, and nothing else, for as long as it listens.
func (p *Pager) news(w http.ResponseWriter, r *http.Request, from caller) {
	ctx, done := p.begin(r.Context(), from.ID)
	defer done()
	if _, err := p.phones.of(from.key, p.deps.Now()); err != nil || !p.listens() { // it may have been unpaired just before it began
		return
	}
	out := http.NewResponseController(w)
	_ = out.SetReadDeadline(time.Time{})
	w.Header().Set("Content-Type", "text/event-stream")
	changes := p.changes(ctx)
	ticks := time.NewTicker(beat)
	defer ticks.Stop()
	line := "retry: 2000\ndata: now\n\n" // what happened before it listened
	for {
		_ = out.SetWriteDeadline(time.Now().Add(2 * beat))
		if _, err := w.Write([]byte(line)); err != nil || out.Flush() != nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case _, more := <-changes:
			if !more {
				return
			}
			line = "data: now\n\n"
		case <-ticks.C:
			line = "event: beat\ndata:\n\n" // the page hears by it that the computer is still there
		}
	}
}

// changes tells that something happened, several as one, until the context or the shop ends.
func (p *Pager) changes(ctx context.Context) <-chan struct{} {
	told := make(chan struct{}, 1)
	reader := p.deps.Bus.Subscribe()
	go func() {
		defer close(told)
		for {
			batch, err := reader.Next(ctx, 0)
			changed := errors.Is(err, event.ErrLagged)
			if err != nil && !changed {
				return
			}
			if changed || slices.ContainsFunc(batch, news) {
				background.Wake(told)
			}
		}
	}()
	return told
}

// read takes what a page sent; false when it was nothing of ours.
func (p *Pager) read(w http.ResponseWriter, r *http.Request, into any) bool {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if r.Header.Get("Content-Type") == "application/json" && d.Decode(into) == nil && !d.More() {
		return true
	}
	http.Error(w, "bad request", http.StatusBadRequest)
	return false
}

func (p *Pager) give(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// fail says an error in the shop's language.
func (p *Pager) fail(w http.ResponseWriter, err error) {
	code := apperr.CodeOf(err)
	status, known := map[apperr.Code]int{
		apperr.PagerUnknown: http.StatusUnauthorized, apperr.PagerCode: http.StatusForbidden, apperr.NotFound: http.StatusNotFound,
	}[code]
	if !known {
		status = http.StatusConflict
	}
	var e *apperr.Error
	if !errors.As(err, &e) {
		e = apperr.Wrap(err, apperr.Internal)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"code": string(code), "message": e.Text(p.deps.Lang())})
}
