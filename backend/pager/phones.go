package pager

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/privatefile"
)

const phonesFile = "pager.json"

// Phone is one that was paired. Seen is when it last asked for something, to the minute.
type Phone struct {
	ID     string    `json:"id"`
	Name   string    `json:"name"`
	Paired time.Time `json:"paired" ts_type:"string"`
	Seen   time.Time `json:"seen" ts_type:"string"`
}

type keptPhone struct {
	Phone
	Key []byte `json:"key"` // the hash of what it shows
}

// phones are those that were paired, in a file beside the key of the connection and in no backup: what was unpaired must not come back with
// one, nor a phone get into a shop that was moved. Safe for concurrent use.
type phones struct {
	path string

	mu   sync.Mutex
	read bool
	list []keptPhone
}

// all reads the file once; ph.mu is held. One that is damaged holds no phones: they are paired anew. Errors: storage errors.
func (ph *phones) all() ([]keptPhone, error) {
	if ph.read {
		return ph.list, nil
	}
	text, err := os.ReadFile(ph.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, apperr.Wrap(err, apperr.StorageFailed)
	}
	var list []keptPhone
	if json.Unmarshal(text, &list) == nil {
		ph.list = list
	}
	ph.read = true
	return ph.list, nil
}

// keep writes a list down and holds it; ph.mu is held.
func (ph *phones) keep(list []keptPhone) error {
	text, err := json.Marshal(list)
	if err == nil {
		err = privatefile.Write(ph.path, text)
	}
	if err != nil {
		return apperr.Wrap(err, apperr.StorageFailed)
	}
	ph.list = list
	return nil
}

// views lists the phones, as they were paired.
func (ph *phones) views() ([]Phone, error) {
	ph.mu.Lock()
	defer ph.mu.Unlock()
	list, err := ph.all()
	views := make([]Phone, len(list))
	for i, one := range list {
		views[i] = one.Phone
	}
	return views, err
}

// of gives the phone that shows a key, and notes that it was seen. Errors: pager_unknown, storage errors.
func (ph *phones) of(key string, now time.Time) (Phone, error) {
	ph.mu.Lock()
	defer ph.mu.Unlock()
	list, err := ph.all()
	if err != nil {
		return Phone{}, err
	}
	i := slices.IndexFunc(list, func(one keptPhone) bool { return bytes.Equal(one.Key, hashed(key)) })
	if i < 0 {
		return Phone{}, apperr.New(apperr.PagerUnknown)
	}
	if now.Sub(list[i].Seen) >= glance {
		list = slices.Clone(list)
		list[i].Seen = now
		_ = ph.keep(list) // it is only shown
	}
	return list[i].Phone, nil
}

// full says that no phone more can be paired. Errors: too_many_phones, storage errors.
func (ph *phones) full() error {
	ph.mu.Lock()
	defer ph.mu.Unlock()
	list, err := ph.all()
	if err == nil && len(list) >= MostPhones {
		err = apperr.New(apperr.TooManyPhones, "most", MostPhones)
	}
	return err
}

// add keeps a phone. Errors: storage errors.
func (ph *phones) add(p Phone, key string) error {
	ph.mu.Lock()
	defer ph.mu.Unlock()
	list, err := ph.all()
	if err != nil {
		return err
	}
	return ph.keep(append(slices.Clone(list), keptPhone{p, hashed(key)}))
}

// remove forgets a phone. Errors: not_found, storage errors.
func (ph *phones) remove(id string) error {
	ph.mu.Lock()
	defer ph.mu.Unlock()
	list, err := ph.all()
	if err != nil {
		return err
	}
	rest := slices.DeleteFunc(slices.Clone(list), func(one keptPhone) bool { return one.ID == id })
	if len(rest) == len(list) {
		return apperr.New(apperr.NotFound, "what", "phone", "id", id)
	}
	return ph.keep(rest)
}

func phonesIn(dir string) *phones { return &phones{path: filepath.Join(dir, phonesFile)} }
