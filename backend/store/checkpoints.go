package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/library/agent"
)

// staleCheckpoint is how long the checkpoint of a question is of use that nobody went on with.
const staleCheckpoint = 7 * 24 * time.Hour

// Checkpoints keeps how far questions about documents are, in a file of its own (seed 004: checkpoint_db_path). It
// implements manager.Checkpoints. Safe for concurrent use.
type Checkpoints struct{ db *sql.DB }

// checkpointsID is the application id in the head of the file (SQLite's file format, offset 68): no other file is touched.
const checkpointsID = 0x41634370 // "AcCp"

var errNotCheckpoints = errors.New("the file is something else")

// OpenCheckpoints opens the file at path, which is made when it is not there, with a folder for it, and is its owner's alone.
// What is older than a week goes. Errors: storage_full, storage_corrupt (it is another file, and stays as it is),
// storage_failed.
func OpenCheckpoints(ctx context.Context, path string, now time.Time) (*Checkpoints, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, storageError(err)
	}
	if err := onlyCheckpoints(path); err != nil {
		return nil, storageError(err)
	}
	if err := touch(path); err != nil {
		return nil, storageError(err)
	}
	// No write-ahead log: the file's head has to say what it is whenever the program ends.
	db, err := sql.Open("sqlite", "file:"+(&urlPath{path}).String()+"?_txlock=immediate&_pragma=busy_timeout(5000)&_pragma=journal_mode(TRUNCATE)&_pragma=synchronous(NORMAL)")
	if err != nil {
		return nil, storageError(err)
	}
	db.SetMaxOpenConns(1)
	c := &Checkpoints{db}
	for _, q := range []struct {
		text string
		args []any
	}{
		{fmt.Sprintf(`PRAGMA application_id=%d`, checkpointsID), nil},
		{`CREATE TABLE IF NOT EXISTS checkpoints (turn TEXT PRIMARY KEY, inquiry BLOB NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID`, nil},
		{`DELETE FROM checkpoints WHERE at < ?`, []any{micros(now.Add(-staleCheckpoint))}},
	} {
		if _, err := db.ExecContext(ctx, q.text, q.args...); err != nil {
			return nil, errors.Join(storageError(err), db.Close())
		}
	}
	return c, nil
}

// onlyCheckpoints refuses a file that holds something else.
func onlyCheckpoints(path string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	var head [72]byte
	switch n, err := io.ReadFull(f, head[:]); {
	case n == 0 && errors.Is(err, io.EOF):
		return nil // empty
	case err != nil, !bytes.HasPrefix(head[:], []byte("SQLite format 3\x00")), binary.BigEndian.Uint32(head[68:]) != checkpointsID:
		return apperr.Wrap(errors.Join(errNotCheckpoints, err), apperr.StorageCorrupt)
	}
	return nil
}

// Checkpoint is how far the question of a turn is, and whether it had begun. Errors: storage errors.
func (c *Checkpoints) Checkpoint(ctx context.Context, turn string) (*agent.Inquiry, bool, error) {
	var raw []byte
	switch err := c.db.QueryRowContext(ctx, `SELECT inquiry FROM checkpoints WHERE turn=?`, turn).Scan(&raw); {
	case errors.Is(err, sql.ErrNoRows):
		return nil, false, nil
	case err != nil:
		return nil, false, storageError(err)
	}
	q := &agent.Inquiry{}
	if err := json.Unmarshal(raw, q); err != nil {
		return nil, false, storageError(err)
	}
	return q, true, nil
}

// SaveCheckpoint keeps how far the question of a turn is. Errors: storage errors.
func (c *Checkpoints) SaveCheckpoint(ctx context.Context, turn string, q *agent.Inquiry, now time.Time) error {
	raw, err := json.Marshal(q)
	if err != nil {
		return storageError(err)
	}
	_, err = c.db.ExecContext(ctx, `INSERT INTO checkpoints (turn, inquiry, at) VALUES (?,?,?)
		ON CONFLICT (turn) DO UPDATE SET inquiry=excluded.inquiry, at=excluded.at`, turn, raw, micros(now))
	return storageError(err)
}

// DropCheckpoint forgets the question of a turn. Errors: storage errors.
func (c *Checkpoints) DropCheckpoint(ctx context.Context, turn string) error {
	_, err := c.db.ExecContext(ctx, `DELETE FROM checkpoints WHERE turn=?`, turn)
	return storageError(err)
}

// Close closes the file.
func (c *Checkpoints) Close() error { return storageError(c.db.Close()) }
