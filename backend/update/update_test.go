package update_test

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"aead.dev/minisign"
	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/update"
)

var today = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// makers publish versions at an address of this computer.
type makers struct {
	t      *testing.T
	public minisign.PublicKey
	secret minisign.PrivateKey
	server *httptest.Server
	asked  atomic.Int32

	mu    sync.Mutex
	files map[string][]byte
}

func publish(t *testing.T) *makers {
	t.Helper()
	public, secret, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	m := &makers{t: t, public: public, secret: secret, files: map[string][]byte{}}
	m.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.asked.Add(1)
		m.mu.Lock()
		text, ok := m.files[strings.TrimPrefix(r.URL.Path, "/new/")]
		m.mu.Unlock()
		if to, led := strings.CutPrefix(string(text), "-> "); led {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(text)
	}))
	t.Cleanup(m.server.Close)
	return m
}

func (m *makers) put(name string, text []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[name] = text
}

var brought = []byte(strings.Repeat("a package ", 200_000)) // two steps of progress

// list is what they publish today.
func (m *makers) list(version string) update.Manifest {
	sum := sha256.Sum256(brought)
	return update.Manifest{
		Format: update.Format, Version: version, Made: today.Add(-time.Hour), Expires: today.AddDate(0, 1, 0),
		Changes: []update.Change{{KO: "더 빨라졌어요", EN: "It is quicker"}},
		Packages: []update.Package{{
			Kind: update.KindDeb, OS: runtime.GOOS, Arch: runtime.GOARCH, URL: "agentchat_" + version + ".deb", Bytes: int64(len(brought)), SHA256: hex.EncodeToString(sum[:]),
		}},
	}
}

func (m *makers) sign(list update.Manifest) {
	text, err := json.Marshal(list)
	if err != nil {
		m.t.Fatal(err)
	}
	m.put(update.ListName, text)
	m.put(update.SignatureName, minisign.Sign(m.secret, text))
	for _, p := range list.Packages {
		m.put(p.URL, brought)
	}
}

// customer is a program that looks there.
type customer struct {
	*update.Updates
	t       *testing.T
	now     atomic.Pointer[time.Time]
	allowed atomic.Bool
	folder  string
	changed chan struct{}
}

func (m *makers) customer(folder string) *customer {
	c := &customer{t: m.t, folder: folder, changed: make(chan struct{}, 1000)}
	c.now.Store(&today)
	c.Updates = update.New(update.Deps{
		Address: m.server.URL + "/new/", Key: m.public.String(), Kind: update.KindDeb, Version: "0.2.0", Folder: folder,
		Allowed: c.allowed.Load, Changed: func() { c.changed <- struct{}{} }, Lang: func() bilingual.Lang { return bilingual.EN },
		Now: func() time.Time { return *c.now.Load() }, Log: zerolog.Nop(),
	})
	return c
}

// finds looks, and wants a state and a code of an error; "": none.
func (c *customer) finds(state update.State, code apperr.Code) update.View {
	c.t.Helper()
	err := c.Look(c.t.Context())
	have := apperr.Code("")
	if err != nil {
		have = apperr.CodeOf(err)
	}
	v := c.View()
	if v.State != state || have != code || (v.Error == nil) != (code == "") {
		c.t.Errorf("%s, error %v; want %s, %q", v.State, err, state, code)
	}
	return v
}

func TestANewerVersionIsToldAndFetched(t *testing.T) {
	m := publish(t)
	m.sign(m.list("0.3.0"))
	c := m.customer(t.TempDir())
	v := c.finds(update.StateNewer, "")
	if v.Version != "0.3.0" || v.File != "agentchat_0.3.0.deb" || len(v.Changes) != 1 || v.Changes[0] != "It is quicker" || v.Looked != today.Format(time.RFC3339) {
		t.Errorf("%+v", v)
	}
	if err := c.Fetch(t.Context()); err != nil {
		t.Fatal(err)
	}
	v = c.View()
	if have, err := os.ReadFile(v.Path); err != nil || string(have) != string(brought) || v.State != update.StateFetched {
		t.Errorf("%s at %s: %d bytes, %v", v.State, v.Path, len(have), err)
	}
	if want := "sudo apt install '" + v.Path + "'"; v.Command != want {
		t.Errorf("%s, want %s", v.Command, want)
	}
	steps := 0
	for len(c.changed) > 0 {
		<-c.changed
		steps++
	}
	if steps < 4 { // looking, newer, fetching, a step, fetched
		t.Errorf("told of %d changes", steps)
	}
	before := m.asked.Load()
	if err := c.Fetch(t.Context()); err != nil || m.asked.Load() != before {
		t.Errorf("what is there was fetched again: %v", err)
	}
	m.sign(m.list("0.4.0"))
	c.finds(update.StateNewer, "")
	if err := c.Fetch(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(c.folder, "agentchat_0.3.0.deb")); !os.IsNotExist(err) {
		t.Errorf("the package of the version between is still there: %v", err)
	}
}

func TestTheSameVersionIsTheNewest(t *testing.T) {
	for version, state := range map[string]update.State{"0.2.0": update.StateCurrent, "0.1.9": update.StateCurrent, "0.10.0": update.StateNewer} {
		m := publish(t)
		m.sign(m.list(version))
		c := m.customer(t.TempDir())
		c.finds(state, "")
		if err := c.Fetch(t.Context()); (err == nil) != (state == update.StateNewer) {
			t.Errorf("%s: %v", version, err)
		}
	}
}

func TestNothingIsAskedUnlessAllowed(t *testing.T) {
	m := publish(t)
	m.sign(m.list("0.3.0"))
	c := m.customer(t.TempDir())
	c.Start(t.Context())
	c.Stop() // what it began is over
	if n := m.asked.Load(); n != 0 {
		t.Errorf("%d requests without leave", n)
	}
	c.allowed.Store(true)
	c.Start(t.Context())
	defer c.Stop()
	for c.View().State != update.StateNewer {
		<-c.changed
	}
}

func TestAListThatIsNotTheirsIsRefused(t *testing.T) {
	_, stranger, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(m *makers){
		"a byte is another": func(m *makers) {
			m.put(update.ListName, []byte(strings.Replace(string(m.files[update.ListName]), "0.3.0", "0.3.1", 1)))
		},
		"signed by a stranger": func(m *makers) {
			m.put(update.SignatureName, minisign.Sign(stranger, m.files[update.ListName]))
		},
		"not signed": func(m *makers) { m.put(update.SignatureName, nil) },
		"a signature of another list": func(m *makers) {
			m.put(update.SignatureName, minisign.Sign(m.secret, []byte("{}")))
		},
		"no list":      func(m *makers) { m.put(update.ListName, []byte("<html>")) },
		"far too long": func(m *makers) { m.put(update.ListName, make([]byte, 10<<20)) },
		"over":         func(m *makers) { l := m.list("0.3.0"); l.Expires = today; m.sign(l) },
		"of another layout": func(m *makers) {
			l := m.list("0.3.0")
			l.Format = 2
			m.sign(l)
		},
		"a name that leads out": func(m *makers) {
			l := m.list("0.3.0")
			l.Packages[0].URL = "..%2f..%2f.bashrc"
			m.sign(l)
		},
		"no version": func(m *makers) { m.sign(m.list("newest")) },
	} {
		t.Run(name, func(t *testing.T) {
			m := publish(t)
			m.sign(m.list("0.3.0"))
			spoil(m)
			c := m.customer(t.TempDir())
			if v := c.finds(update.StateIdle, apperr.UpdateRefused); v.Version != "" || v.File != "" {
				t.Errorf("it is told all the same: %+v", v)
			}
		})
	}
}

// What was seen is remembered: an older list is refused, also by the next life of the program.
func TestARollbackIsRefused(t *testing.T) {
	m, folder := publish(t), t.TempDir()
	m.sign(m.list("0.4.0"))
	m.customer(folder).finds(update.StateNewer, "")

	old := m.list("0.3.0")
	m.sign(old)
	m.customer(folder).finds(update.StateIdle, apperr.UpdateRefused)

	same := m.list("0.4.0")
	same.Made = same.Made.Add(-time.Minute) // the same version with other packages, from before
	m.sign(same)
	m.customer(folder).finds(update.StateIdle, apperr.UpdateRefused)

	m.sign(m.list("0.4.0"))
	m.customer(folder).finds(update.StateNewer, "")
}

// Who keeps newer lists back can do so only until the last one is over.
func TestAFreezeIsNoticed(t *testing.T) {
	m := publish(t)
	m.sign(m.list("0.3.0"))
	c := m.customer(t.TempDir())
	c.finds(update.StateNewer, "")
	later := today.AddDate(0, 2, 0)
	c.now.Store(&later)
	if err := c.Fetch(t.Context()); apperr.CodeOf(err) != apperr.UpdateRefused {
		t.Errorf("a package of a list that is over: %v", err)
	}
	c.finds(update.StateIdle, apperr.UpdateRefused)
}

func TestAPackageThatIsAnotherIsNotKept(t *testing.T) {
	for name, file := range map[string][]byte{
		"another": []byte(strings.Repeat("b package ", 200_000)), "shorter": brought[:1000], "longer": append([]byte("x"), brought...),
		"elsewhere": []byte("-> http://example.invalid/agentchat.deb"),
	} {
		t.Run(name, func(t *testing.T) {
			m := publish(t)
			m.sign(m.list("0.3.0"))
			m.put("agentchat_0.3.0.deb", file)
			c := m.customer(t.TempDir())
			c.finds(update.StateNewer, "")
			want := apperr.UpdateRefused
			if name == "elsewhere" {
				want = apperr.UpdateUnreachable
			}
			if err := c.Fetch(t.Context()); apperr.CodeOf(err) != want {
				t.Errorf("%v, want %s", err, want)
			}
			if v := c.View(); v.State != update.StateNewer || v.Path != "" || v.Error == nil {
				t.Errorf("%+v", v)
			}
			left, err := os.ReadDir(c.folder)
			if err != nil || len(left) != 1 { // what was seen
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

func TestNoWayOut(t *testing.T) {
	m := publish(t)
	c := m.customer(t.TempDir())
	c.finds(update.StateIdle, apperr.UpdateUnreachable) // 404
	m.server.Close()
	c.finds(update.StateIdle, apperr.UpdateUnreachable)
}

func TestAProgramWithoutAnAddressLooksNowhere(t *testing.T) {
	m := publish(t)
	for _, d := range []update.Deps{{}, {Address: m.server.URL}, {Address: "http://example.invalid/", Key: m.public.String()}} {
		d.Folder, d.Version = t.TempDir(), "0.2.0"
		d.Changed, d.Lang, d.Now = func() {}, func() bilingual.Lang { return bilingual.KO }, time.Now
		u := update.New(d)
		if err := u.Look(t.Context()); u.View().State != update.StateNowhere || apperr.CodeOf(err) != apperr.UpdateNowhere {
			t.Errorf("%s: %s, %v", d.Address, u.View().State, err)
		}
	}
	if n := m.asked.Load(); n != 0 {
		t.Errorf("%d requests", n)
	}
}

func TestKindOf(t *testing.T) {
	for _, c := range []struct {
		program, goos, there string
		want                 update.Kind
	}{
		{"/usr/bin/agentchat", "linux", "/var/lib/dpkg/info/agentchat.list", update.KindDeb},
		{"/usr/bin/agentchat", "linux", "/usr/lib/sysimage/rpm", update.KindRPM},
		{"/usr/bin/agentchat", "linux", "", update.KindArchive},
		{"/home/me/agentchat", "linux", "/var/lib/dpkg/info/agentchat.list", update.KindArchive},
		{"/Applications/Agent Chat.app/Contents/MacOS/agentchat", "darwin", "", update.KindDisk},
		{"/home/me/agentchat", "darwin", "", update.KindArchive},
	} {
		if have := update.KindOf(c.program, c.goos, func(p string) bool { return p == c.there }); have != c.want {
			t.Errorf("%s on %s beside %s: %s, want %s", c.program, c.goos, c.there, have, c.want)
		}
	}
}

func ExampleRead() {
	public, secret, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	list := []byte(`{"format":1,"version":"1.2.3","made":"2026-01-01T00:00:00Z","expires":"2026-02-01T00:00:00Z"}`)
	m, err := update.Read(public, list, minisign.Sign(secret, list))
	fmt.Println(m.Version, err)
	_, err = update.Read(public, list[1:], minisign.Sign(secret, list))
	fmt.Println(err != nil)
	// Output:
	// 1.2.3 <nil>
	// true
}
