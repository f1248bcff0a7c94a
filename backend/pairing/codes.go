package pairing

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"sync"
	"time"
)

const codeLife = 5 * time.Minute

// Codes holds the one code that something may be paired with: once, and for some minutes. Nobody can guess it, so wrong tries do not void it: anybody
// in the network could keep others out that way.
type Codes struct {
	Now func() time.Time

	mu    sync.Mutex
	code  string
	until time.Time
}

// Fresh makes a code, in place of the one before.
func (c *Codes) Fresh() (string, time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.code, c.until = Secret(), c.Now().Add(codeLife)
	return c.code, c.until
}

// Spend tells whether a code is the one, which it is once.
func (c *Codes) Spend(code string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.code == "" || !c.Now().Before(c.until) || subtle.ConstantTimeCompare([]byte(code), []byte(c.code)) != 1 {
		return false
	}
	c.code = ""
	return true
}

// Void has the code hold no more.
func (c *Codes) Void() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.code = ""
}

// Secret is a text that nobody guesses.
func Secret() string {
	b := make([]byte, 24)
	_, _ = rand.Read(b) // it never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// Hashed is how a secret is kept: who reads it cannot use it.
func Hashed(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}
