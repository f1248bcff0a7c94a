package update

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/outbound"
	"agentchat/backend/privatefile"
)

const (
	connectWithin = 10 * time.Second
	headWithin    = 30 * time.Second // until an answer begins
	step          = 1 << 20          // bytes after which a front is told how far it has come
)

// client reaches only what is encrypted, or this very computer.
func client(line *outbound.Line) *http.Client {
	c := line.Client(outbound.Way{Room: outbound.RoomUpdates, Connect: connectWithin, Proxy: true, Shape: func(t *http.Transport) {
		t.TLSHandshakeTimeout, t.ResponseHeaderTimeout, t.DisableKeepAlives = connectWithin, headWithin, true
	}})
	c.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		if len(via) >= 5 || !safe(r.URL.String()) {
			return errors.New("led elsewhere, to " + r.URL.Host)
		}
		return nil
	}
	return c
}

// safe tells whether nobody on the way can see or change what an address gives.
func safe(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Scheme == "https" || u.Scheme == "http" && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback())
}

func (u *Updates) get(ctx context.Context, name string) (*http.Response, error) {
	base, err := url.Parse(u.deps.Address)
	if err != nil {
		return nil, err
	}
	at, err := base.Parse(name)
	if err != nil {
		return nil, err
	}
	if !safe(at.String()) {
		return nil, errors.New("not encrypted: " + at.Host)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", "agentchat") // not which one: nobody needs to know
	response, err := u.http.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		_ = response.Body.Close()
		return nil, fmt.Errorf("HTTP %d", response.StatusCode)
	}
	return response, nil
}

func (u *Updates) small(ctx context.Context, name string, most int64) ([]byte, error) {
	response, err := u.get(ctx, name)
	if err != nil {
		return nil, unreachable(ctx, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, most+1))
	if err != nil {
		return nil, unreachable(ctx, err)
	}
	return text, nil
}

func (u *Updates) read(ctx context.Context) (Manifest, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*headWithin)
	defer cancel()
	text, err := u.small(ctx, ListName, maxManifest)
	if err != nil {
		return Manifest{}, err
	}
	signature, err := u.small(ctx, SignatureName, maxSignature)
	if err != nil {
		return Manifest{}, err
	}
	return Read(u.key, text, signature)
}

// unreachable is the error of a request, unless it was called off.
func unreachable(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	if outbound.Refused(err) {
		return apperr.From(err)
	}
	return apperr.Wrap(err, apperr.UpdateUnreachable)
}

// Fetch downloads the package of the newer version and keeps it once it is whole and what the list says. A package that is there already
// is taken as it is if it is that. Errors: update_nothing, update_unreachable, update_refused, storage_failed; the context's.
func (u *Updates) Fetch(ctx context.Context) error {
	u.one.Lock()
	defer u.one.Unlock()
	u.mu.Lock()
	p, ok := u.list.For(u.deps.Kind, runtime.GOOS, runtime.GOARCH)
	ok = ok && (u.state == StateNewer || u.state == StateFetched)
	fresh := u.list.Fresh(u.kept.Seen, u.deps.Now())
	u.mu.Unlock()
	if !ok {
		return apperr.New(apperr.UpdateNothing)
	}
	if fresh != nil {
		return fresh
	}
	path := filepath.Join(u.deps.Folder, p.file())
	u.set(func() { u.state, u.done, u.path, u.wrong = StateFetching, 0, "", nil })
	err := whole(path, p)
	if err != nil {
		err = u.download(ctx, p, path)
	}
	u.set(func() {
		if u.state, u.wrong = StateNewer, err; err == nil {
			u.state, u.path, u.done = StateFetched, path, p.Bytes
		}
	})
	return err
}

// whole tells why a file is not the package.
func whole(path string, p Package) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, io.LimitReader(f, p.Bytes+1))
	if err != nil {
		return err
	}
	return matches(p, n, sum.Sum(nil))
}

func matches(p Package, n int64, sum []byte) error {
	if n == p.Bytes && hex.EncodeToString(sum) == p.SHA256 {
		return nil
	}
	return refused(fmt.Errorf("%d bytes, SHA-256 %x", n, sum), bilingual.Of("받은 꾸러미가 목록에 적힌 것과 달라요", "the package is not the one that the list names"))
}

func (u *Updates) download(ctx context.Context, p Package, path string) error {
	response, err := u.get(ctx, p.URL)
	if err != nil {
		return unreachable(ctx, err)
	}
	defer response.Body.Close()
	if err := os.MkdirAll(u.deps.Folder, 0o700); err != nil {
		return apperr.Wrap(err, apperr.StorageFailed)
	}
	u.clear(p.file())
	tell := &progress{from: io.LimitReader(response.Body, p.Bytes+1), tell: func(n int64) { u.set(func() { u.done = n }) }}
	sum := sha256.New()
	err = privatefile.WriteWith(path, func(w io.Writer) error {
		n, err := io.Copy(io.MultiWriter(w, sum), tell)
		switch {
		case tell.err != nil:
			return unreachable(ctx, tell.err)
		case err != nil:
			return err
		}
		return matches(p, n, sum.Sum(nil))
	})
	var e *apperr.Error
	if err != nil && !errors.As(err, &e) && ctx.Err() == nil {
		return apperr.Wrap(err, apperr.StorageFailed)
	}
	return err
}

// clear deletes the packages of other versions.
func (u *Updates) clear(but string) {
	files, err := os.ReadDir(u.deps.Folder)
	if err != nil {
		return
	}
	for _, f := range files {
		if n := f.Name(); n == but || n == fileName || !f.Type().IsRegular() {
			continue
		}
		if err := os.Remove(filepath.Join(u.deps.Folder, f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			u.deps.Log.Warn().Err(err).Msg("an old package could not be deleted")
		}
	}
}

// progress counts what is read, and keeps what went wrong with reading apart from what goes wrong with writing.
type progress struct {
	from io.Reader
	tell func(n int64)
	n    int64
	told int64
	err  error
}

func (p *progress) Read(b []byte) (int, error) {
	n, err := p.from.Read(b)
	p.n += int64(n)
	if p.n-p.told >= step {
		p.told = p.n
		p.tell(p.n)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		p.err = err
	}
	return n, err
}
