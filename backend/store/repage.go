package store

import (
	"context"
	"errors"
	"fmt"
)

// repage gives a ledger of an older program pages of today's size, which takes no time worth speaking of for a small one; a big
// one keeps those it has. It is done whole or not at all, not when there is no room for it, and only to a ledger that was examined.
func (s *Store) repage(ctx context.Context, examined bool) (bool, error) {
	var size int
	if err := s.write.QueryRowContext(ctx, "PRAGMA page_size").Scan(&size); err != nil {
		return examined, err
	}
	if size == pageSize || !s.small() {
		return examined, nil
	}
	if !examined {
		if err := examine(ctx, s.write, "quick_check"); err != nil {
			return false, err
		}
	}
	if _, err := s.write.ExecContext(ctx, "PRAGMA journal_mode=DELETE"); err != nil {
		return true, ctx.Err() // somebody else has it open: another time
	}
	_, err := s.write.ExecContext(ctx, fmt.Sprintf("PRAGMA page_size=%d", pageSize))
	if err == nil {
		_, _ = s.write.ExecContext(ctx, "VACUUM") // a full disk leaves it as it was
	}
	_, again := s.write.ExecContext(ctx, "PRAGMA journal_mode=WAL")
	return true, errors.Join(err, again, ctx.Err())
}
