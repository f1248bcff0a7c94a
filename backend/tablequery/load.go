package tablequery

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	_ "modernc.org/sqlite" // the driver

	"agentchat/backend/apperr"
	"agentchat/backend/library/extract"
)

// base is the temporary database of one question. It holds the columns that the question needs and nothing else:
//
//	r       the row's number in the sheet
//	c<i>    what a cell says; of a column of numbers or dates only where it is neither
//	n<i>    its number: in units of 10^-scale, or as a float where the column is wide
//	d<i>    its date
type base struct {
	db     *sql.DB
	dir    string
	fields []string
}

// The file is nobody else's and gone afterwards, so nothing is done to survive a crash; and the cache is small, so that a table of any
// size takes the same memory.
const pragmas = "?_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)&_pragma=locking_mode(EXCLUSIVE)&_pragma=temp_store(FILE)&_pragma=cache_size(-16000)"

// rowsAtOnce is how many rows one statement takes.
const rowsAtOnce = 64

// load puts the columns that a question needs into a database of its own, below dir. Errors: the source's, storage errors.
func load(ctx context.Context, from Source, b *bound, dir string) (t *base, err error) {
	t = &base{}
	if t.dir, err = os.MkdirTemp(dir, "table-*"); err != nil {
		return nil, apperr.Wrap(err, apperr.StorageFailed)
	}
	defer func() {
		if err != nil {
			t.close()
		}
	}()
	if t.db, err = sql.Open("sqlite", "file:"+filepath.ToSlash(filepath.Join(t.dir, "rows.db"))+pragmas); err != nil {
		return nil, apperr.Wrap(err, apperr.StorageFailed)
	}
	t.db.SetMaxOpenConns(1)
	columns := b.needs()
	for _, c := range columns {
		t.fields = append(t.fields, "c"+c.Letter)
		switch c.Kind {
		case Number:
			t.fields = append(t.fields, "n"+c.Letter)
		case Date:
			t.fields = append(t.fields, "d"+c.Letter)
		case Text:
		}
	}
	if err := t.fill(ctx, from, b.sheet, columns); err != nil {
		return nil, err
	}
	return t, nil
}

// needs are the columns that a question reads.
func (b *bound) needs() (list []*Column) {
	wanted := slices.Concat([]*Column{b.sort}, b.by, b.where)
	for _, f := range b.figures() {
		wanted = append(wanted, f.Column)
	}
	for _, c := range wanted {
		if c != nil && !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
}

func (t *base) fill(ctx context.Context, from Source, sheet *Sheet, columns []*Column) (err error) {
	kinds := ""
	for _, f := range t.fields {
		kinds += ", " + f + map[byte]string{'c': " TEXT", 'n': " NUMERIC", 'd': " TEXT"}[f[0]]
	}
	if _, err := t.db.ExecContext(ctx, "CREATE TABLE t (r INTEGER"+kinds+")"); err != nil {
		return failed(ctx, err)
	}
	tx, err := t.db.BeginTx(ctx, nil)
	if err != nil {
		return failed(ctx, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	one := "(?" + strings.Repeat(",?", len(t.fields)) + ")"
	insert := func(n int) string { return "INSERT INTO t VALUES " + one + strings.Repeat(","+one, n-1) }
	many, err := tx.PrepareContext(ctx, insert(rowsAtOnce))
	if err != nil {
		return failed(ctx, err)
	}
	defer func() { _ = many.Close() }()
	width := len(t.fields) + 1
	args := make([]any, 0, width*rowsAtOnce)
	err = from(ctx, func(r extract.Row) error {
		if !sheet.holds(r) {
			return nil
		}
		args = append(args, int64(r.Number))
		for _, c := range columns {
			args = c.put(args, r.Cells)
		}
		if len(args) < cap(args) {
			return nil
		}
		_, err := many.ExecContext(ctx, args...)
		args = args[:0]
		return failed(ctx, err)
	})
	if err != nil {
		return err
	}
	if len(args) > 0 {
		if _, err := tx.ExecContext(ctx, insert(len(args)/width), args...); err != nil {
			return failed(ctx, err)
		}
	}
	return failed(ctx, tx.Commit())
}

// holds tells whether a row is one of the sheet's that count.
func (s *Sheet) holds(r extract.Row) bool {
	if r.Sheet != s.number || r.Number <= s.head || r.Number > s.last || empty(r.Cells) {
		return false
	}
	_, sums := slices.BinarySearch(s.totals, r.Number)
	return !sums
}

// put appends what the database keeps of the column's cell in a row.
func (c *Column) put(args []any, cells []extract.Cell) []any {
	v := cell{}
	if c.index < len(cells) {
		v = read(cells[c.index])
	}
	switch c.Kind {
	case Number:
		n, ok := c.number(v)
		switch {
		case v.text == "":
			return append(args, nil, nil)
		case !ok:
			return append(args, v.text, nil)
		case c.wide:
			return append(args, nil, n.value())
		}
		units, _ := n.at(c.scale)
		return append(args, nil, units)
	case Date:
		switch {
		case v.text == "":
			return append(args, nil, nil)
		case v.kind != Date:
			return append(args, v.text, nil)
		}
		return append(args, nil, v.date)
	case Text:
	}
	if v.text == "" {
		return append(args, nil)
	}
	return append(args, v.text)
}

func (t *base) close() {
	if t.db != nil {
		_ = t.db.Close()
	}
	_ = os.RemoveAll(t.dir)
}

// failed is what an error of the database means.
func failed(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return apperr.From(ctx.Err())
	}
	return apperr.Wrap(fmt.Errorf("the table's database: %w", err), apperr.StorageFailed)
}
