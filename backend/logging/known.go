package logging

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// shortestKnown is the shortest value that is looked for: a shorter one would be found in ordinary words.
const shortestKnown = 8

// known are the values that are secrets whatever stands beside them: keys that the shop keeps.
var known struct {
	mu     sync.Mutex
	values []string
	out    atomic.Pointer[strings.Replacer]
}

// Conceal has values taken out of every text from now on, wherever they stand. They are never shown again in the life of the
// program, unless Release says that they are secrets no more.
func Conceal(values ...string) {
	known.mu.Lock()
	defer known.mu.Unlock()
	before := len(known.values)
	for _, v := range values {
		if len(v) >= shortestKnown && !slices.Contains(known.values, v) {
			known.values = append(known.values, v)
		}
	}
	if len(known.values) != before {
		rebuild()
	}
}

// Release has values that are good for nothing any more known no longer: what is renewed every hour would add up.
func Release(values ...string) {
	known.mu.Lock()
	defer known.mu.Unlock()
	before := len(known.values)
	known.values = slices.DeleteFunc(known.values, func(v string) bool { return slices.Contains(values, v) })
	if len(known.values) != before {
		rebuild()
	}
}

// rebuild makes what replaces the known values. Called with known.mu held.
func rebuild() {
	slices.SortFunc(known.values, func(a, b string) int { return len(b) - len(a) }) // one may hold another
	var pairs []string
	for _, v := range known.values {
		pairs = append(pairs, v, Redacted)
		if quoted, err := json.Marshal(v); err == nil && string(quoted) != `"`+v+`"` {
			pairs = append(pairs, string(quoted[1:len(quoted)-1]), Redacted)
		}
	}
	known.out.Store(strings.NewReplacer(pairs...))
}

func conceal(text string) string {
	if out := known.out.Load(); out != nil {
		return out.Replace(text)
	}
	return text
}

// secretFlag finds an argument that names a secret: alone, then the next one is its value, or with the value behind =.
var secretFlag = regexp.MustCompile(`(?i)^-{1,2}(` + secretName + `)(?:=(.*))?$`)

// SecretArg tells whether an argument of a command names a secret, and gives the value it carries itself, if any. Without one
// the next argument is the value.
func SecretArg(arg string) (value string, named bool) {
	m := secretFlag.FindStringSubmatch(arg)
	if m == nil || !isSecretName(m[1]) {
		return "", false
	}
	return m[2], true
}
