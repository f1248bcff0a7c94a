package web

import (
	"bytes"
	"context"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
)

// A picture is got as a page is: from the open internet alone, within bounds, with nothing said of who asks.
func TestPicturesAreGotUnderTheGuard(t *testing.T) {
	var asked []*http.Request
	o := town(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r)
		switch r.URL.Path {
		case "/large":
			_, _ = w.Write(bytes.Repeat([]byte{1}, maxShown+1))
		case "/most":
			_, _ = w.Write(bytes.Repeat([]byte{1}, maxShown))
		case "/on":
			http.Redirect(w, r, "http://127.0.0.1/secret.png", http.StatusFound)
		case "/gone":
			http.NotFound(w, r)
		case "/slow":
			<-r.Context().Done()
		default:
			http.SetCookie(w, &http.Cookie{Name: "track", Value: "1"})
			_, _ = w.Write([]byte("picture"))
		}
	})
	p := NewPictures(o)
	for range 2 {
		if data, err := p.Get(t.Context(), "http://tea.example.com/leaf.png?x=1"); err != nil || string(data) != "picture" {
			t.Fatalf("%q, %v", data, err)
		}
	}
	for _, r := range asked {
		if r.Method != http.MethodGet || r.Header.Get("Cookie") != "" || r.Header.Get("Referer") != "" || !strings.HasPrefix(r.Header.Get("Accept"), "image/") {
			t.Errorf("asked with %s %v", r.Method, r.Header)
		}
	}
	if data, err := p.Get(t.Context(), "http://tea.example.com/most"); err != nil || len(data) != maxShown {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	for address, code := range map[string]apperr.Code{
		"http://tea.example.com/large": apperr.PictureFailed, "http://tea.example.com/gone": apperr.PictureFailed, "http://tea.example.com/on": apperr.AddressRefused,
		"http://127.0.0.1/x.png": apperr.AddressRefused, "http://192.168.0.1/x.png": apperr.AddressRefused, "file:///etc/passwd": apperr.AddressRefused,
		"http://me:pass@tea.example.com/": apperr.AddressRefused, "http://printer.local/x.png": apperr.AddressRefused,
	} {
		_, err := p.Get(t.Context(), address)
		wantCode(t, err, code)
	}
	o.Within = 20 * time.Millisecond
	_, err := NewPictures(o).Get(t.Context(), "http://tea.example.com/slow")
	wantCode(t, err, apperr.Timeout)
	inside := o
	inside.Lookup = func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("10.0.0.7")}, nil
	}
	_, err = NewPictures(inside).Get(t.Context(), "http://tea.example.com/leaf.png")
	wantCode(t, err, apperr.AddressRefused)
}
