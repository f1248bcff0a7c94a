package store

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"sort"
	"strconv"
	"strings"

	"agentchat/backend/failpoint"
)

//go:embed migrations/*.sql
var migrations embed.FS

type migration struct {
	version int
	sql     string
}

func loadMigrations() ([]migration, error) {
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	list := make([]migration, 0, len(names))
	for i, name := range names {
		number, _, _ := strings.Cut(strings.TrimPrefix(name, "migrations/"), "_")
		version, err := strconv.Atoi(number)
		if err != nil || version != i+1 {
			return nil, fmt.Errorf("store: migration %s is not number %d", name, i+1)
		}
		text, err := migrations.ReadFile(name)
		if err != nil {
			return nil, err
		}
		list = append(list, migration{version, string(text)})
	}
	return list, nil
}

// migrate brings the file to the newest schema of list, each number in a transaction of its own. Before the first change to a
// file that holds something, it is examined for damage, unless it is big, and a backup is made.
func (s *Store) migrate(ctx context.Context, list []migration) (examined bool, err error) {
	var have int
	if err := s.write.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil {
		return false, storageError(err)
	}
	switch {
	case have > len(list):
		return false, newer(have, len(list))
	case have == len(list):
		return false, nil
	case have > 0:
		if s.small() {
			if err := examine(ctx, s.write, "quick_check"); err != nil {
				return false, err
			}
		}
		if _, err := s.BackUp(ctx, ReasonUpdate); err != nil {
			return false, err
		}
	}
	for _, m := range list[have:] {
		if err := s.apply(ctx, m); err != nil {
			return false, storageError(fmt.Errorf("migration %d: %w", m.version, err))
		}
	}
	return true, nil
}

func (s *Store) apply(ctx context.Context, m migration) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, m.sql); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version=%d", m.version)); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	if failpoint.Enabled {
		failpoint.Hit("store.migrate before commit")
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	if failpoint.Enabled {
		failpoint.Hit("store.migrate after commit")
	}
	return nil
}
