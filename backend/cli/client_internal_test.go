package cli

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/config"
	"agentchat/backend/lock"
)

// A shop that is just being opened or closed by another is waited for, however long that takes; one that is open and lets nobody in is not.
func TestAShopThatIsJustOpeningIsWaitedFor(t *testing.T) {
	for name, c := range map[string]struct {
		settled bool
		want    apperr.Code
		took    time.Duration
	}{
		"opening": {false, apperr.StorageFull, 5 * time.Minute},
		"open":    {true, apperr.AlreadyRunning, reachFor},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			r := &run{dataDir: t.TempDir(), Program: Program{Open: func(context.Context, config.Options) (Opened, error) {
				if time.Since(began) >= 5*time.Minute { // it is over with the other
					return nil, apperr.New(apperr.StorageFull)
				}
				return nil, apperr.New(apperr.AlreadyRunning, lock.FieldSettled, c.settled)
			}}}
			_, _, err := r.connect(t.Context())
			if took := time.Since(began); apperr.CodeOf(err) != c.want || took < c.took || took > c.took+reachGap {
				t.Errorf("%s: %v after %s", name, err, took)
			}
			gone, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			began = time.Now()
			if _, _, err := r.connect(gone); apperr.CodeOf(err) != apperr.AlreadyRunning || time.Since(began) != time.Second {
				t.Errorf("%s, called off: %v after %s", name, err, time.Since(began))
			}
		})
	}
}
