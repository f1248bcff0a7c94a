package pairing

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync"

	"agentchat/backend/apperr"
	"agentchat/backend/privatefile"
)

// Kept is a list of who was paired, in a file beside the key of the connection and in no backup: what was unpaired must not come back with one, nor
// anybody get into a shop that was moved. Safe for concurrent use.
type Kept[T any] struct {
	path string
	id   func(T) string

	mu   sync.Mutex
	list []T
	err  error // it could not be read
}

// KeptIn reads the list of a file. One that is damaged holds nobody: they are paired anew. One that cannot be read is left as it is, see Readable.
func KeptIn[T any](path string, id func(T) string) *Kept[T] {
	k := &Kept[T]{path: path, id: id}
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		k.err = apperr.Wrap(err, apperr.StorageFailed)
	}
	var list []T
	if json.Unmarshal(text, &list) == nil {
		k.list = list
	}
	return k
}

// Readable tells whether the file could be read. Errors: storage errors.
func (k *Kept[T]) Readable() error { return k.err }

// All lists them as they were paired.
func (k *Kept[T]) All() []T {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.list)
}

// Find gives the first that fits.
func (k *Kept[T]) Find(fits func(T) bool) (one T, ok bool) {
	list := k.All()
	if i := slices.IndexFunc(list, fits); i >= 0 {
		return list[i], true
	}
	return one, false
}

// Set keeps one, in the place of the one with its id. Errors: storage errors.
func (k *Kept[T]) Set(one T) error {
	return k.change(func(list []T) []T {
		if i := k.at(list, k.id(one)); i >= 0 {
			list[i] = one
			return list
		}
		return append(list, one)
	})
}

// Alter changes one that is there still. Errors: storage errors.
func (k *Kept[T]) Alter(id string, do func(*T)) error {
	return k.change(func(list []T) []T {
		if i := k.at(list, id); i >= 0 {
			do(&list[i])
		}
		return list
	})
}

// Remove forgets one, and tells whether it was there. Errors: storage errors.
func (k *Kept[T]) Remove(id string) (was bool, err error) {
	return was, k.change(func(list []T) []T {
		i := k.at(list, id)
		if was = i >= 0; was {
			return slices.Delete(list, i, i+1)
		}
		return list
	})
}

// Drop forgets those that fit. Errors: storage errors.
func (k *Kept[T]) Drop(fits func(T) bool) error {
	return k.change(func(list []T) []T { return slices.DeleteFunc(list, fits) })
}

func (k *Kept[T]) at(list []T, id string) int {
	return slices.IndexFunc(list, func(o T) bool { return k.id(o) == id })
}

// change writes down what the list is made into. Errors: storage errors.
func (k *Kept[T]) change(to func([]T) []T) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.err != nil {
		return k.err
	}
	list := to(slices.Clone(k.list))
	text, err := json.Marshal(list)
	if err == nil {
		err = privatefile.Write(k.path, text)
	}
	if err != nil {
		return apperr.Wrap(err, apperr.StorageFailed)
	}
	k.list = list
	return nil
}
