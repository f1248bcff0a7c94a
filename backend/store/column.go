package store

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"reflect"
	"time"
)

// moment reads a column of microseconds into a time; 0 is the zero time.
type moment struct{ at *time.Time }

// Scan implements sql.Scanner.
func (m moment) Scan(column any) error {
	n, ok := column.(int64)
	if !ok {
		return fmt.Errorf("a moment is a number, not %T", column)
	}
	*m.at = fromMicros(n)
	return nil
}

// asJSON is a value that a column holds as JSON: it is written as an argument, and read as a pointer.
type asJSON struct{ of any }

// Value implements driver.Valuer.
func (c asJSON) Value() (driver.Value, error) {
	text, err := json.Marshal(c.of)
	return string(text), err
}

// Scan implements sql.Scanner.
func (c asJSON) Scan(column any) error {
	switch text := column.(type) {
	case string:
		return json.Unmarshal([]byte(text), c.of)
	case []byte:
		return json.Unmarshal(text, c.of)
	}
	return fmt.Errorf("JSON is text, not %T", column)
}

// part is as asJSON, of what may be missing: a nil pointer or an empty list is "".
type part struct{ of any }

// Value implements driver.Valuer.
func (p part) Value() (driver.Value, error) {
	text, err := json.Marshal(p.of)
	if s := string(text); s != "null" && s != "[]" {
		return s, err
	}
	return "", err
}

// Scan implements sql.Scanner.
func (p part) Scan(column any) error {
	if column == "" {
		return nil
	}
	return asJSON(p).Scan(column)
}

// hanging is a part without which the rest is still worth reading: one that cannot be read is missing.
type hanging struct{ of any }

// Scan implements sql.Scanner.
func (h hanging) Scan(column any) error {
	if part(h).Scan(column) != nil {
		reflect.ValueOf(h.of).Elem().SetZero()
	}
	return nil
}
