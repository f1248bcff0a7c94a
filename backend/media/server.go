package media

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Source is something the server hands out. Name is a file name: its extension decides the content type. Open is called
// for each request and may run at the same time as other calls.
type Source struct {
	Name string
	Open func() (content io.ReadSeekCloser, modified time.Time, err error)
}

// Server hands the window its files over HTTP on 127.0.0.1. A file has to be offered first and is reached by a number
// under a secret of this run; a path from the network never touches the disk. It starts with the first offer.
// Safe for concurrent use.
type Server struct {
	mu      sync.Mutex
	secret  string
	address string // host:port, "" before the first offer
	http    *http.Server
	offers  map[string]Source
	next    uint64
	closed  bool
}

// NewServer makes a server that is not listening yet.
func NewServer() *Server {
	return &Server{secret: rand.Text(), offers: map[string]Source{}}
}

// ErrServerClosed is returned by Offer after Close.
var ErrServerClosed = errors.New("media: server closed")

// Offer makes a source reachable until revoke is called, and gives its address. ctx is for the start alone.
func (s *Server) Offer(ctx context.Context, source Source) (address string, revoke func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.start(ctx); err != nil {
		return "", nil, err
	}
	s.next++
	id := strconv.FormatUint(s.next, 10)
	s.offers[id] = source
	address = "http://" + s.address + "/" + s.secret + "/" + id + "/" + url.PathEscape(path.Base(source.Name))
	return address, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.offers, id)
	}, nil
}

// start listens, once. The caller holds the lock.
func (s *Server) start(ctx context.Context) error {
	if s.closed {
		return ErrServerClosed
	}
	if s.address != "" {
		return nil
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.address = listener.Addr().String()
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute}
	go func() { _ = s.http.Serve(listener) }() // ends with Close; there is nobody to tell of a broken loopback
	return nil
}

// Close stops listening and cuts what is being sent. Closing twice is fine.
func (s *Server) Close() error {
	s.mu.Lock()
	server := s.http
	s.closed, s.http, s.offers = true, nil, map[string]Source{}
	s.mu.Unlock()
	if server == nil {
		return nil
	}
	return server.Close()
}

// ServeHTTP answers the window's player. A wrong host, secret or number is simply not found.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if origin := r.Header.Get("Origin"); ownWindow(origin) {
		w.Header().Set("Access-Control-Allow-Origin", origin)
		w.Header().Set("Access-Control-Expose-Headers", "Content-Length, Content-Range, Accept-Ranges")
	}
	w.Header().Set("Vary", "Origin")
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin") // the window's own page is another origin than this port
	w.Header().Set("X-Content-Type-Options", "nosniff")
	source, ok := s.find(r)
	if !ok {
		http.NotFound(w, r)
		return
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		send(w, r, source)
	case http.MethodOptions:
		w.Header().Set("Access-Control-Allow-Methods", "GET, HEAD")
		w.Header().Set("Access-Control-Allow-Headers", "Range")
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Allow", "GET, HEAD, OPTIONS")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	}
}

// find checks the host (a page elsewhere may point its own name at 127.0.0.1), the secret and the number.
func (s *Server) find(r *http.Request) (Source, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, port, err := net.SplitHostPort(s.address)
	if err != nil || r.Host != s.address && r.Host != net.JoinHostPort("localhost", port) {
		return Source{}, false
	}
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if len(parts) != 3 || subtle.ConstantTimeCompare([]byte(parts[0]), []byte(s.secret)) != 1 {
		return Source{}, false
	}
	source, ok := s.offers[parts[1]]
	return source, ok
}

func send(w http.ResponseWriter, r *http.Request, source Source) {
	content, modified, err := source.Open()
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer content.Close()
	w.Header().Set("Content-Type", contentType(source.Name))
	w.Header().Set("Cache-Control", "no-store")
	http.ServeContent(w, r, "", modified, content)
}

// ownWindow says whether an Origin is the app's window: the two schemes of Wails, or a development server on loopback.
func ownWindow(origin string) bool {
	if origin == "wails://wails" || origin == "wails://wails.localhost" || origin == "http://wails.localhost" {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil {
		return false
	}
	switch u.Scheme {
	case "http":
		return u.Hostname() == "127.0.0.1" || u.Hostname() == "localhost"
	case "wails": // Wails in development appends its port: wails://wails.localhost:34115
		return u.Hostname() == "wails.localhost"
	}
	return false
}

// contentTypes are the files the shop plays. Not from the system's table: that differs from machine to machine.
var contentTypes = map[string]string{
	".mp3": "audio/mpeg", ".wav": "audio/wav", ".ogg": "audio/ogg", ".oga": "audio/ogg", ".opus": "audio/ogg",
	".flac": "audio/flac", ".m4a": "audio/mp4",
	".mp4": "video/mp4", ".m4v": "video/mp4", ".mov": "video/quicktime", ".webm": "video/webm", ".mkv": "video/x-matroska",
}

func contentType(name string) string {
	if t, ok := contentTypes[strings.ToLower(path.Ext(name))]; ok {
		return t
	}
	return "application/octet-stream"
}
