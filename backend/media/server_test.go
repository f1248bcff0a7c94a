package media

import (
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

func text(name, content string) Source {
	return Source{Name: name, Open: func() (io.ReadSeekCloser, time.Time, error) {
		return inMemory([]byte(content)), time.Time{}, nil
	}}
}

func offer(t *testing.T, source Source) string {
	t.Helper()
	server := NewServer()
	t.Cleanup(func() {
		if err := errors.Join(server.Close(), server.Close()); err != nil {
			t.Error(err)
		}
	})
	address, _, err := server.Offer(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// ask sends one request with at most one header; the header Host sets the request's host.
func ask(t *testing.T, method, address string, header ...string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(header) == 2 {
		if header[0] == "Host" {
			request.Host = header[1]
		}
		request.Header.Set(header[0], header[1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, string(body)}
}

type answer struct {
	status int
	header http.Header
	body   string
}

func TestServerServesRanges(t *testing.T) {
	address := offer(t, text("나의 노래 #1?.mp3", "0123456789"))
	u, err := url.Parse(address)
	if err != nil || u.Hostname() != "127.0.0.1" {
		t.Fatalf("address %s", address)
	}
	whole := ask(t, http.MethodGet, address)
	if whole.body != "0123456789" || whole.header.Get("Content-Type") != "audio/mpeg" || whole.header.Get("Accept-Ranges") != "bytes" {
		t.Errorf("%+v", whole)
	}
	part := ask(t, http.MethodGet, address, "Range", "bytes=3-5")
	if part.status != http.StatusPartialContent || part.body != "345" || part.header.Get("Content-Range") != "bytes 3-5/10" {
		t.Errorf("%+v", part)
	}
	if beyond := ask(t, http.MethodGet, address, "Range", "bytes=99-"); beyond.status != http.StatusRequestedRangeNotSatisfiable {
		t.Errorf("beyond the end: %d", beyond.status)
	}
	if head := ask(t, http.MethodHead, address); head.status != http.StatusOK || head.header.Get("Content-Length") != "10" {
		t.Errorf("HEAD: %+v", head)
	}
	if post := ask(t, http.MethodPost, address); post.status != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", post.status)
	}
}

func TestServerKnowsOnlyItsOwn(t *testing.T) {
	address := offer(t, text("a.mp3", "x"))
	u, _ := url.Parse(address)
	root := "http://" + u.Host
	parts := strings.Split(strings.TrimPrefix(u.Path, "/"), "/")
	for name, wrong := range map[string]string{
		"no secret":    root + "/",
		"wrong secret": root + "/AAAAAAAAAAAAAAAAAAAAAAAAAA/" + parts[1] + "/a.mp3",
		"wrong number": root + "/" + parts[0] + "/999/a.mp3",
		"no name":      root + "/" + parts[0] + "/" + parts[1],
		"a path":       root + "/" + parts[0] + "/../../../etc/passwd",
		"escaped path": root + "/" + parts[0] + "/" + parts[1] + "/..%2f..%2fetc%2fpasswd/x",
	} {
		if got := ask(t, http.MethodGet, wrong); got.status != http.StatusNotFound {
			t.Errorf("%s: %d", name, got.status)
		}
	}
	for _, host := range []string{"evil.example", "evil.example:" + u.Port(), "127.0.0.1", "localhost.evil.example:" + u.Port()} {
		if got := ask(t, http.MethodGet, address, "Host", host); got.status != http.StatusNotFound {
			t.Errorf("host %s: %d", host, got.status)
		}
	}
	if got := ask(t, http.MethodGet, address, "Host", "localhost:"+u.Port()); got.status != http.StatusOK {
		t.Errorf("localhost: %d", got.status)
	}
}

func TestServerLetsOnlyTheWindowRead(t *testing.T) {
	address := offer(t, text("a.mp3", "x"))
	for origin, allowed := range map[string]bool{
		"wails://wails": true, "wails://wails.localhost": true, "wails://wails.localhost:34115": true, "http://wails.localhost": true,
		"http://127.0.0.1:34115": true, "http://localhost:5173": true, "https://evil.example": false, "http://evil.example": false, "null": false,
		"http://127.0.0.1.evil.example": false, "http://wails.localhost.evil.example": false, "": false,
	} {
		got := ask(t, http.MethodGet, address, "Origin", origin).header.Get("Access-Control-Allow-Origin")
		if want := map[bool]string{true: origin}[allowed]; got != want {
			t.Errorf("origin %q gets %q", origin, got)
		}
	}
	if pre := ask(t, http.MethodOptions, address, "Origin", "wails://wails"); pre.status != http.StatusNoContent || pre.header.Get("Access-Control-Allow-Headers") != "Range" {
		t.Errorf("preflight: %d %v", pre.status, pre.header)
	}
}

func TestServerSourceThatCannotOpen(t *testing.T) {
	address := offer(t, Source{Name: "gone.mp4", Open: func() (io.ReadSeekCloser, time.Time, error) { return nil, time.Time{}, fs.ErrNotExist }})
	if got := ask(t, http.MethodGet, address); got.status != http.StatusNotFound {
		t.Errorf("status %d", got.status)
	}
}

func TestServerClosedBeforeUse(t *testing.T) {
	server := NewServer()
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	if _, _, err := server.Offer(t.Context(), text("a.mp3", "x")); !errors.Is(err, ErrServerClosed) {
		t.Errorf("offer after close: %v", err)
	}
}
