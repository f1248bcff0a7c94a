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
	address, _, err := server.Offer(source)
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// ask sends one request; headers are pairs. A header named Host sets the request's host.
func ask(t *testing.T, method, address string, headers ...string) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			request.Host = headers[i+1]
		}
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	return response
}

func TestServerServesRanges(t *testing.T) {
	address := offer(t, text("나의 노래 #1?.mp3", "0123456789"))
	u, err := url.Parse(address)
	if err != nil || u.Hostname() != "127.0.0.1" {
		t.Fatalf("address %s", address)
	}
	whole := ask(t, http.MethodGet, address)
	body, _ := io.ReadAll(whole.Body)
	if string(body) != "0123456789" || whole.Header.Get("Content-Type") != "audio/mpeg" || whole.Header.Get("Accept-Ranges") != "bytes" {
		t.Errorf("%s %v", body, whole.Header)
	}
	part := ask(t, http.MethodGet, address, "Range", "bytes=3-5")
	body, _ = io.ReadAll(part.Body)
	if part.StatusCode != http.StatusPartialContent || string(body) != "345" || part.Header.Get("Content-Range") != "bytes 3-5/10" {
		t.Errorf("%d %s %v", part.StatusCode, body, part.Header)
	}
	if beyond := ask(t, http.MethodGet, address, "Range", "bytes=99-"); beyond.StatusCode != http.StatusRequestedRangeNotSatisfiable {
		t.Errorf("beyond the end: %d", beyond.StatusCode)
	}
	if head := ask(t, http.MethodHead, address); head.StatusCode != http.StatusOK || head.ContentLength != 10 {
		t.Errorf("HEAD: %d, %d bytes", head.StatusCode, head.ContentLength)
	}
	if post := ask(t, http.MethodPost, address); post.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", post.StatusCode)
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
		if got := ask(t, http.MethodGet, wrong); got.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", name, got.StatusCode)
		}
	}
	for _, host := range []string{"evil.example", "evil.example:" + u.Port(), "127.0.0.1", "localhost.evil.example:" + u.Port()} {
		if got := ask(t, http.MethodGet, address, "Host", host); got.StatusCode != http.StatusNotFound {
			t.Errorf("host %s: %d", host, got.StatusCode)
		}
	}
	if got := ask(t, http.MethodGet, address, "Host", "localhost:"+u.Port()); got.StatusCode != http.StatusOK {
		t.Errorf("localhost: %d", got.StatusCode)
	}
}

func TestServerLetsOnlyTheWindowRead(t *testing.T) {
	address := offer(t, text("a.mp3", "x"))
	for origin, allowed := range map[string]bool{
		"wails://wails": true, "wails://wails.localhost": true, "wails://wails.localhost:34115": true, "http://wails.localhost": true,
		"http://127.0.0.1:34115": true, "http://localhost:5173": true, "https://evil.example": false, "http://evil.example": false, "null": false,
		"http://127.0.0.1.evil.example": false, "http://wails.localhost.evil.example": false, "": false,
	} {
		got := ask(t, http.MethodGet, address, "Origin", origin).Header.Get("Access-Control-Allow-Origin")
		if want := map[bool]string{true: origin}[allowed]; got != want {
			t.Errorf("origin %q gets %q", origin, got)
		}
	}
	if pre := ask(t, http.MethodOptions, address, "Origin", "wails://wails"); pre.StatusCode != http.StatusNoContent || pre.Header.Get("Access-Control-Allow-Headers") != "Range" {
		t.Errorf("preflight: %d %v", pre.StatusCode, pre.Header)
	}
}

func TestServerSourceThatCannotOpen(t *testing.T) {
	address := offer(t, Source{Name: "gone.mp4", Open: func() (io.ReadSeekCloser, time.Time, error) { return nil, time.Time{}, fs.ErrNotExist }})
	if got := ask(t, http.MethodGet, address); got.StatusCode != http.StatusNotFound {
		t.Errorf("status %d", got.StatusCode)
	}
}

func TestServerClosedBeforeUse(t *testing.T) {
	server := NewServer()
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	if _, _, err := server.Offer(text("a.mp3", "x")); !errors.Is(err, ErrServerClosed) {
		t.Errorf("offer after close: %v", err)
	}
}
