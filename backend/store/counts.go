package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
)

// Counts gives how many rows each table of the ledger in a data folder has, by the table's name, with its schema and size as "schema" and
// "bytes". It only reads, also beside a program that has the ledger open. Errors: fs.ErrNotExist where there is none, storage errors.
func Counts(ctx context.Context, dir string) (counts map[string]int64, err error) {
	path := filepath.Join(dir, FileName)
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", "file:"+(&urlPath{path}).String()+"?mode=ro&_pragma=busy_timeout(5000)&_pragma=query_only(1)")
	if err != nil {
		return nil, storageError(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	var schema int64
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&schema); err != nil {
		return nil, storageError(err)
	}
	counts = map[string]int64{"bytes": info.Size(), "schema": schema}
	names, err := tables(ctx, db)
	if err != nil {
		return nil, storageError(err)
	}
	for _, name := range names {
		var n int64
		if err := db.QueryRowContext(ctx, `SELECT count(*) FROM "`+name+`"`).Scan(&n); err != nil {
			return nil, storageError(err)
		}
		counts[name] = n
	}
	return counts, nil
}

// tables names the tables that the migrations made; those behind an index for full text are not counted.
func tables(ctx context.Context, db *sql.DB) (names []string, err error) {
	rows, err := db.QueryContext(ctx, "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}
