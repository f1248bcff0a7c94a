package wire

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/provider"
)

// While a model loads, neither the deadline for the first piece nor that for the whole answer runs out; both hold again
// afterwards.
func TestLoadingHasItsOwnTime(t *testing.T) {
	for name, c := range map[string]struct {
		load, write time.Duration
		patient     bool
		want        apperr.Code
	}{
		"a long load":               {4 * time.Minute, 0, true, ""},
		"a load that is never seen": {4 * time.Minute, 0, false, apperr.ModelTimeout},
		"a load that never ends":    {6 * time.Minute, 0, true, apperr.ModelTimeout},
		"then a long answer":        {4 * time.Minute, 3 * time.Minute, true, apperr.ModelTimeout},
		"then a quick one":          {4 * time.Minute, 30 * time.Second, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := line(Timeouts{Connect: time.Minute, First: time.Minute, Gap: 10 * time.Minute})
				var loads int
				on := func(d provider.Delta) {
					if d.Loading {
						loads++
					}
				}
				_, err := l.Ask(t.Context(), Question{Card: Card{Timeout: 2 * time.Minute}, On: on}, func(ctx context.Context, a *Answer) error {
					a.watch.connected()
					a.Loading()
					a.Loading()
					if l.Loading() != 1 {
						t.Errorf("%d load", l.Loading())
					}
					if c.patient {
						a.Patient()
					}
					for _, wait := range []time.Duration{c.load, c.write} {
						select {
						case <-time.After(wait):
						case <-ctx.Done():
							return ctx.Err()
						}
						if err := a.Text("네"); err != nil {
							return err
						}
						a.Patient() // too late: it changes nothing
						if l.Loading() != 0 {
							t.Errorf("%d load behind the first piece", l.Loading())
						}
					}
					a.Done("stop")
					return nil
				})
				if apperr.CodeOf(err) != c.want || loads != 1 || l.Loading() != 0 || l.Waiting() != 0 {
					t.Errorf("%v, told %d times, %d load, %d wait", err, loads, l.Loading(), l.Waiting())
				}
			})
		})
	}
}
