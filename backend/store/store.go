// Package store keeps everything in one SQLite file (the ledger) and implements the Store interface of every other package.
//
// One connection writes, a pool of read-only connections reads. Progress is committed with synchronous NORMAL, which
// survives the end of the process; answers, effects and money with FULL, which survives the loss of power.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	sqlite "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"agentchat/backend/apperr"
	"agentchat/backend/privatefile"
)

// FileName is the database's name inside the data folder.
const FileName = "agentchat.db"

// checkpointEvery is how often the write-ahead log is checkpointed into the file, in the background.
const checkpointEvery = 5 * time.Second

// pageSize is the page size in bytes. It is small because a commit writes whole pages, and most commits change few bytes in many pages.
const pageSize = 1 << 10

// Store is the open ledger. Safe for concurrent use.
type Store struct {
	path  string
	write *sql.DB
	conn  *sql.Conn // the one connection that writes
	read  *readers
	now   func() time.Time
	// Beside puts what belongs to the ledger into a folder beside a backup of it; nil: nothing does. It is set before the first backup.
	Beside func(folder string) error

	backing sync.Mutex // one backup at a time

	line       sync.Mutex
	waiting    []*pending // transactions that wait for the next commit, oldest first
	committing bool       // one of them, or of those that were taken out of the line, commits
	company    bool       // the last commit was shared

	mu    sync.Mutex // one commit at a time on the writing connection
	full  bool       // the writer's current synchronous setting
	stmts map[string]*sql.Stmt

	packer        exchangePacker
	exchangesLeft int // until the oldest requests are looked at; only inside a transaction

	dirty chan struct{}      // holds one when something was written since the last checkpoint
	fold  chan chan struct{} // asks for a checkpoint now; what it carries is closed after it

	shelved     atomic.Int64 // batches of passages that were put in
	frequencies frequencies
	kept        kept
	examination examination
	healthy     func() bool // no damage was met since the ledger was opened; asked when the examination is over
	stop        chan struct{}
	done        chan struct{}
	once        sync.Once
}

// Open opens the ledger in dir, making or migrating it, and puts a backup that was chosen in its place before. The folder
// is 0700 and the file 0600 from then on. Errors: storage_full, storage_corrupt, storage_newer, storage_busy,
// storage_failed; the file itself is never destroyed.
func Open(ctx context.Context, dir string, now func() time.Time) (*Store, error) {
	s, err := Begin(ctx, dir, now)
	if err != nil {
		return nil, err
	}
	if err := s.Sound(ctx); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// Begin is Open, but does not wait for the check for damage. Until Sound has returned without an error, what is read must not be shown or
// acted upon. Writers wait for the check by themselves.
func Begin(ctx context.Context, dir string, now func() time.Time) (*Store, error) {
	list, err := loadMigrations()
	if err != nil {
		return nil, err
	}
	return open(ctx, dir, now, list)
}

func open(ctx context.Context, dir string, now func() time.Time, list []migration) (*Store, error) {
	if now == nil {
		now = time.Now
	}
	path := filepath.Join(dir, FileName)
	if err := prepare(ctx, path); err != nil {
		return nil, storageError(err)
	}
	s := &Store{path: path, now: now, stmts: map[string]*sql.Stmt{}, kept: kept{newest: map[string]newest{}}, dirty: make(chan struct{}, 1), fold: make(chan chan struct{}), stop: make(chan struct{}), done: make(chan struct{})}
	var err error
	unchanged, damaged := sealed(path), corruptions.Load()
	if s.write, err = sql.Open("sqlite", dsn(path, false)); err != nil {
		return nil, storageError(err)
	}
	s.write.SetMaxOpenConns(1)
	s.write.SetMaxIdleConns(1)
	examined, err := s.migrate(ctx, list)
	if err != nil {
		_ = s.write.Close()
		return nil, err
	}
	if examined, err = s.repage(ctx, examined); err != nil {
		_ = s.write.Close()
		return nil, storageError(err)
	}
	if s.conn, err = s.write.Conn(ctx); err != nil {
		_ = s.write.Close()
		return nil, storageError(err)
	}
	if err = s.conn.Raw(s.kept.watch); err != nil {
		_ = s.write.Close()
		return nil, storageError(err)
	}
	db, err := sql.Open("sqlite", dsn(path, true))
	if err != nil {
		_ = s.write.Close()
		return nil, storageError(err)
	}
	s.read = newReaders(db)
	s.examination.begin(ctx, func(ctx context.Context) error {
		if examined || unchanged || !s.small() {
			return nil
		}
		return examine(ctx, db, "quick_check")
	})
	s.healthy = func() bool { return s.examination.err == nil && corruptions.Load() == damaged }
	go s.checkpoint() //nolint:contextcheck,gosec // lives as long as the store, not as long as Open's context
	return s, nil
}

// prepare makes sure that there is a file at path that may be opened. A file that was truncated from outside is not taken for a new
// ledger.
func prepare(ctx context.Context, path string) error {
	dir := filepath.Dir(path)
	if err := secure(dir); err != nil {
		return err
	}
	if err := swapIn(ctx, path); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && info.Size() == 0 && !privatefile.Exists(path+"-wal") {
		if names, err := backupNames(filepath.Join(dir, backupsFolder)); err != nil || len(names) > 0 {
			return apperr.Wrap(errors.Join(errors.New("the ledger is empty"), err), apperr.StorageCorrupt)
		}
	}
	return touch(path)
}

func dsn(path string, readOnly bool) string {
	pragmas := []string{"busy_timeout(5000)", "temp_store(MEMORY)", "cache_size(-8000)"}
	if readOnly {
		pragmas = append(pragmas, "query_only(1)")
	} else {
		// Checkpoints run on a connection of their own, so that no commit has to wait for one.
		pragmas = append(pragmas, fmt.Sprintf("page_size(%d)", pageSize), "foreign_keys(1)", "synchronous(NORMAL)", "wal_autocheckpoint(0)")
	}
	q := "_txlock=immediate"
	if !readOnly {
		q += "&_journal_mode=WAL" // behind the size of a page, which only a file without a log can take on
	}
	for _, p := range pragmas {
		q += "&_pragma=" + p
	}
	return "file:" + (&urlPath{path}).String() + "?" + q
}

// urlPath escapes what a file URI may not hold.
type urlPath struct{ path string }

func (u *urlPath) String() string {
	return strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23", " ", "%20").Replace(filepath.ToSlash(u.path))
}

// checkpoint copies the write-ahead log into the file some time after a write; while nothing is written it does nothing. SQLite copies the
// rest when the last connection closes.
func (s *Store) checkpoint() {
	defer close(s.done)
	if s.Sound(context.Background()) != nil {
		return
	}
	db, err := sql.Open("sqlite", dsn(s.path, false))
	if err != nil {
		return
	}
	defer func() { _ = db.Close() }()
	due := time.NewTimer(checkpointEvery)
	defer due.Stop()
	fold := func() { _, _ = db.ExecContext(context.Background(), "PRAGMA wal_checkpoint(PASSIVE)") }
	var dirty <-chan struct{} // while the timer does not run: the next write sets it
	for {
		select {
		case <-s.stop:
			return
		case done := <-s.fold:
			fold()
			close(done)
		case <-due.C:
			fold()
			dirty = s.dirty
		case <-dirty:
			dirty = nil
			due.Reset(checkpointEvery)
		}
	}
}

// checkpointNow copies the write-ahead log into the file and waits for it. Bulk writers call it now and then: readers search the log, and
// SQLite restarts it only when all of it is in the file and nothing was written in the meantime.
func (s *Store) checkpointNow(ctx context.Context) {
	done := make(chan struct{})
	select {
	case s.fold <- done:
		<-done
	case <-s.done:
	case <-ctx.Done():
	}
}

// Close finishes what is under way and closes the file. Closing twice is fine.
func (s *Store) Close() error {
	var err error
	s.once.Do(func() {
		s.examination.end()
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, stmt := range s.stmts {
			_ = stmt.Close()
		}
		err = errors.Join(s.read.Close(), s.conn.Close(), s.write.Close())
		close(s.stop)
		<-s.done
		if err == nil && s.healthy() {
			seal(s.path)
		}
	})
	return err
}

// Path is the database file.
func (s *Store) Path() string { return s.path }

// work is one open transaction.
type work struct {
	ctx context.Context //nolint:containedctx // lives exactly as long as the transaction
	s   *Store
}

// exec runs one statement on the writing connection, prepared once and kept. Called with s.mu held.
func (w *work) exec(query string, args ...any) (sql.Result, error) {
	stmt, err := w.prepared(query)
	if err != nil {
		return nil, err
	}
	return stmt.ExecContext(w.ctx, args...)
}

// exec runs one statement in a transaction of its own.
func (s *Store) exec(ctx context.Context, full bool, query string, args ...any) error {
	return s.tx(ctx, full, func(w *work) error {
		_, err := w.exec(query, args...)
		return err
	})
}

// affect is exec, and gives how many rows it was about.
func (w *work) affect(query string, args ...any) (rows int, err error) {
	res, err := w.exec(query, args...)
	if err != nil {
		return 0, err
	}
	n, err := res.RowsAffected()
	return int(n), err
}

func (w *work) prepared(query string) (stmt *sql.Stmt, err error) {
	if stmt = w.s.stmts[query]; stmt == nil {
		if stmt, err = w.s.conn.PrepareContext(w.ctx, query); err == nil {
			w.s.stmts[query] = stmt
		}
	}
	return stmt, err
}

// storageError turns what the driver says into what a person can do about it. An *apperr.Error passes through.
func storageError(err error) error {
	var own *apperr.Error
	var lite *sqlite.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own):
		return own
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, syscall.ENOSPC):
		return apperr.Wrap(err, apperr.StorageFull)
	case errors.As(err, &lite):
		switch lite.Code() & 0xff {
		case sqlite3.SQLITE_FULL:
			return apperr.Wrap(err, apperr.StorageFull)
		case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
			corruptions.Add(1)
			return apperr.Wrap(err, apperr.StorageCorrupt)
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
			return apperr.Wrap(err, apperr.StorageBusy)
		}
	}
	return apperr.Wrap(err, apperr.StorageFailed)
}

// row is one row of a query.
type row interface{ Scan(...any) error }

// each calls read for every row of a query.
func each(rows *sql.Rows, err error, read func(row) error) error {
	if err != nil {
		return storageError(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := read(rows); err != nil {
			return storageError(err)
		}
	}
	return storageError(rows.Err())
}

// asked is a connection that can be asked.
type asked interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// one reads a row of one column.
func one[T any](row row) (value T, err error) {
	err = row.Scan(&value)
	return value, err
}

// collect reads all rows of a query.
func collect[T any](ctx context.Context, db asked, scan func(row) (T, error), query string, args ...any) ([]T, error) {
	list := []T{}
	rows, err := db.QueryContext(ctx, query, args...)
	err = each(rows, err, func(r row) error {
		v, err := scan(r)
		list = append(list, v)
		return err
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func fromMicros(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}

func notFound(what, id string) error { return apperr.New(apperr.NotFound, "what", what, "id", id) }

func missing(err error, what, id string) error {
	if errors.Is(err, sql.ErrNoRows) {
		return notFound(what, id)
	}
	return storageError(fmt.Errorf("%s %s: %w", what, id, err))
}
