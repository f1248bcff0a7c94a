package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/undolog"
)

var _ undolog.Log = (*Store)(nil)

// logged is what must be known of a table whose rows are kept: its key, the columns that change by themselves, so that nothing is seen in
// that, and the one that is assigned anew to a row that comes back.
type logged struct{ key, drifts, anew []string }

var loggedTables = map[undolog.Table]logged{
	undolog.Notes:     {key: []string{"id"}, drifts: []string{"updated", "changed_by"}, anew: []string{"n"}},
	undolog.Records:   {key: []string{"id"}, drifts: []string{"chat"}},
	undolog.Dues:      {key: []string{"record"}, drifts: []string{"told"}},
	undolog.Facts:     {key: []string{"id"}},
	undolog.Orders:    {key: []string{"id"}, drifts: []string{"next", "last", "skips", "held"}},
	undolog.Runs:      {key: []string{"standing", "due"}},
	undolog.RunJobs:   {key: []string{"turn", "job"}},
	undolog.Files:     {key: []string{"standing", "path"}, drifts: []string{"size", "mtime", "gone"}},
	undolog.Documents: {key: []string{"id"}, drifts: []string{"title", "kind", "path"}},
}

// rowsOf are some rows of a table.
type rowsOf struct {
	table undolog.Table
	where string
	args  []any
}

// keeping runs a change of the ledger. Under a use it keeps what becomes of these rows, in the same transaction.
func (w *work) keeping(ctx context.Context, do func() error, of ...rowsOf) error {
	use, ok := undolog.Of(ctx)
	if !ok {
		return do()
	}
	before, err := w.images(of)
	if err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	after, err := w.images(of)
	if err != nil {
		return err
	}
	for i := range of {
		if err := w.logRows(use, of[i].table, before[i], after[i]); err != nil {
			return err
		}
	}
	return nil
}

// changeKept is change, which keeps what it changes.
func (s *Store) changeKept(ctx context.Context, what, id string, of rowsOf, query string, args ...any) error {
	return s.tx(ctx, false, func(w *work) error {
		return w.keeping(ctx, func() error { return w.change(what, id, query, args...) }, of)
	})
}

// logRows keeps what differs between the images of a table's rows.
func (w *work) logRows(use undolog.Use, table undolog.Table, before, after map[string]string) error {
	keys := maps.Clone(before)
	maps.Copy(keys, after)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		was, is := before[key], after[key]
		if was == is {
			continue
		}
		if _, err := w.exec(`INSERT INTO undo_log (use, chat, tbl, key, was, now, at) VALUES (?,?,?,?,nullif(?,''),nullif(?,''),?)`,
			use.ID, use.Chat, string(table), key, was, is, micros(w.s.now())); err != nil {
			return err
		}
	}
	return nil
}

// images are rows as JSON, by their keys.
func (w *work) images(of []rowsOf) (list []map[string]string, err error) {
	for _, r := range of {
		columns, err := w.columns(r.table)
		if err != nil {
			return nil, err
		}
		rows := map[string]string{}
		found, err := w.query(`SELECT json_array(`+strings.Join(loggedTables[r.table].key, ",")+`), json_object(`+pairs(columns)+`) FROM `+string(r.table)+` WHERE `+r.where, r.args...)
		if err := each(found, err, func(row row) error {
			var key, image string
			err := row.Scan(&key, &image)
			rows[key] = image
			return err
		}); err != nil {
			return nil, err
		}
		list = append(list, rows)
	}
	return list, nil
}

// pairs are columns as json_object wants them.
func pairs(columns []string) string {
	var b strings.Builder
	for i, c := range columns {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("'" + c + "'," + c)
	}
	return b.String()
}

// columns are those of a table, as the migrations left it.
func (w *work) columns(table undolog.Table) (names []string, err error) {
	found, err := w.query(`SELECT name FROM pragma_table_info(?)`, string(table))
	err = each(found, err, func(row row) error {
		var name string
		err := row.Scan(&name)
		names = append(names, name)
		return err
	})
	return names, err
}

// row is a row as it stands in the ledger.
func (w *work) row(table undolog.Table, key string) (undolog.Row, error) {
	where, args, err := byKey(table, key, 1)
	if err != nil {
		return nil, err
	}
	images, err := w.images([]rowsOf{{table, where, args}})
	if err != nil {
		return nil, err
	}
	return rowOf(images[0][key])
}

func rowOf(image string) (r undolog.Row, err error) {
	if image != "" {
		err = json.Unmarshal([]byte(image), &r)
	}
	return r, err
}

// byKey finds a row by its key, whose first value is the parameter of that number.
func byKey(table undolog.Table, key string, first int) (where string, args []any, err error) {
	var values []any
	d := json.NewDecoder(strings.NewReader(key))
	d.UseNumber()
	names := loggedTables[table].key
	if err := d.Decode(&values); err != nil || len(values) != len(names) || len(names) == 0 {
		return "", nil, apperr.New(apperr.RecordUnreadable)
	}
	terms := make([]string, len(values))
	for i, v := range values {
		terms[i] = names[i] + "=?" + strconv.Itoa(first+i)
		if n, is := v.(json.Number); is {
			whole, err := n.Int64()
			if err != nil {
				return "", nil, apperr.Wrap(err, apperr.RecordUnreadable)
			}
			values[i] = whole
		}
	}
	return strings.Join(terms, " AND "), values, nil
}

// undone is what a use did to each row in all, the last row first.
func (w *work) undone(use string) (list []undolog.Change, err error) {
	at := map[string]int{} // where a row stands in the list
	found, err := w.query(`SELECT tbl, key, coalesce(was, ''), coalesce(now, '') FROM undo_log WHERE use=? ORDER BY n`, use)
	if err = each(found, err, func(row row) error {
		var c undolog.Change
		var was, is string
		err := row.Scan(&c.Table, &c.Key, &was, &is)
		if err == nil {
			c.Was, err = rowOf(was)
		}
		if err == nil {
			c.Is, err = rowOf(is)
		}
		if i, known := at[string(c.Table)+c.Key]; known {
			list[i].Is = c.Is
			return err
		}
		at[string(c.Table)+c.Key] = len(list)
		list = append(list, c)
		return err
	}); err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(c undolog.Change) bool { return c.Was == nil && c.Is == nil })
	slices.Reverse(list)
	for i := range list {
		c := &list[i]
		if c.Now, err = w.row(c.Table, c.Key); err != nil {
			return nil, err
		}
		if !sameRow(c.Table, c.Now, c.Is) {
			c.Why = undolog.Changed
			continue
		}
		if c.Why, err = w.hindered(*c); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// sameRow tells whether two rows say the same, but for what changes by itself.
func sameRow(table undolog.Table, a, b undolog.Row) bool {
	if (a == nil) != (b == nil) {
		return false
	}
	for name, v := range b {
		if now, has := a[name]; has && !bytes.Equal(now, v) && !slices.Contains(loggedTables[table].drifts, name) && !slices.Contains(loggedTables[table].anew, name) {
			return false
		}
	}
	return true
}

// hindered says why a row cannot come back, though nobody changed it.
func (w *work) hindered(c undolog.Change) (undolog.Why, error) {
	query, args := "", []any{}
	switch {
	case c.Was == nil:
	case c.Table == undolog.Records && c.Was.Number("canceled") == 0 && c.Was.Text("unique_by") != "":
		query, args = `SELECT count(*) FROM service_records WHERE service=? AND unique_by=? AND canceled=0 AND id<>?`, []any{c.Was.Text("service"), c.Was.Text("unique_by"), c.Was.Text("id")}
	case c.Table == undolog.Facts && c.Was.Text("text") != "" && c.Was.Text("topic") != "" && c.Is.Text("text") == "":
		// Only one fact can be about a topic; the one that took its place goes with the same use, or it is another's.
		query, args = `SELECT count(*) FROM facts f WHERE topic=? AND text<>'' AND id<>? AND NOT EXISTS (SELECT 1 FROM undo_log u JOIN undo_log mine ON mine.use=u.use AND mine.tbl='facts' AND mine.key=json_array(?2)
			WHERE u.tbl='facts' AND u.key=json_array(f.id))`, []any{c.Was.Text("topic"), c.Was.Text("id")}
	case c.Table == undolog.Documents && c.Was.Text("state") == "ready":
		query, args = `SELECT count(*) FROM documents WHERE hash=? AND state='ready' AND id<>?`, []any{c.Was.Text("hash"), c.Was.Text("id")}
	}
	if query == "" {
		return undolog.Can, nil
	}
	n := 0
	found, err := w.query(query, args...)
	if err = each(found, err, func(row row) error { return row.Scan(&n) }); err != nil || n == 0 {
		return undolog.Can, err
	}
	return undolog.Taken, nil
}

// Changed implements undolog.Log.
func (s *Store) Changed(ctx context.Context, use string) (list []undolog.Change, err error) {
	kept := false
	if err := s.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM undo_log WHERE use=?)`, use).Scan(&kept); err != nil || !kept {
		return nil, storageError(err)
	}
	err = s.tx(ctx, false, func(w *work) (err error) {
		list, err = w.undone(use)
		return err
	})
	return list, err
}

// TakeBack implements undolog.Log.
func (s *Store) TakeBack(ctx context.Context, use string) (list []undolog.Change, err error) {
	by, ok := undolog.Of(ctx)
	if !ok {
		return nil, apperr.New(apperr.Internal)
	}
	err = s.tx(ctx, true, func(w *work) (err error) {
		if list, err = w.undone(by.ID); err != nil || len(list) > 0 {
			return err // it has run before
		}
		if list, err = w.undone(use); err != nil {
			return err
		}
		for _, c := range list {
			if c.Why != undolog.Can {
				continue
			}
			where, args, err := byKey(c.Table, c.Key, 1)
			if err != nil {
				return err
			}
			if err := w.keeping(ctx, func() error { return w.putBack(c) }, rowsOf{c.Table, where, args}); err != nil {
				return err
			}
		}
		return nil
	})
	return list, err
}

// putBack makes a row what it was.
func (w *work) putBack(c undolog.Change) error {
	where, key, err := byKey(c.Table, c.Key, 2)
	if err != nil {
		return err
	}
	if c.Table == undolog.Orders && c.Was.Number("next") <= micros(w.s.now()) { // a moment that has passed is not made up for
		c.Was = maps.Clone(c.Was)
		if c.Was != nil {
			c.Was["next"] = json.RawMessage("0")
		}
	}
	image := asJSON{c.Was}
	args := append([]any{image}, key...)
	if c.Was == nil {
		if c.Table == undolog.Notes {
			if _, err := w.exec(`DELETE FROM notes_fts WHERE rowid=(SELECT n FROM notes WHERE ?1 IS NOT NULL AND `+where+`)`, args...); err != nil {
				return err
			}
		}
		_, err := w.exec(`DELETE FROM `+string(c.Table)+` WHERE ?1 IS NOT NULL AND `+where, args...)
		return err
	}
	columns, err := w.columns(c.Table)
	if err != nil {
		return err
	}
	how := loggedTables[c.Table]
	columns = slices.DeleteFunc(columns, func(name string) bool {
		_, has := c.Was[name]
		return !has || slices.Contains(how.anew, name)
	})
	values := make([]string, len(columns))
	for i, name := range columns {
		values[i] = "json_extract(?1, '$." + name + "')"
	}
	if c.Now == nil {
		_, err = w.exec(`INSERT INTO `+string(c.Table)+` (`+strings.Join(columns, ",")+`) SELECT `+strings.Join(values, ","), image)
	} else {
		var sets []string
		for i, name := range columns {
			if !slices.Contains(how.key, name) && name != "n" && (c.Table != undolog.Orders || name != "last") {
				sets = append(sets, name+"="+values[i])
			}
		}
		_, err = w.exec(`UPDATE `+string(c.Table)+` SET `+strings.Join(sets, ",")+` WHERE `+where, args...)
	}
	if err == nil && c.Table == undolog.Notes {
		err = w.indexNote(c.Was.Text("id"), c.Was.Text("text"))
	}
	return err
}

// Last gives the last use of a chat since a moment that is no step of a ticket, and when it was; ok is false when there is none.
func (s *Store) Last(ctx context.Context, chat string, since time.Time) (use string, at time.Time, ok bool, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT use, at FROM undo_log WHERE chat=? AND use GLOB 'turn:*' AND at>=? ORDER BY n DESC LIMIT 1`, chat, micros(since)).Scan(&use, moment{&at})
	if errors.Is(err, sql.ErrNoRows) {
		return "", at, false, nil
	}
	return use, at, err == nil, storageError(err)
}
