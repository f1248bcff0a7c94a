package shop_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/outbound"
	"agentchat/backend/tools/web"
)

// bomb is a small PNG that says of itself to be enormous.
func bomb(t *testing.T, from []byte) []byte {
	t.Helper()
	at := bytes.Index(from, []byte("IHDR"))
	out := bytes.Clone(from)
	binary.BigEndian.PutUint32(out[at+4:], 60_000)
	binary.BigEndian.PutUint32(out[at+8:], 60_000)
	return out
}

// A picture of an answer comes by the one way out, stands in the ledger with all of its address, is written anew here, and is nothing but a picture.
// While nothing may leave, nothing does.
func TestAPictureOfAnAnswer(t *testing.T) {
	drawn := image.NewRGBA(image.Rect(0, 0, 40, 20))
	drawn.Set(3, 3, color.RGBA{R: 200, A: 255})
	var raw bytes.Buffer
	if err := png.Encode(&raw, drawn); err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int32
	c, server := abroad(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Content-Type", "image/png") // whatever it is
		switch r.URL.Path {
		case "/dot.png":
			_, _ = w.Write(append(raw.Bytes(), "<script>alert(1)</script>"...))
		case "/script.svg":
			_, _ = w.Write([]byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`))
		case "/page":
			_, _ = w.Write([]byte("<html><body>no picture</body></html>"))
		case "/half.png":
			_, _ = w.Write(raw.Bytes()[:raw.Len()/2])
		case "/bomb.png":
			_, _ = w.Write(bomb(t, raw.Bytes()))
		}
	})
	anywhere := web.Options{Lookup: func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("93.184.215.14")}, nil
	}}
	there := anywhere
	there.Connect = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
	}
	c.PicturesFrom(there)

	const address = "http://pictures.example.org/dot.png?for=서울"
	got, err := c.AnswerPicture(t.Context(), "main", address)
	if err != nil {
		t.Fatal(err)
	}
	data, found := strings.CutPrefix(got, "data:image/jpeg;base64,")
	bits, err := base64.StdEncoding.DecodeString(data)
	if !found || err != nil || bytes.Contains(bits, []byte("script")) {
		t.Fatalf("%.60s: %v", got, err)
	}
	if p, err := jpeg.Decode(bytes.NewReader(bits)); err != nil || p.Bounds().Size() != image.Pt(40, 20) {
		t.Errorf("%v", err)
	}
	list, err := c.Outbound(t.Context(), outbound.Filter{Room: outbound.RoomPicture}, 0, 0)
	if err != nil || len(list) != 1 {
		t.Fatalf("%v, %+v", err, list)
	}
	if e := list[0]; e.Chat != "main" || e.Words != address || e.Host != "pictures.example.org" || e.Path != "/dot.png" || e.Outcome != outbound.OutcomeDone {
		t.Errorf("%+v", e)
	}
	for _, path := range []string{"/script.svg", "/page", "/half.png", "/bomb.png", "/nothing"} {
		if got, err := c.AnswerPicture(t.Context(), "main", "http://pictures.example.org"+path); apperr.CodeOf(err) != apperr.PictureFailed || got != "" {
			t.Errorf("%s: %.60s, %v", path, got, err)
		}
	}

	c.PicturesFrom(anywhere)
	before := asked.Load()
	c.set("offline", true)
	if _, err := c.AnswerPicture(t.Context(), "main", address); apperr.CodeOf(err) != apperr.NothingLeaves {
		t.Errorf("offline: %v", err)
	}
	if asked.Load() != before {
		t.Error("something left")
	}
	if list, err := c.Outbound(t.Context(), outbound.Filter{Room: outbound.RoomPicture, Outcome: outbound.OutcomeRefused}, 0, 0); err != nil || len(list) != 1 {
		t.Errorf("%v, %+v", err, list)
	}
}
