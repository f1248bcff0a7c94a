// Package secret keeps the keys of services: in the system's keyring, or, where there is none, in a file that only its
// owner may read. A variable of the environment beats both. A key is never a setting: it stands in no settings file, no
// log and no event.
package secret

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/logging"
	"agentchat/backend/privatefile"
)

// FileName is the file in the data folder that says where each key is kept, and holds those no keyring takes.
const FileName = "keys.json"

// How long a keyring may take. Keeping may raise a dialog that a person has to answer.
const (
	readPatience = 2 * time.Second
	keepPatience = 20 * time.Second
)

// maxKey is longer than any service's key.
const maxKey = 8192

// Place is where a key is kept.
type Place string

// The places of a key.
const (
	Nowhere Place = ""
	Keyring Place = "keyring"
	File    Place = "file"
	Env     Place = "env"
)

// Ring is a keyring: the system's, or one for tests. Its calls may take as long as they like. Get gives ErrNotFound for
// an account it does not know; so may Delete.
type Ring interface {
	Get(account string) (string, error)
	Set(account, key string) error
	Delete(account string) error
}

// ErrNotFound is a Ring's answer about an account it does not know.
var ErrNotFound = errors.New("no such account in the keyring")

// Options say where keys are kept.
type Options struct {
	Dir       string              // the data folder
	Ring      Ring                // nil: the system's keyring
	Environ   []string            // NAME=value; nil: the environment of this process
	Variables map[string][]string // by key name, the variables that beat what is kept, strongest first
}

// Store keeps keys by name. Safe for concurrent use.
type Store struct {
	path string
	ring Ring
	env  map[string]string // by key name

	write sync.Mutex // one change at a time

	mu     sync.Mutex
	asking map[string]*question // by account: what the keyring was asked and has answered
}

// question is one reading of the keyring, shared by all who want to know.
type question struct {
	done chan struct{}
	key  string
	err  error
}

// record is what the file knows of one key: the account in the keyring, or the key itself.
type record struct {
	Account string `json:"account,omitempty"`
	Key     string `json:"key,omitempty"`
}

// New makes a keeper. It reads nothing yet, and never asks the keyring before a key is kept there.
func New(o Options) *Store {
	k := &Store{path: filepath.Join(o.Dir, FileName), ring: o.Ring, env: map[string]string{}, asking: map[string]*question{}}
	if k.ring == nil {
		k.ring = systemRing{}
	}
	environ := o.Environ
	if environ == nil {
		environ = os.Environ()
	}
	for name, variables := range o.Variables {
		for _, variable := range slices.Backward(variables) {
			for _, entry := range environ {
				if value, ok := strings.CutPrefix(entry, variable+"="); ok && strings.TrimSpace(value) != "" {
					k.env[name] = strings.TrimSpace(value)
				}
			}
		}
	}
	return k
}

// Where tells where a key is kept, without asking the keyring.
func (k *Store) Where(name string) Place {
	if k.env[name] != "" {
		return Env
	}
	switch r := k.read()[name]; {
	case r.Account != "":
		return Keyring
	case r.Key != "":
		return File
	}
	return Nowhere
}

// Names are the keys that are kept here, sorted; what variables say is not among them.
func (k *Store) Names() []string { return slices.Sorted(maps.Keys(k.read())) }

// Get gives a key, "" when none is kept. A keyring that does not answer within two seconds is an error (not_available);
// it stays asked, and a later Get has its answer. A key that was got or set is concealed in whatever is written down.
func (k *Store) Get(ctx context.Context, name string) (key string, err error) {
	defer func() { logging.Conceal(key) }()
	if key := k.env[name]; key != "" {
		return key, nil
	}
	r := k.read()[name]
	if r.Account == "" {
		return r.Key, nil
	}
	q := k.ask(r.Account)
	limit := time.NewTimer(readPatience)
	defer limit.Stop()
	select {
	case <-q.done:
	case <-limit.C:
		return "", noRing(errSlow)
	case <-ctx.Done():
		return "", apperr.Wrap(ctx.Err(), apperr.Canceled)
	}
	if errors.Is(q.err, ErrNotFound) { // a person took it out of the keyring
		return "", nil
	}
	if q.err != nil {
		k.forget(r.Account) // ask again next time
		return "", noRing(q.err)
	}
	return q.key, nil
}

var errSlow = errors.New("the keyring does not answer")

func noRing(err error) error { return apperr.Wrap(err, apperr.NotAvailable, "what", "keyring") }

// ask asks the keyring once for each account; all who come meanwhile and later share the answer.
func (k *Store) ask(account string) *question {
	k.mu.Lock()
	defer k.mu.Unlock()
	if q := k.asking[account]; q != nil {
		return q
	}
	q := &question{done: make(chan struct{})}
	k.asking[account] = q
	go func() {
		q.key, q.err = k.ring.Get(account)
		close(q.done)
	}()
	return q
}

func (k *Store) forget(account string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.asking, account)
}

// Set keeps a key, "" forgets it. Where the keyring does not take it, the file does. A variable of the environment goes
// on beating it. Errors: invalid_args (no key looks like that), storage_full, storage_failed.
func (k *Store) Set(ctx context.Context, name, key string) error {
	if strings.ContainsFunc(strings.TrimSpace(key), func(r rune) bool { return r == ' ' || r > '~' }) {
		return apperr.New(apperr.InvalidArgs, "detail", badKey{})
	}
	return k.SetPhrase(ctx, name, key)
}

// SetPhrase is Set of a key that may have spaces and any letters, as passwords have: what it is for is not known here.
func (k *Store) SetPhrase(ctx context.Context, name, key string) error {
	key = strings.TrimSpace(key)
	if key == "" {
		return k.Delete(name)
	}
	if odd := func(r rune) bool { return !unicode.IsGraphic(r) }; len(key) > maxKey || !utf8.ValidString(key) || strings.ContainsFunc(key, odd) {
		return apperr.New(apperr.InvalidArgs, "detail", badKey{phrase: true})
	}
	logging.Conceal(key)
	k.write.Lock()
	defer k.write.Unlock()
	all := k.read()
	old := all[name]
	account := name + "-" + uuid.NewString()
	if k.keep(ctx, account, key) {
		all[name] = record{Account: account}
	} else {
		all[name] = record{Key: key}
	}
	if err := k.save(all); err != nil {
		return err
	}
	k.drop(old.Account)
	return nil
}

// keep puts a key into the keyring, unless that takes too long: an entry that comes too late is taken out again.
func (k *Store) keep(ctx context.Context, account, key string) bool {
	kept := make(chan error)
	given := make(chan struct{})
	go func() {
		err := k.ring.Set(account, key)
		select {
		case kept <- err:
		case <-given:
			if err == nil {
				_ = k.ring.Delete(account)
			}
		}
	}()
	limit := time.NewTimer(keepPatience)
	defer limit.Stop()
	select {
	case err := <-kept:
		return err == nil
	case <-limit.C:
	case <-ctx.Done():
	}
	close(given)
	return false
}

// Delete forgets a key wherever it is kept. Errors: storage_full, storage_failed.
func (k *Store) Delete(name string) error {
	k.write.Lock()
	defer k.write.Unlock()
	all := k.read()
	old, ok := all[name]
	if !ok {
		return nil
	}
	delete(all, name)
	if err := k.save(all); err != nil {
		return err
	}
	k.drop(old.Account)
	return nil
}

// drop takes an entry out of the keyring, which may do it when it likes: nothing points at the entry any more.
func (k *Store) drop(account string) {
	if account == "" {
		return
	}
	k.forget(account)
	go func() { _ = k.ring.Delete(account) }()
}

// read gives what the file knows. A file that cannot be read knows nothing: its owner gives the key again.
func (k *Store) read() map[string]record {
	all := map[string]record{}
	text, err := os.ReadFile(k.path)
	if err != nil || json.Unmarshal(text, &all) != nil {
		return map[string]record{}
	}
	return all
}

func (k *Store) save(all map[string]record) error {
	var err error
	if len(all) == 0 {
		if err = os.Remove(k.path); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	} else {
		var text []byte
		if text, err = json.MarshalIndent(all, "", "  "); err == nil {
			err = privatefile.Write(k.path, append(text, '\n'))
		}
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return apperr.Wrap(err, apperr.StorageFull)
	}
	return apperr.Wrap(err, apperr.StorageFailed)
}

// badKey says what a key looks like.
type badKey struct{ phrase bool }

// In gives the words in a language.
func (b badKey) In(lang bilingual.Lang) string {
	if b.phrase {
		return bilingual.Say(lang, "키는 줄바꿈이나 보이지 않는 글자가 없는 한 줄이에요", "a key is one line without letters that cannot be seen")
	}
	return bilingual.Say(lang, "키는 빈칸 없는 영문자와 숫자, 기호예요", "a key is letters, digits and signs without spaces")
}

func (b badKey) String() string { return b.In(bilingual.EN) }
