package service

import (
	"bytes"
	"encoding/json"
)

// Data is what a tool brought, for templates: whole numbers are int64.
type Data map[string]any

// UnmarshalJSON keeps whole numbers whole.
func (d *Data) UnmarshalJSON(raw []byte) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var m map[string]any
	if err := dec.Decode(&m); err != nil {
		return err
	}
	for k, v := range m {
		m[k] = whole(v)
	}
	*d = m
	return nil
}

func whole(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		return v.String()
	case map[string]any:
		for k, x := range v {
			v[k] = whole(x)
		}
	case []any:
		for i, x := range v {
			v[i] = whole(x)
		}
	}
	return v
}
