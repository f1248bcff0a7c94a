package store

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// readers is the pool of read-only connections. It keeps prepared statements, because preparing costs more than running most queries. Safe for concurrent use.
type readers struct {
	*sql.DB

	mu    sync.RWMutex
	stmts map[string]*sql.Stmt
}

func newReaders(db *sql.DB) *readers {
	db.SetMaxOpenConns(4)
	db.SetMaxIdleConns(4)
	return &readers{DB: db, stmts: map[string]*sql.Stmt{}}
}

func (r *readers) prepared(ctx context.Context, query string) (*sql.Stmt, error) {
	r.mu.RLock()
	stmt := r.stmts[query]
	r.mu.RUnlock()
	if stmt != nil {
		return stmt, nil
	}
	stmt, err := r.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if other := r.stmts[query]; other != nil { // somebody else was as quick
		return other, stmt.Close()
	}
	r.stmts[query] = stmt
	return stmt, nil
}

// QueryContext is sql.DB's, with the statement prepared before.
func (r *readers) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := r.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

// QueryRowContext is sql.DB's, with the statement prepared before.
func (r *readers) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	stmt, err := r.prepared(ctx, query)
	if err != nil {
		return r.DB.QueryRowContext(ctx, query, args...) // meets the same error and keeps it for Scan
	}
	return stmt.QueryRowContext(ctx, args...)
}

// Close closes the statements and the pool.
func (r *readers) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var err error
	for _, stmt := range r.stmts {
		err = errors.Join(err, stmt.Close())
	}
	return errors.Join(err, r.DB.Close())
}
