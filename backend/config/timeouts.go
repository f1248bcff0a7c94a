package config

import (
	"fmt"
	"strings"
	"time"
)

// ModelTimeouts are the three separate deadlines of one model call.
type ModelTimeouts struct {
	Connect time.Duration `json:"connect"` // until the connection stands
	First   time.Duration `json:"first"`   // from the request until the first token
	Gap     time.Duration `json:"gap"`     // between two tokens
}

// DefaultModelTimeouts gives a cold local model time to load, and a dead one no more than it needs.
var DefaultModelTimeouts = ModelTimeouts{Connect: 5 * time.Second, First: 120 * time.Second, Gap: 30 * time.Second}

// DefaultKeepAlive is how long an idle model stays in memory.
const DefaultKeepAlive = 30 * time.Minute

const (
	minTimeout = time.Millisecond
	maxTimeout = 24 * time.Hour
)

// ParseModelTimeouts reads "connect=5s,first=120s,gap=30s". A part that is left out keeps its default; an unknown,
// repeated or empty part, and a time outside 1ms to 24h, is an error.
func ParseModelTimeouts(text string) (ModelTimeouts, error) {
	timeouts := DefaultModelTimeouts
	seen := map[string]bool{}
	for part := range strings.SplitSeq(text, ",") {
		name, value, found := strings.Cut(strings.TrimSpace(part), "=")
		if !found {
			return ModelTimeouts{}, fmt.Errorf("%q is not name=time", part)
		}
		field := timeouts.field(name)
		if field == nil {
			return ModelTimeouts{}, fmt.Errorf("%q is not connect, first or gap", name)
		}
		if seen[name] {
			return ModelTimeouts{}, fmt.Errorf("%s is given twice", name)
		}
		seen[name] = true
		d, err := time.ParseDuration(value)
		if err != nil {
			return ModelTimeouts{}, fmt.Errorf("%s: %w", name, err)
		}
		if d < minTimeout || d > maxTimeout {
			return ModelTimeouts{}, fmt.Errorf("%s: %s is not between %s and %s", name, d, minTimeout, maxTimeout)
		}
		*field = d
	}
	return timeouts, nil
}

func (t *ModelTimeouts) field(name string) *time.Duration {
	switch name {
	case "connect":
		return &t.Connect
	case "first":
		return &t.First
	case "gap":
		return &t.Gap
	}
	return nil
}

// String is the form ParseModelTimeouts reads, with all three parts.
func (t ModelTimeouts) String() string {
	return fmt.Sprintf("connect=%s,first=%s,gap=%s", short(t.Connect), short(t.First), short(t.Gap))
}

// short writes whole seconds as people type them: 120s, not 2m0s.
func short(d time.Duration) string {
	if d%time.Second == 0 {
		return fmt.Sprintf("%ds", d/time.Second)
	}
	return d.String()
}

// spell writes a time as people type it: 30m, not 30m0s.
func spell(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// span takes a time between two others. A number without a unit is seconds.
func span(least, most time.Duration) check {
	wrong := say("%s에서 %s 사이의 시간을 30m처럼 적어 주세요", "it should be a time from %s to %s, such as 30m", spell(least), spell(most))
	return func(raw any) (any, problem) {
		var d time.Duration
		if seconds, ok := asNumber(raw); ok {
			if seconds < 0 || seconds > most.Seconds() {
				return nil, wrong
			}
			d = time.Duration(seconds * float64(time.Second))
		} else if text, ok := raw.(string); ok {
			parsed, err := time.ParseDuration(strings.TrimSpace(text))
			if err != nil {
				return nil, wrong
			}
			d = parsed
		}
		if d < least || d > most {
			return nil, wrong
		}
		return spell(d), nil
	}
}
