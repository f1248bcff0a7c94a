//go:build unix

package store_test

import (
	"context"
	"testing"
	"time"

	"agentchat/backend/store"
	"agentchat/backend/store/storetest"
	"agentchat/backend/testing/baddisk"
	"agentchat/backend/testing/ledgertest"
)

// house is a ledger on a disk that takes nothing more once its process is dead.
type house struct {
	disk *baddisk.Disk
	open *store.Store
}

func (h *house) Open(t testing.TB) storetest.Ledger {
	t.Helper()
	s, err := store.Open(context.Background(), h.disk.Dir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	h.open = s
	return s
}

func (h *house) Cut(testing.TB) {
	h.disk.FailFrom(1, baddisk.IO)
	_ = h.open.Close() // the dead process does not close anything; here its files must be let go of
	h.disk.Heal()
}

// SQLite keeps a ledger as it must be kept.
func TestConformance(t *testing.T) {
	storetest.Run(t, func(t testing.TB) storetest.House {
		return &house{disk: baddisk.Under(t, ledgertest.In(t.TempDir()))}
	})
}
