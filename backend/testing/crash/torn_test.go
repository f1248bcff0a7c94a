package crash

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"agentchat/backend/store"
)

// tear cuts the record of the oldest job that has not ended in two, as a failing disk may leave it.
func tear(c *customer) error {
	path := filepath.Join(c.home, "data", store.FileName)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil // killed before there was anything, there is nothing to tear
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	var made bool // killed before its tables were there, neither
	if err := db.QueryRowContext(context.Background(), `SELECT count(*) FROM sqlite_schema WHERE name='jobs'`).Scan(&made); err != nil || !made {
		return err
	}
	_, err = db.ExecContext(context.Background(), `UPDATE jobs SET data=substr(data, 1, length(data)/2)
		WHERE number=(SELECT min(number) FROM jobs WHERE ended=0 AND json_valid(data))`)
	return err
}
