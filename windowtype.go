package main

import (
	"net/http"
	"strconv"
	"strings"
	"sync"

	"agentchat/backend/export/typeface"
)

// typePath is where the page asks for the pieces of its typeface (frontend/src/styles/type.css).
const typePath = "/type/"

// typeAhead are the pieces that every page asks for at once.
var typeAhead = []string{"Pretendard-Regular-0", "Pretendard-SemiBold-0", "Pretendard-Regular-1", "Pretendard-SemiBold-1"}

// windowType gives the page its typeface, which lies in the program once, packed, for the window and for what is exported. What the first
// page wants is unpacked while the web view starts, and let go when it has been given.
type windowType struct {
	mu    sync.Mutex
	ahead map[string]func() ([]byte, error)
}

func newWindowType() *windowType {
	t := &windowType{ahead: map[string]func() ([]byte, error){}}
	for _, name := range typeAhead {
		t.ahead[name] = sync.OnceValues(func() ([]byte, error) { return typeface.File(name) })
	}
	return t
}

// unpack does ahead of time what the first page will want.
func (t *windowType) unpack() {
	for _, name := range typeAhead {
		t.mu.Lock()
		ready := t.ahead[name]
		t.mu.Unlock()
		if ready != nil {
			_, _ = ready() // who asks for the piece is told
		}
	}
}

func (t *windowType) file(name string) ([]byte, error) {
	t.mu.Lock()
	ready := t.ahead[name]
	delete(t.ahead, name)
	t.mu.Unlock()
	if ready != nil {
		return ready()
	}
	return typeface.File(name)
}

// answer gives pieces of the typeface; everything else goes on.
func (t *windowType) answer(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		file, ours := strings.CutPrefix(r.URL.Path, typePath)
		name, font := strings.CutSuffix(file, ".ttf")
		if !ours || !font || r.Method != http.MethodGet {
			next.ServeHTTP(rw, r)
			return
		}
		data, err := t.file(name)
		if err != nil {
			http.NotFound(rw, r)
			return
		}
		rw.Header().Set("Content-Type", "font/ttf")
		rw.Header().Set("Content-Length", strconv.Itoa(len(data)))
		rw.Header().Set("Cache-Control", "max-age=31536000")
		_, _ = rw.Write(data) //nolint:gosec // a font of the program, nothing of what was asked with
	})
}
