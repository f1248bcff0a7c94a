package store

import (
	"context"
	"errors"
	"fmt"
)

// repage rewrites the ledger of an older program with today's page size, unless it is too big. It is done completely or not at all, only
// when there is enough disk space, and only after the check for damage.
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
