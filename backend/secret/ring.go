package secret

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"

	"github.com/zalando/go-keyring"
)

// service is the name of the program's entries in the keyring.
const service = "agentchat"

var errNoBus = errors.New("this session has no keyring")

// systemRing is the system's keyring: Secret Service, Keychain or Credential Manager.
type systemRing struct{}

// Get implements Ring.
func (systemRing) Get(account string) (string, error) {
	if !session() {
		return "", errNoBus
	}
	key, err := keyring.Get(service, account)
	if errors.Is(err, keyring.ErrNotFound) {
		return "", ErrNotFound
	}
	return key, err
}

// Set implements Ring.
func (systemRing) Set(account, key string) error {
	if !session() {
		return errNoBus
	}
	return keyring.Set(service, account, key)
}

// Delete implements Ring.
func (systemRing) Delete(account string) error {
	if !session() {
		return errNoBus
	}
	return keyring.Delete(service, account)
}

// session tells whether there is a session bus where the keyring needs one. Without this look the D-Bus library would
// start a bus of its own, on which no keyring lives.
func session() bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" || os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return true
	}
	dir := os.Getenv("XDG_RUNTIME_DIR")
	if dir == "" {
		return false
	}
	_, err := os.Stat(filepath.Join(dir, "bus"))
	return err == nil
}
