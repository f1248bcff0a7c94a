package secret_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zalando/go-keyring"
	"go.uber.org/goleak"

	"agentchat/backend/apperr"
	"agentchat/backend/secret"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "sk-very-secret-0123456789"

// ring is a keyring in memory. While gate is set, every call waits for it.
type ring struct {
	gate chan struct{}
	err  error

	mu   sync.Mutex
	keys map[string]string
}

func newRing() *ring { return &ring{keys: map[string]string{}} }

func (r *ring) enter() func() {
	if r.gate != nil {
		<-r.gate
	}
	r.mu.Lock()
	return r.mu.Unlock
}

func (r *ring) Get(account string) (string, error) {
	defer r.enter()()
	if found, ok := r.keys[account]; ok {
		return found, r.err
	}
	return "", errors.Join(secret.ErrNotFound, r.err)
}

func (r *ring) Set(account, value string) error {
	defer r.enter()()
	if r.err == nil {
		r.keys[account] = value
	}
	return r.err
}

func (r *ring) Delete(account string) error {
	defer r.enter()()
	delete(r.keys, account)
	return r.err
}

func (r *ring) size() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.keys)
}

func keeper(dir string, r secret.Ring, environ ...string) *secret.Store {
	return secret.New(secret.Options{
		Dir: dir, Ring: r, Environ: append([]string{}, environ...),
		Variables: map[string][]string{"openai": {"AGENTCHAT_OPENAI_KEY", "OPENAI_API_KEY"}},
	})
}

func want(t *testing.T, k *secret.Store, wanted string, place secret.Place) {
	t.Helper()
	got, err := k.Get(t.Context(), "openai")
	if err != nil || got != wanted || k.Where("openai") != place {
		t.Errorf("%q at %q (%v), want %q at %q", got, k.Where("openai"), err, wanted, place)
	}
}

func TestAKeyIsKeptInTheKeyring(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir, r := t.TempDir(), newRing()
		k := keeper(dir, r)
		want(t, k, "", secret.Nowhere)
		if err := k.Set(t.Context(), "openai", " "+key+"\n"); err != nil {
			t.Fatal(err)
		}
		want(t, k, key, secret.Keyring)
		text, err := os.ReadFile(filepath.Join(dir, secret.FileName))
		if err != nil || strings.Contains(string(text), key) {
			t.Errorf("the file holds %s, %v", text, err)
		}
		want(t, keeper(dir, r), key, secret.Keyring) // the next run

		if err := k.Set(t.Context(), "openai", "sk-another"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		want(t, k, "sk-another", secret.Keyring)
		if r.size() != 1 {
			t.Errorf("%d entries in the keyring", r.size())
		}
		if err := k.Set(t.Context(), "openai", ""); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		want(t, k, "", secret.Nowhere)
		if left, err := os.ReadDir(dir); err != nil || len(left) != 0 || r.size() != 0 {
			t.Errorf("%v is left, %d in the keyring, %v", left, r.size(), err)
		}
	})
}

func TestWithoutAKeyringAPrivateFileKeepsIt(t *testing.T) {
	dir, r := t.TempDir(), newRing()
	r.err = errors.New("no keyring here")
	k := keeper(dir, r)
	if err := k.Set(t.Context(), "openai", key); err != nil {
		t.Fatal(err)
	}
	want(t, k, key, secret.File)
	want(t, keeper(dir, r), key, secret.File)
	info, err := os.Stat(filepath.Join(dir, secret.FileName))
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if err := k.Delete("openai"); err != nil {
		t.Fatal(err)
	}
	want(t, k, "", secret.Nowhere)
}

func TestTheEnvironmentBeatsWhatIsKept(t *testing.T) {
	dir, r := t.TempDir(), newRing()
	if err := keeper(dir, r).Set(t.Context(), "openai", key); err != nil {
		t.Fatal(err)
	}
	want(t, keeper(dir, r, "OPENAI_API_KEY=general"), "general", secret.Env)
	want(t, keeper(dir, r, "OPENAI_API_KEY=general", "AGENTCHAT_OPENAI_KEY=own", "AGENTCHAT_OPENAI_KEY_X=no"), "own", secret.Env)
	want(t, keeper(dir, r, "OPENAI_API_KEY="), key, secret.Keyring)
}

func TestAKeyringThatHangsHoldsNobodyUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir, r := t.TempDir(), newRing()
		k := keeper(dir, r)
		if err := k.Set(t.Context(), "openai", key); err != nil {
			t.Fatal(err)
		}
		r.gate = make(chan struct{})
		began := time.Now()
		if got, err := k.Get(t.Context(), "openai"); got != "" || apperr.CodeOf(err) != apperr.NotAvailable || time.Since(began) > 3*time.Second {
			t.Errorf("%q, %v after %s", got, err, time.Since(began))
		}
		if k.Where("openai") != secret.Keyring {
			t.Error("where it is needs no keyring")
		}
		close(r.gate)
		synctest.Wait()
		want(t, k, key, secret.Keyring) // the answer came meanwhile

		r.gate = make(chan struct{})
		if err := k.Set(t.Context(), "openai", "sk-new"); err != nil {
			t.Fatal(err)
		}
		want(t, k, "sk-new", secret.File)
		close(r.gate)
		synctest.Wait()
		if r.size() != 0 { // what came too late is taken out again, and so is the old one
			t.Errorf("%d entries in the keyring", r.size())
		}
	})
}

func TestAKeyTakenOutOfTheKeyringIsNone(t *testing.T) {
	dir, r := t.TempDir(), newRing()
	if err := keeper(dir, r).Set(t.Context(), "openai", key); err != nil {
		t.Fatal(err)
	}
	clear(r.keys)
	want(t, keeper(dir, r), "", secret.Keyring)
	r.err = errors.New("locked")
	if _, err := keeper(dir, r).Get(t.Context(), "openai"); err != nil {
		t.Error("not found is found out even so:", err)
	}
}

func TestWhatIsNoKeyIsRefused(t *testing.T) {
	k := keeper(t.TempDir(), newRing())
	for _, odd := range []string{"two words", "line\nbreak", "열쇠", strings.Repeat("x", 9000)} {
		err := k.Set(t.Context(), "openai", odd)
		if apperr.CodeOf(err) != apperr.InvalidArgs || strings.Contains(err.Error(), odd) {
			t.Errorf("%.20q: %v", odd, err)
		}
	}
	if k.Where("openai") != secret.Nowhere {
		t.Error("something is kept")
	}
}

// What a password is like is not known here: it may have spaces and any letters, but nothing that cannot be seen.
func TestAPhraseMayHaveSpaces(t *testing.T) {
	k := keeper(t.TempDir(), newRing())
	for _, phrase := range []string{"correct horse battery", "열려라 참깨", "host=db password='a b'"} {
		if err := k.SetPhrase(t.Context(), "mcp/desk/PASSWORD", " "+phrase+"\n"); err != nil {
			t.Errorf("%q: %v", phrase, err)
		}
		if got, err := k.Get(t.Context(), "mcp/desk/PASSWORD"); err != nil || got != phrase {
			t.Errorf("%q, %v", got, err)
		}
	}
	for _, odd := range []string{"line\nbreak", "turned\u202e", "\x00", "\xff", strings.Repeat("x", 9000)} {
		if err := k.SetPhrase(t.Context(), "mcp/desk/PASSWORD", odd); apperr.CodeOf(err) != apperr.InvalidArgs || strings.Contains(err.Error(), odd) {
			t.Errorf("%.20q: %v", odd, err)
		}
	}
}

func TestABrokenFileKnowsNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, secret.FileName), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	k := keeper(dir, newRing())
	want(t, k, "", secret.Nowhere)
	if err := k.Set(t.Context(), "openai", key); err != nil {
		t.Fatal(err)
	}
	want(t, k, key, secret.Keyring)
}

// The system's keyring, as far as the library's own stand-in goes.
func TestTheSystemsKeyring(t *testing.T) {
	keyring.MockInit()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
	dir := t.TempDir()
	k := keeper(dir, nil)
	if err := k.Set(t.Context(), "openai", key); err != nil {
		t.Fatal(err)
	}
	want(t, keeper(dir, nil), key, secret.Keyring)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("XDG_RUNTIME_DIR", "")
	if runtime.GOOS == "linux" {
		if err := k.Set(t.Context(), "openai", key); err != nil {
			t.Fatal(err)
		}
		want(t, keeper(dir, nil), key, secret.File)
	}
}
