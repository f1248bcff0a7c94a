package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Contents is what a ledger holds, in short, for somebody who wonders whether it is the one they look for. Newest is when the newest message
// was said, and Folders are those that shelves follow.
type Contents struct {
	Chats, Messages, Documents, Notes, Orders, Favourites int
	Newest                                                time.Time
	Folders                                               []string
}

// ContentsOf looks into a ledger that nobody writes to. Errors: storage errors.
func ContentsOf(ctx context.Context, path string) (c Contents, err error) {
	db, err := sql.Open("sqlite", "file:"+(&urlPath{path}).String()+"?mode=ro&immutable=1")
	if err != nil {
		return c, storageError(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	c, err = contents(ctx, db)
	return c, storageError(err)
}

// Contents looks into this ledger. Errors: storage errors.
func (s *Store) Contents(ctx context.Context) (Contents, error) {
	c, err := contents(ctx, s.read.DB)
	return c, storageError(err)
}

func contents(ctx context.Context, db *sql.DB) (c Contents, err error) {
	var newest int64
	for _, q := range []struct {
		table, query string
		to           any
	}{
		{"chats", "SELECT count(*) FROM chats WHERE deleted = 0", &c.Chats},
		{"messages", "SELECT count(*) FROM messages WHERE hidden = 0", &c.Messages},
		{"messages", "SELECT ifnull(max(created), 0) FROM messages", &newest},
		{"documents", "SELECT count(*) FROM documents", &c.Documents},
		{"notes", "SELECT count(*) FROM notes", &c.Notes},
		{"standing_orders", "SELECT count(*) FROM standing_orders", &c.Orders},
		{"favourites", "SELECT count(*) FROM favourites", &c.Favourites},
	} {
		if has, err := hasTable(ctx, db, q.table); err != nil || !has { // an older program had no such table
			if err != nil {
				return c, err
			}
			continue
		}
		if err := db.QueryRowContext(ctx, q.query).Scan(q.to); err != nil {
			return c, err
		}
	}
	if newest > 0 {
		c.Newest = time.UnixMicro(newest).UTC()
	}
	has, err := hasTable(ctx, db, "shelves")
	if err != nil || !has {
		return c, err
	}
	rows, err := db.QueryContext(ctx, "SELECT path FROM shelves ORDER BY path")
	err = each(rows, err, func(r row) error {
		var folder string
		err := r.Scan(&folder)
		c.Folders = append(c.Folders, folder)
		return err
	})
	return c, err
}

func hasTable(ctx context.Context, db *sql.DB, name string) (has bool, err error) {
	err = db.QueryRowContext(ctx, "SELECT count(*) > 0 FROM sqlite_schema WHERE type = 'table' AND name = ?", name).Scan(&has)
	return has, err
}
