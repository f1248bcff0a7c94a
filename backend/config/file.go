package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"

	"agentchat/backend/apperr"
	"agentchat/backend/privatefile"
)

// maxFile is far more than any person's settings need.
const maxFile = 8 << 20

// errBroken marks a settings file that exists but is not one JSON object.
var errBroken = errors.New("not a settings file")

// document is the settings file as it stands on disk: known and unknown keys, in nested objects or with dots.
type document map[string]any

// readDocument reads a settings file. A missing or empty file is an empty document.
func readDocument(path string) (document, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return document{}, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	return parseDocument(text)
}

func parseDocument(text []byte) (document, error) {
	if len(text) > maxFile {
		return nil, fmt.Errorf("%w: more than %d bytes", errBroken, maxFile)
	}
	text = bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff"))) // some editors begin files with a mark
	if len(text) == 0 {
		return document{}, nil
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber() // keeps numbers of unknown keys to the last digit
	var doc document
	if err := dec.Decode(&doc); err != nil {
		return nil, fmt.Errorf("%w: %w", errBroken, err)
	}
	if doc == nil || dec.More() {
		return nil, fmt.Errorf("%w: not one JSON object", errBroken)
	}
	return doc, nil
}

// flat gives the document's values by full key. A key with the value null is not set.
func (d document) flat() map[string]any {
	out := map[string]any{}
	flatten(out, "", d)
	maps.DeleteFunc(out, func(_ string, v any) bool { return v == nil })
	return out
}

// flatten walks in key order, so that a key that stands in two places always gets the same value.
func flatten(out map[string]any, prefix string, in map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(in)) {
		if inner, ok := in[key].(map[string]any); ok {
			flatten(out, prefix+key+delim, inner)
		} else {
			out[prefix+key] = in[key]
		}
	}
}

// set writes one key; nil takes it out. Nothing else in the document changes.
func (d document) set(key string, value any) {
	drop(d, key)
	if value == nil {
		return
	}
	path := strings.Split(key, delim)
	at := map[string]any(d)
	for _, name := range path[:len(path)-1] {
		next, ok := at[name].(map[string]any)
		if _, taken := at[name]; taken && !ok {
			d[key] = value // someone's own value stands in the way; the key with dots means the same
			return
		}
		if !ok {
			next = map[string]any{}
			at[name] = next
		}
		at = next
	}
	at[path[len(path)-1]] = value
}

// drop removes every spelling of a key: nested, with dots, or half and half. An object that stands where a value belongs
// is no value of the key: what is in it stays, in the spelling with dots.
func drop(in map[string]any, key string) {
	inner, _ := in[key].(map[string]any)
	delete(in, key)
	strangers := map[string]any{}
	flatten(strangers, key+delim, inner)
	for name, value := range strangers {
		if _, taken := in[name]; !taken {
			in[name] = value
		}
	}
	for name, value := range in {
		rest, ok := strings.CutPrefix(key, name+delim)
		inner, nested := value.(map[string]any)
		if !ok || !nested {
			continue
		}
		before := len(inner)
		drop(inner, rest)
		if before > 0 && len(inner) == 0 {
			delete(in, name)
		}
	}
}

// write replaces the file in one step: after a crash it holds the old settings or the new, never half of either. Only its
// owner can read it.
func (d document) write(path string) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(d); err != nil {
		return err
	}
	return privatefile.Write(path, text.Bytes())
}

// setAside renames a broken file to a name that is free, so that nothing in it is lost.
func setAside(path string) (kept string, err error) {
	for n := 1; n < 1000; n++ {
		kept = path + ".broken"
		if n > 1 {
			kept = fmt.Sprintf("%s.broken-%d", path, n)
		}
		if _, err := os.Lstat(kept); errors.Is(err, fs.ErrNotExist) {
			return kept, os.Rename(path, kept)
		}
	}
	return "", fmt.Errorf("%s: too many broken files kept already", path)
}

// persist puts the changes into the file as it stands now, so that what a person wrote there meanwhile is kept.
func persist(path string, changes map[string]any) error {
	doc, err := readDocument(path)
	if errors.Is(err, errBroken) {
		_, err = setAside(path)
		doc = document{}
	}
	if err != nil {
		return storageError(err)
	}
	held := doc.flat()
	dirty := false
	for key, value := range changes {
		if old, ok := held[key]; ok != (value != nil) || (ok && !sameJSON(old, value)) {
			doc.set(key, value)
			dirty = true
		}
	}
	if !dirty {
		return nil
	}
	if err := doc.write(path); err != nil {
		return storageError(err)
	}
	return nil
}

func sameJSON(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

func storageError(err error) *apperr.Error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return apperr.Wrap(err, apperr.StorageFull)
	}
	return apperr.Wrap(err, apperr.StorageFailed)
}
